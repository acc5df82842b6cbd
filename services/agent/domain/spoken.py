"""Words as they are read: one form of every sign, what is quoted out of sight, clauses.

Positions stay those of the words as they were said, so that titles can be cut out of them.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

HIDDEN = "▢"
"""Stands for each sign of what is quoted."""
LONGEST = 600
"""How many signs are read: what somebody wants is said by then."""

_QUOTED = re.compile(
    r"「[^」]*」|『[^』]*』|《[^》]*》|“[^”]*”|\"[^\"\n]*\"|‘[^’]*’|`[^`]*`|(?<![A-Za-z])'[^'\n]*'(?![A-Za-z])"
)
_STOP = re.compile(
    r"(?<![^\n])[ \t]*+(?P<item>\d{1,2}[.、)）](?!\d)|[-*•])[ \t]*"
    r"|[,，。;；!！?？\n]+|(?<!\d)\.(?!\d)|(?<=\d)\.(?=\s|$)"
)


@dataclass(frozen=True, slots=True)
class Clause:
    """Part start..end of some words; `is_item`: one of a list."""

    start: int
    end: int
    is_item: bool = False


def plain(words: str) -> str:
    """The same words sign by sign, full-width letters and digits narrow, controls as spaces.

    Of long words the beginning, so that no text takes long to read.
    """
    return "".join(_plain(sign) for sign in words[:LONGEST])


def cleaned(words: str) -> str:
    """The words as they were said, controls as spaces."""
    return "".join(_visible(sign) for sign in words[:LONGEST])


def hidden(text: str) -> str:
    """The text without what is quoted in it: data, whatever it says."""
    return _QUOTED.sub(lambda match: HIDDEN * len(match[0]), text)


def quoted(text: str) -> tuple[str, ...]:
    """What is quoted in a text, without its marks."""
    return tuple(match[0][1:-1] for match in _QUOTED.finditer(text))


def clauses(text: str) -> Iterator[Clause]:
    """The parts between stops that hold anything."""
    start, is_item = 0, False
    for stop in (*_STOP.finditer(text), None):
        end = stop.start() if stop else len(text)
        if text[start:end].strip():
            yield Clause(start, end, is_item)
            is_item = False
        if stop:
            start, is_item = stop.end(), is_item or stop["item"] is not None


def _plain(sign: str) -> str:
    shown = _visible(sign)
    narrow = unicodedata.normalize("NFKC", shown)
    return shown if len(narrow) != 1 or shown in "，。；！？：（）" else narrow


def _visible(sign: str) -> str:
    if sign in "\n\r\u2028\u2029":
        return "\n"
    return " " if unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") else sign
