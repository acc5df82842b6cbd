"""Timetable files and what they change, on the wire."""

from collections.abc import Iterable

from libs.rpc.errors import invalid
from services.schedule.domain.expansion import location
from services.schedule.domain.timetable.diff import Addition, Change
from services.schedule.domain.timetable.matching import Away, StoredCourse
from services.schedule.domain.timetable.problems import FileWarning, RowProblem
from services.schedule.domain.timetable.report import ImportReport
from services.schedule.domain.timetable.rows import CourseRow, Form
from services.schedule.domain.timetable.seating import Block, Conflict
from services.schedule.wire import fields
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2, timetable_pb2
from smartmate.text.v1 import localized_text_pb2

_MOST_BYTES = 2 * 1024 * 1024
_MOST_DISPLACED = 500
_LONGEST_VERSION = 64

_FORMS = {
    timetable_pb2.TIMETABLE_FORMAT_UNSPECIFIED: None,
    timetable_pb2.TIMETABLE_FORMAT_ZHENGFANG_JSON: Form.ZHENGFANG_JSON,
    timetable_pb2.TIMETABLE_FORMAT_WAKEUP: Form.WAKEUP,
}
_FORMATS = {form: number for number, form in _FORMS.items()}
_FIELDS = {
    "name": timetable_pb2.COURSE_FIELD_NAME,
    "teacher": timetable_pb2.COURSE_FIELD_TEACHER,
    "room": timetable_pb2.COURSE_FIELD_LOCATION,
    "campus": timetable_pb2.COURSE_FIELD_LOCATION,
    "day_of_week": timetable_pb2.COURSE_FIELD_DAY_OF_WEEK,
    "sections": timetable_pb2.COURSE_FIELD_SECTIONS,
    "weeks": timetable_pb2.COURSE_FIELD_WEEKS,
}


def read_document(request: schedule_service_pb2.ImportTimetableRequest) -> bytes:
    """The file as it came. Raises InvalidRequest."""
    if len(request.document) > _MOST_BYTES:
        raise invalid("document", f"must have at most {_MOST_BYTES} bytes")
    return request.document


def read_form(request: schedule_service_pb2.ImportTimetableRequest) -> Form | None:
    """The form that the caller names, None where the content is to tell. Raises InvalidRequest."""
    if request.format not in _FORMS:
        raise invalid("format", "must be a known format")
    return _FORMS[request.format]


def read_displaced(request: schedule_service_pb2.ImportTimetableRequest) -> frozenset[int]:
    """The blocks that give way. Raises InvalidRequest."""
    ids = request.displaced_event_ids
    if len(ids) > _MOST_DISPLACED:
        raise invalid("displaced_event_ids", f"must have at most {_MOST_DISPLACED} entries")
    return frozenset(
        fields.row_id(f"displaced_event_ids[{index}]", one) for index, one in enumerate(ids)
    )


def read_base_version(request: schedule_service_pb2.ImportTimetableRequest) -> str:
    """What the caller has seen, empty for none. Raises InvalidRequest."""
    version = request.base_version
    return fields.optional_text("base_version", version, longest=_LONGEST_VERSION)


def report(found: ImportReport) -> schedule_service_pb2.ImportTimetableResponse:
    """What a file changes, or has changed."""
    return schedule_service_pb2.ImportTimetableResponse(
        diff=_diff(found),
        written=found.written,
        meeting_count=found.meeting_count,
        format=_FORMATS[found.parsed.form],
        base_version=found.base_version,
    )


def _diff(found: ImportReport) -> timetable_pb2.TimetableDiff:
    diff, parsed = found.diff, found.parsed
    return timetable_pb2.TimetableDiff(
        added=[_addition(one) for one in diff.added],
        changed=[_change(change) for change in diff.changed],
        removed=[_stored(course) for course in diff.removed],
        unchanged_count=len(diff.unchanged),
        conflicts=[_conflict(conflict) for conflict in diff.conflicts],
        unread=[_unread(problem) for problem in parsed.not_understood],
        row_count=len(parsed.rows) + parsed.duplicates,
        kept=[_stored(course) for course in diff.kept],
        refused=[_row(row) for row in diff.refused],
        displaced=_lost(diff.displaced, found.semester_id),
        unhosted=_lost(diff.unhosted, found.semester_id),
        untimed_names=parsed.without_time,
        duplicate_count=parsed.duplicates,
        warnings=[_warning(warning) for warning in parsed.warnings],
        changes_nothing=diff.changes_nothing,
    )


def _addition(one: Addition) -> timetable_pb2.CourseRow:
    return _row(one.row, away=one.skipped)


def _row(
    row: CourseRow,
    *,
    course_id: int = 0,
    can_be_embedded: bool = False,
    away: Iterable[Away] = (),
) -> timetable_pb2.CourseRow:
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
        can_be_embedded=can_be_embedded,
        skipped_weeks=_weeks_of(away, row),
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
        can_be_embedded=course.can_be_embedded,
        skipped_weeks=_weeks_of((*course.absent, *course.skipped), course),
    )


def _weeks_of(away: Iterable[Away], course: CourseRow | StoredCourse) -> list[int]:
    """The weeks in which a course does not meet on its own day."""
    return sorted({week for week, day in away if not day} & set(course.weeks))


def _change(change: Change) -> timetable_pb2.CourseChange:
    course = change.course
    after = _row(
        change.row,
        course_id=course.id,
        can_be_embedded=course.can_be_embedded,
        away=change.away,
    )
    # Campus and room are one on the wire, in the order of the first of them.
    stated = dict.fromkeys(_FIELDS[field] for field in change.fields)
    return timetable_pb2.CourseChange(before=_stored(course), after=after, fields=stated)


def _conflict(conflict: Conflict) -> timetable_pb2.TimetableConflict:
    week, day, section = conflict.cells[0]
    return timetable_pb2.TimetableConflict(
        line=conflict.line,
        name=conflict.name,
        other_line=conflict.other_id if conflict.other == "row" else 0,
        event_id=conflict.other_id if conflict.other == "task" else 0,
        course_id=conflict.other_id if conflict.other == "course" else 0,
        other_name=conflict.other_name,
        week=week,
        day_of_week=day,
        section=section,
        weeks=sorted({cell[0] for cell in conflict.cells}),
        last_section=max(cell[2] for cell in conflict.cells),
        can_give_way=conflict.can_give_way,
        was_skipped=conflict.was_skipped,
    )


def _lost(blocks: Iterable[Block], semester_id: int) -> list[timetable_pb2.LostBlock]:
    return [
        timetable_pb2.LostBlock(
            event_id=block.id,
            name=block.name,
            place=calendar_pb2.Place(
                semester_id=semester_id,
                week=block.cells[0][0],
                day_of_week=block.cells[0][1],
                first_section=block.cells[0][2],
                last_section=block.cells[-1][2],
            ),
        )
        for block in blocks
    ]


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
        value=problem.value,
        position=problem.position,
        name=problem.name or "",
        fields=[timetable_pb2.RawField(field=one.key, value=one.value) for one in problem.fields],
    )


def _warning(warning: FileWarning) -> timetable_pb2.TimetableWarning:
    return timetable_pb2.TimetableWarning(
        code=warning.code,
        message=localized_text_pb2.LocalizedText(
            zh_cn=warning.message_zh, en_us=warning.message_en
        ),
    )
