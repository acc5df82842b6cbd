"""The sections and the weekday of a course, in the ways that timetables write them.

sections := item {separator item}       item := [第] a [节] [range [第] b [节]]
weekday  := [周 | 星期] (1..7 | 一..六 | 日 | 天 | 七)
"""

import re

from services.schedule.domain.timetable import notation
from services.schedule.domain.timetable.problems import NotUnderstood

EXAMPLE = "1-2节"
WEEKDAY_EXAMPLE = "1-7, 周一-周日"

_ITEM = re.compile(
    r"""
    第?\s* (?P<first>[0-9]+) \s*节?\s*
    (?: (?P<dash>--?) \s*第?\s* (?P<last>[0-9]+)? \s*节? )?
    """,
    re.VERBOSE,
)
_WEEKDAY = re.compile(r"\s*(?:周|星期)?\s*(?P<day>[0-9]+|[一二三四五六七日天])\s*")
_DAY_NAMES = {"一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "日": 7, "天": 7}


def parse_sections(text: str, *, section_count: int) -> tuple[int, int]:
    """Read first and last section, both included, inside 1..section_count.

    Lists must be contiguous. A section beyond the grid is an error, never clipped.
    Raises NotUnderstood: missing, unreadable, open_range, reversed_range, out_of_range,
    not_contiguous, too_long.
    """
    found: set[int] = set()
    for span in notation.spans(text, _ITEM, highest=section_count, example=EXAMPLE):
        found.update(range(span.first, span.last + 1))
    return _contiguous(found, text)


def sections_from_bitmask(mask: int, *, section_count: int) -> tuple[int, int]:
    """Read an integer mask whose bit 0 is section 1; errors as for `parse_sections`."""
    return _contiguous(set(notation.numbered(mask, highest=section_count)), str(mask))


def parse_weekday(text: str) -> int:
    """Read a day of the week, 1 = Monday .. 7 = Sunday. Raises NotUnderstood."""
    if not text.strip():
        raise NotUnderstood("missing", text, expected=WEEKDAY_EXAMPLE)
    match = _WEEKDAY.fullmatch(notation.plain(text)) if len(text) <= notation.MAX_LENGTH else None
    if match is None:
        raise NotUnderstood("unreadable", text, position=0, expected=WEEKDAY_EXAMPLE)
    day = _DAY_NAMES.get(match["day"]) or int(match["day"])
    if not 1 <= day <= 7:
        raise NotUnderstood("out_of_range", text, position=match.start("day"), expected="1-7")
    return day


def _contiguous(found: set[int], text: str) -> tuple[int, int]:
    first, last = min(found), max(found)
    if last - first + 1 != len(found):
        raise NotUnderstood("not_contiguous", text, expected=EXAMPLE)
    return first, last
