"""What a plan changes: as a difference, as changes of the schedule, and back."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Place, Target, TargetKind
from libs.planning.moves import MoveCode
from libs.planning.order import Span
from libs.planning.state import PlanningState, Source, Status
from libs.planning.validation import judge
from services.agent.tools import as_changes, difference, loading, registry
from services.agent.tools.as_changes import NotOfTheState
from services.agent.tools.loading import Loaded
from tests.unit.agent.tools import schedule_rows as behind
from tests.unit.agent.tools.plans import (
    EXISTING,
    PENDING,
    WEEK,
    course,
    done,
    plan,
    task,
)
from tests.unit.agent.tools.seeded import seeded

STATE = plan(
    course(1, "思政", (1, 1, 4), (8, 1, 4), embeds=True),
    task(2, "背单词", "英语", EXISTING, (1, 1, 2), host=1),
    task(3, "习题", "数学", EXISTING, (5, 3, 4)),
    task(4, "第一讲", "线代", PENDING, of=(7, 1)),
    task(5, "第二讲", "线代", PENDING, of=(7, 2)),
)
MEETINGS = {(1, Span(1, 1, 4)): 900, (1, Span(8, 1, 4)): 901}


def changes(after: PlanningState, before: PlanningState = STATE) -> list[Change]:
    return list(as_changes.changes_of(difference.between(before, after), after, MEETINGS))


def at(day: int, first: int, last: int) -> Place:
    return Place(1, 5 + (day - 1) // 7, (day - 1) % 7 + 1, first, last)


def event(number: int) -> Target:
    return Target(TargetKind.SCHEDULE_EVENT, 200 + number)


def item(number: int) -> Target:
    return Target(TargetKind.TASK_ITEM, 200 + number)


def test_what_did_not_change_is_no_difference() -> None:
    assert not difference.between(WEEK, WEEK)
    moved = done(WEEK, "move", task_id=6, new_day=9, new_slot_start=1)
    back = done(moved, "move", task_id=6, new_day=4, new_slot_start=3)

    assert not difference.between(WEEK, back)
    assert changes(back, WEEK) == []


def test_a_difference_names_tasks_and_days_before_and_after() -> None:
    after = done(STATE, "place", task_id=4, day=2, slot_start=1)
    after = done(after, "unplace", task_id=3)

    found = difference.between(STATE, after)

    assert [shift.state_id for shift in found.shifts] == [3, 4]
    assert [(one.day, len(one.before), len(one.after)) for one in found.days] == [
        (2, 0, 1),
        (5, 1, 0),
    ]
    assert list(difference.lines(found)) == [
        "[3]习题：第5天第3-4节 → 待安排",
        "[4]第一讲：待安排 → 第2天第1-2节",
    ]


def test_a_guest_is_told_as_one() -> None:
    after = done(STATE, "place", task_id=4, day=8, slot_start=1)

    assert list(difference.lines(difference.between(STATE, after))) == [
        "[4]第一讲：待安排 → 第8天第1-2节（嵌入）"
    ]


def test_states_of_two_loads_are_not_compared() -> None:
    with pytest.raises(ValueError, match="not of one load"):
        difference.between(STATE, WEEK)


def test_an_item_enters_the_schedule() -> None:
    after = done(STATE, "place", task_id=4, day=2, slot_start=1)

    assert changes(after) == [Change("place:task_item:204", ChangeType.PLACE, item(4), at(2, 1, 2))]


def test_an_item_enters_a_course_in_the_meeting_that_holds_it() -> None:
    after = done(STATE, "place", task_id=4, day=8, slot_start=3)

    assert changes(after) == [
        Change("embed:task_item:204", ChangeType.EMBED, item(4), at(8, 3, 4), host_id=901)
    ]


def test_a_block_moves_and_leaves_and_enters_courses() -> None:
    swapped = done(STATE, "swap", task_a=2, task_b=3)

    assert changes(swapped) == [
        Change(
            "unembed:schedule_event:202",
            ChangeType.UNEMBED,
            event(2),
            at(5, 3, 4),
            at(1, 1, 2),
        ),
        Change(
            "embed:schedule_event:203",
            ChangeType.EMBED,
            event(3),
            at(1, 1, 2),
            at(5, 3, 4),
            host_id=900,
        ),
    ]


def test_a_block_moves_between_meetings_of_its_course() -> None:
    after = done(done(STATE, "unplace", task_id=2), "place", task_id=2, day=8, slot_start=1)

    assert changes(after) == [
        Change(
            "move:schedule_event:202",
            ChangeType.MOVE,
            event(2),
            at(8, 1, 2),
            at(1, 1, 2),
            host_id=901,
        )
    ]


def test_a_block_that_is_taken_out_leaves_the_schedule() -> None:
    after = done(STATE, "unplace", task_id=3)

    assert changes(after) == [
        Change("remove:schedule_event:203", ChangeType.REMOVE, event(3), None, from_=at(5, 3, 4))
    ]


def test_an_item_that_was_tried_and_taken_out_again_is_no_change() -> None:
    tried = done(STATE, "place", task_id=4, day=2, slot_start=1)

    assert changes(done(tried, "unplace", task_id=4), tried) == []
    moved = done(tried, "move", task_id=4, new_day=3, new_slot_start=1)
    assert [(one.type, one.from_) for one in changes(moved, tried)] == [(ChangeType.PLACE, None)]


def test_changes_lead_back_to_the_plan() -> None:
    after = done(STATE, "swap", task_a=2, task_b=3)
    after = done(after, "place", task_id=4, day=8, slot_start=1)
    after = done(after, "place", task_id=5, day=9, slot_start=1)

    found = as_changes.state_of(STATE, changes(after))

    assert found.refused == {}
    assert places(found.state) == places(after)


def test_changes_that_the_plan_does_not_allow_are_refused_and_the_rest_is_done() -> None:
    wanted = [
        Change("c1", ChangeType.PLACE, item(5), at(2, 1, 2)),
        Change("c2", ChangeType.PLACE, item(4), at(3, 1, 2)),
        Change("c3", ChangeType.MOVE, event(3), at(9, 1, 2), at(5, 3, 4)),
    ]

    found = as_changes.state_of(STATE, wanted)

    assert {one: refused.code for one, refused in found.refused.items()} == {
        4: MoveCode.ORDER_VIOLATION
    }
    assert found.state.tasks[5].slots == (Span(2, 1, 2),)
    assert found.state.tasks[3].slots == (Span(9, 1, 2),)


@pytest.mark.parametrize(
    "change",
    [
        Change("c1", ChangeType.PLACE, item(99), at(2, 1, 2)),
        Change("c1", ChangeType.PLACE, item(4), at(20, 1, 2)),
        Change("c1", ChangeType.REMOVE, Target(TargetKind.SCHEDULE_EVENT, 101), None),
        Change("c1", ChangeType.ADD, Target(TargetKind.TASK_POOL, 204), at(2, 1, 2)),
    ],
)
def test_a_change_that_is_not_of_the_plan_is_an_error(change: Change) -> None:
    with pytest.raises(NotOfTheState, match="c1: not of the state"):
        as_changes.state_of(STATE, [change])


def places(state: PlanningState) -> dict[int, object]:
    return {
        one.state_id: (one.slots, one.embed_host, one.embedded_by) for one in state.tasks.values()
    }


def played(loaded: Loaded, seed: int, calls: int = 30) -> PlanningState:
    """The plan after some random writes."""
    chance, state = random.Random(seed), loaded.state
    for _ in range(calls):
        one = chance.choice([t for t in state.tasks.values() if not t.is_course])
        day, slot = chance.randint(1, state.window.total_days), chance.randint(1, 12)
        name, arguments = chance.choice(
            [
                ("place", {"task_id": one.state_id, "day": day, "slot_start": slot}),
                ("place", {"task_id": one.state_id, "day": day, "slot_start": slot}),
                ("move", {"task_id": one.state_id, "new_day": day, "new_slot_start": slot}),
                ("unplace", {"task_id": one.state_id}),
                (
                    "swap",
                    {"task_a": one.state_id, "task_b": chance.choice(list(state.tasks))},
                ),
            ]
        )
        state = registry.call(state, name, arguments).state
    return state


@settings(max_examples=60, deadline=None, database=None)
@given(seed=st.integers(0, 400), begun=st.integers(0, 4))
def test_whatever_the_tools_make_of_a_plan_the_schedule_takes(seed: int, begun: int) -> None:
    rows = behind.rows_of(seeded(seed, begun_days=begun))
    before = seeded(seed, begun_days=begun).window
    loaded = loading.load(before, rows)
    after = played(loaded, seed)

    wanted = as_changes.changes_of(difference.between(loaded.state, after), after, loaded.meetings)

    assert judge(wanted, behind.world_of(rows), now=behind.now_of(before)) == () or not wanted
    assert len({change.change_id for change in wanted}) == len(wanted)
    back = as_changes.state_of(loaded.state, wanted)
    assert back.refused == {}
    assert places(back.state) == places(after)
    assert {one.source for one in after.tasks.values()} <= {Source.EVENT, Source.TASK_ITEM}
    assert all(
        one.status is Status.SUGGESTED for one in after.tasks.values() if one.source is
        Source.TASK_ITEM and one.slots
    )  # fmt: skip
