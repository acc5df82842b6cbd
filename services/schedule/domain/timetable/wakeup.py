"""A timetable of WakeUp 课程表: five JSON documents one behind the other.

They are the lengths of a class (not read), the times of the sections, the table with its first
day, number of weeks and of sections, the courses, and the details: which course on which day,
from which section, how many, from which to which week, in odd (1), even (2) or all (0) of them.
A reply of the app's share service holds the same five in its `data`. A row here is a detail.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from libs.planning.calendar import Semester
from services.schedule.domain.timetable import (
    documents,
    fields,
    sections,
    wakeup_calendar,
    weeks,
    wording,
)
from services.schedule.domain.timetable.documents import Documents
from services.schedule.domain.timetable.fields import FieldProblem, Record, reading
from services.schedule.domain.timetable.problems import FileWarning, NotUnderstood, RowProblem
from services.schedule.domain.timetable.rows import MAX_ROWS, CourseRow, Form, ParsedTimetable

_PARTS = 5
_NAME = "courseName"
_KEYS = (
    *(_NAME, "id", "day", "startNode", "step", "startWeek", "endWeek", "type"),
    *("teacher", "room", "ownTime", "startTime", "endTime"),
)
_NUMBER = re.compile(r"[0-9]{1,9}")
_PARITIES = {"0": None, "1": 1, "2": 0}
_YES, _NO = (True, 1, "true"), (None, False, 0, "", "false")
_SHOWN_IDS = 5
_SUNDAY = 7


@dataclass(frozen=True, slots=True)
class _Table:
    """What the details refer to."""

    semester: Semester
    courses: Mapping[str, Sequence[object]]
    """The records of each course id; more than one where the file gives an id twice."""
    sunday_first: bool


def is_one(found: Documents) -> bool:
    """Tell whether documents look like a timetable of WakeUp, whole or not."""
    first = found.values[0] if found.values else None
    if not isinstance(first, dict):
        return False
    return "courseLen" in first or _is_reply(first)


def parse(document: bytes | str, *, semester: Semester) -> ParsedTimetable:
    """Read a whole file; details that are not understood are reported one by one.

    Raises UnreadableFile when the document is no timetable of WakeUp.
    """
    return parse_documents(documents.split(documents.text_of(document)), semester=semester)


def parse_documents(found: Documents, *, semester: Semester) -> ParsedTimetable:
    """The same for documents that are parsed already."""
    whole = _unwrapped(found)
    _, slots, table, courses, details = _parts(whole)
    context = _Table(semester, _by_id(courses), wakeup_calendar.is_sunday_first(table))
    rows: dict[CourseRow, CourseRow] = {}
    problems: list[RowProblem] = []
    for line, detail in enumerate(details, start=1):
        try:
            row = _course(detail, line, context)
        except FieldProblem as refusal:
            problems.append(_problem(detail, line, refusal, context))
        else:
            rows.setdefault(replace(row, line=0), row)
    return ParsedTimetable(
        form=Form.WAKEUP,
        rows=tuple(rows.values()),
        not_understood=tuple(problems),
        duplicates=len(details) - len(problems) - len(rows),
        without_time=_without_time(context, details),
        warnings=(*wakeup_calendar.compare(table, slots, semester), *_left(whole)),
    )


def _is_reply(document: Mapping[str, object]) -> bool:
    return "status" in document and isinstance(document.get("data"), str)


def _unwrapped(found: Documents) -> Documents:
    """The documents in the reply of the share service, or the ones given."""
    first = found.values[0] if found.values else None
    if len(found.values) != 1 or not isinstance(first, dict) or not _is_reply(first):
        return found
    inside = str(first["data"]).strip()
    if not inside:
        raise wording.unreadable_file("share_expired")
    return documents.split(inside)


def _parts(
    found: Documents,
) -> tuple[Record, list[object], Record, list[object], list[object]]:
    values = found.values
    if not is_one(found):
        raise wording.unreadable_file("not_wakeup" if values else "not_json")
    if len(values) < _PARTS:
        raise wording.unreadable_file("not_whole", count=len(values), limit=_PARTS)
    base, slots, table, courses, details = values[:_PARTS]
    if (
        not isinstance(base, dict)
        or not isinstance(slots, list)
        or not isinstance(table, dict)
        or not isinstance(courses, list)
        or not isinstance(details, list)
    ):
        raise wording.unreadable_file("not_wakeup")
    if not details:
        raise wording.unreadable_file("no_courses")
    if len(details) > MAX_ROWS:
        raise wording.unreadable_file("too_many_rows", count=len(details), limit=MAX_ROWS)
    return base, slots, table, courses, details


def _left(found: Documents) -> Iterator[FileWarning]:
    if found.rest or len(found.values) > _PARTS:
        yield wording.file_warning("more_documents")


def _by_id(courses: Sequence[object]) -> Mapping[str, Sequence[object]]:
    found: dict[str, list[object]] = {}
    for course in courses[: 2 * MAX_ROWS]:
        key = _id_of(course)
        if key:
            found.setdefault(key, []).append(course)
    return found


def _id_of(value: object) -> str:
    """The id in a course or a detail; empty where there is none that can be read."""
    try:
        return fields.text(fields.as_record(value, example="{}"), "id").strip()
    except NotUnderstood:
        return ""


def _without_time(context: _Table, details: Sequence[object]) -> tuple[str, ...]:
    stated = {_id_of(detail) for detail in details}
    names = (
        fields.readable_name(records[0], _NAME)
        for key, records in context.courses.items()
        if key not in stated
    )
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _problem(detail: object, line: int, refusal: FieldProblem, context: _Table) -> RowProblem:
    """The detail with the name of its course, which alone tells a person what it is."""
    records = context.courses.get(_id_of(detail), ())
    called = fields.readable_name(records[0], _NAME) if len(records) == 1 else None
    shown = detail
    if isinstance(detail, dict) and records and isinstance(records[0], dict):
        shown = {_NAME: records[0].get(_NAME), **detail}
    return fields.problem_of(shown, line, refusal, keys=_KEYS, called=called)


def _course(value: object, line: int, context: _Table) -> CourseRow:
    with reading(""):
        detail = fields.as_record(value, example='{"id": …}')
    name = _course_name(detail, context)
    with reading("day"):
        day = sections.parse_weekday(fields.text(detail, "day"))
    first, last = _sections(detail, context.semester)
    found = _weeks(detail, context.semester)
    if day == _SUNDAY and context.sunday_first:
        with reading("startWeek"):
            found = weeks.one_earlier(found, week_count=context.semester.weeks)
    return CourseRow(
        line=line,
        name=name,
        teacher=fields.label(detail, "teacher"),
        room=fields.label(detail, "room"),
        campus="",
        day_of_week=day,
        first=first,
        last=last,
        weeks=found,
    )


def _course_name(detail: Record, context: _Table) -> str:
    with reading("id"):
        key = fields.text(detail, "id").strip()
        known = ", ".join(list(context.courses)[:_SHOWN_IDS]) or "id"
        if not key:
            raise NotUnderstood("missing", key, expected=known)
        records = context.courses.get(key)
        if records is None:
            raise NotUnderstood("unknown_course", key, expected=known)
    with reading(_NAME):
        names = {fields.name(fields.as_record(one, example="{}"), _NAME) for one in records}
    if len(names) > 1:
        raise fields.disagreement("id", key, " / ".join(sorted(names)))
    return names.pop()


def _sections(detail: Record, semester: Semester) -> tuple[int, int]:
    if _is_own_time(detail):
        with reading("startTime"):
            times = (fields.text(detail, "startTime"), fields.text(detail, "endTime"))
            return wakeup_calendar.sections_at(*times, semester.clock)
    count = semester.clock.count
    first = _number(detail, "startNode", count)
    return first, first + _number(detail, "step", count - first + 1) - 1


def _is_own_time(detail: Record) -> bool:
    value = detail.get("ownTime")
    if isinstance(value, bool | int | str | None) and value in (*_YES, *_NO):
        return value in _YES
    with reading("ownTime"):
        raise NotUnderstood("unreadable", fields.raw(value), expected="true, false")


def _weeks(detail: Record, semester: Semester) -> tuple[int, ...]:
    first, last = (_number(detail, key, semester.weeks) for key in ("startWeek", "endWeek"))
    with reading("type"):
        kind = fields.text(detail, "type").strip() or "0"
        if kind not in _PARITIES:
            raise NotUnderstood("unreadable", kind, position=0, expected="0, 1, 2")
    with reading("startWeek"):
        if first > last:
            raise NotUnderstood("reversed_range", f"{first}-{last}", expected=f"{last}-{first}")
        found = weeks.of_parity(range(first, last + 1), _PARITIES[kind])
        if not found:
            text = f"{first}-{last}周({'单' if kind == '1' else '双'})"
            expected = "1, 3, 5 …" if kind == "1" else "2, 4, 6 …"
            raise NotUnderstood("parity_excludes_all", text, expected=expected)
    return found


def _number(detail: Record, key: str, highest: int) -> int:
    with reading(key):
        text = fields.text(detail, key).strip()
        expected = f"1-{highest}"
        if not text:
            raise NotUnderstood("missing", text, expected=expected)
        if not _NUMBER.fullmatch(text):
            raise NotUnderstood("unreadable", text, position=0, expected=expected)
        if not 1 <= int(text) <= highest:
            raise NotUnderstood("out_of_range", text, position=0, expected=expected)
    return int(text)
