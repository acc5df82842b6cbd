"""A course as a timetable file states it."""

from dataclasses import dataclass

from services.schedule.domain.timetable.problems import RowProblem


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

    rows: tuple[CourseRow, ...]
    """In order of the file."""
    not_understood: tuple[RowProblem, ...]
    """In order of the file."""
    duplicates: int
    """How many rows only repeated an earlier one and were folded into it."""
    without_time: tuple[str, ...]
    """Names of practical courses that the file lists without weekday and section."""
