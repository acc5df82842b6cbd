"""The JSON reply of a 正方 system, its rows in `kbList`.

Read are kcmc (name), xm (teacher), xqj (weekday), jcs or jc (sections), zcd (weeks), cdmc (room)
and xqmc (campus). oldzc and oldjc, the same weeks and sections as bit masks, are the cross-check:
where they disagree, the row is refused rather than guessed at.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from services.schedule.domain.timetable import (
    documents,
    fields,
    notation,
    sections,
    weeks,
    wording,
)
from services.schedule.domain.timetable.fields import FieldProblem, Record, reading
from services.schedule.domain.timetable.problems import NotUnderstood, RowProblem
from services.schedule.domain.timetable.rows import MAX_ROWS, CourseRow, Form, ParsedTimetable

_KEYS = ("kcmc", "xqj", "jcs", "jc", "zcd", "xm", "cdmc", "xqmc", "oldzc", "oldjc")
_MASK = re.compile(r"[0-9]{1,18}")
_SUNDAY = 7


@dataclass(frozen=True, slots=True)
class _Bounds:
    week_count: int
    section_count: int
    week_starts_on: int


def is_one(document: object) -> bool:
    """Tell whether a JSON document looks like a reply of a 正方 system."""
    return isinstance(document, dict) and "kbList" in document


def parse(
    document: bytes | str, *, week_count: int, section_count: int, week_starts_on: int = 1
) -> ParsedTimetable:
    """Read a whole file; rows that are not understood are reported one by one.

    `week_starts_on` is 1, or 7 for a school whose week begins on Sunday: its Sunday of week n is
    day 7 of week n - 1 here. Raises UnreadableFile when the document is no timetable.
    """
    reply = documents.split(documents.text_of(document)).only
    bounds = _Bounds(week_count, section_count, week_starts_on)
    return _parse(reply, bounds)


def parse_reply(reply: object, *, week_count: int, section_count: int) -> ParsedTimetable:
    """The same for a document that is parsed already."""
    return _parse(reply, _Bounds(week_count, section_count, 1))


def _parse(reply: object, bounds: _Bounds) -> ParsedTimetable:
    if not isinstance(reply, dict) or "kbList" not in reply:
        raise wording.unreadable_file("no_kblist")
    found: dict[CourseRow, CourseRow] = {}
    problems: list[RowProblem] = []
    records = _records(reply)
    for line, record in enumerate(records, start=1):
        try:
            row = _course(record, line, bounds)
        except FieldProblem as refusal:
            called = fields.readable_name(record, "kcmc")
            problems.append(fields.problem_of(record, line, refusal, keys=_KEYS, called=called))
        else:
            found.setdefault(replace(row, line=0), row)
    return ParsedTimetable(
        form=Form.ZHENGFANG_JSON,
        rows=tuple(found.values()),
        not_understood=tuple(problems),
        duplicates=len(records) - len(problems) - len(found),
        without_time=_without_time(reply),
    )


def _records(reply: Mapping[str, object]) -> list[object]:
    records = reply["kbList"]
    if not isinstance(records, list):
        raise wording.unreadable_file("kblist_not_a_list")
    if not records:
        raise wording.unreadable_file("no_courses")
    if len(records) > MAX_ROWS:
        raise wording.unreadable_file("too_many_rows", count=len(records), limit=MAX_ROWS)
    return records


def _without_time(reply: Mapping[str, object]) -> tuple[str, ...]:
    practical = reply.get("sjkList")
    records = practical[:MAX_ROWS] if isinstance(practical, list) else ()
    names = (fields.readable_name(record, "kcmc") for record in records)
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _course(value: object, line: int, bounds: _Bounds) -> CourseRow:
    with reading(""):
        record = fields.as_record(value, example='{"kcmc": …}')
    with reading("kcmc"):
        name = fields.name(record, "kcmc")
    with reading("xqj"):
        day = sections.parse_weekday(fields.text(record, "xqj"))
    first, last = _sections(record, bounds)
    found = _weeks(record, bounds)
    if day == _SUNDAY == bounds.week_starts_on:
        found = _one_week_earlier(found, bounds)
    return CourseRow(
        line=line,
        name=name,
        teacher=fields.label(record, "xm"),
        room=fields.label(record, "cdmc"),
        campus=fields.label(record, "xqmc"),
        day_of_week=day,
        first=first,
        last=last,
        weeks=found,
    )


def _sections(record: Record, bounds: _Bounds) -> tuple[int, int]:
    with reading("jc"):
        second = fields.text(record, "jc")
    with reading("jcs"):
        stated = fields.text(record, "jcs")
    field = "jcs" if stated.strip() or not second.strip() else "jc"
    text = stated if field == "jcs" else second
    with reading(field):
        first, last = sections.parse_sections(text, section_count=bounds.section_count)
        if field == "jcs" and second.strip():
            _check_second_reading((first, last), text, second, bounds)
    mask = _mask(record, "oldjc")
    if mask is not None and notation.bits(mask) != tuple(range(first, last + 1)):
        read = ",".join(map(str, notation.bits(mask)))
        raise fields.disagreement(field, text, f"oldjc {mask} = {read}节")
    return first, last


def _check_second_reading(read: tuple[int, int], text: str, second: str, bounds: _Bounds) -> None:
    """Compare jcs with jc; a jc that cannot be read says nothing against jcs."""
    try:
        other = sections.parse_sections(second, section_count=bounds.section_count)
    except NotUnderstood:
        return
    if other != read:
        raise NotUnderstood("disagrees", text, expected=f"jc {second}")


def _weeks(record: Record, bounds: _Bounds) -> tuple[int, ...]:
    with reading("zcd"):
        text = fields.text(record, "zcd")
        found = weeks.parse_weeks(text, week_count=bounds.week_count)
    mask = _mask(record, "oldzc")
    if mask is not None and notation.bits(mask) != found:
        read = weeks.format_weeks(notation.bits(mask))
        raise fields.disagreement("zcd", text, f"oldzc {mask} = {read}")
    return found


def _one_week_earlier(found: tuple[int, ...], bounds: _Bounds) -> tuple[int, ...]:
    with reading("zcd"):
        return weeks.one_earlier(found, week_count=bounds.week_count)


def _mask(record: Record, key: str) -> int | None:
    """Read a mask; absent, empty and 0 mean that the school does not fill it in."""
    with reading(key):
        text = fields.text(record, key).strip()
        if text and not _MASK.fullmatch(text):
            raise NotUnderstood("unreadable", text, position=0, expected="65535")
    return int(text or "0") or None
