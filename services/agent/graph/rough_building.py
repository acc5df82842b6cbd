"""rough_build: every item that waits gets a place by the rules of its class, or the run ends.

No model fills in by hand. Spec: agent.md, planning.md (Rough build).
"""

from dataclasses import dataclass, replace

from libs.planning import moves
from libs.planning.moves import Refused
from libs.planning.order import Span
from libs.planning.state import PlanningState
from libs.planning.window import NoWindow
from libs.telemetry import logs
from services.agent.domain.happening import Event
from services.agent.domain.known import RoughBuilt
from services.agent.domain.run import Outcome, Phase
from services.agent.graph import bounding, diffing, loading, planning, words
from services.agent.graph.desk import Desk
from services.agent.graph.plan import Plan
from services.agent.graph.step import State, Step, aborted, asking, ending, status, to
from services.agent.tools import bounds as bounds_of_tools
from services.agent.tools.replay import replay

_log = logs.get("graph.rough_build")

_MISSING = "dates_missing"


async def rough_build(state: State, desk: Desk) -> Step:
    """Places what waits, then loads the plan of the classes that were planned."""
    built = await desk.tools.schedule.rough_build(desk.caller, state.run.scope)
    if built.unplaced:
        return ending(state, _infeasible(built))
    skipped = {one.class_id for one in built.left_out}
    planned = tuple(one for one in state.run.scope.class_ids if one not in skipped)
    if not planned:
        return _nothing_planned(state, built)
    remembered = await desk.tools.memory.kept_free(state.run.user_id)
    scope = replace(state.run.scope, class_ids=planned, remembered=remembered)
    step = await loading.loaded(State(state.run), desk, scope)
    if isinstance(step, NoWindow):
        return ending(state, aborted("no_window", words.NO_WINDOW))
    return _placed(step.state, built).after(step)


def _infeasible(built: RoughBuilt) -> Outcome:
    told = words.infeasible(built.explanation)
    return aborted("pending_left", told, f"unplaced {len(built.unplaced)}")


def _nothing_planned(state: State, built: RoughBuilt) -> Step:
    """Every class was left out: for want of dates, which the person may give, or for good."""
    if any(one.code == _MISSING for one in built.left_out):
        return asking(state.having(phase=Phase.PLAN), words.ASK_DATES, about=planning.DATES)
    return ending(state, aborted("no_window", words.no_window(built.left_out)))


def _placed(state: State, built: RoughBuilt) -> Step:
    plan = state.plan
    assert plan is not None
    applied = _applied(plan, built)
    plan, kept = _settled(plan.with_state(applied.state))
    state = State(state.run, plan).having(scope=plan.scope)
    _log.info(
        "rough_build",
        run=state.run.id,
        placements=len(built.placements),
        applied=applied.count,
        day_mapping_miss=applied.day_mapping_miss,
        task_item_match_miss=applied.task_item_match_miss,
        pending_in_scope=plan.counts.pending,
        window_days=plan.base.window.total_days,
    )
    if plan.counts.pending:
        message = words.STILL_PENDING.format(count=plan.counts.pending)
        return ending(state, aborted("pending_left", message, "no room within the bounds"))
    events: list[Event] = [status(state.run, "built", words.BUILT), diffing.so_far(plan)]
    if not kept:
        events.insert(0, status(state.run, "remembered_not_kept", words.REMEMBERED_NOT_KEPT))
    if built.left_out:
        events.insert(0, status(state.run, "left_out", words.left_out(built.left_out)))
    return to(state, Phase.EXECUTE, *events, rough_built=True, loop=(), corrections=0)


def _settled(plan: Plan) -> tuple[Plan, bool]:
    """The plan within its bounds, and whether what is remembered to stay free does: where there is
    no room otherwise, it does not."""
    found = _within_bounds(plan)
    if not found.counts.pending or not plan.scope.remembered:
        return found, True
    scope = replace(plan.scope, remembered=())
    return _within_bounds(replace(plan, scope=scope)), False


def _within_bounds(plan: Plan) -> Plan:
    """What the service cannot be told, sections of single days and dates, is kept free here: what
    lies there is put elsewhere, or waits."""
    bounds = bounding.of_plan(plan)
    astray = bounds_of_tools.outside(plan.base, plan.current, bounds)
    state = plan.current
    for task_id in astray:
        outcome = moves.unplace(state, task_id)
        if not isinstance(outcome, Refused):
            state = outcome.state
    return plan.with_state(loading.refit(state, astray, bounds))


@dataclass(frozen=True, slots=True)
class _Applied:
    state: PlanningState
    count: int
    day_mapping_miss: int
    task_item_match_miss: int


def _applied(plan: Plan, built: RoughBuilt) -> _Applied:
    """The placements in the state, as suggestions, and what they missed."""
    targets: dict[int, Span | None] = {}
    no_day = no_item = 0
    for item_id, place in built.placements:
        number = plan.ids.of.get(("task_item", item_id))
        span = plan.base.window.span_of(place)
        if number is None or plan.base.task(number) is None:
            no_item += 1
        elif span is None:
            no_day += 1
        else:
            targets[number] = span
    replayed = replay(plan.base, targets)
    return _Applied(replayed.state, len(targets) - len(replayed.failed), no_day, no_item)
