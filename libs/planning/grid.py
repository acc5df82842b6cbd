"""The grid: which sections of which days are taken, by what, and where there is room.

One bit mask per (semester, week, day); bit 0 is section 1. Spec: planning.md, Grid.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from libs.planning.calendar import OutOfSemester, Semester


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One section of one day; week, day (1 Monday to 7 Sunday) and section count from 1."""

    semester_id: int
    week: int
    day: int
    section: int


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Sections first..last, both included, of one day. May name what no semester has."""

    semester_id: int
    week: int
    day: int
    first: int
    last: int

    @property
    def length(self) -> int:
        """Number of sections."""
        return self.last - self.first + 1

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells, first to last."""
        return tuple(
            Cell(self.semester_id, self.week, self.day, section)
            for section in range(self.first, self.last + 1)
        )

    @property
    def on_day(self) -> tuple[int, int, int]:
        """(semester_id, week, day)."""
        return self.semester_id, self.week, self.day

    def overlaps(self, other: "Place") -> bool:
        """Whether the two share a cell."""
        return self.on_day == other.on_day and self.first <= other.last and other.first <= self.last

    def contains(self, other: "Place") -> bool:
        """Whether every cell of `other` is one of this place."""
        return self.on_day == other.on_day and self.first <= other.first <= other.last <= self.last


class TargetKind(StrEnum):
    """What a change can be about."""

    TASK_POOL = "task_pool"
    TASK_ITEM = "task_item"
    SCHEDULE_EVENT = "schedule_event"


@dataclass(frozen=True, slots=True, order=True)
class Target:
    """One row that a change is about."""

    kind: TargetKind
    id: int


class BlockKind(StrEnum):
    """course: fixed by the timetable; task: placed, and movable until it starts."""

    COURSE = "course"
    TASK = "task"


@dataclass(frozen=True, slots=True)
class Block:
    """One live event of the schedule, overrides applied.

    `source` is what the event was placed for. `host_id` names the embeddable course it sits in.
    `class_id` and `order` are those of the item it was placed for, `makeup_for_id` the block that
    it makes up for. `name` is for people and decides nothing.
    """

    id: int
    kind: BlockKind
    place: Place
    placement_version: int
    source: Target | None = None
    can_be_embedded: bool = False
    host_id: int | None = None
    name: str = ""
    class_id: int | None = None
    order: int | None = None
    makeup_for_id: int | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """A wanted cell and the block that is in it."""

    cell: Cell
    block: Block


def mask_of(first: int, last: int) -> int:
    """Bit mask of sections first..last, 1 <= first <= last."""
    return ((1 << (last - first + 1)) - 1) << (first - 1)


def _starts_of_runs(free: int, length: int) -> int:
    """Mask of the sections from which `length` sections in a row are set in `free`."""
    for _ in range(min(length - 1, free.bit_length())):
        free &= free >> 1
    return free


def _longest(free: int) -> int:
    length = 0
    while free:
        free &= free >> 1
        length += 1
    return length


def _sections(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length()
        mask ^= lowest


def _block_order(block: Block) -> tuple[bool, int, Place, int, str]:
    return (
        block.host_id is not None,
        block.id,
        block.place,
        block.placement_version,
        block.name,
    )


class Grid:
    """The blocks of one person laid over their semesters.

    Equal input in any order gives an equal grid. Raises OutOfSemester for a block that its
    semester does not hold (never clipped) or whose semester is not given, ValueError for two
    semesters of one id.
    """

    __slots__ = ("_bells", "_blocks", "_occupied", "_semesters", "_stretches")

    def __init__(self, semesters: Iterable[Semester], blocks: Iterable[Block]) -> None:
        ordered = sorted(set(semesters), key=lambda semester: (semester.first_day, semester.id))
        self._semesters = {semester.id: semester for semester in ordered}
        if len(self._semesters) < len(ordered):
            raise ValueError("two semesters have one id")
        self._stretches = {
            semester.id: tuple(mask_of(*stretch) for stretch in semester.clock.stretches)
            for semester in ordered
        }
        self._occupied: dict[tuple[int, int, int], int] = {}
        by_day: dict[tuple[int, int, int], list[Block]] = {}
        for block in sorted(set(blocks), key=_block_order):
            place = block.place
            self._check(place)
            key = place.on_day
            self._occupied[key] = self._occupied.get(key, 0) | mask_of(place.first, place.last)
            by_day.setdefault(key, []).append(block)
        self._blocks = {key: tuple(found) for key, found in by_day.items()}
        self._bells: dict[tuple[int, int, int], tuple[tuple[datetime, datetime], ...]] = {}

    @property
    def semesters(self) -> tuple[Semester, ...]:
        """The semesters, earliest first."""
        return tuple(self._semesters.values())

    def semester(self, semester_id: int) -> Semester | None:
        """The semester with this id, if it was given."""
        return self._semesters.get(semester_id)

    def has(self, place: Place) -> bool:
        """Whether a semester of the grid holds the place."""
        semester = self._semesters.get(place.semester_id)
        return semester is not None and semester.contains(place)

    def starts_at(self, place: Place) -> datetime:
        """Instant (UTC) at which the first section starts. Raises OutOfSemester."""
        return self._known(place.semester_id).starts_at(place.week, place.day, place.first)

    def ends_at(self, place: Place) -> datetime:
        """Instant (UTC) at which the last of its sections is over. Raises OutOfSemester."""
        semester = self._known(place.semester_id)
        return semester.span(place.week, place.day, place.first, place.last)[1]

    def bells(self, semester_id: int, week: int, day: int) -> tuple[tuple[datetime, datetime], ...]:
        """Begin and end (UTC) of each section of a day, worked out once. Raises OutOfSemester."""
        key = semester_id, week, day
        found = self._bells.get(key)
        if found is None:
            semester = self._known(semester_id)
            sections = range(1, semester.clock.count + 1)
            found = self._bells[key] = tuple(
                (semester.starts_at(week, day, one), semester.ends_at(week, day, one))
                for one in sections
            )
        return found

    def occupants(self, cell: Cell) -> tuple[Block, ...]:
        """The blocks of a cell, host before guest, then by id; none for an unknown cell."""
        day = self._blocks.get((cell.semester_id, cell.week, cell.day), ())
        return tuple(b for b in day if b.place.first <= cell.section <= b.place.last)

    def blocks_on(self, semester_id: int, week: int, day: int) -> tuple[Block, ...]:
        """The blocks of a day, hosts before guests, then by id; none for an unknown day."""
        return self._blocks.get((semester_id, week, day), ())

    def occupied_mask(self, semester_id: int, week: int, day: int) -> int:
        """Mask of the taken sections of a day."""
        return self._occupied.get((semester_id, week, day), 0)

    def free_mask(self, semester_id: int, week: int, day: int) -> int:
        """Mask of the free sections of a day. Raises OutOfSemester."""
        semester = self._known(semester_id)
        semester.date_of(week, day)
        return mask_of(1, semester.clock.count) & ~self.occupied_mask(semester_id, week, day)

    def free_runs(
        self, semester_id: int, week: int, day: int, *, length: int, bridge_breaks: bool = False
    ) -> tuple[Place, ...]:
        """Every free placement of exactly `length` sections on a day, earliest first.

        Lunch and dinner are bridged only when asked. Raises OutOfSemester, and ValueError for a
        length below 1.
        """
        free = self.free_mask(semester_id, week, day)
        return self.runs_in(
            free, semester_id, week, day, length=length, bridge_breaks=bridge_breaks
        )

    def longest_run(
        self,
        semester_id: int,
        week: int,
        day: int,
        *,
        bridge_breaks: bool = False,
        mask_allowed: int | None = None,
    ) -> int:
        """Sections of the longest free run of a day, inside `mask_allowed` where given."""
        free = self.free_mask(semester_id, week, day)
        if mask_allowed is not None:
            free &= mask_allowed
        return max(_longest(part) for part in self._parts(free, semester_id, bridge_breaks))

    def runs_in(
        self, free: int, semester_id: int, week: int, day: int, *, length: int, bridge_breaks: bool
    ) -> tuple[Place, ...]:
        """As `free_runs`, over a mask of free sections that the caller has narrowed."""
        if length < 1:
            raise ValueError("length must be at least 1")
        starts = 0
        for part in self._parts(free, semester_id, bridge_breaks):
            starts |= _starts_of_runs(part, length)
        return tuple(
            Place(semester_id, week, day, first, first + length - 1) for first in _sections(starts)
        )

    def conflicts(self, place: Place, *, ignoring: Collection[int] = ()) -> tuple[Conflict, ...]:
        """Every (cell, block) in the way of a place, blocks with an id in `ignoring` aside.

        Raises OutOfSemester.
        """
        self._check(place)
        key = place.on_day
        if not self._occupied.get(key, 0) & mask_of(place.first, place.last):
            return ()
        return tuple(
            Conflict(cell, block)
            for cell in place.cells
            for block in self.occupants(cell)
            if block.id not in ignoring
        )

    def _parts(self, free: int, semester_id: int, bridge_breaks: bool) -> tuple[int, ...]:
        if bridge_breaks:
            return (free,)
        return tuple(free & stretch for stretch in self._stretches[semester_id])

    def _known(self, semester_id: int) -> Semester:
        semester = self._semesters.get(semester_id)
        if semester is None:
            raise OutOfSemester(semester_id, "row among the given semesters")
        return semester

    def _check(self, place: Place) -> None:
        if not self._known(place.semester_id).contains(place):
            raise OutOfSemester(
                place.semester_id,
                f"week {place.week} day {place.day} sections {place.first}-{place.last}",
            )


def window_places(
    grid: Grid, *, start: datetime, end: datetime, length: int, bridge_breaks: bool = False
) -> tuple[Place, ...]:
    """Every free placement of `length` sections inside [start, end], in time order.

    Its first section starts at or after `start` (one that has started is no longer free), its
    last one ends by `end`; across midnight, weeks and semesters.
    """
    return tuple(
        place
        for semester, week, day, inside in _days(grid, start, end)
        for place in grid.runs_in(
            grid.free_mask(semester.id, week, day) & inside,
            semester.id,
            week,
            day,
            length=length,
            bridge_breaks=bridge_breaks,
        )
    )


def longest_run_in(
    grid: Grid, *, start: datetime, end: datetime, bridge_breaks: bool = False
) -> int:
    """Sections of the longest free run of one day inside [start, end]; 0 if there is none."""
    return max(
        (
            grid.longest_run(
                semester.id, week, day, bridge_breaks=bridge_breaks, mask_allowed=inside
            )
            for semester, week, day, inside in _days(grid, start, end)
        ),
        default=0,
    )


def window_cells(grid: Grid, start: datetime, end: datetime) -> tuple[Cell, ...]:
    """Every cell, free or taken, that lies wholly inside [start, end], in time order."""
    return tuple(
        Cell(semester.id, week, day, section)
        for semester, week, day, inside in _days(grid, start, end)
        for section in _sections(inside)
    )


def _days(grid: Grid, start: datetime, end: datetime) -> Iterator[tuple[Semester, int, int, int]]:
    """(semester, week, day, mask of the sections wholly inside [start, end]), in time order."""
    one_day = timedelta(days=1)
    for semester in grid.semesters:
        opens = semester.starts_at(1, 1, 1)
        closes = semester.ends_at(semester.weeks, 7, semester.clock.count)
        first, last = max(start, opens), min(end, closes)
        if first >= last:
            continue
        # A day of margin: a zone that skips a whole day pushes its sections into the next.
        on = max(semester.today(first) - one_day, semester.first_day)
        until = min(semester.today(last) + one_day, semester.last_day)
        whole_from = semester.today(first) + one_day
        whole_until = semester.today(last) - 2 * one_day
        every = mask_of(1, semester.clock.count)
        while on <= until:
            week, day = semester.week_day_of(on)
            inside = every
            if not whole_from <= on <= whole_until:
                inside = _sections_inside(grid, semester, week, day, first, last)
            if inside:
                yield semester, week, day, inside
            on += one_day


def _sections_inside(
    grid: Grid, semester: Semester, week: int, day: int, start: datetime, end: datetime
) -> int:
    count = semester.clock.count
    if semester.starts_at(week, day, 1) >= start and semester.ends_at(week, day, count) <= end:
        return mask_of(1, count)
    return sum(
        1 << number
        for number, (starts_at, ends_at) in enumerate(grid.bells(semester.id, week, day))
        if starts_at >= start and ends_at <= end
    )
