import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import OutOfSemester
from libs.planning.grid import Block, Cell, Grid, Place
from tests.unit.planning.planning_world import (
    COURSES,
    SEMESTER,
    T1,
    at,
    course,
    hourly_clock,
    steady,
    task,
)


def spans(places: tuple[Place, ...]) -> list[tuple[int, int]]:
    return [(place.first, place.last) for place in places]


def grid(*blocks: Block) -> Grid:
    return Grid([SEMESTER], blocks)


@pytest.mark.parametrize(
    ("a", "b", "overlap"),
    [
        (at(13, 1, 1, 2), at(13, 1, 2, 3), True),
        (at(13, 1, 2, 3), at(13, 1, 1, 2), True),
        (at(13, 1, 1, 4), at(13, 1, 2, 3), True),
        (at(13, 1, 1, 2), at(13, 1, 3, 4), False),
        (at(13, 1, 1, 2), at(13, 2, 1, 2), False),
        (at(13, 1, 1, 2), at(14, 1, 1, 2), False),
        (at(13, 1, 1, 2), at(13, 1, 1, 2, semester=2), False),
    ],
)
def test_places_overlap_when_they_share_a_cell(a, b, overlap):
    assert a.overlaps(b) is overlap
    assert bool(set(a.cells) & set(b.cells)) is overlap


def test_a_place_contains_what_lies_wholly_inside_it():
    assert at(13, 3, 7, 8).contains(at(13, 3, 8))
    assert not at(13, 3, 7, 8).contains(at(13, 3, 8, 9))
    assert not at(13, 3, 7, 8).contains(at(13, 4, 8))


def test_length_and_cells_count_both_ends():
    assert at(13, 2, 5, 6).length == 2
    assert at(13, 2, 5, 6).cells == (Cell(1, 13, 2, 5), Cell(1, 13, 2, 6))
    assert at(13, 2, 6, 5).cells == ()


def test_two_free_sections_never_bridge_lunch_or_dinner_unless_allowed():
    empty = grid()
    offered = spans(empty.free_runs(1, 13, 2, length=2))
    assert offered == [
        (1, 2), (2, 3), (3, 4), (5, 6), (6, 7), (7, 8), (9, 10), (10, 11), (11, 12),
    ]  # fmt: skip
    bridged = spans(empty.free_runs(1, 13, 2, length=2, bridge_breaks=True))
    assert sorted({*bridged} - {*offered}) == [(4, 5), (8, 9)]


@pytest.mark.parametrize(
    ("length", "bridge", "expected"),
    [
        (4, False, [(1, 4), (5, 8), (9, 12)]),
        (5, False, []),
        (12, True, [(1, 12)]),
        (13, True, []),
        (2**31, True, []),
    ],
)
def test_long_runs_end_at_breaks_and_at_the_day(length, bridge, expected):
    assert spans(grid().free_runs(1, 1, 1, length=length, bridge_breaks=bridge)) == expected


@pytest.mark.parametrize("length", [0, -1])
def test_a_run_has_at_least_one_section(length):
    with pytest.raises(ValueError, match="length"):
        grid().free_runs(1, 1, 1, length=length)


def test_runs_follow_the_breaks_and_the_count_of_the_semesters_own_clock():
    clock = hourly_clock(10, lunch_after=5, dinner_after=8)
    short = Grid([replace(SEMESTER, clock=clock)], ())
    assert spans(short.free_runs(1, 1, 1, length=3)) == [(1, 3), (2, 4), (3, 5), (6, 8)]
    assert short.free_mask(1, 1, 1) == 0b11_1111_1111


@pytest.mark.parametrize(
    ("blocks", "bridge", "allowed", "longest"),
    [
        ((), False, None, 4),
        ((), True, None, 12),
        ((), True, 0b111, 3),
        ((), True, 0, 0),
        ((course(1, at(13, 1, 2)), course(2, at(13, 1, 7))), False, None, 4),
        ((course(1, at(13, 1, 2)), course(2, at(13, 1, 7))), True, None, 5),
        ((course(1, at(13, 1, 1, 12)),), True, None, 0),
    ],
)
def test_the_longest_run_of_a_day(blocks, bridge, allowed, longest):
    found = grid(*blocks).longest_run(1, 13, 1, bridge_breaks=bridge, mask_allowed=allowed)
    assert found == longest


def test_odd_and_even_weeks_of_one_slot_do_not_meet():
    odd = [course(10 + w, at(w, 4, 1, 2)) for w in range(1, 17, 2)]
    even = [course(50 + w, at(w, 4, 1, 2)) for w in range(2, 17, 2)]
    both = Grid([SEMESTER], odd)
    assert [both.conflicts(block.place) for block in even] == [()] * 8
    both = Grid([SEMESTER], odd + even)
    assert [b.id for b in both.occupants(Cell(1, 13, 4, 1))] == [23]
    assert [b.id for b in both.occupants(Cell(1, 14, 4, 1))] == [64]


@pytest.mark.parametrize(
    "place", [at(13, 1, 13, 14), at(13, 0, 1), at(21, 1, 1), at(13, 1, 1, semester=2)]
)
def test_a_block_that_no_semester_holds_is_refused_and_never_clipped(place):
    with pytest.raises(OutOfSemester):
        grid(course(1, place))


@pytest.mark.parametrize("day", [0, -1, 8])
def test_asking_for_a_day_that_is_none_is_a_typed_error(day):
    empty = grid()
    with pytest.raises(OutOfSemester):
        empty.free_runs(1, 13, day, length=1)
    with pytest.raises(OutOfSemester):
        empty.longest_run(1, 13, day)
    with pytest.raises(OutOfSemester):
        empty.conflicts(at(13, day, 1))
    with pytest.raises(OutOfSemester):
        empty.free_mask(9, 13, 1)


def test_two_semesters_of_one_id_are_refused_and_the_same_one_twice_is_not():
    with pytest.raises(ValueError, match="one id"):
        Grid([SEMESTER, replace(SEMESTER, version=6)], ())
    assert Grid([SEMESTER, SEMESTER], ()).semesters == (SEMESTER,)


def test_the_host_of_a_cell_comes_before_its_guest():
    host = course(900, at(13, 3, 7, 8), embeddable=True)
    guest = task(5, at(13, 3, 7), T1, host=900)
    for order in ([host, guest], [guest, host], [guest, host, guest]):
        found = Grid([SEMESTER], order)
        assert [b.id for b in found.occupants(Cell(1, 13, 3, 7))] == [900, 5]
        assert [b.id for b in found.occupants(Cell(1, 13, 3, 8))] == [900]
    assert found.occupants(Cell(9, 13, 3, 7)) == ()


def test_conflicts_name_each_cell_with_what_is_in_it():
    mine, other = task(1, at(13, 2, 5, 6)), task(2, at(13, 2, 8))
    found = grid(mine, other).conflicts(at(13, 2, 6, 8))
    assert [(c.cell.section, c.block.id) for c in found] == [(6, 1), (8, 2)]


def test_a_block_that_moves_is_not_in_its_own_way():
    mine, other = task(1, at(13, 2, 5, 6)), task(2, at(13, 2, 8))
    found = grid(mine, other)
    assert found.conflicts(at(13, 2, 6, 7), ignoring={1}) == ()
    assert [c.block.id for c in found.conflicts(at(13, 2, 6, 8), ignoring=[1])] == [2]
    assert found.conflicts(at(13, 2, 1, 2)) == ()


def test_an_embeddable_course_is_in_the_way_of_what_does_not_embed():
    found = Grid([SEMESTER], COURSES).conflicts(at(13, 3, 6, 7))
    assert [(c.cell.section, c.block.id) for c in found] == [(7, 213)]


def test_a_grid_knows_its_semesters_and_their_instants():
    later = replace(SEMESTER, id=0, first_day=SEMESTER.date_of(20, 1))
    found = Grid([later, SEMESTER], ())
    assert found.semesters == (SEMESTER, later)
    assert found.semester(0) is later
    assert found.semester(7) is None
    assert found.starts_at(at(13, 2, 5, 6)) == SEMESTER.starts_at(13, 2, 5)
    assert found.ends_at(at(13, 2, 5, 6)) == SEMESTER.ends_at(13, 2, 6)


def blocks_of_a_day() -> st.SearchStrategy[list[Block]]:
    places = st.tuples(st.integers(1, 12), st.integers(0, 3)).map(
        lambda pair: at(13, 1, pair[0], min(12, sum(pair)))
    )
    return st.lists(places, max_size=6).map(
        lambda found: [course(n, place) for n, place in enumerate(found)]
    )


@steady
@given(blocks_of_a_day(), st.integers(1, 13), st.booleans())
def test_free_runs_agree_with_looking_at_every_cell(blocks, length, bridge):
    taken = {cell.section for block in blocks for cell in block.place.cells}
    expected = [
        (first, first + length - 1)
        for first in range(1, 14 - length)
        if not taken & set(range(first, first + length))
        and (bridge or not SEMESTER.clock.crosses_break(first, first + length - 1))
    ]
    found = grid(*blocks)
    assert spans(found.free_runs(1, 13, 1, length=length, bridge_breaks=bridge)) == expected
    assert (found.longest_run(1, 13, 1, bridge_breaks=bridge) >= length) is bool(expected)
    assert all(not found.conflicts(at(13, 1, *span)) for span in expected)


@steady
@given(blocks_of_a_day(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(blocks, dice: random.Random):
    shuffled = dice.sample(blocks, len(blocks))
    one, other = grid(*blocks), grid(*shuffled)
    cells = at(13, 1, 1, 12).cells
    assert [one.occupants(cell) for cell in cells] == [other.occupants(cell) for cell in cells]
    assert one.conflicts(at(13, 1, 1, 12)) == other.conflicts(at(13, 1, 1, 12))
    assert one.free_mask(1, 13, 1) == other.free_mask(1, 13, 1)
