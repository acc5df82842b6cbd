"""One record of a file, field by field: what stands there, or which field is at fault and why."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from services.schedule.domain.timetable import wording
from services.schedule.domain.timetable.problems import NotUnderstood, RawField, RowProblem

MAX_NAME = 200
"""Longest name, teacher, room or campus, in characters; a longer one refuses its row."""

Record = Mapping[str, object]

_MAX_RAW, _MAX_VALUE = 300, 100
_MARKS = "★☆●○◎◆◇■□▲△▼▽"


class FieldProblem(Exception):
    """A field of a record, by the source's own key, that cannot be read with certainty."""

    def __init__(self, field: str, problem: NotUnderstood) -> None:
        super().__init__(field)
        self.field = field
        self.problem = problem


@contextmanager
def reading(field: str) -> Iterator[None]:
    """Names the field that is read inside. Raises FieldProblem for NotUnderstood."""
    try:
        yield
    except NotUnderstood as problem:
        raise FieldProblem(field, problem) from problem


def disagreement(field: str, text: str, other: str) -> FieldProblem:
    """A field that says something else than another one of the same row."""
    return FieldProblem(field, NotUnderstood("disagrees", text, expected=other))


def as_record(value: object, *, example: str) -> Record:
    """A value of the file as a record. Raises NotUnderstood."""
    if not isinstance(value, dict):
        raise NotUnderstood("unreadable", raw(value), expected=example)
    return value


def text(record: Record, key: str) -> str:
    """A field as text, empty where it is absent. Raises NotUnderstood: wrong_type."""
    value = record.get(key)
    if value is None:
        return ""
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise NotUnderstood("wrong_type", raw(value), expected='"abc", 123')
    return str(value)


def words(record: Record, key: str) -> str:
    """A field that people read: one line, storable. Raises NotUnderstood."""
    found = " ".join(text(record, key).split())
    if len(found) > MAX_NAME:
        raise NotUnderstood("too_long", found, position=MAX_NAME, expected=f"≤ {MAX_NAME}")
    for position, char in enumerate(found):
        if wording.is_unsafe(char):
            raise NotUnderstood("unsafe_text", found, position=position, expected="UTF-8")
    return found


def name(record: Record, key: str) -> str:
    """The name of a course, marks such as ★ at its end taken off. Raises NotUnderstood."""
    found = words(record, key).rstrip(_MARKS + " ")
    if not found:
        raise NotUnderstood("missing", found, expected="高等数学")
    return found


def readable_name(value: object, key: str) -> str | None:
    """The name in a record, or None where there is none that can be read."""
    try:
        return name(as_record(value, example=""), key)
    except NotUnderstood:
        return None


def label(record: Record, key: str) -> str:
    """A teacher, room or campus. Raises FieldProblem."""
    # Some systems close every list of names with a comma.
    with reading(key):
        return words(record, key).strip(" ,，、;；")


def problem_of(
    value: object, line: int, refusal: FieldProblem, *, keys: Sequence[str], called: str | None
) -> RowProblem:
    """The row that a refusal leaves out; `keys` are the fields that are read of it."""
    problem = refusal.problem
    position = problem.position
    message_zh, message_en = wording.describe(refusal.field, problem)
    return RowProblem(
        line=line,
        raw=raw(value, keys),
        name=called,
        field=refusal.field,
        value=wording.clip(problem.text, _MAX_VALUE),
        position=position if position is not None and position < _MAX_VALUE - 1 else None,
        reason=problem.reason,
        message_zh=message_zh,
        message_en=message_en,
        expected=wording.clip(problem.expected, _MAX_VALUE),
        fields=_raw_fields(value, keys),
    )


def raw(value: object, keys: Sequence[str] = ()) -> str:
    """Show a row, or a strange value, as JSON: only what is read of it, nothing nested."""
    if isinstance(value, dict):
        shown = {key: _scalar(value[key]) for key in keys if key in value}
        return wording.clip(json.dumps(shown, ensure_ascii=False), _MAX_RAW)
    return wording.clip(json.dumps(_scalar(value), ensure_ascii=False), _MAX_RAW)


def _raw_fields(value: object, keys: Sequence[str]) -> tuple[RawField, ...]:
    if not isinstance(value, dict):
        return ()
    present = ((key, _scalar(value[key])) for key in keys if key in value)
    return tuple(
        RawField(key, wording.clip(one if isinstance(one, str) else raw(one), _MAX_VALUE))
        for key, one in present
    )


def _scalar(value: object) -> object:
    if isinstance(value, dict):
        return "{…}"
    return "[…]" if isinstance(value, list) else value
