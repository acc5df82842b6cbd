"""Timetable files and what they change, on the wire."""

from libs.rpc.errors import invalid
from services.schedule.domain.meetings import ImportReport, location
from services.schedule.domain.timetable.diff import Change
from services.schedule.domain.timetable.matching import StoredCourse
from services.schedule.domain.timetable.problems import RowProblem
from services.schedule.domain.timetable.rows import CourseRow
from services.schedule.domain.timetable.seating import Conflict
from smartmate.schedule.v1 import schedule_service_pb2, timetable_pb2
from smartmate.text.v1 import localized_text_pb2

_MOST_BYTES = 2 * 1024 * 1024


def read_document(request: schedule_service_pb2.ImportTimetableRequest) -> bytes:
    """The file as it came. Raises InvalidRequest."""
    if request.format != timetable_pb2.TIMETABLE_FORMAT_ZHENGFANG_JSON:
        raise invalid("format", "must be a known format")
    if len(request.document) > _MOST_BYTES:
        raise invalid("document", f"must have at most {_MOST_BYTES} bytes")
    return request.document


def report(found: ImportReport) -> schedule_service_pb2.ImportTimetableResponse:
    """What a file changes, or has changed."""
    diff = found.diff
    return schedule_service_pb2.ImportTimetableResponse(
        diff=timetable_pb2.TimetableDiff(
            added=[_row(row) for row in diff.added],
            changed=[_change(change) for change in diff.changed],
            removed=[_stored(course) for course in diff.removed],
            unchanged_count=len(diff.unchanged),
            conflicts=[_conflict(conflict) for conflict in diff.conflicts],
            unread=[_unread(problem) for problem in found.parsed.not_understood],
            row_count=len(found.parsed.rows) + found.parsed.duplicates,
        ),
        written=found.written,
        meeting_count=found.meeting_count,
    )


def _row(row: CourseRow, *, course_id: int = 0) -> timetable_pb2.CourseRow:
    return timetable_pb2.CourseRow(
        line=row.line,
        name=row.name,
        teacher=row.teacher,
        location=location(row),
        day_of_week=row.day_of_week,
        first_section=row.first,
        last_section=row.last,
        weeks=row.weeks,
        course_id=course_id,
    )


def _stored(course: StoredCourse) -> timetable_pb2.CourseRow:
    return timetable_pb2.CourseRow(
        name=course.name,
        teacher=course.teacher,
        location=location(course),
        day_of_week=course.day_of_week,
        first_section=course.first,
        last_section=course.last,
        weeks=course.weeks,
        course_id=course.id,
    )


def _change(change: Change) -> timetable_pb2.CourseChange:
    return timetable_pb2.CourseChange(
        before=_stored(change.course), after=_row(change.row, course_id=change.course.id)
    )


def _conflict(conflict: Conflict) -> timetable_pb2.TimetableConflict:
    week, day, section = conflict.cells[0]
    return timetable_pb2.TimetableConflict(
        line=conflict.line,
        name=conflict.name,
        other_line=conflict.other_id if conflict.other == "row" else 0,
        event_id=conflict.other_id if conflict.other == "task" else 0,
        other_name=conflict.other_name,
        week=week,
        day_of_week=day,
        section=section,
    )


def _unread(problem: RowProblem) -> timetable_pb2.UnreadRow:
    return timetable_pb2.UnreadRow(
        line=problem.line,
        raw=problem.raw,
        field=problem.field,
        reason=problem.reason,
        message=localized_text_pb2.LocalizedText(
            zh_cn=problem.message_zh, en_us=problem.message_en
        ),
        expected=problem.expected,
    )
