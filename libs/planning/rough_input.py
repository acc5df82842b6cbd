"""What a rough build is asked for: task classes, their items, and what the calendar has for them.

Spec: planning.md, Rough build.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from libs.planning.calendar import SectionClock
from libs.planning.grid import Block, Grid, Place, mask_of

DEFAULT_LENGTH = 2


class Strategy(StrEnum):
    """steady: even over the range; rapid: drawn to its first day."""

    STEADY = "steady"
    RAPID = "rapid"


@dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A live block that an item has already; `makeup` where it stands for an unfinished one."""

    place: Place
    makeup: bool = False


@dataclass(frozen=True, slots=True)
class PlanItem:
    """An item of a class. Its order may be missing or doubled; a done or placed one stays."""

    id: int
    order: int | None
    name: str = ""
    done: bool = False
    blocks: tuple[PlacedBlock, ...] = ()

    @property
    def waits(self) -> bool:
        """Whether the rough build is to place it."""
        return not self.done and not self.blocks


@dataclass(frozen=True, slots=True)
class PlanClass:
    """A task class. Excluded slots are standard pairs from 1, excluded days 1 (Monday) to 7.

    `position` is where the person put it among the classes.
    """

    id: int
    name: str
    start: date | None
    end: date | None
    items: tuple[PlanItem, ...]
    strategy: Strategy = Strategy.STEADY
    total_slots: int | None = None
    allow_filler_course: bool = False
    excluded_slots: frozenset[int] = frozenset()
    excluded_days_of_week: frozenset[int] = frozenset()
    position: int = 0


@dataclass(frozen=True, slots=True)
class ItemLength:
    """Sections of one item, and what of the whole is left over (below 0: more than was given)."""

    sections: int
    remainder: int = 0


def item_length(total_slots: int | None, items: int) -> ItemLength:
    """The whole shared out and rounded down, at least 1; two sections where no whole is given."""
    if total_slots is None or total_slots <= 0 or items < 1:
        return ItemLength(DEFAULT_LENGTH)
    sections = max(total_slots // items, 1)
    return ItemLength(sections, total_slots - sections * items)


@dataclass(frozen=True, slots=True)
class DayRoom:
    """One day as the calendar has it: masks with bit 0 for section 1.

    `free` are cells that are empty and have not begun, `hosts` the embeddable courses' cells that
    have no guest and have not begun; `load` counts the taken sections. No semester: no cells.
    """

    on: date
    semester_id: int = 0
    week: int = 0
    clock: SectionClock | None = None
    free: int = 0
    hosts: tuple[tuple[int, int], ...] = ()
    load: int = 0
    blocks: tuple[Block, ...] = ()

    @property
    def day_of_week(self) -> int:
        """1 (Monday) to 7."""
        return self.on.isoweekday()

    @property
    def stretches(self) -> tuple[int, ...]:
        """Masks of morning, afternoon and evening."""
        return () if self.clock is None else tuple(mask_of(*s) for s in self.clock.stretches)

    @property
    def host_mask(self) -> int:
        """Mask of all cells that a guest may have."""
        mask = 0
        for _, cells in self.hosts:
            mask |= cells
        return mask

    def excluded(self, pairs: Iterable[int]) -> int:
        """Mask of the sections of standard pairs; numbers that the day does not have are none."""
        if self.clock is None:
            return 0
        known = self.clock.standard_pairs
        mask = 0
        for pair in pairs:
            if 1 <= pair <= len(known):
                mask |= mask_of(*known[pair - 1])
        return mask

    def place(self, first: int, length: int) -> Place:
        """The place of a run of sections."""
        return Place(self.semester_id, self.week, self.day_of_week, first, first + length - 1)


def rooms_between(grid: Grid, first: date, last: date, now: datetime) -> tuple[DayRoom, ...]:
    """Every date from first to last with what it has room for."""
    return tuple(
        _room_on(grid, first + timedelta(days=ahead), now)
        for ahead in range((last - first).days + 1)
    )


def _room_on(grid: Grid, on: date, now: datetime) -> DayRoom:
    semester = next((s for s in grid.semesters if s.first_day <= on <= s.last_day), None)
    if semester is None:
        return DayRoom(on)
    week, day = semester.week_day_of(on)
    count = semester.clock.count
    if semester.starts_at(week, day, 1) >= now:
        open_ = mask_of(1, count)
    else:
        open_ = sum(
            1 << section - 1
            for section in range(1, count + 1)
            if semester.starts_at(week, day, section) >= now
        )
    blocks = grid.blocks_on(semester.id, week, day)
    taken = sum_of_masks(block.place for block in blocks if block.host_id is not None)
    hosts = tuple(
        (block.id, cells)
        for block in blocks
        if block.can_be_embedded
        and (cells := mask_of(block.place.first, block.place.last) & open_ & ~taken)
    )
    occupied = grid.occupied_mask(semester.id, week, day)
    return DayRoom(
        on,
        semester.id,
        week,
        semester.clock,
        open_ & ~occupied,
        hosts,
        occupied.bit_count(),
        blocks,
    )


def sum_of_masks(places: Iterable[Place]) -> int:
    """Mask of all sections of some places of one day."""
    mask = 0
    for place in places:
        mask |= mask_of(place.first, place.last)
    return mask
