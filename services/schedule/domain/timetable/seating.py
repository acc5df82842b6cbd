"""Who gets the cells that two want: the part of a diff that keeps its outcome writable.

Among courses a row that finds its cells taken is not written. Between a course and a block of
work a single meeting gives way, or the block does.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from libs.planning.calendar import TaughtDays
from services.schedule.domain.timetable.matching import Away, Pair, StoredCourse
from services.schedule.domain.timetable.rows import CourseRow

Cell = tuple[int, int, int]
"""(week, day_of_week, section), each from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A live task block of the schedule. `host_id` is the course that it is embedded in."""

    id: int
    name: str
    host_id: int | None = None
    has_begun: bool = False
    """What runs or is over stays where it is, whatever is asked for."""
    cells: tuple[Cell, ...] = ()
    """All its cells, ascending: sections of one day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A row of the file and something else that wants, or holds, some of its cells."""

    line: int
    name: str
    other: Literal["row", "task", "course"]
    """A row of the same file or a stored course, which the row gives way to as a whole, or a task
    block, which a meeting gives way to unless the block does."""
    other_id: int
    """The line of that row, the id of that block or of that course."""
    other_name: str
    cells: tuple[Cell, ...]
    """The cells that both want, ascending, at least one."""
    can_give_way: bool = False
    """Whether the other may leave: a task block that has not begun."""
    was_skipped: bool = False
    """Whether an earlier import left this very meeting out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Every course that wants or holds a cell, each list in the order in which it is seated."""

    staying: Sequence[StoredCourse]
    """Stored courses that stay without a row of the file."""
    settled: Sequence[CourseRow]
    """Rows that keep the cells of their stored course; they always get them."""
    moving: Sequence[Pair]
    added: Sequence[CourseRow]


@dataclass(frozen=True, slots=True)
class Standing:
    """A block of work that stands where a row would meet, with the cells that both want."""

    block: Block
    cells: tuple[Cell, ...]
    away: Away
    """What is written where the meeting gives way."""


@dataclass(slots=True)
class _Pass:
    seats: dict[Cell, StoredCourse | CourseRow] = field(default_factory=dict)
    conflicts: dict[int, tuple[Conflict, ...]] = field(default_factory=dict)

    def sit(self, owner: StoredCourse | CourseRow) -> None:
        self.seats.update(dict.fromkeys(cells(owner), owner))

    def ask(self, row: CourseRow) -> None:
        """Seat a row if all its cells are free of other courses."""
        found: dict[StoredCourse | CourseRow, list[Cell]] = {}
        for cell in sorted(cells(row)):
            holder = self.seats.get(cell)
            if holder is not None:
                found.setdefault(holder, []).append(cell)
        if found:
            self.conflicts[row.line] = tuple(_conflict(row, *item) for item in found.items())
        else:
            self.sit(row)


def cells(course: StoredCourse | CourseRow) -> frozenset[Cell]:
    """All cells of a course in the timetable, whatever the calendar makes of them."""
    span = range(course.first, course.last + 1)
    return frozenset((week, course.day_of_week, one) for week in course.weeks for one in span)


def held(
    course: StoredCourse | CourseRow, days: TaughtDays, *, away: Collection[Away] = ()
) -> frozenset[Cell]:
    """The cells in which a course meets, on the days on which the calendar holds it."""
    span = range(course.first, course.last + 1)
    return frozenset(
        (week, day, one)
        for week, day, key in _meetings(course, days)
        if key not in away
        for one in span
    )


def seat(claims: Claims) -> dict[int, tuple[Conflict, ...]]:
    """Give each cell to one course; return the conflicts by line of the row that gives way.

    A move that is refused leaves its stored course where it was, which may be in the way of rows
    that were seated before: all is seated anew until no further move is refused.
    """
    refused: dict[int, tuple[Conflict, ...]] = {}
    while True:
        one = _one_pass(claims, refused)
        again = {
            row.line: one.conflicts[row.line]
            for _, row in claims.moving
            if row.line in one.conflicts
        }
        if not again:
            return {**one.conflicts, **refused}
        refused |= again


def standing(
    row: CourseRow,
    course: StoredCourse | None,
    obstacles: Mapping[Cell, Block],
    days: TaughtDays,
) -> tuple[Standing, ...]:
    """The blocks of work where a row would meet, in order of place.

    `course` is the stored one that the row states: its deleted meetings want no place, and what
    stands in a meeting that it holds already is not in its way.
    """
    absent = course.absent if course else ()
    own = held(course, days, away=(*absent, *course.skipped)) if course else frozenset[Cell]()
    found: dict[tuple[Block, Away], list[Cell]] = {}
    for week, day, key in sorted(_meetings(row, days)):
        for section in range(row.first, row.last + 1):
            cell = week, day, section
            if key not in absent and cell not in own and cell in obstacles:
                found.setdefault((obstacles[cell], key), []).append(cell)
    return tuple(Standing(block, tuple(cells), key) for (block, key), cells in found.items())


def not_held(row: CourseRow, course: StoredCourse, days: TaughtDays) -> tuple[Away, ...]:
    """Skipped meetings of a course that an override takes away by now: they stay skipped."""
    keys = {key for _, _, key in _meetings(row, days)}
    return tuple(
        one for one in course.skipped if one not in keys and not one[1] and one[0] in row.weeks
    )


def clash(row: CourseRow, found: Standing, *, was_skipped: bool) -> Conflict:
    """A row and a block of work as they are told of."""
    return Conflict(
        line=row.line,
        name=row.name,
        other="task",
        other_id=found.block.id,
        other_name=found.block.name,
        cells=found.cells,
        can_give_way=not found.block.has_begun,
        was_skipped=was_skipped,
    )


def _meetings(
    course: StoredCourse | CourseRow, days: TaughtDays
) -> Iterator[tuple[int, int, Away]]:
    """Week and day of each meeting, and what names it where it is away."""
    for taught in course.weeks:
        for week, day in days.held_on(taught, course.day_of_week):
            yield week, day, (week, day) if days.is_overridden(week, day) else (taught, 0)


def _one_pass(claims: Claims, refused: Collection[int]) -> _Pass:
    one = _Pass()
    for course in claims.staying:
        one.sit(course)
    for course, row in claims.moving:
        if row.line in refused:
            one.sit(course)
    for row in claims.settled:
        one.sit(row)
    for _, row in claims.moving:
        if row.line not in refused:
            one.ask(row)
    for row in claims.added:
        one.ask(row)
    return one


def _conflict(row: CourseRow, holder: StoredCourse | CourseRow, shared: list[Cell]) -> Conflict:
    is_row = isinstance(holder, CourseRow)
    return Conflict(
        line=row.line,
        name=row.name,
        other="row" if is_row else "course",
        other_id=holder.line if isinstance(holder, CourseRow) else holder.id,
        other_name=holder.name,
        cells=tuple(shared),
    )
