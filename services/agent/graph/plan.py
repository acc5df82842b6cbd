"""The plan of a run: the schedule as it was loaded, and as it is planned."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta

from libs.planning.changes import Change
from libs.planning.order import Span
from libs.planning.state import PlanningState, Status, Task
from services.agent.domain.drawn import Counts, Drawn, Load, Placed
from services.agent.domain.scope import Scope
from services.agent.tools import as_changes, difference
from services.agent.tools.bounds import ClassRule
from services.agent.tools.difference import Difference
from services.agent.tools.loading import Snapshot, StateIds


@dataclass(frozen=True, slots=True)
class Plan:
    """`base` as loaded, `current` as planned; numbers mean the same in both.

    `first_date` is day 1; `meetings` are the events of courses by state_id and place; `rules`
    those of the classes.
    """

    load: Load
    scope: Scope
    first_date: date
    base: PlanningState
    current: PlanningState
    ids: StateIds
    meetings: Mapping[tuple[int, Span], int]
    rules: tuple[ClassRule, ...]

    def date_of(self, day: int) -> date:
        """The date of a day of the window."""
        return self.first_date + timedelta(days=day - 1)

    def with_state(self, state: PlanningState) -> "Plan":
        """The same plan gone on to another state."""
        return replace(self, current=state)

    @property
    def counts(self) -> Counts:
        """How many tasks wait, are suggested, stand."""
        found = dict.fromkeys(Status, 0)
        for task in self.current.tasks.values():
            if not task.is_course:
                found[task.status] += 1
        return Counts(found[Status.PENDING], found[Status.SUGGESTED], found[Status.EXISTING])

    @property
    def difference(self) -> Difference:
        """What it would change."""
        return difference.between(self.base, self.current)

    @property
    def changes(self) -> tuple[Change, ...]:
        """The same as the schedule service takes it."""
        return as_changes.changes_of(self.difference, self.current, self.meetings)


def of_snapshot(snapshot: Snapshot, load: Load, scope: Scope) -> Plan:
    """A plan that changes nothing yet."""
    loaded = snapshot.loaded
    return Plan(
        load=load,
        scope=scope,
        first_date=snapshot.first_date,
        base=loaded.state,
        current=loaded.state,
        ids=loaded.ids,
        meetings=loaded.meetings,
        rules=snapshot.rules,
    )


def drawn(plan: Plan) -> Drawn:
    """How a plan is stored."""
    before = plan.base.tasks
    return Drawn(
        load=plan.load,
        scope=plan.scope,
        numbers=tuple(sorted((kind, id_, no) for (kind, id_), no in plan.ids.of.items())),
        placed=tuple(
            _placed(task)
            for state_id, task in plan.current.tasks.items()
            if task != before.get(state_id)
        ),
    )


def numbers(stored: Drawn) -> StateIds:
    """The numbers that a stored plan gave."""
    return StateIds({(kind, id_): number for kind, id_, number in stored.numbers})


def redrawn(snapshot: Snapshot, stored: Drawn) -> Plan:
    """The plan out of its rows. Raises ValueError where they do not fit."""
    plan = of_snapshot(snapshot, stored.load, stored.scope)
    tasks = plan.base.tasks
    if unknown := [one.state_id for one in stored.placed if one.state_id not in tasks]:
        raise ValueError(f"no task {unknown[0]}")
    return plan.with_state(
        plan.base.replacing(
            replace(
                tasks[one.state_id],
                status=one.status,
                slots=tuple(Span(*slot) for slot in one.slots),
                embed_host=one.embed_host,
                embedded_by=one.embedded_by,
            )
            for one in stored.placed
        )
    )


def _placed(task: Task) -> Placed:
    return Placed(
        task.state_id,
        task.status,
        tuple((span.day, span.first, span.last) for span in task.slots),
        task.embed_host,
        task.embedded_by,
    )
