"""The rough build: a place for every waiting item of some task classes, or the reason why not.

Minimised, in this order: J = 10·Σ load² + Σ |day − ideal|, repeats of a class on neighbouring
days, items of even length off the standard pairs. Items of one length are placed at the exact
optimum (`rough_flow`), others by search (`rough_search`). Equal input, in any order, gives an
equal plan. Spec: planning.md, Rough build.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from libs.planning import rough_flow, rough_search
from libs.planning.board import Board
from libs.planning.grid import Grid, Place, mask_of
from libs.planning.order import AllowedRange, OrderRepair
from libs.planning.rough_groups import (
    ClassRange,
    class_range,
    groups_of,
    today_of,
)
from libs.planning.rough_input import ItemLength, PlanClass, item_length, rooms_between
from libs.planning.rough_places import Kind, pair_starts, places_of
from libs.planning.rough_reasons import Shortage, ShortageCode, shortage
from libs.planning.rough_sweep import Effort
from libs.planning.rough_ties import Repeats
from libs.planning.window import BadDates, SkippedClass


@dataclass(frozen=True, slots=True)
class Placement:
    """Where an item goes; `host_id` is the embeddable course that it sits in."""

    class_id: int
    item_id: int
    place: Place
    host_id: int | None = None


@dataclass(frozen=True, slots=True)
class Unplaced:
    """An item without a place, and why."""

    class_id: int
    item_id: int
    name: str
    shortage: Shortage


@dataclass(frozen=True, slots=True)
class ClassReport:
    """What became of a class: the length of its items, and the orders that were repaired."""

    class_id: int
    length: ItemLength
    repairs: tuple[OrderRepair, ...]


@dataclass(frozen=True, slots=True)
class RoughPlan:
    """The answer. Placements come by class, the first served first, and by learning order.

    `days` are those it looked at; `cost` is the J of these days, `repeats` the next goal.
    """

    placements: tuple[Placement, ...] = ()
    unplaced: tuple[Unplaced, ...] = ()
    skipped: tuple[SkippedClass, ...] = ()
    classes: tuple[ClassReport, ...] = ()
    days: tuple[date, ...] = ()
    cost: int = 0
    repeats: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether no item of a planned class is left: otherwise the run ends with `explanation`."""
        return not self.unplaced

    @property
    def explanation(self) -> str:
        """What did not work out, in Chinese; empty for a complete plan."""
        lines = [f"任务类{skip.class_id}：{_BAD_DATES[skip.problem]}" for skip in self.skipped]
        lines += [f"「{item.name}」：{item.shortage.text}" for item in self.unplaced]
        return "\n".join(lines)


_BAD_DATES = {
    BadDates.MISSING: "没有开始或结束日期，已跳过",
    BadDates.REVERSED: "结束日期早于开始日期，已跳过",
    BadDates.OUTSIDE: "日期不在学期内，已跳过",
}


def rough_build(classes: Iterable[PlanClass], grid: Grid, *, now: datetime) -> RoughPlan:
    """Places every waiting item of the classes into the grid. Nothing that is there moves.

    Classes with bad dates are left out and reported. Raises ValueError for two classes or two
    items of one id.
    """
    plans = sorted(classes, key=lambda plan: plan.id)
    _check_ids(plans)
    today = today_of(grid, now)
    ranges: list[ClassRange] = []
    skipped = []
    for plan in plans:
        found = BadDates.OUTSIDE if today is None else class_range(plan, grid, today)
        if isinstance(found, BadDates):
            skipped.append(SkippedClass(plan.id, found))
        else:
            ranges.append(found)
    ranges.sort(key=lambda one: one.priority)
    ahead = [one for one in ranges if one.first <= one.last]
    over = tuple(item for one in ranges if one.last < one.first for item in _of_the_past(one))
    built = _Build(ahead, grid, now).plan() if ahead else RoughPlan()
    return replace(built, skipped=tuple(skipped), unplaced=(*over, *built.unplaced))


def _check_ids(plans: Sequence[PlanClass]) -> None:
    for ids in ([plan.id for plan in plans], [item.id for plan in plans for item in plan.items]):
        if len(set(ids)) < len(ids):
            raise ValueError("two classes or two items have one id")


def _of_the_past(one: ClassRange) -> Iterator[Unplaced]:
    waiting = [item for item in one.plan.items if item.waits]
    length = item_length(one.plan.total_slots, len(one.plan.items)).sections
    reason = Shortage(
        ShortageCode.RANGE_OVER, length, len(waiting), length * len(waiting), AllowedRange()
    )
    for item in waiting:
        yield Unplaced(one.plan.id, item.id, item.name, reason)


class _Build:
    """One build over the classes that lie ahead, the first of them served first."""

    def __init__(self, ranges: Sequence[ClassRange], grid: Grid, now: datetime) -> None:
        first = min(one.first for one in ranges)
        self._rooms = rooms_between(grid, first, max(one.last for one in ranges), now)
        self._classes = [groups_of(one, self._rooms, grid, now) for one in ranges]
        self._owners = [
            (number, group) for number, of in enumerate(self._classes) for group in of.groups
        ]
        self._planned = [0] * len(self._rooms)

    def plan(self) -> RoughPlan:
        """Solves the board and reads the plan off it."""
        board = self._solved()
        repeats = self._repeats(board)
        repeats.lessen()
        places = self._places(board)
        placements, unplaced = [], []
        for number, (owner, group) in enumerate(self._owners):
            for item, (place, host_id) in zip(group.items, places[number], strict=False):
                placements.append(Placement(group.plan.id, item.id, place, host_id))
            left = group.items[len(places[number]) :]
            if left:
                one = self._classes[owner].range
                reason = shortage(one, group, self._rooms, self._planned, len(left))
                unplaced += [Unplaced(one.plan.id, item.id, item.name, reason) for item in left]
        reports = sorted(
            (ClassReport(of.range.plan.id, of.length, of.repairs) for of in self._classes),
            key=lambda report: report.class_id,
        )
        return RoughPlan(
            placements=tuple(placements),
            unplaced=tuple(unplaced),
            classes=tuple(reports),
            days=tuple(room.on for room in self._rooms),
            cost=board.cost,
            repeats=repeats.count(),
        )

    def _solved(self) -> Board:
        """A board with as many items as fit, the first served first, at a low J."""
        served = [
            (number, ideal)
            for number, (_, group) in enumerate(self._owners)
            for ideal in group.group.ideals
        ]
        items = strided(sorted(served, key=lambda item: (item[1], item[0])))
        board = self._board()
        if rough_flow.is_uniform(board):
            if rough_flow.fill(board, items):
                board = self._board()
                rough_flow.fill(board, served)
            return board
        left = rough_search.fill(board, items, in_turn=False)
        if left:
            again = self._board()
            if len(rough_search.fill(again, served, in_turn=True)) <= len(left):
                board = again
        rough_search.improve(board, Effort(rough_search.EFFORT))
        return board

    def _board(self) -> Board:
        return Board([room.load for room in self._rooms], [of.group for _, of in self._owners])

    def _repeats(self, board: Board) -> Repeats:
        first = self._rooms[0].on.toordinal()
        blocks = [
            [
                block.span.day - first
                for block in of.blocks
                if 0 <= block.span.day - first < board.days
            ]
            for of in self._classes
        ]
        return Repeats(board, [owner for owner, _ in self._owners], blocks)

    def _places(self, board: Board) -> list[list[tuple[Place, int | None]]]:
        """For each group the places of its items, by time."""
        places: list[list[tuple[Place, int | None]]] = [[] for _ in self._owners]
        for day, room in enumerate(self._rooms):
            present = sorted(set(board.on_day(day)))
            kinds = [
                Kind(
                    board.groups[group].length,
                    board.groups[group].starts[day],
                    board.counts[group][day],
                )
                for group in present
            ]
            pairs = frozenset() if room.clock is None else pair_starts(room.clock)
            found = places_of(kinds, pairs, room.host_mask)
            if found is None:
                raise AssertionError(f"{room.on} cannot hold what was put there")
            for group, firsts in zip(present, found, strict=True):
                length = board.groups[group].length
                for first in firsts:
                    self._planned[day] |= mask_of(first, first + length - 1)
                    host = next((id_ for id_, cells in room.hosts if cells >> first - 1 & 1), None)
                    places[group].append((room.place(first, length), host))
        return places


def strided(items: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The items in long strides instead of one after the other: neighbours do not crowd early."""
    bits = len(items).bit_length()
    return [
        items[index]
        for index in sorted(range(len(items)), key=lambda index: _reversed(index, bits))
    ]


def _reversed(number: int, bits: int) -> int:
    """The number read backwards in binary."""
    return int(f"{number:0{bits}b}"[::-1], 2)
