"""Which semester a date belongs to, and what a window of time touches."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import Semester
from services.schedule.domain import errors, semesters
from services.schedule.domain.block import first_version, in_order
from services.schedule.domain.views import WeekView, days_of_window, next_task_block
from tests.unit.schedule.schedule_samples import AUTUMN, NOW, SPRING, at, meeting, work

DATES = st.dates(date(2026, 1, 1), date(2028, 1, 1))


@pytest.mark.parametrize(
    ("on", "week", "day"),
    [
        (date(2026, 9, 7), 1, 1),
        (date(2026, 9, 13), 1, 7),
        (date(2027, 1, 1), 17, 5),
        (date(2027, 1, 24), 20, 7),
    ],
)
def test_a_date_inside_is_located(on: date, week: int, day: int) -> None:
    found = semesters.locate((SPRING, AUTUMN), semesters.on_date(on))
    assert (found.semester, found.on, found.week, found.day) == (AUTUMN, on, week, day)


@pytest.mark.parametrize(
    ("on", "error", "nearest"),
    [
        (date(2026, 9, 6), errors.NotStarted, AUTUMN),
        (date(2027, 1, 25), errors.NotStarted, SPRING),
        (date(2027, 7, 5), errors.Ended, SPRING),
    ],
)
def test_a_date_outside_names_the_nearest_semester(
    on: date, error: type[errors.OutsideEverySemester], nearest: Semester
) -> None:
    with pytest.raises(error) as caught:
        semesters.locate((AUTUMN, SPRING), semesters.on_date(on))
    assert caught.value.metadata == {
        "date": on.isoformat(),
        "semester_id": str(nearest.id),
        "first_date": nearest.first_day.isoformat(),
        "last_date": nearest.last_day.isoformat(),
    }


def test_without_a_semester_none_is_found() -> None:
    with pytest.raises(errors.SemesterNotFound):
        semesters.locate((), semesters.at_instant(NOW))


@given(on=DATES)
def test_located_or_refused_by_the_semester_that_is_nearest(on: date) -> None:
    date_in = semesters.on_date(on)
    nearest = semesters.nearest_to((AUTUMN, SPRING), date_in)
    if nearest.first_day <= on <= nearest.last_day:
        assert semesters.locate((SPRING, AUTUMN), date_in).semester == nearest
    else:
        with pytest.raises(errors.OutsideEverySemester) as caught:
            semesters.locate((SPRING, AUTUMN), date_in)
        assert caught.value.metadata["semester_id"] == str(nearest.id)


def test_today_is_the_date_in_the_semesters_own_zone() -> None:
    late = datetime(2027, 1, 24, 16, tzinfo=UTC)
    with pytest.raises(errors.Ended):
        semesters.locate((AUTUMN,), semesters.at_instant(late))
    west = replace(AUTUMN, time_zone="America/Toronto")
    assert semesters.locate((west,), semesters.at_instant(late)).day == 7


def test_version_and_id_are_no_part_of_a_plan() -> None:
    assert semesters.same_plan(AUTUMN, replace(AUTUMN, id=9, version=1))
    assert not semesters.same_plan(AUTUMN, replace(AUTUMN, weeks=19))


@given(
    start=st.integers(0, 365 * 24 * 60).map(
        lambda minutes: NOW + timedelta(minutes=minutes - 180_000)
    ),
    hours=st.integers(1, 216),
)
def test_a_window_touches_exactly_the_local_dates_between_its_ends(
    start: datetime, hours: int
) -> None:
    end = start + timedelta(hours=hours)
    found = days_of_window((AUTUMN, SPRING), start, end)
    expected = [
        (semester.id, *semester.week_day_of(on))
        for semester in (AUTUMN, SPRING)
        for on in (semester.today(start) + timedelta(days=n) for n in range(11))
        if on <= semester.today(end) and semester.first_day <= on <= semester.last_day
    ]
    assert list(found) == expected


def test_the_next_block_of_work_is_the_first_that_starts_in_the_window() -> None:
    blocks = (
        meeting(1, 1, at(13, 1, 3)),
        work(2, 1, at(13, 1, 2)),
        work(3, 1, at(13, 1, 9)),
        work(4, 1, at(13, 1, 5)),
    )
    end = NOW + timedelta(hours=24)
    assert next_task_block(blocks, start=NOW, end=end) == 4
    assert next_task_block(blocks[:2], start=NOW, end=end) is None
    assert next_task_block(blocks, start=NOW, end=NOW + timedelta(hours=1)) is None


def test_blocks_are_ordered_by_time_with_guests_after_their_host() -> None:
    host = meeting(9, 1, at(13, 1, 1, 2))
    guest = work(2, 1, at(13, 1, 1))
    guest = replace(guest, block=replace(guest.block, host_id=9))
    later = work(1, 2, at(13, 1, 5))
    assert in_order((later, guest, host)) == (host, guest, later)


def test_a_week_has_seven_dates_and_todays_date() -> None:
    week = WeekView(semester=AUTUMN, week=17, blocks=(), now=NOW)
    assert [on.isoformat() for on in (week.dates[0], week.dates[6])] == ["2026-12-28", "2027-01-03"]
    assert week.today == date(2026, 11, 30)


def test_a_first_version_is_the_instant_in_microseconds() -> None:
    assert first_version(datetime(2026, 11, 30, 1, 2, 3, 4, tzinfo=UTC)) == 1796000523000004
