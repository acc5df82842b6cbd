from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import Semester
from libs.planning.grid import Grid, Place, longest_run_in, window_cells, window_places
from tests.unit.planning.planning_world import (
    COURSES,
    NOW,
    SEMESTER,
    at,
    course,
    hourly_clock,
    steady,
)

GRID = Grid([SEMESTER], COURSES)
DAY = timedelta(days=1)
NEXT = Semester(2, SEMESTER.last_day + DAY, 4, "Asia/Shanghai", hourly_clock(10), 1)


def local(text: str) -> datetime:
    """An instant from its local text in Shanghai."""
    return datetime.fromisoformat(f"{text}+08:00").astimezone(UTC)


def test_the_24_hours_after_now_run_over_midnight_and_skip_what_has_started():
    places = window_places(GRID, start=NOW, end=NOW + DAY, length=2)
    assert places[0] == at(13, 1, 3, 4)
    assert places[-1] == at(13, 1, 11, 12)
    cells = window_cells(GRID, NOW, NOW + DAY)
    assert [(c.day, c.section) for c in cells] == [(1, n) for n in range(3, 13)] + [(2, 1)]
    singles = window_places(GRID, start=NOW, end=NOW + DAY, length=1)
    assert singles[-1] == at(13, 2, 1)


@pytest.mark.parametrize(
    ("start", "first"),
    [
        ("2026-12-01T13:59:59", 5),
        ("2026-12-01T14:00:00", 5),
        ("2026-12-01T14:00:01", 6),
        ("2026-12-01T14:54:00", 6),
    ],
)
def test_a_section_that_has_started_is_no_longer_free(start, first):
    places = window_places(GRID, start=local(start), end=local("2026-12-01T23:00"), length=1)
    assert places[0] == at(13, 2, first)


@pytest.mark.parametrize(
    ("end", "last"),
    [("2026-12-01T15:40:00", 6), ("2026-12-01T15:39:59", 5), ("2026-12-01T14:45:00", 5)],
)
def test_a_slot_that_ends_after_the_deadline_is_not_before_it(end, last):
    places = window_places(GRID, start=NOW, end=local(end), length=1)
    assert places[-1] == at(13, 2, last)


def test_a_window_runs_over_sunday_into_the_next_week():
    start = local("2026-12-06T21:40")
    places = window_places(GRID, start=start, end=start + DAY, length=1)
    assert places[:3] == (at(13, 7, 12), at(14, 1, 3), at(14, 1, 4))


def test_a_window_runs_over_the_end_of_a_semester_into_the_next():
    found = Grid([NEXT, SEMESTER], ())
    start = local("2027-01-24T20:00")
    places = window_places(found, start=start, end=start + DAY, length=2)
    assert places[0] == at(20, 7, 11, 12)
    assert places[1] == at(1, 1, 1, 2, semester=2)
    assert len(places) == 1 + 3 + 3 + 1


def test_outside_every_semester_there_is_no_room_and_no_error():
    long_ago, far = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    for start, end in [
        (local("2026-09-01T00:00"), local("2026-09-07T08:00")),
        (local("2027-01-24T22:30"), far),
        (long_ago, local("2026-09-06T00:00")),
        (NOW, NOW),
        (NOW + DAY, NOW),
    ]:
        assert window_places(GRID, start=start, end=end, length=1) == ()
        assert window_cells(GRID, start, end) == ()
        assert longest_run_in(GRID, start=start, end=end) == 0
    assert len(window_cells(GRID, long_ago, far)) == 20 * 7 * 12


def test_the_longest_run_stops_at_courses_breaks_and_the_ends_of_the_window():
    tuesday = local("2026-12-01T09:00")
    assert longest_run_in(GRID, start=tuesday, end=local("2026-12-01T12:00")) == 2
    assert longest_run_in(GRID, start=tuesday, end=local("2026-12-01T23:00")) == 4
    bridged = longest_run_in(GRID, start=tuesday, end=local("2026-12-01T23:00"), bridge_breaks=True)
    assert bridged == 10
    full = Grid([SEMESTER], [course(1, at(13, 2, 1, 12))])
    assert longest_run_in(full, start=tuesday, end=local("2026-12-01T23:00")) == 0


def test_breaks_are_bridged_only_when_asked():
    end = local("2026-12-01T23:00")
    start = local("2026-12-01T11:00")
    unbridged = window_places(GRID, start=start, end=end, length=2)
    bridged = window_places(GRID, start=start, end=end, length=2, bridge_breaks=True)
    assert sorted(set(bridged) - set(unbridged)) == [at(13, 2, 4, 5), at(13, 2, 8, 9)]


def test_a_full_week_but_for_one_section_offers_that_one_alone():
    taken = [course(day, at(13, day, 1, 11 if day == 5 else 12)) for day in range(1, 8)]
    full = Grid([SEMESTER], taken)
    start, end = SEMESTER.starts_at(13, 1, 1), SEMESTER.ends_at(13, 7, 12)
    assert window_places(full, start=start, end=end, length=1) == (at(13, 5, 12),)
    assert window_places(full, start=start, end=end, length=2) == ()


def by_looking_at_every_place(
    grid: Grid, start: datetime, end: datetime, length: int
) -> list[Place]:
    found = []
    for semester in grid.semesters:
        for week in range(1, semester.weeks + 1):
            for day in range(1, 8):
                for first in range(1, semester.clock.count - length + 2):
                    place = Place(semester.id, week, day, first, first + length - 1)
                    if (
                        grid.starts_at(place) >= start
                        and grid.ends_at(place) <= end
                        and not semester.clock.crosses_break(place.first, place.last)
                        and not any(grid.occupants(cell) for cell in place.cells)
                    ):
                        found.append(place)
    return found


@steady
@given(
    st.sampled_from(["Asia/Shanghai", "America/Toronto", "Pacific/Auckland"]),
    st.integers(-3 * 24 * 60, 12 * 24 * 60),
    st.integers(0, 4 * 24 * 60),
    st.integers(1, 4),
    st.lists(st.tuples(st.integers(1, 7), st.integers(1, 10)), max_size=8),
)
def test_windows_agree_with_looking_at_every_place(zone, after, minutes, length, taken):
    # One week each on either side of the night on which Auckland's clocks go forward.
    one = replace(SEMESTER, first_day=SEMESTER.date_of(3, 1), weeks=1, time_zone=zone)
    two = replace(NEXT, first_day=SEMESTER.date_of(4, 1), weeks=1, time_zone=zone)
    blocks = [course(n, at(1, day, first, first + 1)) for n, (day, first) in enumerate(taken)]
    grid = Grid([two, one], blocks)
    start = one.starts_at(1, 1, 1) + timedelta(minutes=after)
    end = start + timedelta(minutes=minutes)
    places = window_places(grid, start=start, end=end, length=length)
    assert list(places) == by_looking_at_every_place(grid, start, end, length)
    assert list(places) == sorted(places, key=grid.starts_at)
    assert (longest_run_in(grid, start=start, end=end) >= length) is bool(places)
