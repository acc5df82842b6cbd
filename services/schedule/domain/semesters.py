"""Which semester a date belongs to, and what a semester may become.

Weeks are counted from the first Monday and never wrap around (spec: planning.md, Calendar).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from libs.planning.calendar import Semester
from services.schedule.domain import errors


@dataclass(frozen=True, slots=True)
class Found:
    """A date inside a semester: week from 1, day 1 (Monday) to 7."""

    semester: Semester
    on: date
    week: int
    day: int


DateIn = Callable[[Semester], date]
"""The date that is meant in the zone of a semester."""


def on_date(on: date) -> DateIn:
    """The same date in every semester."""
    return lambda _: on


def at_instant(now: datetime) -> DateIn:
    """The local date of an instant in each semester's own zone."""
    return lambda semester: semester.today(now)


def locate(semesters: Sequence[Semester], date_in: DateIn) -> Found:
    """The semester that holds the date, and the week and day.

    Raises NotStarted when one is still to come, Ended when all are over, SemesterNotFound when
    there is none.
    """
    for semester in _by_date(semesters):
        on = date_in(semester)
        if semester.first_day <= on <= semester.last_day:
            week, day = semester.week_day_of(on)
            return Found(semester, on, week, day)
    nearest = nearest_to(semesters, date_in)
    on = date_in(nearest)
    refusal = errors.NotStarted if on < nearest.first_day else errors.Ended
    raise refusal(on, semester_id=nearest.id, first=nearest.first_day, last=nearest.last_day)


def nearest_to(semesters: Sequence[Semester], date_in: DateIn) -> Semester:
    """The semester that holds the date, else the next one to come, else the last one.

    Raises SemesterNotFound when there is none.
    """
    ordered = _by_date(semesters)
    if not ordered:
        raise errors.SemesterNotFound
    for semester in ordered:
        if date_in(semester) <= semester.last_day:
            return semester
    return ordered[-1]


def same_plan(one: Semester, other: Semester) -> bool:
    """Whether two states of a semester differ in nothing that a person sets."""
    return _plan(one) == _plan(other)


def _plan(semester: Semester) -> tuple[object, ...]:
    return semester.first_day, semester.weeks, semester.time_zone, semester.clock


def _by_date(semesters: Sequence[Semester]) -> list[Semester]:
    return sorted(semesters, key=lambda semester: (semester.first_day, semester.id))
