"""A course as a timetable file states it."""

from dataclasses import dataclass
from enum import StrEnum

from services.schedule.domain.timetable.problems import FileWarning, RowProblem

MAX_ROWS = 200
"""More rows than one person's timetable has."""


class Form(StrEnum):
    """In which form a file states its courses."""

    ZHENGFANG_JSON = "zhengfang_json"
    WAKEUP = "wakeup"


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseRow:
    """One row that was understood in full."""

    line: int
    """Position in the file, from 1."""
    name: str
    """1..200 characters, marks such as ★ at its end taken off."""
    teacher: str
    """May be empty."""
    room: str
    """May be empty, as for online classes."""
    campus: str
    """May be empty."""
    day_of_week: int
    """1 = Monday .. 7 = Sunday."""
    first: int
    """First section."""
    last: int
    """Last section, included."""
    weeks: tuple[int, ...]
    """Week numbers, ascending, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedTimetable:
    """What a file says, and what of it was not understood."""

    form: Form
    rows: tuple[CourseRow, ...]
    """In order of the file."""
    not_understood: tuple[RowProblem, ...]
    """In order of the file."""
    duplicates: int
    """How many rows only repeated an earlier one and were folded into it."""
    without_time: tuple[str, ...]
    """Names of courses, practical ones mostly, that the file lists without weekday and section."""
    warnings: tuple[FileWarning, ...] = ()
    """What the file says of the semester and is not so here."""
