"""What the notations of weeks and of sections share: numbers, ranges, lists, bit masks."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.schedule.domain.timetable.problems import NotUnderstood

MAX_LENGTH = 200
"""Longest notation that is looked at, in characters."""

_DASHES = "~～〜—–‒―−‐‑－至"
_COMMAS = ",，、;；"
_PLAIN = {
    **{0xFF01 + offset: chr(0x21 + offset) for offset in range(94)},
    0x3000: " ",
    **{ord(dash): "-" for dash in _DASHES},
    **{ord(comma): "," for comma in _COMMAS},
}
_SEPARATOR = re.compile(r"\s*,?\s*")


@dataclass(frozen=True, slots=True)
class Span:
    """One item of a list: a number or a range, both ends included."""

    first: int
    last: int
    position: int
    match: re.Match[str]


def plain(text: str) -> str:
    """Write full-width forms, dashes and list commas in one way; positions stay as they are."""
    return text.translate(_PLAIN)


def spans(
    text: str,
    item: re.Pattern[str],
    *,
    highest: int,
    example: str,
    within: tuple[int, int] | None = None,
) -> Iterator[Span]:
    """Yield the items of a list in `text[slice(*within)]`, each inside 1..`highest`.

    `item` matches plain text and names its groups `first`, `dash` and `last`. Items are parted by
    one comma or by white space; a comma at the end is allowed.
    """
    if len(text) > MAX_LENGTH:
        raise NotUnderstood("too_long", text, position=MAX_LENGTH, expected=f"≤ {MAX_LENGTH}")
    source = plain(text)
    position, end = _trim(source, within or (0, len(source)))
    if position >= end:
        raise NotUnderstood("missing", text, expected=example)
    while position < end:
        match = item.match(source, position, end)
        if match is None:
            raise NotUnderstood("unreadable", text, position=position, expected=example)
        yield _span(match, text, highest=highest, example=example)
        gap = _SEPARATOR.match(source, match.end(), end)
        after = gap.end() if gap else match.end()
        if after < end and after == match.end() and not source[after - 1].isspace():
            raise NotUnderstood("unreadable", text, position=after, expected=example)
        position = after


def bits(mask: int) -> tuple[int, ...]:
    """Number the set bits of a mask from 1, lowest first. Takes any non-negative number."""
    return tuple(index + 1 for index in range(mask.bit_length()) if mask >> index & 1)


def numbered(mask: int, *, highest: int) -> tuple[int, ...]:
    """Number the set bits of a mask from 1 and insist on 1..`highest`, at least one."""
    if mask < 0 or mask.bit_length() > highest:
        raise NotUnderstood("out_of_range", f"{mask:#x}"[:MAX_LENGTH], expected=f"1-{highest}")
    if mask == 0:
        raise NotUnderstood("missing", "0", expected=f"1-{highest}")
    return bits(mask)


def _trim(source: str, within: tuple[int, int]) -> tuple[int, int]:
    start, end = within
    body = source[start:end]
    return start + len(body) - len(body.lstrip()), start + len(body.rstrip())


def _span(match: re.Match[str], text: str, *, highest: int, example: str) -> Span:
    if match["dash"] and not match["last"]:
        raise NotUnderstood("open_range", text, position=match.start("dash"), expected=example)
    ends = ("first", "last") if match["dash"] else ("first",)
    for end in ends:
        if not 1 <= int(match[end]) <= highest:
            raise NotUnderstood(
                "out_of_range", text, position=match.start(end), expected=f"1-{highest}"
            )
    first, last = int(match[ends[0]]), int(match[ends[-1]])
    if first > last:
        raise NotUnderstood(
            "reversed_range", text, position=match.start("first"), expected=f"{last}-{first}"
        )
    return Span(first, last, match.start(), match)
