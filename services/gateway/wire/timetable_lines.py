"""One line of an import: a course that changes, a row that was not understood."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from services.gateway.domain import places, week_list
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.calendar import words
from smartmate.schedule.v1 import timetable_pb2

_PARTS = re.compile(r"[,，、;；\s]")
_FIELD = timetable_pb2.CourseField

Course = timetable_pb2.CourseRow


class Mark(StrEnum):
    """How a piece of a line stands out; the value is its element."""

    PLAIN = "span"
    WAS = "del"
    IS = "ins"


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a line."""

    text: str
    mark: Mark = Mark.PLAIN


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One course that is added, changed or removed; `kind` is a class, `icon` a symbol."""

    kind: str
    icon: str
    label: str
    name: tuple[Piece, ...]
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]
    embeddable: bool = False


@dataclass(frozen=True, slots=True)
class RawCell:
    """One field of a row as it came; `wrong` is the part that was not understood."""

    key: str
    left: str = ""
    wrong: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class UnreadLine:
    """A row that was not understood."""

    line: str
    cells: tuple[RawCell, ...]
    message: str
    expected: str


def slot(locale: Locale, day: int, first: int, last: int) -> str:
    """周三 7–8 节, 周三第 7 节, Wed, sections 7–8."""
    on, at = places.weekday(locale, day), places.sections(locale, first, last)
    if locale is Locale.EN:
        return f"{on}, {at}"
    return f"{on}{at}" if first == last else f"{on} {at}"


def quoted(locale: Locale, name: str) -> str:
    """A name among other words."""
    return f"“{name}”" if locale is Locale.EN else f"「{name}」"


def added(locale: Locale, course: Course) -> ChangeLine:
    """A course that is new."""
    return ChangeLine(
        "a",
        "plus",
        say(locale, "timetable.kind_added"),
        (Piece(course.name),),
        (),
        tuple(Piece(part) for part in _facts(locale, course)),
    )


def removed(locale: Locale, course: Course) -> ChangeLine:
    """A course that leaves."""
    return ChangeLine(
        "d",
        "minus",
        say(locale, "timetable.kind_removed"),
        (Piece(course.name),),
        tuple(Piece(part) for part in _facts(locale, course)),
        (),
        course.can_be_embedded,
    )


def changed(locale: Locale, change: timetable_pb2.CourseChange) -> ChangeLine:
    """A course that is stated differently: time and place, and whatever else differs."""
    before, after, fields = change.before, change.after, frozenset(change.fields)
    name: tuple[Piece, ...] = (Piece(after.name),)
    if _FIELD.COURSE_FIELD_NAME in fields:
        name = (Piece(before.name, Mark.WAS), Piece(after.name, Mark.IS))
    return ChangeLine(
        "m",
        "swap",
        say(locale, "timetable.kind_changed"),
        name,
        tuple(_pieces(locale, before, fields, Mark.WAS)),
        tuple(_pieces(locale, after, fields, Mark.IS)),
        after.can_be_embedded,
    )


def unread(locale: Locale, row: timetable_pb2.UnreadRow) -> UnreadLine:
    """A row that was not understood, with the wrong bit of it marked."""
    message = words(locale, row.message)
    expected = ""
    if row.expected and row.expected not in message:
        expected = say(locale, "timetable.expected", expected=row.expected)
    return UnreadLine(
        say(locale, "timetable.line", n=row.line), tuple(_cells(locale, row)), message, expected
    )


def held_weeks(locale: Locale, course: Course) -> str:
    """The weeks of a course, those named in which it does not meet."""
    told = week_list.weeks(locale, course.weeks)
    if not course.skipped_weeks:
        return told
    skipped = week_list.weeks(locale, course.skipped_weeks)
    return f"{told} · {say(locale, 'timetable.skips', weeks=skipped)}"


def _facts(locale: Locale, course: Course) -> Iterator[str]:
    yield slot(locale, course.day_of_week, course.first_section, course.last_section)
    yield held_weeks(locale, course)
    if course.location:
        yield course.location
    if course.teacher:
        yield course.teacher


def _pieces(locale: Locale, course: Course, fields: frozenset[int], mark: Mark) -> Iterator[Piece]:
    moved = {_FIELD.COURSE_FIELD_DAY_OF_WEEK, _FIELD.COURSE_FIELD_SECTIONS} & fields
    time = slot(locale, course.day_of_week, course.first_section, course.last_section)
    yield Piece(time, mark if moved else Mark.PLAIN)
    if _FIELD.COURSE_FIELD_WEEKS in fields:
        yield Piece(held_weeks(locale, course), mark)
    if _FIELD.COURSE_FIELD_LOCATION in fields:
        yield Piece(course.location or say(locale, "timetable.no_location"), mark)
    elif course.location:
        yield Piece(course.location)
    if _FIELD.COURSE_FIELD_TEACHER in fields:
        yield Piece(course.teacher or say(locale, "timetable.no_teacher"), mark)


def _cells(locale: Locale, row: timetable_pb2.UnreadRow) -> Iterator[RawCell]:
    if not row.fields:
        yield RawCell("", wrong=row.raw)
        return
    seen = False
    for one in row.fields:
        if one.field == row.field:
            seen = True
            yield _wrong(locale, row, one.value)
        elif one.value.strip():
            yield RawCell(one.field, one.value)
    if not seen:
        yield RawCell(row.field, wrong=say(locale, "timetable.empty_value"))


def _wrong(locale: Locale, row: timetable_pb2.UnreadRow, value: str) -> RawCell:
    """The wrong field: the one item of a list that was not understood, or all of it."""
    if not value.strip():
        return RawCell(row.field, wrong=say(locale, "timetable.empty_value"))
    if not row.HasField("position") or value != row.value or row.position >= len(value):
        return RawCell(row.field, wrong=value)
    begin, end = _item(value, row.position)
    return RawCell(row.field, value[:begin], value[begin:end], value[end:])


def _item(value: str, position: int) -> tuple[int, int]:
    """Where the item of a list around a position begins and ends; at least that one character."""
    parts = [match.start() for match in _PARTS.finditer(value)]
    begin = max((at + 1 for at in parts if at < position), default=0)
    end = min((at for at in parts if at > position), default=len(value))
    return begin, end


def joined(locale: Locale, names: Sequence[str]) -> str:
    """Names one after the other."""
    return (", " if locale is Locale.EN else "、").join(names)
