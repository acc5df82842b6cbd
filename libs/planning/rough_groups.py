"""From task classes to groups of like items on a board.

Items of a class that wait side by side, with no placed one between them, have the same bounds and
may take each other's place: a group. Its bounds are those of the order rule.
Spec: planning.md, Rough build, Order inside a task class.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import groupby

from libs.planning.board import Group
from libs.planning.grid import Grid
from libs.planning.order import (
    AllowedRange,
    OrderedBlock,
    OrderRepair,
    Span,
    allowed_range,
    repaired_orders,
)
from libs.planning.rough_input import (
    DayRoom,
    ItemLength,
    PlanClass,
    PlanItem,
    Strategy,
    item_length,
)
from libs.planning.runs import bounded, runs
from libs.planning.window import BadDates


@dataclass(frozen=True, slots=True)
class ClassRange:
    """A class that can be planned, and the days of its dates that are left.

    `last` lies before `first` where they are over.
    """

    plan: PlanClass
    first: date
    last: date

    @property
    def priority(self) -> tuple[date, bool, int, int]:
        """Who gets the room where there is not enough: the lower one."""
        steady = self.plan.strategy is Strategy.STEADY
        return self.last, steady, self.plan.position, self.plan.id


@dataclass(frozen=True, slots=True)
class ItemGroup:
    """Waiting items of one class in their order, and where they may lie."""

    plan: PlanClass
    items: tuple[PlanItem, ...]
    allowed: AllowedRange
    group: Group


@dataclass(frozen=True, slots=True)
class ClassGroups:
    """The groups of a class, what its lengths and orders came to, and its blocks."""

    range: ClassRange
    length: ItemLength
    groups: tuple[ItemGroup, ...]
    repairs: tuple[OrderRepair, ...]
    blocks: tuple[OrderedBlock, ...]


def today_of(grid: Grid, now: datetime) -> date | None:
    """Today, by the zone of the semester that has begun last, else of the first; None without."""
    found = None
    for semester in grid.semesters:
        today = semester.today(now)
        if found is None or semester.first_day <= today:
            found = today
    return found


def class_range(plan: PlanClass, grid: Grid, today: date) -> ClassRange | BadDates:
    """The days of a class that are left, inside the semesters; or what is wrong with its dates."""
    if plan.start is None or plan.end is None:
        return BadDates.MISSING
    if plan.end < plan.start:
        return BadDates.REVERSED
    held = [
        semester
        for semester in grid.semesters
        if plan.start <= semester.last_day and semester.first_day <= plan.end
    ]
    if not held:
        return BadDates.OUTSIDE
    first = max(plan.start, held[0].first_day, today)
    return ClassRange(plan, first, min(plan.end, held[-1].last_day))


def groups_of(one: ClassRange, rooms: Sequence[DayRoom], grid: Grid, now: datetime) -> ClassGroups:
    """The groups of a class. `rooms` are the days of the board, without a gap."""
    plan = one.plan
    orders = repaired_orders({item.id: item.order for item in plan.items})
    ordered = sorted(plan.items, key=lambda item: orders.of[item.id])
    blocks = tuple(_blocks(plan, ordered, orders.of, grid, now))
    length = item_length(plan.total_slots, len(plan.items))
    ideals = _ideals(one, ordered, blocks, rooms)
    starts = [_starts(one, room, length.sections) for room in rooms]
    waiting = (
        (item, allowed_range(_unplaced(plan, item, orders.of), blocks))
        for item in ordered
        if item.waits
    )
    groups = []
    for allowed, run in groupby(waiting, key=lambda pair: pair[1]):
        items = tuple(item for item, _ in run)
        within = tuple(
            bounded(mask, room.on.toordinal(), length.sections, allowed)
            for mask, room in zip(starts, rooms, strict=True)
        )
        group = Group(length.sections, within, tuple(ideals[item.id] for item in items))
        groups.append(ItemGroup(plan, items, allowed, group))
    return ClassGroups(one, length, tuple(groups), orders.repairs, blocks)


def _blocks(
    plan: PlanClass,
    ordered: Sequence[PlanItem],
    orders: Mapping[int, int],
    grid: Grid,
    now: datetime,
) -> Iterator[OrderedBlock]:
    for item in ordered:
        for block in item.blocks:
            semester = grid.semester(block.place.semester_id)
            if semester is None:
                continue
            day = semester.date_of(block.place.week, block.place.day).toordinal()
            yield OrderedBlock(
                plan.id,
                item.id,
                orders[item.id],
                Span(day, block.place.first, block.place.last),
                makeup=block.makeup,
                begun=grid.starts_at(block.place) < now,
                name=item.name,
            )


def _unplaced(plan: PlanClass, item: PlanItem, orders: Mapping[int, int]) -> OrderedBlock:
    return OrderedBlock(plan.id, item.id, orders[item.id], Span(0, 0, 0), name=item.name)


def _ideals(
    one: ClassRange,
    ordered: Sequence[PlanItem],
    blocks: Sequence[OrderedBlock],
    rooms: Sequence[DayRoom],
) -> dict[int, int]:
    """The day of the board at which each item that lies ahead would best be, by its id.

    steady: the middle of its share of the range; rapid: the first day.
    """
    later = {block.item_id for block in blocks if not block.begun}
    ahead = [item.id for item in ordered if item.waits or item.id in later]
    first = (one.first - rooms[0].on).days
    days = (one.last - one.first).days + 1
    if one.plan.strategy is Strategy.RAPID:
        return dict.fromkeys(ahead, first)
    return {
        item: first + (2 * place + 1) * days // (2 * len(ahead)) for place, item in enumerate(ahead)
    }


def _starts(one: ClassRange, room: DayRoom, length: int) -> int:
    """Mask of the sections of a day from which an item of the class may run."""
    plan = one.plan
    if not one.first <= room.on <= one.last or room.day_of_week in plan.excluded_days_of_week:
        return 0
    out = room.excluded(plan.excluded_slots)
    starts = runs(room.free & ~out, room.stretches, length)
    if plan.allow_filler_course:
        for _, cells in room.hosts:
            starts |= runs(cells & ~out, room.stretches, length)
    return starts
