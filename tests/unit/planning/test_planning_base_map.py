import random
from dataclasses import replace
from datetime import date

import pytest

from libs.planning.base_map import (
    BaseEntryDiff,
    base_after_edit,
    base_map,
    differing,
    touched_cells,
    touched_dates,
    value_of,
)
from libs.planning.calendar import Override
from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Target, TargetKind
from tests.unit.planning.planning_world import (
    COURSES,
    K1,
    SEMESTER,
    T1,
    T2,
    add,
    at,
    course,
    facts,
    task,
    world,
)

P1 = [add(at(13, 2, 5, 6))]
UNTOUCHED = {
    "cell:1:13:2:5": "empty",
    "cell:1:13:2:6": "empty",
    "override:2026-12-01": "none",
    "semester:1": "5",
    "target_events:task_pool:11": "none",
    "task_pool:11": "1",
}


def test_the_base_of_an_add_names_its_cells_target_semester_and_date():
    base = base_map(P1, world())
    assert base == UNTOUCHED
    assert list(base) == sorted(base)


@pytest.mark.parametrize(
    "changed",
    [
        world(blocks=[replace(block, name="改名") for block in COURSES]),
        world(targets=[facts(T1, title="别的题目"), facts(T2, version=9)]),
        world(course(1, at(16, 2, 5, 6))),
        world(course(1, at(13, 2, 7, 8))),
        world(course(1, at(14, 2, 5, 6))),
        world(task(1, at(13, 4, 5, 6), T2)),
        world(overrides=[Override(date(2026, 12, 2), None, 3)]),
        world(semesters=[SEMESTER, replace(SEMESTER, id=2, first_day=date(2027, 3, 1))]),
    ],
    ids=[
        "course-renamed", "titles-and-another-task", "event-in-week-16", "event-beside-it",
        "same-slot-next-week", "another-task-placed", "override-of-another-date", "new-semester",
    ],
)  # fmt: skip
def test_a_change_elsewhere_does_not_change_the_base(changed):
    assert base_map(P1, changed) == UNTOUCHED


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        (world(course(1, at(13, 2, 6))), {"cell:1:13:2:6": "1:1"}),
        (
            world(course(1, at(13, 2, 4, 6), version=7)),
            {"cell:1:13:2:5": "1:7", "cell:1:13:2:6": "1:7"},
        ),
        (
            world(course(9, at(13, 2, 5), embeddable=True), task(3, at(13, 2, 5), T2, host=9)),
            {"cell:1:13:2:5": "9:1+3:1"},
        ),
        (world(targets=[facts(T1, version=2)]), {"task_pool:11": "2"}),
        (world(targets=[]), {"task_pool:11": "absent"}),
        (
            world(task(32, at(16, 7, 1), T1), task(31, at(2, 7, 1), T1)),
            {"target_events:task_pool:11": "31,32"},
        ),
        (world(semesters=[replace(SEMESTER, version=6)]), {"semester:1": "6"}),
        (
            world(overrides=[Override(date(2026, 12, 1), (4, 2), 8)]),
            {"override:2026-12-01": "8"},
        ),
    ],
    ids=[
        "event-in-a-cell", "event-over-both", "host-and-guest", "target-changed", "target-gone",
        "target-placed-elsewhere", "semester-changed", "override-of-the-date",
    ],
)  # fmt: skip
def test_a_change_to_what_is_touched_always_changes_the_base(changed, expected):
    assert base_map(P1, changed) == UNTOUCHED | expected
    assert {diff.key for diff in differing(UNTOUCHED, base_map(P1, changed))} == set(expected)


def test_a_move_touches_the_cells_it_frees_and_the_host_it_names():
    item = Target(TargetKind.TASK_ITEM, 7)
    change = Change("m1", ChangeType.MOVE, item, at(13, 3, 7), from_=at(13, 2, 5), host_id=213)
    found = world(task(40, at(13, 2, 5), item, version=3), targets=[facts(item, version=4)])
    assert base_map([change], found) == {
        "cell:1:13:2:5": "40:3",
        "cell:1:13:3:7": "213:1",
        "override:2026-12-01": "none",
        "override:2026-12-02": "none",
        "schedule_event:213": "1",
        "semester:1": "5",
        "target_events:task_item:7": "40",
        "task_item:7": "4",
    }


def test_an_event_as_target_has_the_version_of_its_facts_or_of_its_block():
    event = Target(TargetKind.SCHEDULE_EVENT, 113)
    assert value_of("schedule_event:113", world()) == "1"
    assert value_of("schedule_event:113", world(targets=[facts(event, version=6)])) == "6"
    assert value_of("schedule_event:999", world()) == "absent"
    assert value_of("task_pool:113", world()) == "absent"


def test_a_change_without_a_place_touches_its_target_alone():
    assert base_map([add(None)], world()) == {
        "target_events:task_pool:11": "none",
        "task_pool:11": "1",
    }


def test_a_place_that_no_semester_holds_adds_only_its_semester():
    nowhere = [add(at(13, 2, 1, 2**31)), add(at(1, 1, 1, semester=9), T2, change_id="c2")]
    assert set(base_map(nowhere, world())) == {
        "semester:1", "semester:9", "target_events:task_pool:11", "target_events:task_pool:12",
        "task_pool:11", "task_pool:12",
    }  # fmt: skip
    assert base_map(nowhere, world())["semester:9"] == "absent"


@pytest.mark.parametrize(
    "key",
    [
        "", "cell", "cell:", "cell:1:2", "cell:1:2:3:x", "cell:1:2:3:4:5", "semester:",
        "semester:x", "override:2026-13-01", "override:", "target_events:task_pool",
        "target_events:course:1", "task_pool:", "task_pool:1.5", "moon:1", "\ud800",
        f"semester:{'9' * 5000}",
    ],
)  # fmt: skip
def test_a_key_that_is_none_is_absent_and_raises_nothing(key):
    assert value_of(key, world()) == "absent"


def test_a_cell_that_no_semester_has_is_empty():
    assert value_of("cell:9:99:9:99", world()) == "empty"


def test_the_same_facts_in_another_order_give_the_same_bytes():
    dice = random.Random(7)
    blocks = [*COURSES, task(3, at(13, 2, 5), T1), task(4, at(14, 2, 5), T1)]
    changes = [add(at(13, 2, 5, 6)), add(at(13, 1, 1, 2), T2, change_id="c2")]
    overrides = [Override(date(2026, 12, 1), None, n) for n in (1, 2, 3)]
    maps = set()
    for _ in range(20):
        for row in (blocks, changes, overrides):
            dice.shuffle(row)
        maps.add(repr(base_map(changes, world(blocks=blocks, overrides=overrides))))
    assert len(maps) == 1


def test_only_the_keys_of_the_expected_map_are_compared():
    assert differing({"b": "1", "a": "2"}, {"b": "3", "c": "4"}) == (
        BaseEntryDiff("a", "2", "absent"),
        BaseEntryDiff("b", "1", "3"),
    )
    assert differing({"a": "absent"}, {}) == ()


def test_an_edit_drops_the_cells_it_left_and_keeps_every_row():
    found = world()
    base = base_map(P1, found)
    edited = [add(at(13, 2, 6, 7))]
    kept = base_after_edit(base, kept_cells=touched_cells(edited, found))
    assert kept == {key: value for key, value in UNTOUCHED.items() if key != "cell:1:13:2:5"}


def test_an_edit_to_another_day_drops_the_override_of_the_day_it_left_when_told():
    found = world()
    edited = [add(at(13, 4, 5, 6))]
    cells, dates = touched_cells(edited, found), touched_dates(edited, found)
    assert dates == {date(2026, 12, 3)}
    kept = base_after_edit(base_map(P1, found), kept_cells=cells, kept_dates=dates)
    assert set(kept) == {"semester:1", "target_events:task_pool:11", "task_pool:11"}
    same_day = base_after_edit(base_map(P1, found), kept_cells=(), kept_dates={date(2026, 12, 1)})
    assert "override:2026-12-01" in same_day


def test_the_base_of_a_taken_cell_names_the_course():
    base = base_map([add(at(13, 1, 1, 2))], world())
    assert base["cell:1:13:1:1"] == f"{K1[12].id}:1"


def test_a_block_stands_for_what_it_was_placed_for_and_frees_its_cells():
    item = Target(TargetKind.TASK_ITEM, 101)
    block = replace(task(9, at(13, 4, 5, 6), item), class_id=50, order=2)
    row = replace(facts(item, version=4), class_id=50, order=2)
    found = replace(world(block, targets=[row]), classes={50: 8})
    move = Change("c1", ChangeType.MOVE, Target(TargetKind.SCHEDULE_EVENT, 9), at(13, 2, 5, 6))
    assert base_map([move], found) == {
        "cell:1:13:2:5": "empty",
        "cell:1:13:2:6": "empty",
        "cell:1:13:4:5": "9:1",
        "cell:1:13:4:6": "9:1",
        "override:2026-12-01": "none",
        "override:2026-12-03": "none",
        "schedule_event:9": "1",
        "semester:1": "5",
        "target_events:schedule_event:9": "none",
        "target_events:task_item:101": "9",
        "task_class:50": "8",
        "task_item:101": "4",
    }
    removal = replace(move, type=ChangeType.REMOVE, to=None)
    assert "cell:1:13:4:5" in base_map([removal], found)


def test_a_class_that_is_gone_or_misnamed_is_absent():
    found = replace(world(), classes={50: 8})
    assert value_of("task_class:50", found) == "8"
    assert value_of("task_class:51", found) == value_of("task_class:x", found) == "absent"
