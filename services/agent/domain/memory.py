"""What a person wants remembered, and which of it bears on something.

Spec: agent.md, Memory.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

MAX_ITEMS = 200
"""Of one person."""
MAX_TEXT = 500
MOST_SECTIONS = 14
"""Of any day."""

_WORD = re.compile(r"[a-z0-9]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")


class MemoryType(StrEnum):
    PREFERENCE = "preference"
    CONSTRAINT = "constraint"
    FACT = "fact"


@dataclass(frozen=True, slots=True)
class Hints:
    """When it is about: days 1 Monday to 7 Sunday, sections first..last; empty and 0 = any."""

    days: tuple[int, ...] = ()
    first: int = 0
    last: int = 0

    def __bool__(self) -> bool:
        return bool(self.days or self.first)


@dataclass(frozen=True, slots=True)
class NewItem:
    """What is to be remembered."""

    type: MemoryType
    text: str
    hints: Hints


@dataclass(frozen=True, slots=True)
class Item:
    """What is remembered."""

    id: int
    type: MemoryType
    text: str
    hints: Hints
    created_at: datetime
    updated_at: datetime


def recalled(
    items: Iterable[Item], query: str, *, include_timed: bool, limit: int
) -> Sequence[Item]:
    """The items that bear on the query, best match first, then the newest.

    An empty query is borne on by all. Two texts match by what they share: words of Latin
    letters and digits, and pairs of neighbouring Han characters.
    """
    asked = features(query)
    scored = [
        (score, item)
        for item in items
        if (score := len(asked & features(item.text)))
        or not query.strip()
        or (include_timed and item.hints)
    ]
    scored.sort(key=lambda one: (-one[0], -one[1].updated_at.timestamp(), -one[1].id))
    return [item for _, item in scored[:limit]]


def kept_free(items: Iterable[Item]) -> tuple[tuple[int, int, int], ...]:
    """The sections (day, first, last) that constraints keep free; a whole day is 1..MOST_SECTIONS.

    A constraint that speaks of no time keeps nothing free.
    """
    found = {
        (day, item.hints.first or 1, item.hints.last or MOST_SECTIONS)
        for item in items
        if item.type is MemoryType.CONSTRAINT and item.hints
        for day in item.hints.days or range(1, 8)
    }
    return tuple(sorted(found))


def features(text: str) -> frozenset[str]:
    """What texts are compared by."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = set(_WORD.findall(plain))
    for run in _HAN.findall(plain):
        found.update(run[i : i + 2] for i in range(len(run) - 1))
        if len(run) == 1:
            found.add(run)
    return frozenset(found)
