"""What a model reads about the plan as a whole: balance, health, and what spreading did."""

from typing import Any

import pytest

from libs.planning.health import Health
from libs.planning.moves import MoveCode
from libs.planning.order import Span
from libs.planning.state import Intensity, PlanningState
from services.agent.tools import registry
from services.agent.tools.result import Code, Moved, Writing
from tests.unit.agent.tools.plans import (
    EXISTING,
    PENDING,
    SUGGESTED,
    WEEK,
    course,
    done,
    plan,
    refusal,
    says,
    task,
    window,
)
from tests.unit.agent.tools.soundness import faults

CROWDED = plan(
    task(1, "第一讲", "线代", SUGGESTED, (1, 1, 2), of=(7, 1)),
    task(2, "第二讲", "线代", SUGGESTED, (1, 3, 4), of=(7, 2)),
    task(3, "英语", "学习", EXISTING, (1, 5, 6)),
    in_window=window(3),
)


def test_the_balance_of_a_plan_with_faults_names_the_worst_of_them() -> None:
    broken = plan(
        task(1, "第一讲", "线代", SUGGESTED, (2, 1, 2), of=(7, 1)),
        task(2, "第二讲", "线代", SUGGESTED, (1, 1, 2), of=(7, 2)),
        task(3, "英语", "学习", EXISTING, (1, 2, 3)),
        task(4, "听写", "学习", PENDING),
        in_window=window(2),
    )

    assert says(broken, "evaluate_balance") == [
        "硬冲突(hard_conflict_count)：1处",
        "顺序违规(order_violation_count)：1处",
        "待安排(pending_count)：1个",
        "负载方差(load_variance)：0.25",
        "单日最高占用(max_day_load)：3/12",
        "结束判断(done_suggestion)：建议继续，还有1处硬冲突。",
    ]


def test_what_waits_keeps_a_plan_from_being_done() -> None:
    assert says(WEEK, "evaluate_balance")[-1] == (
        "结束判断(done_suggestion)：建议继续，还有3项待安排。"
    )


def test_a_plan_that_can_be_levelled_says_by_which_move() -> None:
    assert says(CROWDED, "evaluate_balance") == [
        "硬冲突(hard_conflict_count)：0处",
        "顺序违规(order_violation_count)：0处",
        "待安排(pending_count)：0个",
        "负载方差(load_variance)：8.00",
        "单日最高占用(max_day_load)：6/12",
        "结束判断(done_suggestion)：建议继续，还有合法的移动能把每日负载方差从8.00降到2.67"
        "（[2]第二讲 → 第2天第1-2节）。",
    ]


def test_a_move_into_a_course_is_named_with_its_host() -> None:
    state = plan(
        course(1, "思政", (1, 1, 2), (2, 1, 2), embeds=True),
        task(2, "听写", "英语", SUGGESTED, (1, 3, 3)),
        in_window=window(2),
    )

    assert says(state, "evaluate_balance")[-1].endswith("（[2]听写 → 第2天第1节，嵌入[1]思政）。")


def test_a_window_that_is_over_is_done() -> None:
    over = PlanningState(window(3, open_from=(4, 1)), CROWDED.tasks.values())

    lines = says(over, "evaluate_balance")

    assert lines[3:5] == ["负载方差(load_variance)：0.00", "单日最高占用(max_day_load)：0/12"]
    assert lines[-1].startswith("结束判断(done_suggestion)：可结束，")
    assert says(over, "analyze_health")[2] == "节奏(rhythm)：无"


def test_health_tells_room_rhythm_and_tightness_then_what_is_wrong_and_what_would_help() -> None:
    assert says(CROWDED, "analyze_health") == [
        "可行性(feasibility)：待安排需0时段，空闲30时段，缺口(capacity_gap)0时段",
        "占用最多(时段)：线代4 学习2",
        "节奏(rhythm)：有安排1天，单日最多占用6/12、类别切换1次、连续6节、高强度相邻0处",
        "松紧(tightness)：宽松(loose)，可动任务2个，合法移动27种，合法交换1种",
        "问题：",
        "- 负载不均，单日最高(uneven_load，中)：6，涉及 [2]第二讲",
        "结论(decision)：select_candidate，有可改善的候选",
        "候选：",
        "1. move [2]第二讲 第1天第3-4节 → 第2天第1-2节：改善(improve)，负载方差8.00 → 2.67",
    ]


def test_health_may_be_asked_about_one_side_alone() -> None:
    lines = says(CROWDED, "analyze_health", {"dimensions": ["tightness"]})

    assert [line.partition("：")[0] for line in lines] == [
        "松紧(tightness)",
        "问题",
        "- 负载不均，单日最高(uneven_load，中)",
        "结论(decision)",
        "候选",
        "1. move [2]第二讲 第1天第3-4节 → 第2天第1-2节",
    ]


def test_days_that_are_too_much_are_named_and_the_relief_of_each_candidate() -> None:
    heavy: dict[str, Any] = {"cognitive_intensity": Intensity.HIGH}
    pairs = [(number, (1, 2 * number - 1, 2 * number)) for number in range(1, 7)]
    state = plan(
        *(task(number, f"证明{number}", "数学", SUGGESTED, at, **heavy) for number, at in pairs),
        in_window=window(3),
    )

    lines = says(state, "analyze_health")

    assert "- 单日过满(full_day，中)：第1天(12)" in lines
    assert "- 高强度相邻(heavy_neighbours，中)：第1天(5)" in lines
    assert "- 连续过长(long_run，低)：第1天(12)" in lines
    assert lines[-1] == (
        "5. move [1]证明1 第1天第1-2节 → 第2天第1-2节：改善(improve)，负载方差32.00 → 18.67，"
        "节奏超限13 → 8"
    )


def test_what_cannot_be_placed_is_told_with_who_has_the_room() -> None:
    state = plan(
        course(1, "实验", (1, 1, 11), (2, 1, 12)),
        task(2, "长文", "写作", PENDING, duration=3),
        in_window=window(2),
    )

    assert says(state, "analyze_health") == [
        "可行性(feasibility)：待安排需3时段，空闲1时段，缺口(capacity_gap)2时段，"
        "没有合法位置：[2]长文",
        "占用最多(时段)：课程23",
        "节奏(rhythm)：有安排2天，单日最多占用12/12、类别切换0次、连续12节、高强度相邻0处",
        "松紧(tightness)：锁死(locked)，可动任务0个，合法移动0种，合法交换0种",
        "问题：",
        "- 时段不足(capacity_gap，高)：2",
        "- 没有合法位置(no_place，高)：1，涉及 [2]长文",
        "- 仍有待安排(pending_left，高)：1",
        "- 单日过满(full_day，中)：第1天(11) 第2天(12)",
        "- 连续过长(long_run，低)：第1天(11) 第2天(12)",
        "结论(decision)：ask_user，待安排的任务放不下",
        "候选：无",
    ]


def test_many_days_of_one_issue_are_counted_beyond_the_sixth() -> None:
    state = plan(
        *(course(day, f"实验{day}", (day, 1, 11)) for day in range(1, 10)), in_window=window(9)
    )

    line = next(one for one in says(state, "analyze_health") if "full_day" in one)

    assert line.endswith("第6天(11) 等共9天")


def test_many_tasks_without_a_place_are_counted_beyond_the_eighth() -> None:
    full = course(1, "实验", (1, 1, 12))
    waiting = [task(number, f"文{number}", "写作", PENDING) for number in range(2, 12)]

    lines = says(plan(full, *waiting, in_window=window(1)), "analyze_health")

    assert lines[0].endswith("[9]文9 等共10个")
    assert "- 没有合法位置(no_place，高)：10，涉及 " in "\n".join(lines)


def test_nothing_wrong_and_nothing_to_gain_is_said_so() -> None:
    level = plan(
        task(1, "第一讲", "线代", SUGGESTED, (1, 1, 2), of=(7, 1)),
        task(2, "第二讲", "线代", SUGGESTED, (2, 1, 2), of=(7, 2)),
        in_window=window(2),
    )

    lines = says(level, "analyze_health")

    assert lines[4:6] == ["问题：无", "结论(decision)：close，没有可改善的改动"]


def test_a_swap_among_the_candidates_names_both() -> None:
    heavy: dict[str, Any] = {"cognitive_intensity": Intensity.HIGH}
    state = plan(
        course(1, "高等数学", (1, 5, 12)),
        task(2, "证明一", "数学", SUGGESTED, (1, 1, 2), **heavy),
        task(3, "证明二", "数学", SUGGESTED, (1, 3, 4), **heavy),
        course(4, "体育", (2, 5, 12)),
        task(5, "散步", "生活", SUGGESTED, (2, 1, 2)),
        task(6, "还书", "任务", SUGGESTED, (2, 3, 4)),
        in_window=window(2),
    )

    lines = says(state, "analyze_health")
    health = registry.call(state, "analyze_health", {}).facts

    assert isinstance(health, Health)
    assert any(line.startswith("1. swap [2]证明一 第1天第1-2节 ↔ ") for line in lines)
    assert health.candidates[0].partner_id in (5, 6)


def test_a_spread_plan_is_told_by_who_moved_and_what_it_gained() -> None:
    result = registry.call(CROWDED, "spread_even", {})

    assert result.text.split("\n") == [
        "均匀铺开完成，2个任务有变动：",
        "[1]第一讲：第1天第1-2节 → 第2天第1-2节",
        "[2]第二讲：第1天第3-4节 → 第3天第1-2节",
        "负载方差：8.00 → 0.00。",
    ]
    assert result.changed == (1, 2)
    assert result.facts == Writing(
        (
            Moved(1, (Span(1, 1, 2),), (Span(2, 1, 2),)),
            Moved(2, (Span(1, 3, 4),), (Span(3, 1, 2),)),
        ),
        pending=0,
    )
    assert faults(result.state) == []


def test_nothing_to_gain_changes_nothing_and_says_so() -> None:
    level = done(CROWDED, "spread_even")

    result = registry.call(level, "spread_even", {})

    assert (result.code, result.text) == (
        Code.NOTHING_TO_CHANGE,
        "没有可改善的安排，未作变更。负载方差：0.00。",
    )
    assert result.state is level


def test_spreading_may_be_told_which_tasks_and_days() -> None:
    alone = registry.call(CROWDED, "spread_even", {"task_ids": [2, 2]})

    assert alone.changed == (2,)
    within = registry.call(CROWDED, "spread_even", {"day_from": 1, "day_to": 1})
    assert within.code == Code.NOTHING_TO_CHANGE
    two_days = registry.call(CROWDED, "spread_even", {"day_from": 1, "day_to": 2})
    assert {span.day for one in two_days.state.tasks.values() for span in one.slots} == {1, 2}


@pytest.mark.parametrize(
    ("task_id", "code", "reason"),
    [
        (1, MoveCode.COURSE, "[1]高等数学 是固定课程，不可移动"),
        (2, MoveCode.WRONG_STATUS, "[2]英语 是已安排任务，只有已预排任务可以移动"),
        (3, MoveCode.WRONG_STATUS, "[3]复习线代 当前为待安排状态，请使用 place 放置"),
        (99, MoveCode.UNKNOWN_TASK, "没有编号为99的任务，task_id 须为现有编号（1到10）"),
    ],
)
def test_what_may_not_move_is_not_spread(task_id: int, code: MoveCode, reason: str) -> None:
    result = refusal(WEEK, "spread_even", task_ids=[6, task_id])

    assert result.code == code
    assert result.text == f"均匀铺开失败：{reason}。"


def test_a_guest_of_a_locked_course_is_not_spread() -> None:
    state = plan(
        course(1, "高等数学", (1, 1, 2)), task(2, "作业", "作业", SUGGESTED, (1, 1, 2), host=1)
    )

    assert refusal(state, "spread_even", task_ids=[2]).text == (
        "均匀铺开失败：[2]作业 嵌入在固定课程 [1]高等数学 中，不可单独移动。"
    )
