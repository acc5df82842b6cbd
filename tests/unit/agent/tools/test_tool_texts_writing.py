"""What a model reads when it writes: the forms of the source for every success and failure."""

from dataclasses import replace

import pytest

from libs.planning.moves import MoveCode, Refused
from libs.planning.order import OrderedBlock, Span
from libs.planning.state import PlanningState
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


def test_a_placed_task_is_told_with_its_day_and_what_is_left() -> None:
    result = registry.call(WEEK, "place", {"task_id": 3, "day": 5, "slot_start": 1})

    assert result.text.split("\n") == [
        "已将 [3]复习线代 放到第5天第1-3节。",
        "第5天当前占用：[3]复习线代(1-3节)，占用3/12。",
        "待安排任务剩余：2个。",
    ]
    assert (result.code, result.changed) == (Code.DONE, (3,))
    assert result.facts == Writing((Moved(3, (), (Span(5, 1, 3),)),), pending=2)
    placed = result.state.tasks[3]
    assert (placed.status, placed.slots) == (SUGGESTED, (Span(5, 1, 3),))


def test_a_task_that_lands_in_a_free_host_is_told_as_its_guest() -> None:
    state = done(WEEK, "place", task_id=9, day=3, slot_start=1)

    assert says(state, "place", {"task_id": 7, "day": 7, "slot_start": 1}) == [
        "已将 [7]写实验报告 嵌入到第7天第1-2节（宿主：[10]思政）。",
        "第7天当前占用：[10]思政(1-2节) [7]写实验报告(嵌入1-2节)，占用2/12。",
        "待安排任务剩余：1个。",
    ]


def test_a_conflict_names_who_is_there_and_what_is_free() -> None:
    result = refusal(WEEK, "place", task_id=7, day=10, slot_start=1)

    assert result.text.split("\n") == [
        "放置失败：第10天第1-2节已被 [4]体育 占用。",
        "第10天当前占用：[4]体育(1-4节)，占用4/12。空闲时段：第5-12节。",
    ]
    assert result.code == MoveCode.HARD_CONFLICT
    assert result.free_runs == (Span(10, 5, 12),)
    assert isinstance(result.facts, Refused)
    assert [entry.task.state_id for entry in result.facts.in_the_way] == [4]


def test_a_conflict_names_the_shared_sections_alone_and_everyone_who_is_there() -> None:
    assert refusal(WEEK, "place", task_id=3, day=1, slot_start=4).text.split("\n") == [
        "放置失败：第1天第4节已被 [2]英语 占用，第5-6节已被 [4]体育 占用。",
        "第1天当前占用：[1]高等数学(1-2节) [2]英语(3-4节) [4]体育(5-6节)，占用6/12。"
        "空闲时段：第7-12节。",
    ]


def test_a_day_without_room_says_so() -> None:
    state = plan(course(1, "实验", (1, 1, 12)), task(2, "作业", "作业", PENDING))

    assert refusal(state, "place", task_id=2, day=1, slot_start=1).text.split("\n") == [
        "放置失败：第1天第1-2节已被 [1]实验 占用。",
        "第1天当前占用：[1]实验(1-12节)，占用12/12。空闲时段：无。",
    ]


def test_what_is_not_pending_is_not_placed() -> None:
    assert refusal(WEEK, "place", task_id=1, day=5, slot_start=1).text == (
        "放置失败：[1]高等数学 不是待安排任务，无法放置。"
    )
    assert refusal(WEEK, "place", task_id=6, day=5, slot_start=1).text == (
        "放置失败：[6]线代 不是待安排任务，无法放置。"
    )


def test_a_task_that_is_not_there_is_named_with_the_numbers_that_are() -> None:
    told = "没有编号为11的任务，task_id 须为现有编号（1到10）。"
    assert refusal(WEEK, "place", task_id=11, day=5, slot_start=1).text == f"放置失败：{told}"
    assert refusal(WEEK, "move", task_id=11, new_day=5, new_slot_start=1).text == (
        f"移动失败：{told}"
    )
    assert refusal(WEEK, "unplace", task_id=11).text == f"移除失败：{told}"
    assert refusal(WEEK, "swap", task_a=2, task_b=11).text == (
        "交换失败：没有编号为11的任务，task_a、task_b 须为现有编号（1到10）。"
    )


def test_a_place_beyond_the_window_or_the_day_is_refused_with_what_there_is() -> None:
    assert refusal(WEEK, "place", task_id=3, day=14, slot_start=1).text == (
        "放置失败：参数 day 须为1到13的整数，收到 14。"
    )
    assert refusal(WEEK, "place", task_id=3, day=5, slot_start=11).text == (
        "放置失败：参数 slot_start 须为1到10的整数"
        "（[3]复习线代 需3个时段，每天第1-12节），收到 11。"
    )
    assert refusal(WEEK, "move", task_id=6, new_day=99, new_slot_start=1).text == (
        "移动失败：参数 new_day 须为1到13的整数，收到 99。"
    )
    assert refusal(WEEK, "move", task_id=6, new_day=5, new_slot_start=12).text == (
        "移动失败：参数 new_slot_start 须为1到11的整数"
        "（[6]线代 需2个时段，每天第1-12节），收到 12。"
    )
    long = plan(task(1, "通宵", "杂项", PENDING, duration=13))
    assert refusal(long, "place", task_id=1, day=1, slot_start=1).text == (
        "放置失败：[1]通宵 需13个时段，一天只有12个。"
    )


def test_a_place_that_has_begun_is_refused_with_the_first_one_that_has_not() -> None:
    state = plan(
        task(1, "作业", "作业", PENDING),
        task(2, "预习", "作业", SUGGESTED, (1, 1, 2)),
        in_window=window(3, open_from=(2, 5)),
    )
    over = plan(task(1, "作业", "作业", PENDING), in_window=window(3, open_from=(4, 1)))

    assert refusal(state, "place", task_id=1, day=2, slot_start=4).text == (
        "放置失败：第2天第4-5节已经开始，最早可用第2天第5节。"
    )
    assert refusal(over, "place", task_id=1, day=3, slot_start=1).text == (
        "放置失败：第3天第1-2节已经开始，规划窗口已全部过去。"
    )
    assert refusal(state, "move", task_id=2, new_day=3, new_slot_start=1).text == (
        "移动失败：[2]预习 已经开始，不可移动。"
    )
    assert refusal(state, "unplace", task_id=2).text == "移除失败：[2]预习 已经开始，不可移除。"


def test_a_moved_task_is_told_with_both_days() -> None:
    result = registry.call(WEEK, "move", {"task_id": 6, "new_day": 9, "new_slot_start": 1})

    assert result.text.split("\n") == [
        "已将 [6]线代 从第4天第3-4节移至第9天第1-2节。",
        "第4天当前占用：[1]高等数学(1-2节) [8]程序设计(9-10节)，占用4/12。",
        "第9天当前占用：[6]线代(1-2节)，占用2/12。",
    ]
    assert result.facts == Writing((Moved(6, (Span(4, 3, 4),), (Span(9, 1, 2),)),), pending=3)


def test_a_move_inside_one_day_tells_that_day_once() -> None:
    assert says(WEEK, "move", {"task_id": 6, "new_day": 4, "new_slot_start": 4}) == [
        "已将 [6]线代 从第4天第3-4节移至第4天第4-5节。",
        "第4天当前占用：[1]高等数学(1-2节) [6]线代(4-5节) [8]程序设计(9-10节)，占用6/12。",
    ]


def test_a_move_into_a_course_tells_the_host() -> None:
    assert says(WEEK, "move", {"task_id": 6, "new_day": 7, "new_slot_start": 1})[0] == (
        "已将 [6]线代 从第4天第3-4节移至第7天第1-2节（嵌入，宿主：[10]思政）。"
    )


def test_a_move_to_where_a_task_is_changes_nothing_and_says_so() -> None:
    result = registry.call(WEEK, "move", {"task_id": 6, "new_day": 4, "new_slot_start": 3})

    assert (result.code, result.text) == (
        Code.NOTHING_TO_CHANGE,
        "[6]线代 已在第4天第3-4节，未作变更。",
    )
    assert result.is_ok
    assert result.state is WEEK


def test_a_move_into_a_conflict_is_refused() -> None:
    state = done(WEEK, "place", task_id=9, day=9, slot_start=1)

    assert refusal(state, "move", task_id=6, new_day=9, new_slot_start=1).text.split("\n") == [
        "移动失败：第9天第1-2节已被 [9]小组讨论 占用。",
        "第9天当前占用：[9]小组讨论(1-2节)，占用2/12。空闲时段：第3-12节。",
    ]


def test_what_is_locked_pending_or_written_is_not_moved() -> None:
    assert refusal(WEEK, "move", task_id=1, new_day=9, new_slot_start=1).text == (
        "移动失败：[1]高等数学 是固定课程，不可移动。"
    )
    assert refusal(WEEK, "move", task_id=10, new_day=9, new_slot_start=1).text == (
        "移动失败：[10]思政 是课程，不可移动。"
    )
    assert refusal(WEEK, "move", task_id=3, new_day=9, new_slot_start=1).text == (
        "移动失败：[3]复习线代 当前为待安排状态，请使用 place 放置。"
    )
    assert refusal(WEEK, "move", task_id=2, new_day=9, new_slot_start=1).text == (
        "移动失败：[2]英语 是已安排任务，只有已预排任务可以移动。"
    )


def test_a_task_of_many_blocks_is_not_moved() -> None:
    one = task(1, "读书", "阅读", SUGGESTED, (1, 1, 2))
    state = plan(replace(one, slots=(Span(1, 1, 2), Span(2, 1, 2))))

    assert refusal(state, "move", task_id=1, new_day=3, new_slot_start=1).text == (
        "移动失败：[1]读书 占2处时段，只有单个时段的任务可以移动。"
    )
    assert says(state, "unplace", {"task_id": 1})[0] == (
        "已将 [1]读书 从第1天第1-2节、第2天第1-2节移除，恢复为待安排状态。"
    )


def test_the_guest_of_a_locked_course_stays() -> None:
    host = course(1, "高等数学", (1, 1, 2))
    state = plan(host, task(2, "作业", "作业", SUGGESTED, (1, 1, 2), host=1))

    assert refusal(state, "move", task_id=2, new_day=3, new_slot_start=1).text == (
        "移动失败：[2]作业 嵌入在固定课程 [1]高等数学 中，不可单独移动。"
    )
    assert refusal(state, "unplace", task_id=2).text == (
        "移除失败：[2]作业 嵌入在固定课程 [1]高等数学 中，不可单独移除。"
    )


def test_swapped_tasks_are_told_with_both_ways_and_days() -> None:
    assert says(WEEK, "swap", {"task_a": 2, "task_b": 6}) == [
        "交换完成：",
        "[2]英语：第1天第3-4节 → 第4天第3-4节",
        "[6]线代：第4天第3-4节 → 第1天第3-4节",
        "第1天当前占用：[1]高等数学(1-2节) [6]线代(3-4节) [4]体育(5-6节)，占用6/12。",
        "第4天当前占用：[1]高等数学(1-2节) [2]英语(3-4节) [8]程序设计(9-10节)，占用6/12。",
    ]


def test_what_cannot_be_swapped_is_refused() -> None:
    assert refusal(WEEK, "swap", task_a=5, task_b=2).text == (
        "交换失败：[5]物理 占4个时段，[2]英语 占2个时段，时长不同无法直接交换。"
    )
    assert refusal(WEEK, "swap", task_a=1, task_b=2).text == (
        "交换失败：[1]高等数学 是固定课程，不可交换。"
    )
    assert refusal(WEEK, "swap", task_a=2, task_b=1).text == (
        "交换失败：[1]高等数学 是固定课程，不可交换。"
    )
    assert refusal(WEEK, "swap", task_a=10, task_b=2).text == (
        "交换失败：[10]思政 是课程，不可交换。"
    )
    assert refusal(WEEK, "swap", task_a=2, task_b=7).text == (
        "交换失败：[7]写实验报告 当前为待安排状态，请使用 place 放置。"
    )
    assert refusal(WEEK, "swap", task_a=2, task_b=2).text == (
        "交换失败：task_a 与 task_b 都是 [2]英语，须为两个不同的任务。"
    )


def test_a_batch_is_told_with_the_days_that_it_fills() -> None:
    state = done(WEEK, "place", task_id=9, day=12, slot_start=1)
    moves = [
        {"task_id": 9, "new_day": 3, "new_slot_start": 1},
        {"task_id": 6, "new_day": 5, "new_slot_start": 3},
        {"task_id": 8, "new_day": 9, "new_slot_start": 5},
    ]

    result = registry.call(state, "batch_move", {"moves": moves})

    assert result.text.split("\n") == [
        "批量移动完成，3个任务全部成功：",
        "[9]小组讨论 → 第3天第1-2节",
        "[6]线代 → 第5天第3-4节",
        "[8]程序设计 → 第9天第5-6节",
        "第3天当前占用：[9]小组讨论(1-2节)，占用2/12。",
        "第5天当前占用：[6]线代(3-4节)，占用2/12。",
        "第9天当前占用：[8]程序设计(5-6节)，占用2/12。",
    ]
    assert result.changed == (6, 8, 9)


def batch(*moves: tuple[int, int, int]) -> list[dict[str, int]]:
    return [{"task_id": one, "new_day": day, "new_slot_start": slot} for one, day, slot in moves]


def test_a_batch_that_meets_a_conflict_is_rolled_back_and_names_the_item() -> None:
    state = done(WEEK, "place", task_id=3, day=5, slot_start=1)

    result = refusal(state, "batch_move", moves=batch((8, 3, 1), (6, 5, 3)))

    assert result.text.split("\n") == [
        "批量移动失败，全部回滚，无任何变更。",
        "冲突：[6]线代 → 第5天第3-4节，该位置已被 [3]复习线代(1-3节) 占用。",
    ]
    assert isinstance(result.facts, Refused)
    assert result.facts.index == 1


@pytest.mark.parametrize(
    ("moves", "line"),
    [
        (batch((8, 3, 1), (1, 9, 1)), "锁定：[1]高等数学 是固定课程，不可移动。"),
        (batch((8, 3, 1), (3, 9, 1)), "状态：[3]复习线代 当前为待安排状态，请使用 place 放置。"),
        (batch((8, 3, 1), (2, 9, 1)), "状态：[2]英语 是已安排任务，只有已预排任务可以移动。"),
        (batch((8, 3, 1), (77, 9, 1)), "任务：没有编号为77的任务，task_id 须为现有编号（1到10）。"),
        (
            batch((8, 3, 1), (8, 9, 1)),
            "任务：[8]程序设计 在 moves 中出现了两次，每个任务只能出现一次。",
        ),
        (batch((8, 3, 1), (6, 14, 1)), "范围：参数 new_day 须为1到13的整数，收到 14。"),
        (
            batch((8, 3, 1), (6, 7, 2)),
            "嵌入：第7天第2-3节只有一部分在可嵌入课程 [10]思政(1-2节) 中，"
            "嵌入任务须整体位于一个课程时段内。",
        ),
    ],
)  # fmt: skip
def test_a_batch_says_of_any_refusal_that_all_was_rolled_back(
    moves: list[dict[str, int]], line: str
) -> None:
    assert refusal(WEEK, "batch_move", moves=moves).text.split("\n") == [
        "批量移动失败，全部回滚，无任何变更。",
        line,
    ]


def test_two_of_a_batch_that_want_one_place_conflict_with_each_other() -> None:
    assert refusal(WEEK, "batch_move", moves=batch((6, 3, 1), (8, 3, 2))).text.split("\n")[1] == (
        "冲突：[6]线代 → 第3天第1-2节，该位置已被 [8]程序设计(2-3节) 占用。"
    )


def test_a_batch_that_leaves_all_where_it_is_changes_nothing() -> None:
    result = registry.call(WEEK, "batch_move", {"moves": batch((6, 4, 3), (8, 4, 9))})

    assert (result.code, result.text) == (
        Code.NOTHING_TO_CHANGE,
        "各任务已在目标位置，未作变更。",
    )
    assert result.state is WEEK


def test_a_task_that_is_taken_out_is_told_with_its_day_and_what_is_left() -> None:
    state = done(WEEK, "place", task_id=3, day=5, slot_start=1)

    result = registry.call(state, "unplace", {"task_id": 3})

    assert result.text.split("\n") == [
        "已将 [3]复习线代 从第5天第1-3节移除，恢复为待安排状态。",
        "第5天当前占用：0/12。",
        "待安排任务剩余：3个。",
    ]
    assert result.state == WEEK
    assert result.facts == Writing((Moved(3, (Span(5, 1, 3),), ()),), pending=3)


def test_what_is_written_may_be_taken_out_too() -> None:
    assert says(WEEK, "unplace", {"task_id": 2})[0] == (
        "已将 [2]英语 从第1天第3-4节移除，恢复为待安排状态。"
    )


def test_what_cannot_be_taken_out_is_refused() -> None:
    assert refusal(WEEK, "unplace", task_id=1).text == (
        "移除失败：[1]高等数学 是固定课程，不可移除。"
    )
    assert refusal(WEEK, "unplace", task_id=10).text == "移除失败：[10]思政 是课程，不可移除。"
    assert refusal(WEEK, "unplace", task_id=3).text == (
        "移除失败：[3]复习线代 当前为待安排状态，没有可移除的位置。"
    )


def test_a_task_longer_than_its_host_is_refused_with_the_room_there_is() -> None:
    assert refusal(WEEK, "place", task_id=3, day=7, slot_start=1).text.split("\n") == [
        "放置失败：第7天第1-3节只有一部分在可嵌入课程 [10]思政(1-2节) 中，"
        "嵌入任务须整体位于一个课程时段内。",
        "第7天当前占用：[10]思政(1-2节)，占用2/12。空闲时段：第3-12节。",
    ]


def test_a_place_with_another_guest_is_taken() -> None:
    state = done(WEEK, "place", task_id=7, day=7, slot_start=1)

    assert refusal(state, "place", task_id=9, day=7, slot_start=1).text.split("\n") == [
        "放置失败：第7天第1-2节已被 [7]写实验报告 占用。",
        "第7天当前占用：[10]思政(1-2节) [7]写实验报告(嵌入1-2节)，占用2/12。空闲时段：第3-12节。",
    ]


ORDERED = plan(
    task(1, "第一章", "线代", SUGGESTED, (2, 1, 2), of=(7, 1)),
    task(2, "第二章", "线代", PENDING, of=(7, 2)),
    task(3, "第三章", "线代", SUGGESTED, (9, 3, 4), of=(7, 3)),
    task(4, "散步", "生活", SUGGESTED, (11, 3, 4)),
    task(5, "英语", "学习", EXISTING, (12, 3, 4)),
)


def test_an_order_that_would_break_names_the_neighbour_and_the_range() -> None:
    result = refusal(ORDERED, "place", task_id=2, day=1, slot_start=1)

    assert result.text == (
        "放置失败：[2]第二章须排在同一任务类前面的[1]第一章（第2天第1-2节）之后；"
        "可放范围：晚于第2天第1-2节、早于第9天第3-4节。"
    )
    assert result.code == MoveCode.ORDER_VIOLATION
    assert refusal(ORDERED, "move", task_id=1, new_day=10, new_slot_start=1).text == (
        "移动失败：[1]第一章须排在同一任务类后面的[3]第三章（第9天第3-4节）之前；"
        "可放范围：早于第9天第3-4节。"
    )


def test_an_order_that_a_swap_or_a_batch_would_break_is_told_as_it_would_be_then() -> None:
    assert refusal(ORDERED, "swap", task_a=1, task_b=4).text == (
        "交换失败：交换后 [1]第一章须排在同一任务类后面的[3]第三章（第9天第3-4节）之前；"
        "可放范围：早于第9天第3-4节。"
    )
    assert refusal(ORDERED, "batch_move", moves=batch((1, 9, 5), (3, 9, 1))).text.split("\n") == [
        "批量移动失败，全部回滚，无任何变更。",
        "顺序：全部移动后 [1]第一章须排在同一任务类后面的[3]第三章（第9天第1-2节）之前；"
        "可放范围：早于第9天第1-2节。",
    ]


def test_a_range_does_not_name_days_that_the_window_does_not_have() -> None:
    items = [
        task(1, "第一章", "线代", SUGGESTED, (2, 1, 2), of=(7, 1)),
        task(2, "第二章", "线代", PENDING, of=(7, 2)),
    ]
    beyond = [
        OrderedBlock(7, 900, 0, Span(0, 1, 2), name="绪论"),
        OrderedBlock(7, 901, 9, Span(14, 1, 2), name="总结"),
    ]
    state = PlanningState(window(13), items, beyond)

    assert refusal(state, "place", task_id=2, day=1, slot_start=1).text.endswith(
        "可放范围：晚于第2天第1-2节。"
    )
    assert says(state, "get_task_info", {"task_id": 2})[-1] == "可放范围：晚于第2天第1-2节"
    assert says(state, "get_task_info", {"task_id": 1})[-1] == "可放范围：不限"
