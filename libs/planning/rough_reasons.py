"""Why an item has no place after a rough build, with the numbers, in Chinese for people.

Spec: planning.md, Rough build (Out).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from libs.planning.grid import mask_of
from libs.planning.order import AllowedRange
from libs.planning.rough_groups import ClassRange, ItemGroup
from libs.planning.rough_input import DayRoom
from libs.planning.runs import runs

_MOST_TAKERS = 3


class ShortageCode(StrEnum):
    """What kept an item out."""

    RANGE_OVER = "range_over"
    DAYS_EXCLUDED = "days_excluded"
    TOO_LONG = "too_long"
    ORDER = "order"
    NO_ROOM = "no_room"


@dataclass(frozen=True, slots=True)
class Taker:
    """Events of one name that take room in the days of a class, and how many sections."""

    name: str
    sections: int


@dataclass(frozen=True, slots=True)
class Shortage:
    """The numbers behind an item without a place, in sections but for `days` and `waiting`.

    `needed` is the item's length, `waiting` how many items of its group have no place, `short`
    the length of these together. Of the `days` of the class's range events have `taken`, its own
    rules have `excluded` and others of this build have `planned`; `free` are left. `longest_run`
    is the longest between breaks that was there before the build.
    """

    code: ShortageCode
    needed: int
    waiting: int
    short: int
    allowed: AllowedRange
    days: int = 0
    taken: int = 0
    excluded: int = 0
    planned: int = 0
    free: int = 0
    longest_run: int = 0
    takers: tuple[Taker, ...] = ()

    @property
    def text(self) -> str:
        """The reason in Chinese."""
        return _TEXTS[self.code](self)


def shortage(
    one: ClassRange,
    group: ItemGroup,
    rooms: Sequence[DayRoom],
    planned: Sequence[int],
    waiting: int,
) -> Shortage:
    """Why `waiting` items of a group have no place; `planned` masks what the build took."""
    inside = [
        _DayNumbers.of(one, room, taken)
        for room, taken in zip(rooms, planned, strict=True)
        if one.first <= room.on <= one.last
    ]
    length = group.group.length
    return Shortage(
        code=_code(inside, group),
        needed=length,
        waiting=waiting,
        short=length * waiting,
        allowed=group.allowed,
        days=len(inside),
        taken=sum(day.room.load for day in inside),
        excluded=sum((day.room.free & ~day.usable).bit_count() for day in inside),
        planned=sum(day.planned.bit_count() for day in inside),
        free=sum((day.usable & ~day.planned).bit_count() for day in inside),
        longest_run=max((day.longest for day in inside), default=0),
        takers=_takers([day.room for day in inside]),
    )


@dataclass(frozen=True, slots=True)
class _DayNumbers:
    """A day of the range: what the class may use of it, hosts aside, and what was planned there."""

    room: DayRoom
    usable: int
    in_hosts: int
    planned: int
    is_excluded: bool

    @staticmethod
    def of(one: ClassRange, room: DayRoom, planned: int) -> "_DayNumbers":
        plan = one.plan
        is_excluded = room.day_of_week in plan.excluded_days_of_week or room.clock is None
        out = room.excluded(plan.excluded_slots)
        usable = 0 if is_excluded else room.free & ~out
        hosts = room.host_mask & ~out if plan.allow_filler_course and not is_excluded else 0
        return _DayNumbers(room, usable, hosts, planned, is_excluded)

    @property
    def longest(self) -> int:
        """Sections of the longest run between breaks, in free cells or in a host."""
        return max(_longest(self.usable, self.room), _longest(self.in_hosts, self.room))


def _longest(mask: int, room: DayRoom) -> int:
    length = 0
    while runs(mask, room.stretches, length + 1):
        length += 1
    return length


def _code(inside: Sequence[_DayNumbers], group: ItemGroup) -> ShortageCode:
    if not inside:
        return ShortageCode.RANGE_OVER
    if all(day.is_excluded for day in inside):
        return ShortageCode.DAYS_EXCLUDED
    if max(day.longest for day in inside) < group.group.length:
        return ShortageCode.TOO_LONG
    if not any(group.group.starts):
        return ShortageCode.ORDER
    return ShortageCode.NO_ROOM


def _takers(rooms: Sequence[DayRoom]) -> tuple[Taker, ...]:
    """The events that take most, by name; guests take the room of their hosts."""
    taken: Counter[str] = Counter()
    for room in rooms:
        for block in room.blocks:
            if block.host_id is None:
                place = block.place
                taken[block.name] += mask_of(place.first, place.last).bit_count()
    ranked = sorted(taken.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(Taker(name, sections) for name, sections in ranked[:_MOST_TAKERS])


def _no_room(of: Shortage) -> str:
    who = "、".join(f"{taker.name or '其他日程'}{taker.sections}节" for taker in of.takers)
    taken = f"已有日程占{of.taken}节" + (f"（{who}）" if who else "")
    return (
        f"{of.waiting}项各需{of.needed}节，共缺{of.short}节：范围内{of.days}天，{taken}，"
        f"排除规则去掉{of.excluded}节，本次已排{of.planned}节，剩下{of.free}节不够连在一起"
    )


def _order(of: Shortage) -> str:
    sides = []
    for block, side in ((of.allowed.after, "之后"), (of.allowed.before, "之前")):
        if block is not None:
            on = date.fromordinal(block.span.day)
            sides.append(f"「{block.name}」（{on.month}月{on.day}日）{side}")
    return f"须排在{'、'.join(sides)}，这段时间里没有{of.needed}节的空位"


_TEXTS: Mapping[ShortageCode, Callable[[Shortage], str]] = {
    ShortageCode.RANGE_OVER: lambda of: "任务类的日期已经过去，没有剩下的日子",
    ShortageCode.DAYS_EXCLUDED: lambda of: f"范围内{of.days}天全部被排除规则去掉",
    ShortageCode.TOO_LONG: lambda of: (
        f"每项需{of.needed}节连续时间，范围内两次休息之间最长的空闲只有{of.longest_run}节"
    ),
    ShortageCode.ORDER: _order,
    ShortageCode.NO_ROOM: _no_room,
}
