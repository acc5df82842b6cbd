"""Semesters: (week, day, section) to dates and instants, and back.

(semester, week, day, section) is the truth; instants are derived from it, so daylight saving
never moves a class. Weeks are whole sevens of days since the first Monday, never ISO weeks.
Spec: planning.md, Calendar.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

if TYPE_CHECKING:
    from libs.planning.grid import Place

MIN_SECTIONS = 10
MAX_SECTIONS = 14
MAX_WEEKS = 30
DAYS_PER_WEEK = 7
DEFAULT_TIME_ZONE = "Asia/Shanghai"

# Far enough from the ends of `date` that no zone's conversion can overflow.
_FIRST_YEAR, _LAST_YEAR = 1970, 2200
# Files of the zone database that are no IANA zones: they mean the server's own zone, or nothing.
_NOT_ZONES = frozenset({"localtime", "posixrules", "Factory"})
_NOT_ZONE_FOLDERS = ("posix/", "right/")


class CalendarError(ValueError):
    """A date, place or semester that the calendar cannot hold; `reason` is its stable code."""

    reason: ClassVar[str] = "calendar_error"


class InvalidSemester(CalendarError):
    """A semester or section clock that is refused: `field` is at fault, `problem` says how."""

    reason = "invalid_semester"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem


class NotStarted(CalendarError):
    """The date `on` lies before the semester's first day."""

    reason = "not_started"

    def __init__(self, on: date) -> None:
        super().__init__(f"{on.isoformat()} is before the semester")
        self.on = on


class Ended(CalendarError):
    """The date `on` lies after the semester's last day."""

    reason = "ended"

    def __init__(self, on: date) -> None:
        super().__init__(f"{on.isoformat()} is after the semester")
        self.on = on


class OutOfSemester(CalendarError):
    """A week, day or section that semester `semester_id` does not have; `what` names it."""

    reason = "out_of_semester"

    def __init__(self, semester_id: int, what: str) -> None:
        super().__init__(f"semester {semester_id} has no {what}")
        self.semester_id = semester_id
        self.what = what


@dataclass(frozen=True, slots=True, order=True)
class SectionTime:
    """Local wall time of one section, `start` before `end`, both without a zone."""

    start: time
    end: time


@dataclass(frozen=True, slots=True)
class SectionClock:
    """The sections of a day, 10 to 14, ascending; lunch and dinner follow the named sections.

    Raises InvalidSemester. Sections count from 1.
    """

    sections: tuple[SectionTime, ...]
    lunch_after: int
    dinner_after: int

    def __post_init__(self) -> None:
        if not MIN_SECTIONS <= len(self.sections) <= MAX_SECTIONS:
            raise InvalidSemester("sections", f"{len(self.sections)} sections, 10 to 14 wanted")
        if any(t.tzinfo for s in self.sections for t in (s.start, s.end)):
            raise InvalidSemester("sections", "times carry a zone")
        previous_end = time.min
        for number, section in enumerate(self.sections, start=1):
            if section.start >= section.end:
                raise InvalidSemester("sections", f"section {number} ends before it starts")
            if section.start < previous_end:
                raise InvalidSemester("sections", f"section {number} starts before the last ends")
            previous_end = section.end
        if not 1 <= self.lunch_after < len(self.sections):
            raise InvalidSemester("lunch_after", "not inside the day")
        if not self.lunch_after < self.dinner_after < len(self.sections):
            raise InvalidSemester("dinner_after", "not between lunch and the end of the day")

    @property
    def count(self) -> int:
        """Number of sections of a day."""
        return len(self.sections)

    @property
    def stretches(self) -> tuple[tuple[int, int], ...]:
        """(first, last) of morning, afternoon and evening."""
        return (
            (1, self.lunch_after),
            (self.lunch_after + 1, self.dinner_after),
            (self.dinner_after + 1, self.count),
        )

    @property
    def standard_pairs(self) -> tuple[tuple[int, int], ...]:
        """The day cut into pairs that bridge no break: (1, 2), (3, 4), …

        The last section of an odd stretch stands alone, so every section is in one pair.
        """
        return tuple(
            (start, min(start + 1, last))
            for first, last in self.stretches
            for start in range(first, last + 1, 2)
        )

    def crosses_break(self, first: int, last: int) -> bool:
        """Whether sections first..last have lunch or dinner between them."""
        return any(first <= after < last for after in (self.lunch_after, self.dinner_after))


def _section(start: str, end: str) -> SectionTime:
    return SectionTime(time.fromisoformat(start), time.fromisoformat(end))


DEFAULT_CLOCK = SectionClock(
    sections=(
        _section("08:00", "08:45"),
        _section("08:55", "09:40"),
        _section("10:15", "11:00"),
        _section("11:10", "11:55"),
        _section("14:00", "14:45"),
        _section("14:55", "15:40"),
        _section("16:15", "17:00"),
        _section("17:10", "17:55"),
        _section("19:00", "19:45"),
        _section("19:55", "20:40"),
        _section("20:50", "21:35"),
        _section("21:45", "22:30"),
    ),
    lunch_after=4,
    dinner_after=8,
)


def zone_named(key: str) -> ZoneInfo:
    """The IANA zone with this name. Raises InvalidSemester."""
    if key in _NOT_ZONES or key.startswith(_NOT_ZONE_FOLDERS):
        raise InvalidSemester("time_zone", "not an IANA zone")
    try:
        return ZoneInfo(key)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise InvalidSemester("time_zone", "not an IANA zone") from error


@dataclass(frozen=True, slots=True)
class Semester:
    """One semester of one person: a Monday, 1 to 30 weeks, an IANA zone, a section clock.

    `version` rises with every change of it. Raises InvalidSemester.
    """

    id: int
    first_day: date
    weeks: int
    time_zone: str
    clock: SectionClock
    version: int
    _zone: ZoneInfo = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not _FIRST_YEAR <= self.first_day.year <= _LAST_YEAR:
            raise InvalidSemester("first_day", f"year not in {_FIRST_YEAR} to {_LAST_YEAR}")
        if self.first_day.isoweekday() != 1:
            raise InvalidSemester("first_day", "not a Monday")
        if not 1 <= self.weeks <= MAX_WEEKS:
            raise InvalidSemester("weeks", f"{self.weeks} weeks, 1 to {MAX_WEEKS} wanted")
        object.__setattr__(self, "_zone", zone_named(self.time_zone))

    @property
    def zone(self) -> ZoneInfo:
        """The time zone itself."""
        return self._zone

    @property
    def last_day(self) -> date:
        """The Sunday that ends the last week."""
        return self.first_day + timedelta(days=DAYS_PER_WEEK * self.weeks - 1)

    def date_of(self, week: int, day: int) -> date:
        """Date of day 1 (Monday) to 7 (Sunday) of a week. Raises OutOfSemester."""
        if not (1 <= week <= self.weeks and 1 <= day <= DAYS_PER_WEEK):
            raise OutOfSemester(self.id, f"week {week} day {day}")
        return self.first_day + timedelta(days=DAYS_PER_WEEK * (week - 1) + day - 1)

    def week_day_of(self, on: date) -> tuple[int, int]:
        """(week, day) of a date. Raises NotStarted or Ended, wraps around never."""
        days = (on - self.first_day).days
        if days < 0:
            raise NotStarted(on)
        if days >= DAYS_PER_WEEK * self.weeks:
            raise Ended(on)
        return days // DAYS_PER_WEEK + 1, days % DAYS_PER_WEEK + 1

    def starts_at(self, week: int, day: int, section: int) -> datetime:
        """Instant (UTC) at which a section starts. Raises OutOfSemester.

        A local time that daylight saving skips is pushed forward by the length of the gap; one
        that occurs twice means the first.
        """
        return self._instant(self.date_of(week, day), self._section(section).start)

    def ends_at(self, week: int, day: int, section: int) -> datetime:
        """Instant (UTC) at which a section ends, always after its start. Raises OutOfSemester.

        Local times as for `starts_at`; a section whose start is pushed past its end keeps its
        length.
        """
        on, section_time = self.date_of(week, day), self._section(section)
        start = self._instant(on, section_time.start)
        end = self._instant(on, section_time.end)
        if end > start:
            return end
        length = datetime.combine(on, section_time.end) - datetime.combine(on, section_time.start)
        return start + length

    def span(self, week: int, day: int, first: int, last: int) -> tuple[datetime, datetime]:
        """Begin and end (UTC) of sections first..last, begin always before end.

        The end is the latest of its sections: where one is pushed forward, a later one may end
        before it. Raises OutOfSemester.
        """
        sections = range(first, max(first, last) + 1)
        return (
            self.starts_at(week, day, first),
            max(self.ends_at(week, day, section) for section in sections),
        )

    def contains(self, place: "Place") -> bool:
        """Whether a place has this semester's id and lies inside its weeks, days and sections."""
        return (
            place.semester_id == self.id
            and 1 <= place.week <= self.weeks
            and 1 <= place.day <= DAYS_PER_WEEK
            and 1 <= place.first <= place.last <= self.clock.count
        )

    def today(self, now: datetime) -> date:
        """The local date of an aware instant, whatever the server's zone is."""
        if now.tzinfo is None:
            raise ValueError("now must be aware")
        return now.astimezone(self._zone).date()

    def _section(self, section: int) -> SectionTime:
        if not 1 <= section <= self.clock.count:
            raise OutOfSemester(self.id, f"section {section}")
        return self.clock.sections[section - 1]

    def _instant(self, on: date, local: time) -> datetime:
        return datetime.combine(on, local, tzinfo=self._zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Override:
    """调休: what happens on one date instead of its own classes.

    `runs` is the (week, day) whose classes take place, or None for a date without classes. The
    override is a value: the blocks given to a Grid are those that take place with it applied.
    """

    on: date
    runs: tuple[int, int] | None
    version: int


class TaughtDays:
    """Which day of the timetable is held on each day of one semester, overrides applied.

    Days are (week, day of week). What an override runs is always the timetable's own day, however
    that day's date is overridden itself; a day may be held twice, or not at all. Overrides of
    other dates are without effect; of two for one date the newer counts.
    """

    __slots__ = ("_held", "_runs", "semester")

    def __init__(self, semester: Semester, overrides: Iterable[Override] = ()) -> None:
        self.semester = semester
        self._runs: dict[tuple[int, int], tuple[int, int] | None] = {
            semester.week_day_of(one.on): one.runs
            for one in sorted(overrides, key=lambda one: (one.on, one.version))
            if semester.first_day <= one.on <= semester.last_day
        }
        self._held: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for standing, taught in sorted(self._runs.items()):
            if taught is not None:
                self._held.setdefault(taught, []).append(standing)

    @property
    def is_plain(self) -> bool:
        """Whether every day is held on its own date."""
        return not self._runs

    def is_overridden(self, week: int, day: int) -> bool:
        """Whether an override says what happens on this day."""
        return (week, day) in self._runs

    def taught_on(self, week: int, day: int) -> tuple[int, int] | None:
        """The timetable's day that is held on a day of the semester; None where none is."""
        return self._runs.get((week, day), (week, day))

    def held_on(self, week: int, day: int) -> tuple[tuple[int, int], ...]:
        """The days of the semester on which a day of the timetable is held, its own first."""
        own = () if (week, day) in self._runs or week > self.semester.weeks else ((week, day),)
        return (*own, *self._held.get((week, day), ()))
