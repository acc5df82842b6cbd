"""From rows of the schedule to the plan that tools work on, with numbers that stay."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning.grid import Place
from libs.planning.order import OrderedBlock, OrderRepair, Span
from libs.planning.state import Intensity, Source, Status, Task
from libs.planning.window import Window
from services.agent.tools import loading
from services.agent.tools.loading import ClassRow, EventRow, ItemRow, Rows, StateIds
from tests.unit.agent.tools import schedule_rows as behind
from tests.unit.agent.tools.plans import window
from tests.unit.agent.tools.seeded import seeded
from tests.unit.agent.tools.soundness import faults


def at(day: int, first: int, last: int, week: int = 5) -> Place:
    return Place(1, week, day, first, last)


ROWS = Rows(
    events=[
        EventRow(11, at(1, 1, 2), "高等数学", course_id=3),
        EventRow(12, at(4, 1, 2), "高等数学", course_id=3),
        EventRow(13, at(3, 7, 8), "形势与政策", course_id=4, can_be_embedded=True),
        EventRow(14, at(3, 7, 8), "听写", host_event_id=13),
        EventRow(15, at(2, 1, 2), "第一讲", class_id=7, item_id=71, order=1),
        EventRow(16, at(5, 1, 2, week=4), "绪论", class_id=7, item_id=70, order=0, begun=True),
        EventRow(17, at(1, 1, 2, week=9), "总复习", class_id=7, item_id=79, order=9),
    ],
    items=[
        ItemRow(70, 7, "绪论", 0, waits=False),
        ItemRow(71, 7, "第一讲", 1, waits=False),
        ItemRow(72, 7, "第二讲", 2, waits=True),
        ItemRow(79, 7, "总复习", 9, waits=False),
    ],
    classes=[ClassRow(7, "线代", 3, Intensity.HIGH)],
)


def test_rows_become_tasks() -> None:
    loaded = loading.load(window(7), ROWS)

    tasks = {one.name: one for one in loaded.state.tasks.values()}
    assert tasks["高等数学"] == Task(
        1,
        Source.EVENT,
        11,
        "高等数学",
        "课程",
        Status.EXISTING,
        (Span(1, 1, 2), Span(4, 1, 2)),
        2,
        locked=True,
    )
    assert tasks["形势与政策"] == Task(
        2,
        Source.EVENT,
        13,
        "形势与政策",
        "课程",
        Status.EXISTING,
        (Span(3, 7, 8),),
        2,
        can_embed=True,
        embedded_by=(3,),
    )
    assert tasks["听写"] == Task(
        3, Source.EVENT, 14, "听写", "任务", Status.EXISTING, (Span(3, 7, 8),), 2, embed_host=2
    )
    assert tasks["第一讲"] == Task(
        4,
        Source.EVENT,
        15,
        "第一讲",
        "线代",
        Status.EXISTING,
        (Span(2, 1, 2),),
        2,
        task_class_id=7,
        item_id=71,
        task_order=1,
        cognitive_intensity=Intensity.HIGH,
    )
    assert tasks["第二讲"] == Task(
        5,
        Source.TASK_ITEM,
        72,
        "第二讲",
        "线代",
        Status.PENDING,
        duration=3,
        task_class_id=7,
        item_id=72,
        task_order=2,
        cognitive_intensity=Intensity.HIGH,
    )
    assert tasks["第二讲"].category_id == 7
    assert loaded.meetings == {
        (1, Span(1, 1, 2)): 11,
        (1, Span(4, 1, 2)): 12,
        (2, Span(3, 7, 8)): 13,
    }
    assert faults(loaded.state) == []


def test_blocks_of_a_class_outside_the_window_bind_without_being_seen() -> None:
    state = loading.load(window(7), ROWS).state

    assert state.anchors == (
        OrderedBlock(7, 70, 0, Span(-2, 1, 2), begun=True, name="绪论"),
        OrderedBlock(7, 79, 9, Span(29, 1, 2), name="总复习"),
    )


def test_a_block_of_another_semester_binds_by_the_day_that_it_would_have() -> None:
    elsewhere = replace(ROWS.events[5], place=Place(2, 5, 1, 1, 2))
    rows = Rows([elsewhere, replace(elsewhere, event_id=18, day=99)], (), ROWS.classes)

    assert [one.span for one in loading.load(window(7), rows).state.anchors] == [Span(99, 1, 2)]


def test_missing_and_doubled_orders_are_repaired_and_reported() -> None:
    items = [
        ItemRow(3, 7, "丙", None, waits=True),
        ItemRow(1, 7, "甲", 1, waits=True),
        ItemRow(2, 7, "乙", 1, waits=True),
    ]

    loaded = loading.load(window(7), Rows([], items, ROWS.classes))

    assert [(one.name, one.task_order) for one in loaded.state.tasks.values()] == [
        ("甲", 1),
        ("乙", 2),
        ("丙", 3),
    ]
    assert loaded.repairs == (
        OrderRepair(1, 1, 1, "doubled"),
        OrderRepair(2, 1, 2, "doubled"),
        OrderRepair(3, None, 3, "missing"),
    )


def test_a_block_has_the_repaired_order_of_its_item_or_else_its_own() -> None:
    items = [ItemRow(71, 7, "甲", 4, waits=False), ItemRow(72, 7, "乙", 4, waits=True)]
    own = EventRow(20, at(6, 1, 2), "别处", class_id=8, item_id=81, order=5)

    state = loading.load(window(7), Rows([ROWS.events[4], own], items, ROWS.classes)).state

    assert {one.name: one.task_order for one in state.tasks.values()} == {
        "第一讲": 1,
        "别处": 5,
        "乙": 2,
    }


def test_a_class_that_nobody_named_is_work_all_the_same() -> None:
    state = loading.load(window(7), Rows([ROWS.events[4]], [ROWS.items[2]])).state

    assert {one.category for one in state.tasks.values()} == {"任务"}


def test_a_course_of_which_one_meeting_takes_no_guests_takes_none() -> None:
    rows = [
        EventRow(1, at(1, 1, 2), "实验", course_id=1, can_be_embedded=True),
        EventRow(2, at(2, 1, 2), "实验", course_id=1),
    ]

    (task,) = loading.load(window(7), Rows(rows)).state.tasks.values()

    assert (task.locked, task.can_embed) == (True, False)


def test_numbers_stay_over_loads_and_none_is_given_twice() -> None:
    first = loading.load(window(7), ROWS)
    less = Rows(
        ROWS.events[2:], [*ROWS.items, ItemRow(73, 7, "第三讲", 3, waits=True)], ROWS.classes
    )

    second = loading.load(window(7), less, first.ids)
    third = loading.load(window(7), ROWS, second.ids)

    assert {one.name: one.state_id for one in second.state.tasks.values()} == {
        "形势与政策": 2,
        "听写": 3,
        "第一讲": 4,
        "第二讲": 5,
        "第三讲": 6,
    }
    assert third.state == first.state
    assert third.ids.of == second.ids.of == {
        ("course", 3): 1,
        ("course", 4): 2,
        ("event", 14): 3,
        ("event", 15): 4,
        ("task_item", 72): 5,
        ("task_item", 73): 6,
    }  # fmt: skip


def test_numbers_of_a_first_load_begin_at_one() -> None:
    assert StateIds().extended([("event", 9), ("event", 9), ("course", 9)]).of == {
        ("event", 9): 1,
        ("course", 9): 2,
    }


def test_a_window_without_a_day_holds_nothing() -> None:
    with pytest.raises(ValueError, match="without a day"):
        loading.load(Window((), window(1).clock), ROWS)


@settings(max_examples=40, deadline=None, database=None)
@given(seed=st.integers(0, 400), order=st.integers(0, 1000))
def test_rows_in_any_order_make_the_same_plan(seed: int, order: int) -> None:
    rows = behind.rows_of(seeded(seed))
    chance = random.Random(order)
    mixed = Rows(
        chance.sample(rows.events, len(rows.events)),
        chance.sample(rows.items, len(rows.items)),
        chance.sample(rows.classes, len(rows.classes)),
    )
    before, after = loading.load(window(14), rows), loading.load(window(14), mixed)

    assert repr(before.state) == repr(after.state)
    assert before.ids == after.ids
    assert before.meetings == after.meetings
    assert faults(before.state) == []
