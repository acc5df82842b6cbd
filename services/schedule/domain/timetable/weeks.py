"""The weeks of a course, in the ways that timetables write them.

    weeks   := item {separator item} | 全周 | 单双周 | 单周 | 双周
    item    := [第] N [周] [range [第] M [周]] [parity]
    parity  := [|] [(] 单 | 双 | 单双 [周] [)] [周]

Separators are commas of any kind or white space, ranges any dash, ~ or 至; full-width forms read
like the narrow ones. 单周 and 双周 alone mean the whole semester. Bit masks and bit strings are
functions of their own, because `11` is a week, a mask and a string at once.
"""

import re
from collections.abc import Iterable

from services.schedule.domain.timetable import notation
from services.schedule.domain.timetable.problems import NotUnderstood

EXAMPLE = "1-16周(单),18周"

_FRAME = re.compile(r"\s*(?:周[数次]\s*:)?\s*\{?(?P<body>.*?)\}?\s*", re.DOTALL)
_ITEM = re.compile(
    r"""
    第?\s* (?P<first>[0-9]+) \s*周?\s*
    (?: (?P<dash>--?) \s*第?\s* (?P<last>[0-9]+)? \s*周?\s* )?
    (?: \|?\s* \(?\s* (?P<parity>单双|双单|单|双) \s*周?\s* \)?\s* 周? )?
    """,
    re.VERBOSE,
)
_WHOLE_SEMESTER = {"全周": (1, 1), "单双周": (1, 1), "单周": (1, 2), "双周": (2, 2)}
_REMAINDER = {"单": 1, "双": 0}


def parse_weeks(text: str, *, week_count: int) -> tuple[int, ...]:
    """Read week numbers, ascending and without duplicates, all inside 1..week_count.

    Raises NotUnderstood: missing, unreadable, open_range, reversed_range, out_of_range,
    parity_excludes_all (`4(单)` is no week at all, never week 4), too_long.
    """
    frame = _FRAME.fullmatch(notation.plain(text)) if len(text) <= notation.MAX_LENGTH else None
    body = frame["body"].strip() if frame else ""
    if body in _WHOLE_SEMESTER:
        first, step = _WHOLE_SEMESTER[body]
        return _some(range(first, week_count + 1, step), text, position=None)
    found: set[int] = set()
    within = frame.span("body") if frame else None
    for span in notation.spans(text, _ITEM, highest=week_count, example=EXAMPLE, within=within):
        remainder = _REMAINDER.get(span.match["parity"] or "")
        kept = of_parity(range(span.first, span.last + 1), remainder)
        found.update(_some(kept, text, position=span.position))
    return tuple(sorted(found))


def weeks_from_bitmask(mask: int, *, week_count: int) -> tuple[int, ...]:
    """Read an integer mask whose bit 0 is week 1. Raises NotUnderstood: missing, out_of_range."""
    return notation.numbered(mask, highest=week_count)


def weeks_from_bitstring(text: str, *, week_count: int, first_week: int = 1) -> tuple[int, ...]:
    """Read a string of 0 and 1 whose first character stands for `first_week`.

    Schools differ in that offset (0 where the first character is unused), so the caller states it.
    A set bit outside 1..week_count is an error, never cut off.
    """
    strange = re.search("[^01]", text)
    if strange:
        raise NotUnderstood("unreadable", text, position=strange.start(), expected="0110")
    weeks = [first_week + match.start() for match in re.finditer("1", text)]
    if not weeks:
        raise NotUnderstood("missing", text, expected="0110")
    for week in weeks:
        if not 1 <= week <= week_count:
            raise NotUnderstood(
                "out_of_range", text, position=week - first_week, expected=f"1-{week_count}"
            )
    return tuple(weeks)


def one_earlier(weeks: tuple[int, ...], *, week_count: int) -> tuple[int, ...]:
    """The weeks of a Sunday that a source counts to the week which begins with it.

    Raises NotUnderstood: before_semester, where that Sunday lies before week 1 here.
    """
    if weeks[0] == 1:
        text = format_weeks(weeks)
        raise NotUnderstood("before_semester", text, expected=f"2-{week_count}周")
    return tuple(week - 1 for week in weeks)


def format_weeks(weeks: Iterable[int]) -> str:
    """Write weeks so that `parse_weeks` reads the same ones: `1-3周,5-9周(单),12周`."""
    rest = sorted(set(weeks))
    parts: list[str] = []
    while rest:
        first, length = rest[0], _run(rest, 1)
        if length > 1:
            parts.append(f"{first}-{rest[length - 1]}周")
        elif (length := _run(rest, 2)) > 2:
            parts.append(f"{first}-{rest[length - 1]}周({'单' if first % 2 else '双'})")
        else:
            length = 1
            parts.append(f"{first}周")
        del rest[:length]
    return ",".join(parts)


def of_parity(weeks: Iterable[int], remainder: int | None) -> tuple[int, ...]:
    """Those weeks that leave `remainder` when halved: 1 odd, 0 even, None all of them."""
    return tuple(week for week in weeks if remainder is None or week % 2 == remainder)


def _some(weeks: Iterable[int], text: str, *, position: int | None) -> tuple[int, ...]:
    found = tuple(weeks)
    if not found:
        raise NotUnderstood("parity_excludes_all", text, position=position, expected=EXAMPLE)
    return found


def _run(weeks: list[int], step: int) -> int:
    length = 1
    while length < len(weeks) and weeks[length] - weeks[length - 1] == step:
        length += 1
    return length
