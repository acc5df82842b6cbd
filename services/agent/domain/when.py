"""When something is said to be: what words of time may mean, all readings side by side.

Reading never guesses: where words can mean several things, all of them are options, best first,
with the code of the doubt. Days are those of the person's zone, weeks begin on Monday.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from zoneinfo import ZoneInfo

from libs.planning.calendar import DEFAULT_CLOCK, SectionClock, Semester

FIRST_YEAR, LAST_YEAR = 1970, 2200
END_OF_DAY = 23 * 60 + 59
"""The minute by which something is due that is due on a day."""


@dataclass(frozen=True, slots=True)
class Standpoint:
    """Where words are spoken: the instant (aware), the person's zone, the semester if any."""

    now: datetime
    zone: ZoneInfo
    semester: Semester | None = None

    @property
    def today(self) -> date:
        """The local date."""
        return self.now.astimezone(self.zone).date()

    @property
    def minute(self) -> int:
        """The local minute of the day."""
        local = self.now.astimezone(self.zone)
        return local.hour * 60 + local.minute

    @property
    def monday(self) -> date:
        """The first day of this week."""
        return self.today - timedelta(days=self.today.weekday())

    @property
    def clock(self) -> SectionClock:
        """The sections of a day."""
        return self.semester.clock if self.semester else DEFAULT_CLOCK

    def instant(self, on: date, minute: int) -> datetime:
        """The instant (UTC) of a local minute; 1440 and more lie on the next day.

        A local time that daylight saving skips is pushed forward; one that occurs twice means the
        first.
        """
        local = datetime.combine(on, time.min) + timedelta(minutes=minute)
        return local.replace(tzinfo=self.zone).astimezone(UTC)


class Looking(StrEnum):
    """Which way a time lies that is named without saying so: 周三 of which week."""

    AHEAD = "ahead"
    """What is to be done."""
    AROUND = "around"
    """What is asked about: 周三 is the one of this week."""
    BACK = "back"
    """What was done or not: the last one."""


class Unit(StrEnum):
    """What was named; it decides what 前 leaves out."""

    DAY = "day"
    """周日前 lets Sunday in."""
    SPAN = "span"
    """下周前, 国庆前, 12月前 end before it."""
    WEEKEND = "weekend"
    """周末前 may be either."""


class Edge(StrEnum):
    """How something lies to the time that is named."""

    ON = "on"
    BEFORE = "before"
    BY = "by"
    AFTER = "after"


class Doubt(StrEnum):
    """Why there is no single reading."""

    PAST = "past"
    """It is over; the option is the next one."""
    TODAY_OR_NEXT = "today_or_next"
    """周三, said on a Wednesday."""
    TWO_READINGS = "two_readings"
    """Next Friday; 周末前; 明后天."""
    HALF_OF_DAY = "half_of_day"
    """八点: in the morning or in the evening."""
    NO_SUCH_DAY = "no_such_day"
    NO_SUCH_TIME = "no_such_time"
    VAGUE = "vague"
    """过几天, 下周, 月初."""
    EVENT_UNKNOWN = "event_unknown"
    """期末前, 考试前: nobody knows when that is."""
    DISAGREE = "disagree"
    """12月9日周四, which is a Wednesday."""
    RECURRING = "recurring"
    """每周一."""


@dataclass(frozen=True, slots=True)
class Days:
    """Days `first` to `last`; `exact` where an instant itself was said (三小时后)."""

    first: date
    last: date
    exact: datetime | None = None


@dataclass(frozen=True, slots=True)
class DayReading:
    """The days that words may mean, best first; none where nobody can tell."""

    options: tuple[Days, ...]
    unit: Unit = Unit.DAY
    doubt: Doubt | None = None
    edge: Edge | None = None
    """Where the words hold it themselves: 三天内."""
    any_week: bool = False
    """A weekday alone: beside a date it says no more than its name."""


Minutes = tuple[int, int]
"""First and last minute of a part of a day, the same twice for a clock time; from 1440 on they
lie on the next day."""


@dataclass(frozen=True, slots=True)
class TimeReading:
    """The minutes that words may mean, best first."""

    options: tuple[Minutes, ...]
    doubt: Doubt | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One reading: days, and minutes of them where a time was said."""

    days: Days
    minutes: Minutes | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A time that a text names at start..end, its edge words included.

    `of_noun`: it stands before 的, 周三的作业. `part`: the part of the day that was named, 上午;
    `is_part_alone`: the minutes are all of that part. `sections`: first and last, where they were
    named by number. `has_days`: a day was named, not a time alone. `is_strict`: the edge word
    leaves the day itself out (before Sunday).
    """

    start: int
    end: int
    options: tuple[Option, ...]
    unit: Unit = Unit.DAY
    edge: Edge = Edge.ON
    doubt: Doubt | None = None
    of_noun: bool = False
    part: str = ""
    sections: tuple[int, int] | None = None
    is_strict: bool = False
    has_days: bool = True
    has_time: bool = False
    is_part_alone: bool = False


def days_of(on: date, *, until: date | None = None) -> Days:
    """One day, or those up to another."""
    return Days(on, until or on)
