"""What a plan of some study plans starts from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from libs.planning.calendar import Override, Semester
from libs.planning.window import BadDates, Window, WindowFound, bad_dates
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.task_class import TaskClass

Period = tuple[date, date]
"""First and last date, both included."""


class Skip(StrEnum):
    """Why a plan leaves a class out."""

    DATES_MISSING = "dates_missing"
    DATES_REVERSED = "dates_reversed"
    OUTSIDE_SEMESTER = "outside_semester"
    OUTSIDE_PERIOD = "outside_period"
    MANUAL = "manual"


SKIPS = {
    BadDates.MISSING: Skip.DATES_MISSING,
    BadDates.REVERSED: Skip.DATES_REVERSED,
    BadDates.OUTSIDE: Skip.OUTSIDE_SEMESTER,
}


@dataclass(frozen=True, slots=True)
class SkippedClass:
    """A class that a plan leaves out, by name and reason."""

    class_id: int
    name: str
    reason: Skip


@dataclass(frozen=True, slots=True)
class PlanningView:
    """The window of some classes and everything that stands in it, read at the instant `now`.

    `elsewhere` are blocks of these classes on other days: they bind the order.
    """

    now: datetime
    semester: Semester
    found: WindowFound
    classes: tuple[TaskClass, ...]
    blocks: tuple[ScheduledBlock, ...] = ()
    elsewhere: tuple[ScheduledBlock, ...] = ()
    overrides: tuple[Override, ...] = ()

    @property
    def skipped(self) -> tuple[SkippedClass, ...]:
        """The classes that the window leaves out, by id."""
        names = {one.id: one.fields.name for one in self.classes}
        return tuple(
            SkippedClass(one.class_id, names[one.class_id], SKIPS[one.problem])
            for one in self.found.skipped
        )

    @property
    def dates(self) -> Period | None:
        """The dates of the window, where there is one."""
        return dates_of(self.semester, self.found.window) if self.found.window else None


def dates_of(semester: Semester, window: Window) -> Period:
    """First and last date of a window of the semester."""
    first, last = window.days[0], window.days[-1]
    return (
        semester.date_of(first.week, first.day_of_week),
        semester.date_of(last.week, last.day_of_week),
    )


def reach_of(classes: Iterable[TaskClass]) -> Period | None:
    """From the first start to the last end of the classes that have both, in order."""
    ranges = [
        (one.start, one.end)
        for one in (found.fields for found in classes)
        if one.start is not None and one.end is not None and one.start <= one.end
    ]
    if not ranges:
        return None
    return min(start for start, _ in ranges), max(end for _, end in ranges)


def semester_for(
    classes: Sequence[TaskClass], known: Iterable[Semester], now: datetime
) -> Semester | None:
    """The first semester that is not over and in which a class has days, or None."""
    for semester in sorted(known, key=lambda one: (one.first_day, one.id)):
        is_over = semester.last_day < semester.today(now)
        if not is_over and any(bad_dates(one.dates, semester) is None for one in classes):
            return semester
    return None
