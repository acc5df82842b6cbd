"""A plan over a schedule that moved on: what still fits is kept, the rest is dropped and named."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning.moves import MoveCode, Refused
from libs.planning.order import Span
from libs.planning.state import PlanningState, Task
from services.agent.tools import loading, reload
from services.agent.tools.loading import Rows
from services.agent.tools.reload import Outdated, Reloaded
from tests.unit.agent.tools import schedule_rows as behind
from tests.unit.agent.tools.plans import (
    EXISTING,
    PENDING,
    SUGGESTED,
    course,
    done,
    plan,
    task,
    window,
)
from tests.unit.agent.tools.seeded import seeded
from tests.unit.agent.tools.soundness import faults
from tests.unit.agent.tools.test_tool_changes import played

BASE = plan(
    course(1, "思政", (3, 1, 4), embeds=True),
    task(2, "英语", "学习", EXISTING, (1, 3, 4)),
    task(3, "物理", "学习", EXISTING, (2, 3, 4)),
    task(4, "第一讲", "线代", PENDING, of=(7, 1)),
    task(5, "第二讲", "线代", PENDING, of=(7, 2)),
)
CURRENT = done(
    done(
        done(BASE, "place", task_id=4, day=3, slot_start=1), "place", task_id=5, day=5, slot_start=1
    ),
    "swap",
    task_a=2,
    task_b=3,
)


def fresh(*changed: Task, without: tuple[int, ...] = (), days: int = 13) -> PlanningState:
    """The base as the schedule has it now."""
    tasks = {one.state_id: one for one in BASE.tasks.values() if one.state_id not in without}
    tasks |= {one.state_id: one for one in changed}
    return plan(*tasks.values(), in_window=window(days))


def codes(reloaded: Reloaded) -> dict[int, object]:
    return {
        one.task.state_id: one.why.code if isinstance(one.why, Refused) else one.why
        for one in reloaded.dropped
    }


def test_a_schedule_that_stands_still_keeps_the_plan() -> None:
    assert reload.reload(BASE, CURRENT, fresh()) == Reloaded(CURRENT, (2, 3, 4, 5), ())


def test_what_still_fits_is_kept_with_links_and_status() -> None:
    newcomer = task(6, "讲座", "任务", EXISTING, (9, 1, 2))

    found = reload.reload(BASE, CURRENT, fresh(newcomer))

    assert (found.kept, found.dropped) == ((2, 3, 4, 5), ())
    assert found.state.tasks[4].embed_host == 1
    assert found.state.tasks[1].embedded_by == (4,)
    assert found.state.tasks[2].status is EXISTING
    assert found.state.tasks[2].slots == (Span(2, 3, 4),)
    assert found.state.tasks[5].status is SUGGESTED


def test_a_place_that_was_taken_meanwhile_costs_its_suggestion_alone() -> None:
    newcomer = task(6, "讲座", "任务", EXISTING, (5, 2, 3))

    found = reload.reload(BASE, CURRENT, fresh(newcomer))

    assert found.kept == (2, 3, 4)
    assert codes(found) == {5: MoveCode.HARD_CONFLICT}
    assert found.state.tasks[5].status is PENDING
    assert list(reload.notice(found)) == ["[5]第二讲：第5天第2节已被 [6]讲座 占用"]


def test_one_half_of_an_exchange_does_not_stand_alone() -> None:
    moved = replace(BASE.tasks[2], slots=(Span(1, 5, 6),))

    found = reload.reload(BASE, CURRENT, fresh(moved))

    # 3 may still go where 2 was; 2 is left to where the person put it.
    assert found.kept == (3, 4, 5)
    assert codes(found) == {2: Outdated.CHANGED}
    moved_back = replace(BASE.tasks[3], slots=(Span(2, 5, 6),))
    other = task(6, "讲座", "任务", EXISTING, (2, 3, 4))
    found = reload.reload(BASE, CURRENT, fresh(moved_back, other))
    assert codes(found) == {2: MoveCode.HARD_CONFLICT, 3: Outdated.CHANGED}
    assert found.state.tasks[2].slots == (Span(1, 3, 4),)


def test_what_is_gone_or_changed_is_dropped_and_named() -> None:
    longer = replace(BASE.tasks[5], duration=3)

    found = reload.reload(BASE, CURRENT, fresh(longer, without=(4,)))

    assert codes(found) == {4: Outdated.GONE, 5: Outdated.CHANGED}
    assert list(reload.notice(found)) == ["[4]第一讲：已不在日程中", "[5]第二讲：已在别处变更"]
    assert found.state.tasks[1].embedded_by == ()


def test_a_window_that_ends_earlier_costs_what_lies_beyond() -> None:
    found = reload.reload(BASE, CURRENT, fresh(days=4))

    assert codes(found) == {5: Outdated.OUT_OF_WINDOW}
    assert list(reload.notice(found)) == ["[5]第二讲：目标位置已不在规划窗口内"]


def test_a_window_that_begins_later_numbers_its_days_anew() -> None:
    shorter = behind.later(BASE.window, 1)
    tasks = [
        replace(one, slots=tuple(replace(span, day=span.day - 1) for span in one.slots))
        for one in BASE.tasks.values()
        if one.state_id != 2
    ]

    found = reload.reload(BASE, CURRENT, PlanningState(shorter, tasks))

    assert codes(found) == {2: Outdated.GONE, 3: Outdated.OUT_OF_WINDOW}
    assert found.state.tasks[5].slots == (Span(4, 1, 2),)
    assert found.state.tasks[4].embed_host == 1


def test_time_that_has_passed_drops_what_was_to_begin() -> None:
    later = PlanningState(window(13, open_from=(3, 2)), BASE.tasks.values())

    found = reload.reload(BASE, CURRENT, later)

    assert codes(found) == {
        2: MoveCode.BEGUN,
        3: MoveCode.BEGUN,
        4: MoveCode.IN_THE_PAST,
    }
    assert list(reload.notice(found))[2] == ("[4]第一讲：第3天第1-2节已经开始，最早可用第3天第2节")


def test_a_removal_that_came_too_late_is_named_as_one() -> None:
    removed = done(BASE, "unplace", task_id=2)
    later = PlanningState(window(13, open_from=(2, 1)), BASE.tasks.values())

    found = reload.reload(BASE, removed, later)

    assert list(reload.notice(found)) == ["[2]英语：[2]英语 已经开始，不可移除"]
    assert found.state == later


def test_a_removal_is_kept_and_an_order_of_the_class_that_changed_is_respected() -> None:
    removed = done(CURRENT, "unplace", task_id=2)
    turned = [
        replace(BASE.tasks[4], task_order=2),
        replace(BASE.tasks[5], task_order=1),
    ]

    found = reload.reload(BASE, removed, fresh(*turned))

    assert found.state.tasks[2].status is PENDING
    assert codes(found) == {5: MoveCode.ORDER_VIOLATION}


def crowded(rows: Rows, seed: int) -> Rows:
    """The rows after somebody else was there: events gone, moved and new."""
    chance = random.Random(seed)
    events = [row for row in rows.events if row.course_id is not None or chance.random() < 0.8]
    taken = {
        (row.place.week, row.place.day, section)
        for row in events
        for section in range(row.place.first, row.place.last + 1)
    }
    for number in range(6):
        day, first = chance.randrange(14), chance.randint(1, 11)
        week, day_of_week = 5 + day // 7, day % 7 + 1
        cells = {(week, day_of_week, first), (week, day_of_week, first + 1)}
        if not cells & taken:
            taken |= cells
            place = replace(rows.events[0].place, week=week, day=day_of_week, first=first)
            events.append(loading.EventRow(7000 + number, replace(place, last=first + 1), "新来的"))
    hosts = {row.event_id for row in events}
    events = [row for row in events if row.host_event_id in (None, *hosts)]
    return replace(rows, events=events)


@settings(max_examples=60, deadline=None, database=None)
@given(seed=st.integers(0, 400), passed=st.integers(1, 4))
def test_whatever_happened_meanwhile_the_plan_is_legal_and_nothing_is_lost_unnamed(
    seed: int, passed: int
) -> None:
    rows = behind.rows_of(seeded(seed))
    first = loading.load(window(14, open_from=(2, 1)), rows)
    current = played(first, seed)
    now = loading.load(window(14, open_from=(passed, 3)), crowded(rows, seed), first.ids).state

    found = reload.reload(first.state, current, now)

    assert faults(found.state) == []
    moved = {
        one
        for one, before in first.state.tasks.items()
        if (before.slots, before.status) != (current.tasks[one].slots, current.tasks[one].status)
    }
    dropped = {one.task.state_id for one in found.dropped}
    assert moved == {*found.kept, *dropped}
    assert not dropped & set(found.kept)
    assert len(list(reload.notice(found))) == len(found.dropped)
    for one in found.kept:
        assert found.state.tasks[one].slots == current.tasks[one].slots
    for one in dropped & found.state.tasks.keys():
        assert found.state.tasks[one].slots == now.tasks[one].slots


@pytest.mark.parametrize("why", list(Outdated))
def test_every_reason_has_its_words(why: Outdated) -> None:
    dropped = (reload.Dropped(BASE.tasks[2], why),)

    (line,) = reload.notice(Reloaded(BASE, (), dropped))

    assert line.startswith("[2]英语：")
