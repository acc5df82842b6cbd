"""The items of a study plan as lines of text, and which stored item each line is.

A line that says the same is the same item wherever it went. Of the others, a line that stands
behind the same neighbour as an item that is gone is that item in other words, so that it keeps
its place in the schedule. Every other line is new.
"""

import re
from collections.abc import Sequence

NEW = 0
"""The id of a line that is no stored item."""

_BREAKS = re.compile(r"\r\n|\r|\n")


def lines_of(text: str) -> tuple[str, ...]:
    """What was entered, line by line; blank lines do not count."""
    return tuple(line for part in _BREAKS.split(text) if (line := part.strip()))


def text_of(contents: Sequence[str]) -> str:
    """Items as they are entered. One that holds a line break is shown on one line."""
    return "\n".join(_BREAKS.sub(" ", content) for content in contents)


def matched(lines: Sequence[str], items: Sequence[tuple[int, str]]) -> tuple[int, ...]:
    """The id of the item (id, content) that each line is, NEW where it is none of them."""
    found = _same(lines, items)
    taken = {id_ for id_ in found if id_ != NEW}
    after = {before: id_ for before, id_ in zip((NEW, *_ids(items)), _ids(items), strict=False)}
    for number, id_ in enumerate(found):
        if id_ != NEW:
            continue
        before = found[number - 1] if number else NEW
        next_ = after.get(before, NEW) if before or not number else NEW
        if next_ != NEW and next_ not in taken:
            found[number] = next_
            taken.add(next_)
    return tuple(found)


def _same(lines: Sequence[str], items: Sequence[tuple[int, str]]) -> list[int]:
    """Ids of the items that a line repeats; of equal ones the first stands first."""
    by_content: dict[str, list[int]] = {}
    for id_, content in reversed(items):
        by_content.setdefault(text_of([content]).strip(), []).append(id_)
    return [ids.pop() if (ids := by_content.get(line)) else NEW for line in lines]


def _ids(items: Sequence[tuple[int, str]]) -> tuple[int, ...]:
    return tuple(id_ for id_, _ in items)
