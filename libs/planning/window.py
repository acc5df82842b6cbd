"""The days that a plan is made for, numbered from 1, and how they map to the calendar.

Spec: tools.md, State (window with day_mapping); planning.md, Calendar and Grid.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from libs.planning.calendar import SectionClock, Semester
from libs.planning.grid import Place, mask_of
from libs.planning.order import Span


@dataclass(frozen=True, slots=True, order=True)
class WindowDay:
    """Where a day of the window lies: semester, week from 1, day_of_week 1 (Monday) to 7."""

    semester_id: int
    week: int
    day_of_week: int


@dataclass(frozen=True, slots=True)
class Window:
    """Days 1..n of one semester. `open_from` is the first (day, section) that has not begun."""

    days: tuple[WindowDay, ...]
    clock: SectionClock
    open_from: tuple[int, int] = (1, 1)

    @property
    def total_days(self) -> int:
        """Number of days."""
        return len(self.days)

    @property
    def sections(self) -> int:
        """Sections of a day."""
        return self.clock.count

    @property
    def first_open_day(self) -> int:
        """Today, or the first day where the window lies ahead; n + 1 where it is over."""
        return min(self.open_from[0], self.total_days + 1)

    def holds(self, span: Span) -> bool:
        """Whether a span names a day and sections of the window."""
        return 1 <= span.day <= len(self.days) and 1 <= span.first <= span.last <= self.clock.count

    def has_begun(self, span: Span) -> bool:
        """Whether its first section has started."""
        return span.start < self.open_from

    def open_mask(self, day: int) -> int:
        """Mask of the sections of a day that have not begun."""
        whole = mask_of(1, self.clock.count)
        open_day, section = self.open_from
        if day != open_day:
            return whole if day > open_day else 0
        return whole >> (section - 1) << (section - 1)

    def place_of(self, span: Span) -> Place:
        """The place in the calendar. Raises ValueError for a span that the window does not hold."""
        if not self.holds(span):
            raise ValueError(f"the window has no {span}")
        day = self.days[span.day - 1]
        return Place(day.semester_id, day.week, day.day_of_week, span.first, span.last)

    def span_of(self, place: Place) -> Span | None:
        """The span of a place, None where its day or sections are not of the window."""
        wanted = WindowDay(place.semester_id, place.week, place.day)
        if not self.days or wanted.semester_id != self.days[0].semester_id:
            return None
        first = self.days[0]
        day = (wanted.week - first.week) * 7 + wanted.day_of_week - first.day_of_week + 1
        span = Span(day, place.first, place.last)
        return span if self.holds(span) and self.days[day - 1] == wanted else None


@dataclass(frozen=True, slots=True)
class ClassDates:
    """The dates of one task class as they are stored: either may be missing, or nonsense."""

    class_id: int
    start: date | None
    end: date | None


class BadDates(StrEnum):
    """Why a class gives the window nothing."""

    MISSING = "dates_missing"
    REVERSED = "end_before_start"
    OUTSIDE = "outside_semester"


@dataclass(frozen=True, slots=True)
class SkippedClass:
    """A class that was left out of the window, and why."""

    class_id: int
    problem: BadDates


class NoWindow(StrEnum):
    """Why there is no window: the person is asked for dates, or told that none is in term."""

    ASK_DATES = "ask_dates"
    NO_WINDOW = "no_window"


@dataclass(frozen=True, slots=True)
class WindowFound:
    """The window, or why there is none; and the classes that were skipped, by id."""

    window: Window | None
    problem: NoWindow | None
    skipped: tuple[SkippedClass, ...]


def bad_dates(dates: ClassDates, semester: Semester) -> BadDates | None:
    """What is wrong with the dates of a class, if anything. A range half inside is good."""
    if dates.start is None or dates.end is None:
        return BadDates.MISSING
    if dates.end < dates.start:
        return BadDates.REVERSED
    if dates.end < semester.first_day or dates.start > semester.last_day:
        return BadDates.OUTSIDE
    return None


def window_of(
    semester: Semester,
    classes: Iterable[ClassDates],
    *,
    now: datetime,
    period: tuple[date, date] | None = None,
) -> WindowFound:
    """The days from the first start to the last end of the classes, inside the semester.

    Classes with bad dates are skipped one by one and never poison the others. `period` narrows
    the window to the days that the person named, both included.
    """
    skipped = []
    ranges: list[tuple[date, date]] = []
    for dates in sorted(classes, key=lambda dates: dates.class_id):
        problem = bad_dates(dates, semester)
        if problem is not None:
            skipped.append(SkippedClass(dates.class_id, problem))
        elif dates.start is not None and dates.end is not None:
            ranges.append((dates.start, dates.end))
    if not ranges:
        outside = any(skip.problem is BadDates.OUTSIDE for skip in skipped)
        problem_ = NoWindow.NO_WINDOW if outside else NoWindow.ASK_DATES
        return WindowFound(None, problem_, tuple(skipped))
    first, last = _narrowed(semester, ranges, period)
    if last < first:
        return WindowFound(None, NoWindow.NO_WINDOW, tuple(skipped))
    return WindowFound(window_between(semester, first, last, now=now), None, tuple(skipped))


def window_between(semester: Semester, first: date, last: date, *, now: datetime) -> Window:
    """The window of the days first..last. Raises NotStarted or Ended for days out of semester."""
    count = (last - first).days + 1
    days = tuple(
        WindowDay(semester.id, *semester.week_day_of(first + timedelta(days=ahead)))
        for ahead in range(count)
    )
    return Window(days, semester.clock, open_from(semester, days, now))


def open_from(semester: Semester, days: Sequence[WindowDay], now: datetime) -> tuple[int, int]:
    """The first (day, section) of these days that has not begun; (n + 1, 1) where all have."""
    for number, day in enumerate(days, start=1):
        last = semester.starts_at(day.week, day.day_of_week, semester.clock.count)
        if last < now:
            continue
        for section in range(1, semester.clock.count + 1):
            if semester.starts_at(day.week, day.day_of_week, section) >= now:
                return number, section
    return len(days) + 1, 1


def _narrowed(
    semester: Semester, ranges: Sequence[tuple[date, date]], period: tuple[date, date] | None
) -> tuple[date, date]:
    first = max(min(start for start, _ in ranges), semester.first_day)
    last = min(max(end for _, end in ranges), semester.last_day)
    if period is not None:
        first, last = max(first, period[0]), min(last, period[1])
    return first, last
