"""From a difference of courses to the blocks that are written."""

from collections.abc import Iterator, Sequence

from libs.planning.calendar import TaughtDays
from services.schedule.domain import expansion
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.expansion import MeetingWrites, Stated
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.matching import Away
from services.schedule.domain.timetable.rows import CourseRow

_Written = tuple[int, CourseRow, frozenset[Away], bool]


def plan(
    difference: TimetableDiff,
    placed: Sequence[ScheduledBlock],
    *,
    days: TaughtDays,
    added_ids: Sequence[int],
) -> MeetingWrites:
    """What to write so that every course meets where the calendar holds it.

    `placed` are all live blocks of the semester, `added_ids` the ids of the added courses, in
    their order. A removed course leaves in all its weeks, past ones too: the timetable states
    what is taught, and a file that does not name a course says that it is not.
    """
    written = tuple(_written(difference, added_ids))
    return expansion.plan(
        [
            Stated(course_id, row, frozenset(week for week, day in away if not day), is_open)
            for course_id, row, away, is_open in written
        ],
        placed,
        before=days,
        after=days,
        gone=[course.id for course in difference.removed],
        leaving=[block.id for block in (*difference.displaced, *difference.unhosted)],
        absent=frozenset(
            (course_id, week, day) for course_id, _, away, _ in written for week, day in away if day
        ),
    )


def _written(difference: TimetableDiff, added_ids: Sequence[int]) -> Iterator[_Written]:
    for change in difference.changed:
        yield change.course.id, change.row, change.away, change.course.can_be_embedded
    for course_id, one in zip(added_ids, difference.added, strict=True):
        yield course_id, one.row, frozenset(one.skipped), False
