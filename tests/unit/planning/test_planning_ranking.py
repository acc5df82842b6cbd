import random
from dataclasses import replace
from datetime import date

import pytest

from libs.planning.grid import Grid
from libs.planning.ranking import best, disturbance
from tests.unit.planning.planning_world import COURSES, SEMESTER, at

PLACES = [at(13, day, first, first + 1) for day in (1, 2, 3) for first in (5, 7, 9)]


def test_the_lowest_keys_come_first_and_equal_ones_in_time_order():
    assert best(PLACES, 3, key=lambda place: -place.day) == (
        at(13, 3, 5, 6), at(13, 3, 7, 8), at(13, 3, 9, 10),
    )  # fmt: skip
    assert best(PLACES, 2, key=lambda place: (place.first, 0)) == (at(13, 1, 5, 6), at(13, 2, 5, 6))


def test_the_order_of_the_input_decides_nothing():
    dice = random.Random(3)
    found = {best(dice.sample(PLACES, 9), 5, key=lambda place: place.first % 4) for _ in range(30)}
    assert len(found) == 1


def test_each_place_is_offered_once_and_never_more_than_there_are():
    assert best(PLACES + PLACES, 20, key=lambda _: 0) == tuple(PLACES)
    assert best(PLACES, 0, key=lambda _: 0) == ()
    assert best([], 3, key=lambda _: 0) == ()


def test_a_negative_number_of_places_is_refused():
    with pytest.raises(ValueError, match="negative"):
        best(PLACES, -1, key=lambda _: 0)


def test_across_semesters_time_order_is_that_of_the_grid():
    earlier = replace(SEMESTER, id=9, first_day=date(2026, 3, 2))
    places = [at(1, 1, 1), at(1, 1, 1, semester=9)]
    grid = Grid([SEMESTER, earlier], ())
    assert best(places, 1, key=lambda _: 0, grid=grid) == (places[1],)


def test_disturbance_counts_the_taken_sections_of_the_day():
    grid = Grid([SEMESTER], COURSES)
    assert disturbance(grid, at(13, 1, 5, 6)) == 2
    assert disturbance(grid, at(13, 2, 5, 6)) == 0
