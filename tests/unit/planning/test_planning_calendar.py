import time as process_time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import (
    DEFAULT_CLOCK,
    CalendarError,
    Ended,
    InvalidSemester,
    NotStarted,
    OutOfSemester,
    SectionClock,
    SectionTime,
    Semester,
)
from libs.planning.grid import Grid, Place
from tests.unit.planning.planning_world import SEMESTER, at, clock_of, hourly_clock, steady

MONDAYS = st.integers(0, 8000).map(lambda weeks: date(1980, 1, 7) + timedelta(weeks=weeks))


@pytest.mark.parametrize(
    ("on", "week", "day"),
    [
        (date(2026, 9, 7), 1, 1),
        (date(2026, 9, 13), 1, 7),
        (date(2026, 9, 14), 2, 1),
        (date(2026, 11, 30), 13, 1),
        (date(2026, 12, 28), 17, 1),
        (date(2027, 1, 1), 17, 5),
        (date(2027, 1, 3), 17, 7),
        (date(2027, 1, 4), 18, 1),
        (date(2027, 1, 24), 20, 7),
    ],
)
def test_weeks_are_counted_in_days_across_new_year_and_the_53rd_iso_week(on, week, day):
    assert SEMESTER.week_day_of(on) == (week, day)
    assert SEMESTER.date_of(week, day) == on


def test_the_day_before_the_semester_has_not_started_and_is_never_week_zero():
    with pytest.raises(NotStarted) as caught:
        SEMESTER.week_day_of(date(2026, 9, 6))
    assert (caught.value.reason, caught.value.on) == ("not_started", date(2026, 9, 6))


def test_the_day_after_the_last_sunday_has_ended():
    assert SEMESTER.last_day == date(2027, 1, 24)
    with pytest.raises(Ended) as caught:
        SEMESTER.week_day_of(date(2027, 1, 25))
    assert (caught.value.reason, caught.value.on) == ("ended", date(2027, 1, 25))


@pytest.mark.parametrize(
    ("week", "day"), [(13, 0), (13, -1), (13, 8), (0, 1), (-1, 1), (21, 1), (2**31, 1)]
)
def test_a_day_outside_the_semester_is_a_typed_error(week, day):
    with pytest.raises(OutOfSemester) as caught:
        SEMESTER.date_of(week, day)
    assert (caught.value.reason, caught.value.semester_id) == ("out_of_semester", 1)
    assert str(week) in caught.value.what


@pytest.mark.parametrize("section", [0, -1, 13, 14, 2**31])
def test_a_section_that_the_clock_lacks_is_refused_and_never_clipped(section):
    for instant in (SEMESTER.starts_at, SEMESTER.ends_at):
        with pytest.raises(OutOfSemester):
            instant(13, 1, section)


@steady
@given(MONDAYS, st.integers(1, 30), st.integers(-200, 600))
def test_every_date_goes_to_week_and_day_and_back_or_is_outside(first_day, weeks, offset):
    semester = replace(SEMESTER, first_day=first_day, weeks=weeks)
    on = first_day + timedelta(days=offset)
    if offset < 0:
        with pytest.raises(NotStarted):
            semester.week_day_of(on)
    elif on > semester.last_day:
        with pytest.raises(Ended):
            semester.week_day_of(on)
    else:
        week, day = semester.week_day_of(on)
        assert (1 <= week <= weeks, day) == (True, on.isoweekday())
        assert semester.date_of(week, day) == on


def test_400_days_in_a_row_go_there_and_back():
    for start in (date(2026, 2, 2), date(2026, 8, 31)):
        semester = replace(SEMESTER, first_day=start, weeks=30)
        days = [start + timedelta(days=n) for n in range(400)]
        inside = [on for on in days if on <= semester.last_day]
        assert [semester.date_of(*semester.week_day_of(on)) for on in inside] == inside
        assert len(inside) == 210


@pytest.mark.parametrize(
    ("zone", "first_day", "local_day", "starts"),
    [
        ("Asia/Shanghai", date(2026, 9, 7), date(2026, 11, 30), "2026-11-30T00:00+00:00"),
        ("America/Toronto", date(2027, 1, 4), date(2027, 3, 13), "2027-03-13T13:00+00:00"),
        ("America/Toronto", date(2027, 1, 4), date(2027, 3, 14), "2027-03-14T12:00+00:00"),
        ("America/Toronto", date(2027, 1, 4), date(2027, 3, 15), "2027-03-15T12:00+00:00"),
        ("America/Toronto", date(2026, 9, 7), date(2026, 11, 1), "2026-11-01T13:00+00:00"),
        ("Pacific/Auckland", date(2026, 7, 13), date(2026, 9, 26), "2026-09-25T20:00+00:00"),
        ("Pacific/Auckland", date(2026, 7, 13), date(2026, 9, 27), "2026-09-26T19:00+00:00"),
        ("Pacific/Auckland", date(2027, 2, 1), date(2027, 4, 3), "2027-04-02T19:00+00:00"),
        ("Pacific/Auckland", date(2027, 2, 1), date(2027, 4, 4), "2027-04-03T20:00+00:00"),
    ],
)
def test_daylight_saving_moves_the_instant_and_not_the_class(zone, first_day, local_day, starts):
    semester = replace(SEMESTER, first_day=first_day, weeks=30, time_zone=zone)
    place = semester.week_day_of(local_day)
    start = semester.starts_at(*place, 1)
    assert start == datetime.fromisoformat(starts)
    assert start.utcoffset() == timedelta(0)
    assert start.astimezone(semester.zone).time() == time(8)
    assert semester.ends_at(*place, 1) - start == timedelta(minutes=45)
    assert semester.today(start) == local_day


NIGHT_CLOCK = SectionClock(
    (
        *clock_of(
            "01:00-01:40",
            "01:45-02:10",
            "02:15-02:40",
            "02:45-03:15",
            *(f"{hour:02}:00-{hour:02}:45" for hour in range(5, 13)),
        ).sections,
    ),
    4,
    8,
)


def test_a_local_time_that_is_skipped_is_pushed_forward_and_keeps_start_before_end():
    semester = Semester(1, date(2027, 1, 4), 20, "America/Toronto", NIGHT_CLOCK, 1)
    week, day = semester.week_day_of(date(2027, 3, 14))
    span = [
        (semester.starts_at(week, day, n).strftime("%H%M"), semester.ends_at(week, day, n))
        for n in (2, 3, 4)
    ]
    assert [(start, end.strftime("%H%M")) for start, end in span] == [
        ("0645", "0710"),
        ("0715", "0740"),
        ("0745", "0815"),
    ]


def test_a_place_around_a_skipped_hour_ends_with_the_latest_of_its_sections():
    """Section 1 is pushed past the end of section 2 on 2026-03-08, and not on another day."""
    texts = ("02:10-02:40", "03:00-03:05", *(f"{hour:02}:00-{hour:02}:45" for hour in range(8, 16)))
    semester = Semester(1, date(2026, 3, 2), 2, "America/New_York", clock_of(*texts), 1)
    assert semester.span(1, 7, 1, 2) == (
        datetime(2026, 3, 8, 7, 10, tzinfo=UTC),
        datetime(2026, 3, 8, 7, 40, tzinfo=UTC),
    )
    place = Place(1, 1, 7, 1, 2)
    assert Grid([semester], []).ends_at(place) == semester.ends_at(1, 7, 1)
    assert semester.span(1, 6, 1, 2)[1] == semester.ends_at(1, 6, 2)


@steady
@given(st.integers(6, 8), st.integers(1, 9), st.integers(0, 3))
def test_a_place_begins_before_it_ends_and_ends_with_no_section_to_come(day, first, more):
    semester = Semester(1, date(2026, 3, 2), 2, "America/New_York", NIGHT_CLOCK, 1)
    week, day = semester.week_day_of(date(2026, 3, day))
    begin, end = semester.span(week, day, first, first + more)
    assert begin < end
    assert all(semester.ends_at(week, day, first + n) <= end for n in range(more + 1))


def test_a_local_time_that_occurs_twice_means_the_first():
    semester = Semester(1, date(2026, 9, 7), 20, "America/Toronto", NIGHT_CLOCK, 1)
    week, day = semester.week_day_of(date(2026, 11, 1))
    assert semester.starts_at(week, day, 1) == datetime(2026, 11, 1, 5, 0, tzinfo=UTC)
    assert semester.ends_at(week, day, 2) == datetime(2026, 11, 1, 7, 10, tzinfo=UTC)


@steady
@given(
    st.sampled_from(["America/Toronto", "Pacific/Auckland", "Australia/Lord_Howe", "Africa/Cairo"]),
    st.integers(0, 60),
    st.integers(1, 7),
    st.integers(1, 12),
)
def test_a_section_always_starts_before_it_ends(zone, monday, day, section):
    first_day = date(2026, 1, 5) + timedelta(weeks=monday)
    semester = Semester(1, first_day, 1, zone, NIGHT_CLOCK, 1)
    assert semester.starts_at(1, day, section) < semester.ends_at(1, day, section)


@pytest.fixture(params=["UTC", "America/New_York", "Pacific/Kiritimati"])
def server_zone(request, monkeypatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    process_time.tzset()
    yield request.param
    monkeypatch.undo()
    process_time.tzset()


def test_the_zone_of_the_server_decides_nothing(server_zone):
    assert SEMESTER.starts_at(13, 2, 5) == datetime(2026, 12, 1, 6, 0, tzinfo=UTC)
    assert SEMESTER.ends_at(13, 2, 6) == datetime(2026, 12, 1, 7, 40, tzinfo=UTC)
    assert SEMESTER.today(datetime(2026, 11, 30, 16, 0, tzinfo=UTC)) == date(2026, 12, 1)
    assert SEMESTER.today(datetime(2026, 11, 30, 15, 59, tzinfo=UTC)) == date(2026, 11, 30)


def test_today_wants_an_aware_instant():
    with pytest.raises(ValueError, match="aware"):
        SEMESTER.today(datetime(2026, 11, 30, 9))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"first_day": date(2026, 9, 6)}, "first_day"),
        ({"first_day": date(2026, 9, 8)}, "first_day"),
        ({"first_day": date(1, 1, 1)}, "first_day"),
        ({"first_day": date(9999, 12, 27)}, "first_day"),
        ({"weeks": 0}, "weeks"),
        ({"weeks": -1}, "weeks"),
        ({"weeks": 31}, "weeks"),
        ({"time_zone": ""}, "time_zone"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"time_zone": "../etc/passwd"}, "time_zone"),
        ({"time_zone": "/etc/passwd"}, "time_zone"),
        ({"time_zone": "America"}, "time_zone"),
        ({"time_zone": "Asia/Shang\0hai"}, "time_zone"),
        ({"time_zone": "\ud800"}, "time_zone"),
        ({"time_zone": "上海"}, "time_zone"),
        ({"time_zone": "A" * 10_000}, "time_zone"),
        ({"time_zone": "localtime"}, "time_zone"),
        ({"time_zone": "right/Asia/Shanghai"}, "time_zone"),
        ({"time_zone": "posix/Asia/Shanghai"}, "time_zone"),
    ],
)
def test_a_semester_that_cannot_be_is_refused_by_field(change, field):
    with pytest.raises(InvalidSemester) as caught:
        replace(SEMESTER, **change)
    assert (caught.value.reason, caught.value.field) == ("invalid_semester", field)
    assert caught.value.problem
    assert isinstance(caught.value, CalendarError)


@pytest.mark.parametrize("weeks", [1, 30])
def test_one_week_and_thirty_weeks_are_semesters(weeks):
    semester = replace(SEMESTER, weeks=weeks)
    assert semester.week_day_of(semester.last_day) == (weeks, 7)


@pytest.mark.parametrize("count", [10, 12, 14])
def test_ten_to_fourteen_sections_are_a_clock(count):
    assert hourly_clock(count).count == count


@pytest.mark.parametrize(
    ("build", "field"),
    [
        (lambda: hourly_clock(9), "sections"),
        (lambda: hourly_clock(15), "sections"),
        (lambda: clock_of(*["08:00-08:45"] * 10), "sections"),
        (
            lambda: clock_of("08:00-09:30", *(f"{h:02}:00-{h:02}:45" for h in range(9, 20))),
            "sections",
        ),
        (
            lambda: clock_of("08:45-08:00", *(f"{h:02}:00-{h:02}:45" for h in range(9, 20))),
            "sections",
        ),
        (
            lambda: clock_of("08:00-08:00", *(f"{h:02}:00-{h:02}:45" for h in range(9, 20))),
            "sections",
        ),
        (lambda: clock_of(*(f"{h:02}:00-{h:02}:45" for h in range(20, 8, -1))), "sections"),
        (lambda: hourly_clock(12, lunch_after=0), "lunch_after"),
        (lambda: hourly_clock(12, lunch_after=-1), "lunch_after"),
        (lambda: hourly_clock(12, lunch_after=12), "lunch_after"),
        (lambda: hourly_clock(12, dinner_after=4), "dinner_after"),
        (lambda: hourly_clock(12, dinner_after=3), "dinner_after"),
        (lambda: hourly_clock(12, dinner_after=12), "dinner_after"),
    ],
)
def test_a_clock_that_cannot_be_is_refused_by_field(build, field):
    with pytest.raises(InvalidSemester) as caught:
        build()
    assert caught.value.field == field


def test_section_times_with_a_zone_are_refused():
    zoned = SectionTime(time(7, tzinfo=UTC), time(7, 45, tzinfo=UTC))
    with pytest.raises(InvalidSemester):
        SectionClock((zoned, *hourly_clock(10).sections), 4, 8)


def test_sections_may_follow_each_other_without_a_pause():
    assert clock_of(*(f"{h:02}:00-{h + 1:02}:00" for h in range(8, 20))).count == 12


def test_the_default_clock_is_twelve_sections_of_45_minutes():
    starts = "08:00 08:55 10:15 11:10 14:00 14:55 16:15 17:10 19:00 19:55 20:50 21:45"
    assert " ".join(f"{s.start:%H:%M}" for s in DEFAULT_CLOCK.sections) == starts
    today = date(2026, 9, 7)
    assert {
        datetime.combine(today, s.end) - datetime.combine(today, s.start)
        for s in DEFAULT_CLOCK.sections
    } == {timedelta(minutes=45)}
    assert (DEFAULT_CLOCK.lunch_after, DEFAULT_CLOCK.dinner_after) == (4, 8)


@pytest.mark.parametrize(
    ("first", "last", "crosses"),
    [(4, 5, True), (8, 9, True), (1, 12, True), (1, 4, False), (5, 8, False), (9, 12, False)],
)
def test_lunch_and_dinner_lie_after_sections_4_and_8(first, last, crosses):
    assert DEFAULT_CLOCK.crosses_break(first, last) is crosses


@pytest.mark.parametrize(
    ("clock", "pairs"),
    [
        (DEFAULT_CLOCK, ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12))),
        (hourly_clock(13), ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12), (13, 13))),
        (
            hourly_clock(10, lunch_after=5, dinner_after=9),
            ((1, 2), (3, 4), (5, 5), (6, 7), (8, 9), (10, 10)),
        ),
    ],
)
def test_standard_pairs_follow_the_clock_and_bridge_no_break(clock, pairs):
    assert clock.standard_pairs == pairs
    assert not any(clock.crosses_break(*pair) for pair in pairs)


@pytest.mark.parametrize(
    ("place", "inside"),
    [
        (at(1, 1, 1, 12), True),
        (at(20, 7, 12), True),
        (at(0, 1, 1), False),
        (at(21, 1, 1), False),
        (at(13, 0, 1), False),
        (at(13, 8, 1), False),
        (at(13, 1, 0, 1), False),
        (at(13, 1, 12, 13), False),
        (at(13, 1, 5, 4), False),
        (at(13, 1, 1, semester=2), False),
    ],
)
def test_a_semester_contains_the_places_of_its_own_weeks_days_and_sections(place, inside):
    assert SEMESTER.contains(place) is inside
