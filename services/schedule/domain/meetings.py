"""From courses to their meetings: one block for each course and week.

A removed course leaves the schedule in all its weeks, past ones too: the timetable states what
is taught, and a file that does not name a course says that it is not. A meeting that stays keeps
its id, whatever else of its course changes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from libs.planning.calendar import Semester
from libs.planning.grid import Place
from services.schedule.domain.block import NewBlock, ScheduledBlock, instants
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.matching import StoredCourse
from services.schedule.domain.timetable.rows import CourseRow, ParsedTimetable


@dataclass(frozen=True, slots=True)
class Meeting:
    """One week of one course."""

    course_id: int
    row: CourseRow
    week: int


@dataclass(frozen=True, slots=True)
class MeetingWrites:
    """What a difference of courses does to the schedule.

    `removed` are blocks that leave, `kept` existing blocks that change, by id, `moved` those of
    them that change their place, `new` meetings that have no block yet.
    """

    removed: tuple[int, ...]
    kept: tuple[tuple[int, Meeting], ...]
    moved: tuple[int, ...]
    new: tuple[Meeting, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What a file changes, or has changed where `written`."""

    parsed: ParsedTimetable
    diff: TimetableDiff
    written: bool
    meeting_count: int


def writes(
    diff: TimetableDiff,
    placed: Sequence[ScheduledBlock],
    *,
    semester_id: int,
    added_ids: Sequence[int],
) -> MeetingWrites:
    """What to write for a difference; `placed` are all live blocks of the semester.

    `added_ids` are the ids of the added courses, in their order.
    """
    meetings = {
        (one.course_id, one.block.place.week): one for one in placed if one.course_id is not None
    }
    stated = [(change.course.id, change.row) for change in diff.changed]
    stated += zip(added_ids, diff.added, strict=True)
    wanted = {
        (course_id, week): Meeting(course_id, row, week)
        for course_id, row in stated
        for week in row.weeks
    }
    touched_courses = {course_id for course_id, _ in stated}
    touched_courses |= {course.id for course in diff.removed}
    gone = [
        one.block.id
        for key, one in meetings.items()
        if key[0] in touched_courses and key not in wanted
    ]
    both = [(meetings[key], meeting) for key, meeting in wanted.items() if key in meetings]
    differing = [(one, meeting) for one, meeting in both if not _is_so(one, meeting)]
    return MeetingWrites(
        removed=tuple(sorted({*gone, *(block.id for block in diff.unhosted)})),
        kept=tuple((one.block.id, meeting) for one, meeting in differing),
        moved=tuple(
            one.block.id
            for one, meeting in differing
            if one.block.place != place_of(meeting, semester_id)
        ),
        new=tuple(meeting for key, meeting in wanted.items() if key not in meetings),
    )


def blocks(meetings: Iterable[tuple[int, Meeting]], semester: Semester) -> tuple[NewBlock, ...]:
    """Meetings as the blocks with these ids. Raises OutOfSemester."""
    return tuple(_block(id_, meeting, semester) for id_, meeting in meetings)


def place_of(meeting: Meeting, semester_id: int) -> Place:
    """Where a meeting stands."""
    row = meeting.row
    return Place(semester_id, meeting.week, row.day_of_week, row.first, row.last)


def location(row: CourseRow | StoredCourse) -> str:
    """Campus and room in one line."""
    return " ".join(part for part in (row.campus, row.room) if part)


def _block(id_: int, meeting: Meeting, semester: Semester) -> NewBlock:
    place = place_of(meeting, semester.id)
    starts_at, ends_at = instants(semester, place)
    return NewBlock(
        id=id_,
        place=place,
        starts_at=starts_at,
        ends_at=ends_at,
        name=meeting.row.name,
        course_id=meeting.course_id,
        location=location(meeting.row),
        teacher=meeting.row.teacher,
    )


def _is_so(one: ScheduledBlock, meeting: Meeting) -> bool:
    row = meeting.row
    shown = (one.block.name, one.location, one.teacher)
    return shown == (row.name, location(row), row.teacher) and one.block.place == place_of(
        meeting, one.block.place.semester_id
    )
