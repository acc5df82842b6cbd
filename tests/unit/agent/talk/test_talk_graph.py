"""The table of transitions, and nodes that need nobody: the last look of deliver, the bounds."""

from dataclasses import replace
from typing import Any

import pytest

from libs.planning.order import Span
from libs.planning.state import PlanningState
from services.agent.domain.happening import Ended, Speak
from services.agent.domain.run import Outcome, OutcomeKind, Phase, PlanStep
from services.agent.domain.scope import Scope
from services.agent.graph import bounding, claims, delivering, heuristics, loading, transitions
from services.agent.graph.step import State, Step, aborted, completed, finished, to
from services.agent.tools import bounds, registry
from services.agent.tools.bounds import Bounds, ClassRule
from tests.unit.agent.talk import runs
from tests.unit.agent.tools.plans import EXISTING, PENDING, SUGGESTED, course, plan, task

NOBODY: Any = None

ORDERED = plan(
    course(1, "高数", (1, 1, 2), (8, 1, 2)),
    task(2, "第1讲", "线代", SUGGESTED, (2, 1, 2), of=(1, 1)),
    task(3, "第2讲", "线代", SUGGESTED, (4, 1, 2), of=(1, 2)),
    task(4, "第3讲", "线代", SUGGESTED, (6, 3, 4), of=(1, 3)),
)


def test_every_phase_but_the_last_has_a_node_and_can_be_reached() -> None:
    assert set(transitions.NODES) == set(Phase) - {Phase.DONE}
    assert set(transitions.FOLLOWING) == set(Phase)
    reached = {Phase.CHAT}
    while more := {two for one in reached for two in transitions.FOLLOWING[one]} - reached:
        reached |= more
    assert reached == set(Phase)
    assert transitions.FOLLOWING[Phase.DONE] == frozenset()


def test_the_table_is_drawn_with_every_phase() -> None:
    drawn = transitions.__doc__ or ""
    assert all(phase.value in drawn for phase in Phase)


async def test_a_node_that_leads_elsewhere_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    async def astray(state: State, desk: object) -> Step:
        return to(state, Phase.CONFIRM_WRITE)

    monkeypatch.setitem(transitions.NODES, Phase.CHAT, astray)  # type: ignore[arg-type]
    with pytest.raises(transitions.Forbidden):
        await transitions.advance(runs.state(), NOBODY)


def test_an_outcome_is_never_overwritten() -> None:
    ended = finished(runs.state(), completed("written", "好")).state
    with pytest.raises(ValueError, match="has ended"):
        finished(ended, aborted("x", "y"))


def _broken(state: PlanningState, task_id: int, span: Span) -> PlanningState:
    """A state that no tool could have made."""
    return state.replacing([replace(state.tasks[task_id], slots=(span,))])


@pytest.mark.parametrize(
    ("current", "problem"),
    [
        (_broken(ORDERED, 2, Span(7, 1, 2)), "order"),
        (_broken(ORDERED, 2, Span(4, 2, 3)), "conflict"),
        (ORDERED.replacing([replace(ORDERED.tasks[2], embed_host=1)]), "host"),
        (ORDERED.replacing([replace(ORDERED.tasks[1], embedded_by=(2,))]), "guest"),
    ],
)
async def test_a_broken_plan_is_aborted_at_the_last_look_and_never_offered(
    current: PlanningState, problem: str
) -> None:
    broken = runs.planned(ORDERED, current)
    assert problem in str(delivering.broken(broken))

    step = await delivering.deliver(runs.state(broken, phase=Phase.DELIVER), NOBODY)

    outcome = step.state.run.outcome
    assert outcome is not None
    assert (outcome.kind, outcome.code) == (OutcomeKind.ABORTED, "order_broken")
    assert step.state.run.confirm is None
    assert [type(one) for one in step.events] == [Speak, Ended]
    assert outcome.internal_reason not in step.said[0]


async def test_the_tools_never_lead_to_a_broken_plan() -> None:
    moved = registry.call(ORDERED, "spread_even", {}).state
    assert delivering.broken(runs.planned(ORDERED, moved)) is None


@pytest.mark.parametrize(
    "outcome",
    [
        aborted("pending_left", "排不下", "内部"),
        Outcome(OutcomeKind.EXHAUSTED, "rounds", "轮数用完了"),
    ],
)
async def test_what_ends_the_run_is_told_and_leaves_nothing_to_confirm(outcome: Outcome) -> None:
    before = runs.state(runs.planned(ORDERED), phase=Phase.DELIVER, ending=outcome)
    step = await delivering.deliver(before, NOBODY)
    assert step.state.run.outcome == outcome
    assert step.state.run.confirm is None
    assert step.said == (outcome.user_message,)


async def test_a_plan_that_changes_nothing_is_completed_without_asking() -> None:
    step = await delivering.deliver(runs.state(runs.planned(ORDERED)), NOBODY)
    assert step.state.run.outcome is not None
    assert step.state.run.outcome.code == "nothing_to_change"


RULE = ClassRule(1, 2, 9, excluded_days=(6,), excluded_pairs=(5,), in_courses=False)


@pytest.mark.parametrize(
    ("day", "slot", "given", "told"),
    [
        (6, 1, Bounds(rules=(RULE,)), "不排周六"),
        (10, 1, Bounds(rules=(RULE,)), "日期是第2天到第9天"),
        (5, 9, Bounds(rules=(RULE,)), "不排第9-10节"),
        (7, 1, Bounds(excluded_days=(7,)), "这次不排周日"),
        (5, 5, Bounds(excluded_sections=((5, 6),)), "这次不排第5-6节"),
        (5, 5, Bounds(excluded_limits=((5, 5, 6),)), "这次不排第5-6节"),
        (5, 1, Bounds(closed=(5,)), "要空着"),
        (5, 1, Bounds(days=(6,)), "不在当前步骤之内"),
        (5, 1, Bounds(task_ids=(3,)), "不在当前步骤的任务之内"),
    ],
)
def test_a_write_outside_the_bounds_is_refused_with_the_reason(
    day: int, slot: int, given: Bounds, told: str
) -> None:
    arguments = {"task_id": 4, "new_day": day, "new_slot_start": slot}
    result = registry.call(ORDERED, "move", arguments)
    assert result.is_ok

    refused = bounds.bounded(ORDERED, result, given)

    assert (refused.is_ok, refused.code, refused.changed) == (False, "outside_bounds", ())
    assert refused.state is ORDERED
    assert told in refused.text
    assert bounds.bounded(ORDERED, result, Bounds()) is result


def test_limits_of_other_weekdays_do_not_bind() -> None:
    arguments = {"task_id": 4, "new_day": 5, "new_slot_start": 5}
    result = registry.call(ORDERED, "move", arguments)
    given = Bounds(excluded_limits=((4, 5, 6), (5, 7, 8)), closed=(6,), excluded_days=(7,))
    assert bounds.bounded(ORDERED, result, given) is result


def test_a_step_binds_its_dates_and_classes() -> None:
    the_plan = runs.planned(ORDERED)
    step = PlanStep("x", first=runs.MONDAY, last=runs.MONDAY, class_ids=(1,))
    run = runs.run(steps=(step,))
    found = bounding.bounds_of(run, the_plan)
    assert (found.days, found.task_ids) == ((1,), (2, 3, 4))
    elsewhere = replace(step, class_ids=(9,), first=runs.MONDAY.replace(year=2027))
    assert elsewhere.first is not None
    nothing = replace(elsewhere, last=elsewhere.first)
    bound = bounding.bounds_of(runs.run(steps=(nothing,)), the_plan)
    assert (bound.days, bound.task_ids) == ((0,), (0,))


def test_dates_that_stay_free_close_days_of_the_window() -> None:
    the_plan = runs.planned(ORDERED)
    scope = Scope(excluded_dates=(the_plan.date_of(3),), excluded_sections=((9, 12),))
    found = bounding.of_plan(replace(the_plan, scope=scope))
    assert (found.closed, found.excluded_sections) == ((3,), ((9, 12),))


def test_what_waits_again_is_put_elsewhere_in_order_and_within_the_bounds() -> None:
    waiting = ORDERED
    for number in (3, 4):
        waiting = registry.call(waiting, "unplace", {"task_id": number}).state
    given = Bounds(excluded_days=(3, 4, 5))
    found = loading.refit(waiting, (4, 3), given)
    assert found.tasks[3].status is found.tasks[4].status is SUGGESTED
    days = [found.window.days[found.tasks[n].slots[0].day - 1].day_of_week for n in (3, 4)]
    assert not {3, 4, 5}.intersection(days)
    assert delivering.broken(runs.planned(waiting, found)) is None


def test_what_has_no_room_goes_on_waiting() -> None:
    waiting = registry.call(ORDERED, "unplace", {"task_id": 4}).state
    found = loading.refit(waiting, (4,), Bounds(excluded_days=tuple(range(1, 8))))
    assert found.tasks[4].status is PENDING


UNEVEN = plan(
    *(course(n, f"课{n}", (n, 1, 2)) for n in range(1, 4)),
    task(4, "甲", "英语", SUGGESTED, (1, 3, 4)),
    task(5, "乙", "英语", SUGGESTED, (1, 5, 6)),
    task(6, "丙", "英语", SUGGESTED, (1, 9, 10)),
    task(7, "丁", "英语", EXISTING, (2, 3, 4)),
)


def test_rules_better_the_plan_round_by_round_and_come_to_an_end() -> None:
    state = runs.state(runs.planned(UNEVEN), phase=Phase.EXECUTE)
    tools = []
    for number in range(heuristics.MOST_ROUNDS + 2):
        step = heuristics.one_round(state.having(round=number + 1))
        state = step.state
        if state.run.phase is Phase.DELIVER:
            break
        tools.append(state.run.loop[-1].tool)
    assert state.run.phase is Phase.DELIVER
    assert tools[0] == "spread_even"
    assert state.plan is not None
    assert max(day.load for day in state.plan.current.days) < 8


def test_rules_keep_within_the_bounds() -> None:
    closed = replace(runs.planned(UNEVEN), scope=Scope(excluded_days=(2, 3, 4, 5, 6, 7)))
    state = runs.state(closed, phase=Phase.EXECUTE)
    for number in range(heuristics.MOST_ROUNDS + 2):
        state = heuristics.one_round(state.having(round=number + 1)).state
        if state.run.phase is Phase.DELIVER:
            break
    assert state.plan is not None
    moved = [one for one in state.plan.difference.shifts]
    assert all(one.after.slots[0].day in (1, 8) for one in moved)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("先看看整体情况。", "先看看整体情况。"),
        ("已经写入日程。接下来看看。", "接下来看看。"),
        ("都帮你排好了！", ""),
        ("方案已保存", ""),
        ("It has been saved. Looking on.", ""),
        ("看 https://evil.example/x 这里", "看 这里"),
        ("<b>加粗</b>的话", "加粗的话"),
        ("一句\u202e话\x00", "一句 话"),
        ("可以写入吗？", "可以写入吗？"),
    ],
)
def test_words_of_a_model_are_shown_without_claims_and_links(said: str, shown: str) -> None:
    assert claims.shown(said) == shown
