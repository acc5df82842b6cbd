"""A change that the person asked for in words: some item is to lie on another day.

Its own thoughts stand in the loop beside its calls: by them it finds again how far it is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from standins.llm.planner.speaking import call
from standins.llm.turn import Called, Turn

_WANTS = re.compile(r"换|挪|移|改到|别的天|另一天")
_ORDINAL = re.compile(r"第([一二三四五六七八九]|\d+)(?:项|个|条)")
_NUMBERS = "零一二三四五六七八九"
_ROW = re.compile(
    r"^\[(?P<id>\d+)\](?P<name>.*)\([^()]*\) — "
    r"第(?P<day>\d+)天\((?:嵌入)?(?P<first>\d+)(?:-(?P<last>\d+))?节\)$",
    re.MULTILINE,
)
_PLACE = re.compile(r"^\d+\. 第(\d+)天 第(\d+)", re.MULTILINE)
_RANGE = re.compile(r"^可放范围：(.*)$", re.MULTILINE)
_LATER = re.compile(r"晚于第(\d+)天")
_EARLIER = re.compile(r"早于第(\d+)天")
_WINDOW = re.compile(r"窗口(\d+)天")
_LONGEST_TAG = 40
_MOST_DAYS = 5
"""Days that are looked at for one wish; the loop tells so many rounds in full."""


@dataclass(frozen=True, slots=True)
class Item:
    """A suggested item of the list."""

    id: int
    name: str
    day: int
    length: int


def decide(turn: Turn) -> Mapping[str, Any] | None:
    """The next call for the wish; None where there is none, or nothing is left to do for it."""
    words = turn.told("最新的话")
    if not _WANTS.search(words) or is_heeded(turn):
        return None
    thought = _thought(words)
    done = [one for one in turn.calls if one.thought == thought]
    found = {one.tool: one for one in done if one.ok}
    if "list_tasks" not in found:
        return _unless_tried(done, call("list_tasks", thought, status="suggested"))
    item = _meant(found["list_tasks"].result, words)
    if item is None:
        return None
    if "get_task_info" not in found:
        return _unless_tried(done, call("get_task_info", thought, task_id=item.id))
    allowed = found["get_task_info"].result
    return _moving(done, item, _days(item, allowed, turn), thought)


def is_heeded(turn: Turn) -> bool:
    """Whether the newest words were carried out."""
    thought = _thought(turn.told("最新的话"))
    return any(one.thought == thought and one.tool == "move" and one.ok for one in turn.calls)


def _thought(words: str) -> str:
    return f"照学生说的：{' '.join(words.split())[:_LONGEST_TAG]}"


def _moving(
    done: Sequence[Called], item: Item, days: Iterator[int], thought: str
) -> Mapping[str, Any] | None:
    """Looks at one day after the other, moves to its first place unless that was refused."""
    looked = {one.arguments.get("day"): one for one in done if one.tool == "find_first_free"}
    refused = [dict(one.arguments) for one in done if one.tool == "move"]
    for day in islice(days, _MOST_DAYS):
        if day not in looked:
            return call("find_first_free", thought, duration=item.length, day=day)
        if (place := _PLACE.search(looked[day].result)) is None:
            continue
        arguments = {"task_id": item.id, "new_day": day, "new_slot_start": int(place[2])}
        if arguments not in refused:
            return call("move", thought, speak="把这一项换到另一天。", **arguments)
    return None


def _days(item: Item, info: str, turn: Turn) -> Iterator[int]:
    """Days to which its class lets the item go, the nearest first."""
    window = _WINDOW.search(turn.told("方案"))
    allowed = _RANGE.search(info)
    text = allowed[1] if allowed else ""
    later, earlier = _LATER.search(text), _EARLIER.search(text)
    first = int(later[1]) + 1 if later else 1
    last = int(earlier[1]) - 1 if earlier else int(window[1]) if window else 0
    days = (day for day in range(first, last + 1) if day != item.day)
    yield from sorted(days, key=lambda day: (abs(day - item.day), day))


def _unless_tried(done: Sequence[Called], wanted: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The call, unless it has failed before."""
    tried = any(one.tool == wanted["tool_call"]["name"] for one in done)
    return None if tried else wanted


def _meant(listed: str, words: str) -> Item | None:
    """The item whose name occurs, or the one of that number in time."""
    items = [_item(one) for one in _ROW.finditer(listed)]
    named = [one for one in items if one.name in words]
    if named:
        return max(named, key=lambda one: len(one.name))
    found = _ORDINAL.search(words)
    if found is None:
        return None
    number = int(found[1]) if found[1].isdigit() else _NUMBERS.index(found[1])
    in_time = sorted(items, key=lambda one: one.day)
    return in_time[number - 1] if 0 < number <= len(in_time) else None


def _item(found: re.Match[str]) -> Item:
    first = int(found["first"])
    last = int(found["last"] or first)
    return Item(int(found["id"]), found["name"], int(found["day"]), last - first + 1)
