"""调休: which day of the timetable is held on which date."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from libs.planning.calendar import DEFAULT_CLOCK, Override, Semester, TaughtDays

AUTUMN = Semester(7, date(2026, 9, 7), 20, "Asia/Shanghai", DEFAULT_CLOCK, 70)
DAYS = [(week, day) for week in range(1, 21) for day in range(1, 8)]


def test_without_overrides_every_day_is_its_own() -> None:
    days = TaughtDays(AUTUMN)
    assert days.is_plain
    assert all(days.taught_on(*one) == one and days.held_on(*one) == (one,) for one in DAYS)


def test_a_working_saturday_runs_the_day_it_makes_up_for() -> None:
    days = TaughtDays(AUTUMN, [Override(date(2026, 10, 10), (4, 2), 1)])
    assert AUTUMN.week_day_of(date(2026, 10, 10)) == (5, 6)
    assert days.taught_on(5, 6) == (4, 2)
    assert days.held_on(4, 2) == ((4, 2), (5, 6))
    assert days.held_on(5, 6) == ()
    assert days.is_overridden(5, 6)
    assert not days.is_overridden(4, 2)


def test_the_week_of_the_day_that_is_run_counts_and_not_that_of_the_date() -> None:
    days = TaughtDays(AUTUMN, [Override(date(2026, 9, 20), (3, 5), 1)])
    assert days.taught_on(2, 7) == (3, 5)


def test_a_holiday_has_no_classes_and_its_own_day_may_be_run_elsewhere() -> None:
    holiday = Override(date(2026, 9, 29), None, 1)
    days = TaughtDays(AUTUMN, [holiday, Override(date(2026, 10, 10), (4, 2), 1)])
    assert days.taught_on(4, 2) is None
    assert days.held_on(4, 2) == ((5, 6),)


def test_overrides_are_not_followed_from_one_to_the_next() -> None:
    days = TaughtDays(
        AUTUMN,
        [Override(date(2026, 9, 8), (1, 3), 1), Override(date(2026, 9, 9), (1, 4), 1)],
    )
    assert (days.taught_on(1, 2), days.taught_on(1, 3)) == ((1, 3), (1, 4))


def test_of_two_overrides_of_a_date_the_newer_counts_in_any_order() -> None:
    both = [Override(date(2026, 9, 8), (1, 3), 2), Override(date(2026, 9, 8), None, 1)]
    assert TaughtDays(AUTUMN, both).taught_on(1, 2) == (1, 3)
    assert TaughtDays(AUTUMN, both[::-1]).taught_on(1, 2) == (1, 3)


def test_dates_outside_the_semester_are_without_effect() -> None:
    outside = [Override(AUTUMN.first_day - timedelta(days=1), (1, 1), 1)]
    outside.append(Override(AUTUMN.last_day + timedelta(days=1), None, 1))
    assert TaughtDays(AUTUMN, outside).is_plain


OVERRIDES = st.dictionaries(
    st.sampled_from(DAYS), st.none() | st.sampled_from(DAYS), max_size=8
).map(lambda found: [Override(AUTUMN.date_of(*on), runs, 1) for on, runs in found.items()])


@given(overrides=OVERRIDES)
def test_held_and_taught_are_two_sides_of_one_thing(overrides: list[Override]) -> None:
    days = TaughtDays(AUTUMN, overrides)
    for standing in DAYS:
        taught = days.taught_on(*standing)
        assert taught is None or standing in days.held_on(*taught)
    held = [standing for one in DAYS for standing in days.held_on(*one)]
    assert len(held) == len(set(held))
    assert sorted(held) == [one for one in DAYS if days.taught_on(*one) is not None]
