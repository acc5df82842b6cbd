"""The JSON reply of a 正方 system, its rows in `kbList`.

Read are kcmc (name), xm (teacher), xqj (weekday), jcs or jc (sections), zcd (weeks), cdmc (room)
and xqmc (campus). oldzc and oldjc, the same weeks and sections as bit masks, are the cross-check:
where they disagree, the row is refused rather than guessed at.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from services.schedule.domain.timetable import encoding, notation, sections, weeks, wording
from services.schedule.domain.timetable.problems import NotUnderstood, RowProblem
from services.schedule.domain.timetable.rows import CourseRow, ParsedTimetable

MAX_MEBIBYTES = 2
MAX_ROWS = 200
MAX_NAME = 200
"""Longest name, teacher, room or campus, in characters; a longer one refuses its row."""

_FIELDS = ("kcmc", "xqj", "jcs", "jc", "zcd", "xm", "cdmc", "xqmc", "oldzc", "oldjc")
_MAX_RAW, _MAX_VALUE = 300, 100
_MARKS = "★☆●○◎◆◇■□▲△▼▽"
_SHARE_CODE = re.compile(r"[0-9A-Za-z_-]{16,64}")
_MASK = re.compile(r"[0-9]{1,18}")
_SUNDAY = 7


@dataclass(frozen=True, slots=True)
class _Bounds:
    week_count: int
    section_count: int
    week_starts_on: int


class _FieldProblem(Exception):
    def __init__(self, field: str, problem: NotUnderstood) -> None:
        super().__init__(field)
        self.field = field
        self.problem = problem


def parse(
    document: bytes | str, *, week_count: int, section_count: int, week_starts_on: int = 1
) -> ParsedTimetable:
    """Read a whole reply; rows that are not understood are reported one by one.

    `week_starts_on` is 1, or 7 for a school whose week begins on Sunday: its Sunday of week n is
    day 7 of week n - 1 here. Raises UnreadableFile when the document is no timetable.
    """
    reply = _reply(document)
    bounds = _Bounds(week_count, section_count, week_starts_on)
    found: dict[CourseRow, CourseRow] = {}
    problems: list[RowProblem] = []
    records = _records(reply)
    for line, record in enumerate(records, start=1):
        try:
            row = _course(record, line, bounds)
        except _FieldProblem as refusal:
            problems.append(_row_problem(record, line, refusal))
        else:
            found.setdefault(replace(row, line=0), row)
    return ParsedTimetable(
        rows=tuple(found.values()),
        not_understood=tuple(problems),
        duplicates=len(records) - len(problems) - len(found),
        without_time=_without_time(reply),
    )


def _reply(document: bytes | str) -> Mapping[str, object]:
    if len(document) > MAX_MEBIBYTES * 1024 * 1024:
        raise wording.unreadable_file("too_large", limit=MAX_MEBIBYTES)
    text = encoding.decode(document) if isinstance(document, bytes) else document
    text = text.removeprefix("\ufeff").strip()
    if not text:
        raise wording.unreadable_file("empty_file")
    if text.startswith("<"):
        raise wording.unreadable_file("html_page")
    if _SHARE_CODE.fullmatch(text) or (not text.startswith(("{", "[")) and "口令" in text):
        raise wording.unreadable_file("share_code")
    try:
        reply: object = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as cause:
        raise wording.unreadable_file("not_json") from cause
    if not isinstance(reply, dict) or "kbList" not in reply:
        raise wording.unreadable_file("no_kblist")
    return reply


def _no_constant(name: str) -> object:
    raise ValueError(name)


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
    names = map(_readable_name, practical[:MAX_ROWS] if isinstance(practical, list) else ())
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _course(record: object, line: int, bounds: _Bounds) -> CourseRow:
    with _reading(""):
        fields = _object(record)
    with _reading("kcmc"):
        name = _name(fields)
    with _reading("xqj"):
        day = sections.parse_weekday(_text(fields, "xqj"))
    first, last = _sections(fields, bounds)
    found = _weeks(fields, bounds)
    if day == _SUNDAY == bounds.week_starts_on:
        found = _one_week_earlier(found, bounds)
    return CourseRow(
        line=line,
        name=name,
        teacher=_label(fields, "xm"),
        room=_label(fields, "cdmc"),
        campus=_label(fields, "xqmc"),
        day_of_week=day,
        first=first,
        last=last,
        weeks=found,
    )


@contextmanager
def _reading(field: str) -> Iterator[None]:
    try:
        yield
    except NotUnderstood as problem:
        raise _FieldProblem(field, problem) from problem


def _object(record: object) -> Mapping[str, object]:
    if not isinstance(record, dict):
        raise NotUnderstood("unreadable", _raw(record), expected='{"kcmc": …}')
    return record


def _text(fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    if value is None:
        return ""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise NotUnderstood("wrong_type", _raw(value), expected='"…"')
    return str(value)


def _words(fields: Mapping[str, object], key: str) -> str:
    text = " ".join(_text(fields, key).split())
    if len(text) > MAX_NAME:
        raise NotUnderstood("too_long", text, position=MAX_NAME, expected=f"≤ {MAX_NAME}")
    for position, char in enumerate(text):
        if wording.is_unsafe(char):
            raise NotUnderstood("unsafe_text", text, position=position, expected="UTF-8")
    return text


def _name(fields: Mapping[str, object]) -> str:
    name = _words(fields, "kcmc").rstrip(_MARKS + " ")
    if not name:
        raise NotUnderstood("missing", name, expected="高等数学")
    return name


def _readable_name(record: object) -> str | None:
    try:
        return _name(_object(record))
    except NotUnderstood:
        return None


def _label(fields: Mapping[str, object], key: str) -> str:
    # Some systems close every list of names with a comma.
    with _reading(key):
        return _words(fields, key).strip(" ,，、;；")


def _sections(fields: Mapping[str, object], bounds: _Bounds) -> tuple[int, int]:
    with _reading("jc"):
        second = _text(fields, "jc")
    with _reading("jcs"):
        stated = _text(fields, "jcs")
    field = "jcs" if stated.strip() or not second.strip() else "jc"
    text = stated if field == "jcs" else second
    with _reading(field):
        first, last = sections.parse_sections(text, section_count=bounds.section_count)
        if field == "jcs" and second.strip():
            _check_second_reading((first, last), text, second, bounds)
    mask = _mask(fields, "oldjc")
    if mask is not None and notation.bits(mask) != tuple(range(first, last + 1)):
        read = ",".join(map(str, notation.bits(mask)))
        raise _disagreement(field, text, f"oldjc {mask} = {read}节")
    return first, last


def _check_second_reading(read: tuple[int, int], text: str, second: str, bounds: _Bounds) -> None:
    """Compare jcs with jc; a jc that cannot be read says nothing against jcs."""
    try:
        other = sections.parse_sections(second, section_count=bounds.section_count)
    except NotUnderstood:
        return
    if other != read:
        raise NotUnderstood("disagrees", text, expected=f"jc {second}")


def _weeks(fields: Mapping[str, object], bounds: _Bounds) -> tuple[int, ...]:
    with _reading("zcd"):
        text = _text(fields, "zcd")
        found = weeks.parse_weeks(text, week_count=bounds.week_count)
    mask = _mask(fields, "oldzc")
    if mask is not None and notation.bits(mask) != found:
        read = weeks.format_weeks(notation.bits(mask))
        raise _disagreement("zcd", text, f"oldzc {mask} = {read}")
    return found


def _one_week_earlier(found: tuple[int, ...], bounds: _Bounds) -> tuple[int, ...]:
    if found[0] == 1:
        text = weeks.format_weeks(found)
        expected = f"2-{bounds.week_count}周"
        raise _FieldProblem("zcd", NotUnderstood("before_semester", text, expected=expected))
    return tuple(week - 1 for week in found)


def _mask(fields: Mapping[str, object], key: str) -> int | None:
    """Read a mask; absent, empty and 0 mean that the school does not fill it in."""
    with _reading(key):
        text = _text(fields, key).strip()
        if text and not _MASK.fullmatch(text):
            raise NotUnderstood("unreadable", text, position=0, expected="65535")
    return int(text or "0") or None


def _disagreement(field: str, text: str, other: str) -> _FieldProblem:
    return _FieldProblem(field, NotUnderstood("disagrees", text, expected=other))


def _row_problem(record: object, line: int, refusal: _FieldProblem) -> RowProblem:
    problem = refusal.problem
    position = problem.position
    message_zh, message_en = wording.describe(refusal.field, problem)
    return RowProblem(
        line=line,
        raw=_raw(record),
        name=_readable_name(record),
        field=refusal.field,
        value=wording.clip(problem.text, _MAX_VALUE),
        position=position if position is not None and position < _MAX_VALUE - 1 else None,
        reason=problem.reason,
        message_zh=message_zh,
        message_en=message_en,
        expected=wording.clip(problem.expected, _MAX_VALUE),
    )


def _raw(value: object) -> str:
    """Show a row, or a strange value, as JSON: only what is read of it, nothing nested."""
    if isinstance(value, dict):
        shown = {key: _scalar(value[key]) for key in _FIELDS if key in value}
        return wording.clip(json.dumps(shown, ensure_ascii=False), _MAX_RAW)
    return wording.clip(json.dumps(_scalar(value), ensure_ascii=False), _MAX_RAW)


def _scalar(value: object) -> object:
    if isinstance(value, dict):
        return "{…}"
    return "[…]" if isinstance(value, list) else value
