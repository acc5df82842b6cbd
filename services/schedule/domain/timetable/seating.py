"""Who gets the cells that two want: the part of a diff that keeps its outcome writable."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from services.schedule.domain.timetable.matching import Pair, StoredCourse
from services.schedule.domain.timetable.rows import CourseRow

Cell = tuple[int, int, int]
"""(week, day_of_week, section), each from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A live task block of the schedule. `host_id` is the course that it is embedded in."""

    id: int
    name: str
    host_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A row of the file that gives way to what holds some of its cells."""

    line: int
    """The row that is not written."""
    name: str
    other: Literal["row", "task", "course"]
    """A row of the same file, a task block, or a stored course that stays."""
    other_id: int
    """The line of that row, the id of that block or of that course."""
    other_name: str
    cells: tuple[Cell, ...]
    """The cells that both want, ascending, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Everything that wants or holds a cell, each list in the order in which it is seated."""

    staying: Sequence[StoredCourse]
    """Stored courses that stay without a row of the file."""
    settled: Sequence[CourseRow]
    """Rows that keep the cells of their stored course; they always get them."""
    moving: Sequence[Pair]
    added: Sequence[CourseRow]
    obstacles: Mapping[Cell, Block]
    """Task blocks that stand on their own, not inside a course."""


_Holder = StoredCourse | CourseRow | Block


@dataclass(slots=True)
class _Pass:
    obstacles: Mapping[Cell, Block]
    seats: dict[Cell, StoredCourse | CourseRow] = field(default_factory=dict)
    conflicts: dict[int, tuple[Conflict, ...]] = field(default_factory=dict)

    def sit(self, owner: StoredCourse | CourseRow) -> None:
        self.seats.update(dict.fromkeys(cells(owner), owner))

    def ask(self, row: CourseRow, own: Collection[Cell] = frozenset()) -> None:
        """Seat a row if all its cells are free. Blocks in cells that it holds already are guests
        of it, not in its way."""
        found: dict[_Holder, list[Cell]] = {}
        for cell in sorted(cells(row)):
            block = None if cell in own else self.obstacles.get(cell)
            for holder in (self.seats.get(cell), block):
                if holder is not None:
                    found.setdefault(holder, []).append(cell)
        if found:
            self.conflicts[row.line] = tuple(_conflict(row, *item) for item in found.items())
        else:
            self.sit(row)


def cells(course: StoredCourse | CourseRow) -> frozenset[Cell]:
    """All cells of a course."""
    span = range(course.first, course.last + 1)
    return frozenset((week, course.day_of_week, one) for week in course.weeks for one in span)


def seat(claims: Claims) -> dict[int, tuple[Conflict, ...]]:
    """Give each cell to one claimant; return the conflicts by line of the row that gives way.

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


def _one_pass(claims: Claims, refused: Collection[int]) -> _Pass:
    one = _Pass(claims.obstacles)
    for course in claims.staying:
        one.sit(course)
    for course, row in claims.moving:
        if row.line in refused:
            one.sit(course)
    for row in claims.settled:
        one.sit(row)
    for course, row in claims.moving:
        if row.line not in refused:
            one.ask(row, cells(course))
    for row in claims.added:
        one.ask(row)
    return one


def _conflict(row: CourseRow, holder: _Holder, shared: list[Cell]) -> Conflict:
    other: Literal["row", "task", "course"]
    if isinstance(holder, CourseRow):
        other, other_id = "row", holder.line
    else:
        other, other_id = "task" if isinstance(holder, Block) else "course", holder.id
    return Conflict(
        line=row.line,
        name=row.name,
        other=other,
        other_id=other_id,
        other_name=holder.name,
        cells=tuple(shared),
    )
