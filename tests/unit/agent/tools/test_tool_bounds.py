"""Bounds of a run: what tools find by themselves lies within, what a model names is judged."""

import random
from dataclasses import replace

import pytest

from libs.planning.health import Health
from libs.planning.order import Span
from libs.planning.state import PlanningState, Status
from services.agent.tools import bounds, registry
from services.agent.tools.bounds import Bounds, ClassRule
from services.agent.tools.result import ToolResult
from tests.unit.agent.tools.plans import SUGGESTED, course, plan, task, window
from tests.unit.agent.tools.rough_built import rough_built
from tests.unit.agent.tools.seeded import seeded


def some_bounds(dice: random.Random, days: int) -> Bounds:
    rules = tuple(
        ClassRule(
            class_id,
            dice.randint(-1, 5),
            dice.randint(6, days + 2),
            tuple(dice.sample(range(1, 8), dice.randint(0, 2))),
            tuple(dice.sample(range(1, 9), dice.randint(0, 2))),
            dice.random() < 0.5,
        )
        for class_id in (1, 2)
    )
    first = dice.randint(1, 12)
    return Bounds(
        rules=rules,
        excluded_days=tuple(dice.sample(range(1, 8), dice.randint(0, 1))),
        excluded_sections=((first, dice.randint(first, 12)),) if dice.random() < 0.5 else (),
        excluded_limits=((dice.randint(1, 7), first, 12),) if dice.random() < 0.5 else (),
        closed=tuple(dice.sample(range(1, days + 1), dice.randint(0, 2))),
        days=tuple(range(3, days)) if dice.random() < 0.3 else (),
    )


@pytest.mark.parametrize("seed", range(30))
def test_tools_look_where_the_bounds_let_tasks_lie_and_nowhere_else(seed: int) -> None:
    dice = random.Random(seed)
    state = seeded(seed, days=14)
    limits = some_bounds(dice, 14)
    looked_at = bounds.within(state, limits)
    host = next(one.state_id for one in state.tasks.values() if one.can_embed)
    for one in state.tasks.values():
        if one.is_course:
            continue
        for _ in range(30):
            first = dice.randint(1, 12)
            span = Span(dice.randint(1, 14), first, dice.randint(first, min(first + 2, 12)))
            if one.slots == (span,):
                continue
            inside = host if dice.random() < 0.3 else None
            there = state.replacing([replace(one, slots=(span,), embed_host=inside)])
            allowance = looked_at.allowance_of(one.task_class_id)
            assert allowance is not None
            admitted = allowance.admits(span, in_host=inside is not None)
            assert admitted is (bounds.outside(state, there, limits) == ())


def test_without_bounds_the_state_is_looked_at_as_it_is() -> None:
    state = seeded(1)
    assert bounds.within(state, Bounds()) is state


def test_a_step_about_some_tasks_leaves_the_others_where_they_are() -> None:
    state = plan(
        *(task(n, f"第{n}讲", "线代", SUGGESTED, (1, 2 * n - 1, 2 * n), of=(7, n)) for n in (1, 2)),
        *(task(n, "单词", "英语", SUGGESTED, (1, 2 * n - 1, 2 * n), of=(8, n)) for n in (3, 4)),
        in_window=window(4),
    )
    of_step = bounds.within(state, Bounds(task_ids=(3, 4)))

    spread = registry.call(of_step, "spread_even", {})

    assert spread.changed
    assert set(spread.changed) <= {3, 4}
    assert set(registry.call(state, "spread_even", {}).changed) - {3, 4}


def written_within(state: PlanningState, result: ToolResult, limits: Bounds) -> bool:
    return bounds.bounded(state, result, limits).is_ok


@pytest.mark.parametrize("seed", range(20))
def test_what_is_spread_or_offered_is_never_refused_for_the_bounds(seed: int) -> None:
    built, limits = rough_built(seed)
    limits = replace(limits, excluded_days=(7,), excluded_sections=((11, 12),))
    state = bounds.within(built, limits)

    assert written_within(state, registry.call(state, "spread_even", {}), limits)
    health = registry.call(state, "analyze_health", {}).facts
    assert isinstance(health, Health)
    for one in health.candidates:
        if one.partner_id is None:
            where = {"new_day": one.span.day, "new_slot_start": one.span.first}
            result = registry.call(state, "move", {"task_id": one.task_id, **where})
        else:
            result = registry.call(state, "swap", {"task_a": one.task_id, "task_b": one.partner_id})
        assert result.is_ok
        assert written_within(state, result, limits)


def test_what_a_model_names_outside_the_bounds_is_refused_in_one_sentence() -> None:
    state = plan(
        task(1, "第一讲", "线代", SUGGESTED, (1, 1, 2), of=(7, 1)),
        course(2, "思政", (3, 1, 2), embeds=True),
        in_window=window(7),
    )
    limits = Bounds(rules=(ClassRule(7, 1, 5, (2,), (3,), in_courses=False),), closed=(4,))

    def refused(day: int, slot: int) -> str:
        result = registry.call(
            state, "move", {"task_id": 1, "new_day": day, "new_slot_start": slot}
        )
        result = bounds.bounded(state, result, limits)
        assert (result.is_ok, result.code, result.changed) == (False, bounds.OUTSIDE, ())
        assert result.state is state
        return result.text

    assert refused(6, 1) == (
        "超出范围，未作变更：[1]第一讲不能放在第6天第1-2节，“线代”的日期是第1天到第5天。"
    )
    assert refused(2, 1) == "超出范围，未作变更：[1]第一讲不能放在第2天第1-2节，“线代”不排周二。"
    assert refused(5, 5) == "超出范围，未作变更：[1]第一讲不能放在第5天第5-6节，“线代”不排第5-6节。"
    assert refused(3, 1) == "超出范围，未作变更：[1]第一讲不能放在第3天第1-2节，“线代”不嵌入课程。"
    assert refused(4, 1) == "超出范围，未作变更：[1]第一讲不能放在第4天第1-2节，这一天要空着。"
    assert state.tasks[1].status is Status.SUGGESTED
