"""Patterns of words of time: what a form is, and how the forms of a text are found."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from services.agent.domain.when import Looking, Standpoint

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Form(Generic[Read]):
    """A pattern, and what a match of it says; None where it says nothing after all."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Standpoint, Looking], Read | None]


@dataclass(frozen=True, slots=True)
class Found(Generic[Read]):
    """What a form found at start..end."""

    start: int
    end: int
    read: Read


def form(
    pattern: str, read: Callable[[re.Match[str], Standpoint, Looking], Read | None]
) -> Form[Read]:
    """A form; case is of no matter."""
    return Form(re.compile(pattern, re.IGNORECASE), read)


def found(
    forms: Iterable[Form[Read]], text: str, at: Standpoint, looking: Looking
) -> Iterator[Found[Read]]:
    """What the forms find, none of it twice: the earliest, of those the longest, then the first."""
    matches = [
        (match.start(), -match.end(), index, one, match)
        for index, one in enumerate(forms)
        for match in one.pattern.finditer(text)
    ]
    end = 0
    for start, _, _, one, match in sorted(matches, key=lambda entry: entry[:3]):
        if start < end or match.end() == start:
            continue
        read = one.read(match, at, looking)
        if read is not None:
            yield Found(start, match.end(), read)
            end = match.end()
