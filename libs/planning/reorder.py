"""Local reorder: a makeup block for unfinished work, and new places for as few as possible.

The items squeezed by it are the later ones of the same class that are placed and have not begun.
As the order holds, those that must move are the first ones among them: the fewest for which all
fit one behind the other. Of these arrangements the one that breaks the fewest preferences is
taken, then the one that moves the least, then the earliest. Spec: planning.md, Local reorder.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from itertools import pairwise

from libs.planning.grid import Grid, Place, mask_of
from libs.planning.order import AllowedRange, OrderedBlock, Span, allowed_range
from libs.planning.rough_groups import today_of
from libs.planning.rough_input import DayRoom, rooms_between
from libs.planning.runs import bounded, first_section, runs, sections_of

_WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")


@dataclass(frozen=True, slots=True)
class Preferences:
    """Wishes, none of them a law here. Empty means no wish.

    Days are 1 (Monday) to 7, slots are standard pairs from 1, sections count from 1. What a class
    excludes is to be avoided; outside of what is preferred is outside of it.
    """

    excluded_days_of_week: frozenset[int] = frozenset()
    excluded_slots: frozenset[int] = frozenset()
    preferred_days_of_week: frozenset[int] = frozenset()
    preferred_sections: frozenset[int] = frozenset()


NO_WISHES = Preferences()


class Wish(StrEnum):
    """A preference that a place can break."""

    EXCLUDED_DAY = "excluded_day"
    EXCLUDED_SLOT = "excluded_slot"
    OTHER_DAY = "other_day"
    OTHER_TIME = "other_time"


@dataclass(frozen=True, slots=True)
class BrokenWish:
    """A place that does not keep a wish, and the reason in Chinese."""

    item_id: int
    place: Place
    wish: Wish
    reason: str


@dataclass(frozen=True, slots=True)
class Squeezed:
    """A later item that may give way: its block, its event, and where it lies."""

    event_id: int
    block: OrderedBlock
    place: Place


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The block that was not finished, as the order rule sees it, and the class's last day.

    `sections` is how long its makeup is to be.
    """

    block: OrderedBlock
    sections: int
    class_end: date


@dataclass(frozen=True, slots=True)
class Moved:
    """A squeezed item and its new place."""

    event_id: int
    item_id: int
    from_: Place
    to: Place


@dataclass(frozen=True, slots=True)
class Reorder:
    """The makeup's place, who moves, by learning order, and the wishes that are not kept."""

    makeup: Place
    moved: tuple[Moved, ...]
    broken: tuple[BrokenWish, ...]


@dataclass(frozen=True, slots=True)
class NoReorder:
    """Why there is none: sections wanted one behind the other, and the longest run there is."""

    needed: int
    longest_run: int
    days: int


def reorder(
    unfinished: Unfinished,
    squeezed: Iterable[Squeezed],
    class_blocks: Iterable[OrderedBlock],
    grid: Grid,
    *,
    now: datetime,
    preferences: Preferences = NO_WISHES,
) -> Reorder | NoReorder:
    """A makeup and new places between now and the class's end; nothing outside the set moves.

    `class_blocks` are all live blocks of the class, days as ordinals of dates; those of the items
    that give way bind no longer. The unfinished block stays where it was, as history.
    """
    today = today_of(grid, now)
    rooms: Sequence[DayRoom] = ()
    if today is not None and today <= unfinished.class_end:
        rooms = rooms_between(grid, today, unfinished.class_end, now)
    later = sorted(squeezed, key=lambda one: one.block.rank)
    blocks = list(class_blocks)
    for count in range(len(later) + 1):
        arrangement = _Arrangement(unfinished, later[:count], blocks, rooms)
        if arrangement.is_possible():
            return arrangement.best(preferences)
    longest = max((_longest(room) for room in rooms), default=0)
    return NoReorder(unfinished.sections, longest, len(rooms))


def broken_wishes(
    item_id: int, place: Place, room: DayRoom, preferences: Preferences
) -> Iterator[BrokenWish]:
    """The wishes that a place does not keep."""
    day = _WEEKDAYS[place.day - 1]
    cells = mask_of(place.first, place.last)
    where = f"第{place.first}-{place.last}节" if place.length > 1 else f"第{place.first}节"
    if place.day in preferences.excluded_days_of_week:
        yield BrokenWish(item_id, place, Wish.EXCLUDED_DAY, f"{day}是任务类不排的日子")
    elif preferences.preferred_days_of_week and (
        place.day not in preferences.preferred_days_of_week
    ):
        yield BrokenWish(item_id, place, Wish.OTHER_DAY, f"{day}不在偏好的日子里")
    if cells & room.excluded(preferences.excluded_slots):
        yield BrokenWish(item_id, place, Wish.EXCLUDED_SLOT, f"{where}里有任务类不排的时段")
    elif preferences.preferred_sections and not preferences.preferred_sections.issuperset(
        range(place.first, place.last + 1)
    ):
        yield BrokenWish(item_id, place, Wish.OTHER_TIME, f"{where}不在偏好的时段里")


_Cost = tuple[int, int, int]
"""Wishes broken, days moved, how late: summed over an arrangement, the lower the better."""

_FAR: _Cost = (1 << 30, 0, 0)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place for one item: where it is in time and in the calendar, and what it costs there."""

    span: Span
    room: DayRoom
    cost: _Cost

    @property
    def place(self) -> Place:
        """The place in the calendar."""
        return self.room.place(self.span.first, self.span.length)


class _Arrangement:
    """The makeup, and behind it the items that give way, one behind the other in free cells."""

    def __init__(
        self,
        unfinished: Unfinished,
        giving: Sequence[Squeezed],
        blocks: Sequence[OrderedBlock],
        rooms: Sequence[DayRoom],
    ) -> None:
        self._unfinished = unfinished
        self._giving = giving
        gone = {one.block.span for one in giving}
        items = {one.block.item_id for one in giving}
        self._staying = [b for b in blocks if b.item_id not in items or b.span not in gone]
        freed: dict[int, int] = {}
        for one in giving:
            span = one.block.span
            freed[span.day] = freed.get(span.day, 0) | mask_of(span.first, span.last)
        self._rooms = [(room, room.free | freed.get(room.on.toordinal(), 0)) for room in rooms]

        self._wanted = [
            (replace(unfinished.block, makeup=True, begun=False), unfinished.sections),
            *((one.block, one.block.span.length) for one in giving),
        ]

    def is_possible(self) -> bool:
        """Whether all fit: each takes the first run behind the one before."""
        behind = 0, 0
        for block, length in self._wanted:
            allowed = allowed_range(block, self._staying)
            first = next(
                (
                    (day, first_section(left) + length - 1)
                    for day, starts in self._starts(length, allowed)
                    if (left := starts if day > behind[0] else _after(starts, day, behind))
                ),
                None,
            )
            if first is None:
                return False
            behind = first
        return True

    def best(self, preferences: Preferences) -> Reorder:
        """The best arrangement of those that are possible."""
        columns = []
        for number, (block, length) in enumerate(self._wanted):
            home = self._giving[number - 1].block.span.day if number else None
            columns.append(list(self._spots(block, length, home, preferences)))
        chosen = _one_behind_the_other(columns)
        moved = tuple(
            Moved(one.event_id, one.block.item_id, one.place, spot.place)
            for one, spot in zip(self._giving, chosen[1:], strict=True)
        )
        broken = tuple(
            wish
            for (block, _), spot in zip(self._wanted, chosen, strict=True)
            for wish in broken_wishes(block.item_id, spot.place, spot.room, preferences)
        )
        return Reorder(chosen[0].place, moved, broken)

    def _starts(self, length: int, allowed: AllowedRange) -> Iterator[tuple[int, int]]:
        """Each day, as an ordinal, with the sections at which a run may start there."""
        for room, free in self._rooms:
            day = room.on.toordinal()
            yield day, bounded(runs(free, room.stretches, length), day, length, allowed)

    def _spots(
        self, block: OrderedBlock, length: int, home: int | None, preferences: Preferences
    ) -> Iterator[_Spot]:
        """Where an item may lie, by time; no place bridges a break."""
        allowed = allowed_range(block, self._staying)
        rooms = (room for room, _ in self._rooms)
        for late, (room, (day, starts)) in enumerate(
            zip(rooms, self._starts(length, allowed), strict=True)
        ):
            away = 0 if home is None else abs(day - home)
            for first in sections_of(starts):
                place = room.place(first, length)
                wishes = sum(1 for _ in broken_wishes(block.item_id, place, room, preferences))
                span = Span(day, first, first + length - 1)
                yield _Spot(span, room, (wishes, away, late * 16 + first))


def _after(starts: int, day: int, behind: tuple[int, int]) -> int:
    """Those of the starts of a day that come after a (day, section)."""
    return starts >> behind[1] << behind[1] if day == behind[0] else 0


def _one_behind_the_other(columns: Sequence[Sequence[_Spot]]) -> list[_Spot]:
    """One spot of each column, each after the end of the one before, at the least cost."""
    costs = [spot.cost for spot in columns[0]]
    came_from: list[list[int]] = []
    for before, column in pairwise(columns):
        reached, origins = [], []
        best, done = (_FAR, -1), 0
        for spot in column:
            while done < len(before) and before[done].span.end < spot.span.start:
                best = min(best, (costs[done], done))
                done += 1
            reached.append(_summed(best[0], spot.cost))
            origins.append(best[1])
        costs = reached
        came_from.append(origins)
    chosen = [min(range(len(costs)), key=costs.__getitem__)]
    for origins in reversed(came_from):
        chosen.append(origins[chosen[-1]])
    return [column[place] for column, place in zip(columns, reversed(chosen), strict=True)]


def _summed(one: _Cost, other: _Cost) -> _Cost:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _longest(room: DayRoom) -> int:
    length = 0
    while runs(room.free, room.stretches, length + 1):
        length += 1
    return length
