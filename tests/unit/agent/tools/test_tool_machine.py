"""All tools called in any order, with sensible and with mad arguments: the plan stays legal."""

import json
from typing import Any

from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from libs.planning.state import PlanningState, Status
from services.agent.tools import registry
from services.agent.tools.offering import Effect
from tests.unit.agent.tools import soundness
from tests.unit.agent.tools.seeded import seeded, shuffled

NAMES = [tool.name for tool in registry.SCHEDULE_TOOLS]
ARGUMENTS = sorted(
    {name for tool in registry.SCHEDULE_TOOLS for name in tool.arguments.model_fields}
)
READING = {tool.name for tool in registry.SCHEDULE_TOOLS if tool.effect is Effect.READS}

numbers = st.sampled_from([-(2**63), -1, 0, 1, 2, 3, 5, 12, 13, 14, 99, 2**31, 2**64, 10**30])
mad = st.recursive(
    st.one_of(numbers, st.none(), st.booleans(), st.floats(), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(ARGUMENTS) | st.text(max_size=3), inner, max_size=3),
    ),
    max_leaves=5,
)
mad_arguments = st.one_of(
    st.dictionaries(st.sampled_from(ARGUMENTS), mad, max_size=4),
    mad,
    st.text(max_size=20),
)


class Tools(RuleBasedStateMachine):
    """One plan, a twin of it that was loaded in another order, and every tool."""

    state: PlanningState
    twin: PlanningState

    @initialize(seed=st.integers(0, 400), begun=st.integers(0, 4))
    def load(self, seed: int, begun: int) -> None:
        self.state = seeded(seed, begun_days=begun)
        self.twin = shuffled(self.state, seed)
        self.fixed = soundness.fixed(self.state)
        self.lengths = {
            one.state_id: one.duration for one in self.state.tasks.values() if not one.is_course
        }

    def call(self, name: str, arguments: Any) -> None:
        """Calls both; a refusal and a look leave everything as it is."""
        note(f"{name} {arguments}")
        before = repr(self.state)
        result = registry.call(self.state, name, arguments)
        again = registry.call(self.twin, name, arguments)

        assert (result.text, result.code, result.changed, result.free_runs) == (
            again.text,
            again.code,
            again.changed,
            again.free_runs,
        )
        assert repr(result.state) == repr(again.state)
        assert repr(self.state) == before
        assert result.text.encode()
        if not result.is_ok:
            assert result.state is self.state
            assert result.changed == ()
            assert result.text.split("\n")[0].endswith("。")
            assert result.facts is not None
        if name in READING:
            assert result.state is self.state
        moved = {
            one.state_id
            for one in self.state.tasks.values()
            if one.slots != result.state.tasks[one.state_id].slots
        }
        assert moved == set(result.changed)
        for one in moved:
            spans = result.state.tasks[one].slots
            assert not any(soundness.begun(self.state, span) for span in spans)
        self.state, self.twin = result.state, again.state

    def task_ids(self, *statuses: Status) -> list[int]:
        found = [one.state_id for one in self.state.tasks.values() if one.status in statuses]
        return found or [1]

    @rule(data=st.data(), day=st.integers(1, 14), slot=st.integers(1, 12))
    def place(self, data: st.DataObject, day: int, slot: int) -> None:
        task_id = data.draw(st.sampled_from(self.task_ids(Status.PENDING)))
        self.call("place", {"task_id": task_id, "day": day, "slot_start": slot})

    @rule(data=st.data(), day=st.integers(1, 14), slot=st.integers(1, 12))
    def move(self, data: st.DataObject, day: int, slot: int) -> None:
        task_id = data.draw(st.sampled_from(self.task_ids(Status.SUGGESTED)))
        self.call("move", {"task_id": task_id, "new_day": day, "new_slot_start": slot})

    @rule(data=st.data(), shift=st.integers(-1, 1), pending=st.booleans())
    def go_to_a_course(self, data: st.DataObject, shift: int, pending: bool) -> None:
        """Into a course that takes guests, or just beside where one would fit."""
        hosts = [one for one in self.state.tasks.values() if one.can_embed]
        if not hosts:
            return
        span = data.draw(st.sampled_from(data.draw(st.sampled_from(hosts)).slots))
        task_ids = self.task_ids(Status.PENDING if pending else Status.SUGGESTED)
        task_id, slot = data.draw(st.sampled_from(task_ids)), max(span.first + shift, 1)
        if pending:
            self.call("place", {"task_id": task_id, "day": span.day, "slot_start": slot})
        else:
            arguments = {"task_id": task_id, "new_day": span.day, "new_slot_start": slot}
            self.call("move", arguments)

    @rule(data=st.data())
    def move_to_a_candidate(self, data: st.DataObject) -> None:
        task = self.state.tasks[data.draw(st.sampled_from(self.task_ids(Status.SUGGESTED)))]
        found = registry.call(self.state, "find_first_free", {"duration": task.duration})
        best = getattr(found.facts, "best", ())
        if best:
            span = data.draw(st.sampled_from(best)).span
            self.call(
                "move",
                {"task_id": task.state_id, "new_day": span.day, "new_slot_start": span.first},
            )

    @rule(data=st.data())
    def swap(self, data: st.DataObject) -> None:
        placed = st.sampled_from(self.task_ids(Status.SUGGESTED, Status.EXISTING))
        self.call("swap", {"task_a": data.draw(placed), "task_b": data.draw(placed)})

    @rule(data=st.data())
    def exchange_by_a_batch(self, data: st.DataObject) -> None:
        suggested = self.task_ids(Status.SUGGESTED)
        chosen = data.draw(st.lists(st.sampled_from(suggested), min_size=1, max_size=4))
        spans = [self.state.tasks[one].slots for one in data.draw(st.permutations(chosen))]
        moves = [
            {"task_id": one, "new_day": slots[0].day, "new_slot_start": slots[0].first}
            for one, slots in zip(chosen, spans, strict=True)
            if slots
        ]
        self.call("batch_move", {"moves": moves})

    @rule(data=st.data())
    def unplace(self, data: st.DataObject) -> None:
        placed = st.sampled_from(self.task_ids(Status.SUGGESTED, Status.EXISTING))
        self.call("unplace", {"task_id": data.draw(placed)})

    @rule(bounds=st.tuples(st.integers(1, 14), st.integers(1, 14)), whole=st.booleans())
    def spread(self, bounds: tuple[int, int], whole: bool) -> None:
        first, last = sorted(bounds)
        self.call("spread_even", {} if whole else {"day_from": first, "day_to": last})

    @rule(
        day=st.integers(1, 14),
        length=st.integers(1, 12),
        status=st.sampled_from(["existing", "suggested", "pending", "all"]),
        task_id=st.integers(1, 30),
    )
    def look(self, day: int, length: int, status: str, task_id: int) -> None:
        self.call("get_overview", {})
        self.call("query_range", {"day": day})
        self.call("query_range", {"day": day, "slot_start": 1, "slot_end": length})
        self.call("find_first_free", {"duration": length})
        self.call("find_free", {"duration": length, "day": day, "exclude_breaks": False})
        self.call("list_tasks", {"status": status})
        self.call("get_task_info", {"task_id": task_id})

    @rule()
    def judge(self) -> None:
        self.call("evaluate_balance", {})
        self.call("analyze_health", {})

    @rule(name=st.sampled_from(NAMES), arguments=mad_arguments)
    def rave(self, name: str, arguments: Any) -> None:
        self.call(name, arguments)

    @rule(name=st.sampled_from(NAMES), arguments=mad)
    def rave_in_json(self, name: str, arguments: Any) -> None:
        self.call(name, json.dumps(arguments))

    @rule(name=st.text(max_size=8))
    def call_what_is_not_there(self, name: str) -> None:
        if registry.find(name) is None:
            self.call(name, {})

    @precondition(lambda self: hasattr(self, "state"))
    @invariant()
    def the_plan_is_legal(self) -> None:
        assert soundness.faults(self.state) == []
        assert soundness.fixed(self.state) == self.fixed
        assert self.lengths == {
            one.state_id: one.duration for one in self.state.tasks.values() if not one.is_course
        }


Tools.TestCase.settings = settings(
    max_examples=50,
    stateful_step_count=25,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestTools = Tools.TestCase
