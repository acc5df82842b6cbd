"""The plan out of the schedule: loaded for the first time, or anew with what was suggested.

Where the schedule moved on, legal suggestions are kept, the others dropped and named; what waits
again then is put elsewhere by rules. Spec: tools.md, State and database.
"""

from collections.abc import Iterable

from libs.planning import moves
from libs.planning.moves import Refused
from libs.planning.openings import free_places
from libs.planning.state import PlanningState, Status, Task
from libs.planning.window import NoWindow
from services.agent.domain.drawn import Load
from services.agent.domain.scope import Scope
from services.agent.graph import bounding, words
from services.agent.graph import plan as plans
from services.agent.graph.desk import Desk
from services.agent.graph.plan import Plan
from services.agent.graph.step import Rows, State, Step, status
from services.agent.tools import bounds as tool_bounds
from services.agent.tools import reload
from services.agent.tools.bounds import Bounds

_PLACES = 200


async def loaded(state: State, desk: Desk, scope: Scope) -> Step | NoWindow:
    """The state with a plan that was read now; suggestions of an older one are carried over."""
    old = state.plan
    schedule = desk.tools.schedule
    found = await schedule.load(desk.caller, scope, old.ids if old else None)
    if isinstance(found, NoWindow):
        return found
    number = state.run.loads + 1
    plan = plans.of_snapshot(found, Load(state.run.id, number), scope)
    new = State(state.run, plan).having(loads=number, scope=scope)
    step = Step(new, rows=(Rows(number, found.rows),))
    return step if old is None else _carried(step, old, plan)


def _carried(step: Step, old: Plan, fresh: Plan) -> Step:
    """With what the old plan suggested, as far as it still fits."""
    reloaded = reload.reload(old.base, old.current, fresh.base)
    plan = fresh.with_state(reloaded.state)
    state = State(step.state.run, plan)
    lines = list(reload.notice(reloaded))
    events = (status(state.run, "suggestions_dropped", words.dropped(lines)),) if lines else ()
    waiting = [one.task.state_id for one in reloaded.dropped if one.task.slots]
    refitted = plan.with_state(refit(plan.current, waiting, bounding.of_plan(plan)))
    return Step(State(state.run, refitted), events, rows=step.rows)


def refit(state: PlanningState, task_ids: Iterable[int], bounds: Bounds) -> PlanningState:
    """Puts waiting tasks where there is room, in the order of their classes; some may stay."""
    tasks = [state.task(task_id) for task_id in task_ids]
    waiting = [one for one in tasks if one is not None and one.status is Status.PENDING]
    for task in sorted(waiting, key=lambda one: (one.task_class_id or 0, one.task_order or 0)):
        state = _placed(state, task, bounds) or state
    return state


def _placed(state: PlanningState, task: Task, bounds: Bounds) -> PlanningState | None:
    for one in free_places(state, task.length, top_k=_PLACES):
        outcome = moves.place(state, task.state_id, one.span.day, one.span.first)
        if isinstance(outcome, Refused) or tool_bounds.outside(state, outcome.state, bounds):
            continue
        return outcome.state
    return None
