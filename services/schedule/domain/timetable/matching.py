"""Which row of a new file is which stored course.

The nearest pairs are taken first, each course and each row once:

1. name, time and weeks
2. time and weeks (renamed: the course keeps its id, so nothing that is placed moves)
3. name and time, in other weeks
4. name, weeks and sections that overlap on the same day
5. name and weeks that overlap, at another time (moved)

Time means day and sections. Among equal pairs more shared weeks, then the same teacher, then the
same room and campus go first; what is left is ordered by content and id, so the order of the
input is without effect.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from services.schedule.domain.timetable.rows import CourseRow

Away = tuple[int, int]
"""A meeting that is not held: (week, 0) on the course's own day of that week, (week, day) on a day
of the semester that runs another one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCourse:
    """A course as it is stored. The fields shared with CourseRow mean the same."""

    id: int
    name: str
    teacher: str
    room: str
    campus: str
    day_of_week: int
    first: int
    last: int
    weeks: tuple[int, ...]
    can_be_embedded: bool
    absent: tuple[Away, ...] = ()
    """Meetings, ascending, that the person has deleted; they stay away over imports."""
    skipped: tuple[Away, ...] = ()
    """Meetings, ascending, that an import left out because a block of work stayed; they come back
    with an import that finds nothing in their way."""


Pair = tuple[StoredCourse, CourseRow]

_Rank = tuple[int, int, bool, bool]


def match(courses: Sequence[StoredCourse], rows: Sequence[CourseRow]) -> tuple[Pair, ...]:
    """Pair each row with at most one course and each course with at most one row."""
    ranked = [
        (rank, course, row)
        for course in courses
        for row in rows
        if (rank := _rank(course, row)) is not None
    ]
    ranked.sort(key=lambda entry: (entry[0], entry[1].id, *content(entry[2]), entry[2].line))
    matched_ids: set[int] = set()
    matched_lines: set[int] = set()
    pairs: list[Pair] = []
    for _, course, row in ranked:
        if course.id not in matched_ids and row.line not in matched_lines:
            matched_ids.add(course.id)
            matched_lines.add(row.line)
            pairs.append((course, row))
    return tuple(pairs)


def content(
    course: StoredCourse | CourseRow,
) -> tuple[int, int, int, tuple[int, ...], str, str, str, str]:
    """Everything that a timetable says of a course; equal for equal courses."""
    place = (course.day_of_week, course.first, course.last, course.weeks)
    return (*place, course.name, course.teacher, course.room, course.campus)


def _rank(course: StoredCourse, row: CourseRow) -> _Rank | None:
    """Say how near a pair is, lowest first; None for two different courses."""
    if course.name != row.name and course.weeks != row.weeks:
        return None
    shared_weeks = len(set(course.weeks) & set(row.weeks))
    tier = _tier(course, row, shared_weeks)
    if tier is None:
        return None
    other_room = (course.room, course.campus) != (row.room, row.campus)
    return tier, -shared_weeks, course.teacher != row.teacher, other_room


def _tier(course: StoredCourse, row: CourseRow, shared_weeks: int) -> int | None:
    same_name = course.name == row.name
    same_day = course.day_of_week == row.day_of_week
    same_time = same_day and (course.first, course.last) == (row.first, row.last)
    overlaps = same_day and course.first <= row.last and row.first <= course.last
    tiers = (
        same_time and course.weeks == row.weeks and same_name,
        same_time and course.weeks == row.weeks,
        same_time and same_name,
        same_name and overlaps and shared_weeks > 0,
        same_name and shared_weeks > 0,
    )
    return next((tier for tier, holds in enumerate(tiers, start=1) if holds), None)
