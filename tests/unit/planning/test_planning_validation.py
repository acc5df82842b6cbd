import random
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.base_map import base_after_edit, base_map, touched_cells
from libs.planning.changes import Change, ChangeType, TargetFacts, World
from libs.planning.grid import Block, Cell, Place, Target, TargetKind
from libs.planning.validation import Refusal, RefusalCode, judge, live_ahead
from tests.unit.planning.planning_world import (
    COURSES,
    NOW,
    SEMESTER,
    T1,
    T2,
    add,
    at,
    course,
    facts,
    hourly_clock,
    steady,
    task,
    world,
)

SLOT = at(13, 2, 5, 6)
FREE = add(SLOT)


def codes(refusals: tuple[Refusal, ...]) -> set[str]:
    return {refusal.code.value for refusal in refusals}


def test_a_free_place_ahead_of_now_is_legal():
    assert judge([FREE], world(), now=NOW, base=base_map([FREE], world())) == ()


# Conflicts -------------------------------------------------------------------------------------


def test_a_second_task_for_a_taken_slot_is_refused_whether_or_not_it_brings_a_base():
    before, after = world(), world(task(1, SLOT, T2))
    base = base_map([FREE], before)
    assert judge([FREE], before, now=NOW, base=base) == ()
    [refusal] = judge([FREE], after, now=NOW, base=base)
    assert refusal.code is RefusalCode.BASE_VERSION_CHANGED
    assert [(entry.key, entry.expected, entry.actual) for entry in refusal.entries] == [
        ("cell:1:13:2:5", "empty", "1:1"),
        ("cell:1:13:2:6", "empty", "1:1"),
    ]
    assert judge([FREE], after, now=NOW) == tuple(
        Refusal(RefusalCode.SLOT_CONFLICT, "c1", cell=cell, block=after.blocks[-1])
        for cell in SLOT.cells
    )


def test_a_rename_and_an_event_in_another_week_do_not_spoil_a_candidate():
    renamed = [replace(block, name="高等数学(改)") for block in COURSES]
    after = world(course(1, at(16, 2, 5, 6)), blocks=renamed)
    assert judge([FREE], after, now=NOW, base=base_map([FREE], world())) == ()


def test_an_event_in_a_touched_cell_spoils_a_candidate_and_is_named():
    after = world(course(77, at(13, 2, 6), version=2))
    [refusal] = judge([FREE], after, now=NOW, base=base_map([FREE], world()))
    assert refusal.code is RefusalCode.BASE_VERSION_CHANGED
    assert [(e.key, e.actual) for e in refusal.entries] == [("cell:1:13:2:6", "77:2")]


@pytest.mark.parametrize("place", [at(13, 1, 1, 2), at(14, 1, 2, 3), at(13, 3, 7, 8), at(13, 3, 8)])
def test_courses_embeddable_or_not_are_in_the_way_of_an_add(place):
    refusals = judge([add(place)], world(), now=SEMESTER.starts_at(13, 1, 1))
    assert codes(refusals) == {"slot_conflict"}
    assert {r.block.id for r in refusals if r.block} <= {113, 114, 213}


def test_odd_and_even_week_classes_leave_each_other_room():
    even = [course(50 + week, at(week, 4, 1, 2)) for week in range(2, 17, 2)]
    assert judge([add(at(15, 4, 1, 2))], world(*even), now=NOW) == ()
    assert codes(judge([add(at(14, 4, 1, 2))], world(*even), now=NOW)) == {"slot_conflict"}


def test_two_changes_of_one_batch_may_not_share_a_cell_and_both_are_named():
    changes = [add(SLOT, change_id="a"), add(at(13, 2, 6, 7), T2, change_id="b")]
    shared = Cell(1, 13, 2, 6)
    assert judge(changes, world(), now=NOW) == (
        Refusal(RefusalCode.SLOT_CONFLICT, "a", cell=shared, detail="change:b"),
        Refusal(RefusalCode.SLOT_CONFLICT, "b", cell=shared, detail="change:a"),
    )
    apart = [changes[0], add(at(13, 2, 7, 8), T2, change_id="b")]
    assert judge(apart, world(), now=NOW) == ()


def test_many_changes_for_the_same_cells_name_each_other_once():
    targets = [Target(TargetKind.TASK_POOL, n) for n in range(50)]
    changes = [add(at(13, 2, 5, 8), t, change_id=f"c{t.id}") for t in targets]
    refusals = judge(changes, world(targets=[facts(t) for t in targets]), now=NOW)
    assert len({(r.change_id, r.detail) for r in refusals}) == len(refusals) == 50 * 49
    assert {r.cell for r in refusals} == {Cell(1, 13, 2, 5)}


def test_every_change_of_a_batch_is_checked_and_only_the_failing_ones_are_named():
    targets = [Target(TargetKind.TASK_POOL, n) for n in range(6)]
    places = [at(14, 2, 1), at(14, 2, 3), at(14, 2, 5), at(14, 2, 7), at(14, 1, 1), at(14, 2, 9)]
    changes = [
        add(place, target, change_id=f"c{n}")
        for n, (place, target) in enumerate(zip(places, targets, strict=True))
    ]
    refusals = judge(changes, world(targets=[facts(t) for t in targets]), now=NOW)
    assert [(r.change_id, r.block.id if r.block else 0) for r in refusals] == [("c4", 114)]


# The target ------------------------------------------------------------------------------------


def test_a_foreign_or_absent_target_is_not_found():
    assert judge([FREE], world(targets=[facts(T2)]), now=NOW) == (
        Refusal(RefusalCode.TARGET_NOT_FOUND, "c1"),
    )


def test_a_completed_target_is_not_placed():
    refusals = judge([FREE], world(targets=[facts(T1, done=True)]), now=NOW)
    assert refusals == (Refusal(RefusalCode.TARGET_COMPLETED, "c1"),)


@pytest.mark.parametrize(
    ("block", "ahead"),
    [
        (at(12, 5, 1, 2), False),
        (at(13, 1, 1), False),
        (at(13, 1, 1, 2), True),
        (at(13, 1, 3), True),
        (at(20, 7, 12), True),
    ],
    ids=["last-week", "just-over", "running", "next", "far-ahead"],
)
def test_scheduled_means_a_live_block_that_runs_now_or_lies_ahead(block, ahead):
    mine = task(1, block, T1)
    found = world(mine, blocks=())
    assert live_ahead(T1, found, NOW) == ((mine,) if ahead else ())
    assert live_ahead(T2, found, NOW) == ()
    assert codes(judge([FREE], found, now=NOW)) == (
        {"target_already_scheduled"} if ahead else set()
    )


def test_a_block_stops_counting_at_the_instant_it_ends():
    found = world(task(1, SLOT, T1))
    end = SEMESTER.ends_at(13, 2, 6)
    assert live_ahead(T1, found, end - timedelta(microseconds=1)) != ()
    assert live_ahead(T1, found, end) == ()


def test_an_assumed_completed_block_is_not_an_overdue_deadline():
    deadline = SEMESTER.ends_at(15, 7, 12)
    rows = [TargetFacts(T1, 1, False, deadline, 2)]
    found = world(task(1, at(12, 5, 1, 2), T1), targets=rows)
    assert judge([FREE], found, now=NOW) == ()


def test_blocks_ahead_come_earliest_first_and_each_is_named():
    late, soon = task(1, at(15, 2, 1), T1), task(2, at(14, 2, 1), T1)
    found = world(late, soon)
    assert live_ahead(T1, found, NOW) == (soon, late)
    assert [r.block for r in judge([FREE], found, now=NOW)] == [late, soon]


def test_a_batch_cannot_schedule_one_target_twice():
    changes = [add(SLOT, change_id="a"), add(at(13, 4, 5, 6), change_id="b")]
    assert judge(changes, world(), now=NOW) == (
        Refusal(RefusalCode.TARGET_ALREADY_SCHEDULED, "a", detail="twice_in_batch"),
        Refusal(RefusalCode.TARGET_ALREADY_SCHEDULED, "b", detail="twice_in_batch"),
    )


# Time and semester -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "place",
    [
        at(13, 0, 5, 6), at(13, -1, 5, 6), at(13, 8, 5, 6), at(0, 1, 1), at(21, 1, 1),
        at(-1, 1, 1), at(13, 2, 13, 14), at(13, 2, 12, 13), at(13, 2, 0, 1), at(13, 2, -3, -2),
        at(2**31, 2, 5, 6), at(13, 2, 2**31, 2**31 + 1), at(13, 2, 5, 6, semester=2),
    ],
)  # fmt: skip
def test_a_place_outside_every_semester_is_refused(place):
    refusals = judge([add(place)], world(), now=NOW)
    assert refusals == (Refusal(RefusalCode.OUT_OF_SEMESTER, "c1", cell=place.cells[0]),)


def test_sections_beyond_a_shorter_clock_are_refused_and_never_clipped():
    short = world(semesters=[replace(SEMESTER, clock=hourly_clock(10))])
    assert judge([add(at(13, 2, 9, 10))], short, now=NOW) == ()
    assert codes(judge([add(at(13, 2, 10, 11))], short, now=NOW)) == {"out_of_semester"}


def test_a_section_that_has_started_is_past():
    start = SEMESTER.starts_at(13, 2, 5)
    assert judge([FREE], world(), now=start) == ()
    late = judge([FREE], world(), now=start + timedelta(microseconds=1))
    assert late == (Refusal(RefusalCode.IN_THE_PAST, "c1", cell=Cell(1, 13, 2, 5)),)


def test_a_place_may_bridge_lunch_since_a_day_is_continuous_for_apply():
    assert judge([add(at(13, 2, 4, 5))], world(), now=NOW) == ()


# Form ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "targets"),
    [
        (ChangeType.ADD, {"task_pool"}),
        (ChangeType.CREATE_MAKEUP, {"task_pool", "task_item", "schedule_event"}),
        (ChangeType.PLACE, {"task_item"}),
        (ChangeType.MOVE, {"schedule_event"}),
        (ChangeType.COMPRESS, {"task_pool", "task_item", "schedule_event"}),
        (ChangeType.EMBED, {"task_pool", "task_item", "schedule_event"}),
        (ChangeType.UNEMBED, {"schedule_event"}),
        (ChangeType.REMOVE, {"schedule_event"}),
        (ChangeType.UNKNOWN, set()),
    ],
)
def test_each_kind_of_change_is_about_its_kinds_of_target(kind, targets):
    for target in TargetKind:
        change = replace(FREE, type=kind, target=Target(target, 9))
        refused = codes(judge([change], world(), now=NOW)) == {"unsupported_change_type"}
        assert refused == (target.value not in targets)


def test_a_part_of_a_batch_that_is_not_supported_refuses_all_of_it():
    change = replace(FREE, target=Target(TargetKind.TASK_ITEM, 11))
    assert codes(judge([change, FREE], world(), now=NOW)) == {"unsupported_change_type"}


@pytest.mark.parametrize(
    ("changes", "details"),
    [
        ([], [("", "no_changes")]),
        ([add(None)], [("c1", "place_missing")]),
        ([add(at(13, 2, 5, 4))], [("c1", "length")]),
        ([add(at(13, 2, 5, 9))], [("c1", "length")]),
        ([add(at(13, 2, 5, 2**62))], [("c1", "length")]),
        ([replace(FREE, from_=at(13, 4, 5, 6))], [("c1", "unexpected_from")]),
        ([FREE, add(at(13, 4, 5), T2)], [("c1", "duplicate_change_id")]),
        (
            [add(None, change_id="b"), add(at(13, 2, 1, 5), T2, change_id="a")],
            [("a", "length"), ("b", "place_missing")],
        ),
    ],
)  # fmt: skip
def test_changes_that_make_no_sense_are_refused_with_a_word_for_it(changes, details):
    refusals = judge(changes, world(), now=NOW)
    assert codes(refusals) == {"invalid_edited_changes"}
    assert [(r.change_id, r.detail) for r in refusals] == details


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_pool_task_is_one_to_four_sections_long(length):
    assert judge([add(at(13, 2, 5, 4 + length))], world(), now=NOW) == ()


def test_the_checks_run_in_the_order_of_the_spec():
    """A batch with every fault, mended one fault at a time, answers in the order of the spec."""
    past, outside = at(13, 1, 1, 2), at(13, 9, 1, 2)
    stale = {"task_pool:11": "0"}
    mine = task(1, at(15, 2, 1), T1)
    done, open_ = [facts(T1, done=True)], [facts(T1)]
    wrong = Change("c1", ChangeType.MOVE, T1, None)
    steps: list[tuple[Change, World, dict[str, str] | None]] = [
        (wrong, world(mine, targets=[]), stale),
        (add(None), world(mine, targets=[]), stale),
        (add(outside), world(mine, targets=[]), stale),
        (add(outside), world(mine, targets=done), stale),
        (add(outside), world(mine, targets=open_), stale),
        (add(outside), world(targets=open_), stale),
        (add(outside), world(targets=open_), None),
        (add(past), world(targets=open_), None),
        (add(at(14, 1, 1, 2)), world(targets=open_), None),
        (add(at(14, 1, 3, 4)), world(targets=open_), None),
    ]
    heads = [judge([c], w, now=NOW, base=base) for c, w, base in steps]
    assert [refusals[0].code.value if refusals else "" for refusals in heads] == [
        "unsupported_change_type",
        "invalid_edited_changes",
        "target_not_found",
        "target_completed",
        "target_already_scheduled",
        "base_version_changed",
        "out_of_semester",
        "in_the_past",
        "slot_conflict",
        "",
    ]


# Base ------------------------------------------------------------------------------------------


def test_only_the_keys_of_the_given_base_are_compared():
    taken = world(targets=[facts(T1, version=9)])
    assert judge([FREE], taken, now=NOW, base={}) == ()
    assert judge([FREE], taken, now=NOW, base={"task_pool:11": "9"}) == ()
    [refusal] = judge([FREE], taken, now=NOW, base={"task_pool:11": "1", "moon:1": "full"})
    assert [entry.key for entry in refusal.entries] == ["moon:1", "task_pool:11"]
    assert refusal.change_id == ""


def test_a_drag_onto_a_course_is_judged_anew_and_refused():
    base = base_map([FREE], world())
    edited = add(at(14, 1, 1, 2))
    kept = base_after_edit(base, kept_cells=touched_cells([edited], world()))
    assert codes(judge([edited], world(), now=NOW, base=kept)) == {"slot_conflict"}


def test_a_drag_away_from_a_slot_that_was_taken_meanwhile_is_legal():
    base = base_map([FREE], world())
    after = world(course(1, SLOT))
    edited = add(at(13, 2, 9, 10))
    kept = base_after_edit(base, kept_cells=touched_cells([edited], after))
    assert judge([edited], after, now=NOW, base=kept) == ()
    assert codes(judge([edited], after, now=NOW, base=base)) == {"base_version_changed"}


def test_a_drag_does_not_hide_that_the_target_changed():
    base = base_map([FREE], world())
    after = world(targets=[facts(T1, version=2)])
    edited = add(at(13, 2, 9, 10))
    kept = base_after_edit(base, kept_cells=touched_cells([edited], after))
    [refusal] = judge([edited], after, now=NOW, base=kept)
    assert [entry.key for entry in refusal.entries] == ["task_pool:11"]


# Properties ------------------------------------------------------------------------------------

PLACES = st.builds(
    lambda week, day, first, length: at(week, day, first, first + length - 1),
    st.integers(12, 14),
    st.integers(0, 8),
    st.integers(-1, 13),
    st.integers(1, 4),
)
TAKEN = PLACES.filter(SEMESTER.contains)


def blocks(places: list[Place]) -> list[Block]:
    return [course(n, place) for n, place in enumerate(places, start=1)]


@steady
@given(PLACES, PLACES, st.lists(TAKEN, max_size=12), st.integers(-10_000, 10_000), st.booleans())
def test_judge_accepts_exactly_what_looking_at_every_cell_accepts(one, two, taken, minutes, both):
    now = NOW + timedelta(minutes=minutes)
    wanted = [one, two] if both else [one]
    cells = [cell for place in wanted for cell in place.cells]
    covered = {cell for place in taken for cell in place.cells}

    def opens(cell: Cell) -> bool:
        inside = 1 <= cell.day <= 7 and 1 <= cell.section <= 12
        return inside and SEMESTER.starts_at(cell.week, cell.day, cell.section) >= now

    free = all(opens(cell) and cell not in covered for cell in cells)
    expected = free and len(set(cells)) == len(cells)
    changes = [
        add(place, target, change_id=f"c{target.id}")
        for place, target in zip(wanted, (T1, T2), strict=False)
    ]
    found = world(blocks=blocks(taken))
    assert (judge(changes, found, now=now) == ()) is expected
    base = base_map(changes, found)
    assert judge(changes, found, now=now, base=base) == judge(changes, found, now=now)


@steady
@given(
    st.lists(PLACES, min_size=1, max_size=4),
    st.lists(TAKEN, max_size=8),
    st.randoms(use_true_random=False),
)
def test_the_order_of_changes_and_facts_changes_no_answer(wanted, taken, dice: random.Random):
    targets = [Target(TargetKind.TASK_POOL, n) for n in range(len(wanted))]
    changes = [
        add(place, target, change_id=f"c{target.id}")
        for place, target in zip(wanted, targets, strict=True)
    ]
    rows = [facts(target) for target in targets]
    live = blocks(taken)
    one = world(blocks=live, targets=rows)
    other = world(
        blocks=dice.sample(live, len(live)),
        targets=dice.sample(rows, len(rows)),
        semesters=[replace(SEMESTER, id=4, first_day=date(2027, 3, 1)), SEMESTER],
    )
    shuffled = dice.sample(changes, len(changes))
    assert judge(changes, one, now=NOW) == judge(shuffled, other, now=NOW)
    assert repr(base_map(changes, one)) == repr(base_map(shuffled, other))
