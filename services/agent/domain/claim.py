"""One claim of a sentence: a date, a weekday, sections, a clock time, a count."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a claim is about, and what its values are."""

    DATE = "date"
    """Month and day."""
    DAY = "day"
    """Day of a month."""
    FROM_TODAY = "from_today"
    """Days from today on."""
    WEEKDAY = "weekday"
    """1 Monday to 7 Sunday; 0 the weekend."""
    WEEK_FROM_NOW = "week_from_now"
    """0 this week, 1 the next one."""
    WEEK = "week"
    """Week of the semester."""
    SECTIONS = "sections"
    """First and last."""
    SECTION_OR_COUNT = "section_or_count"
    """3 节: the third one, or three of them."""
    TIME = "time"
    """Minute of the day."""
    PERIOD = "period"
    """First and last minute of a part of the day."""
    NUMBER = "number"
    """A count in thousandths, so that halves compare."""
    UNREADABLE = "unreadable"
    """Written as a claim, and none that can be true."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim, and where in its text it stands."""

    kind: Kind
    values: tuple[int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Group:
    """Claims about one moment or place, and the clause around them."""

    claims: tuple[Claim, ...]
    clause: str
