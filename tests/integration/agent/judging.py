"""Judges the schedule of a student by the rows of the database alone.

Everything is counted here anew, out of plain tuples: nothing of the planning core, of the services
or of their contracts takes part, so that a fault of theirs cannot judge itself.
"""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from sqlalchemy import text as sql

from libs.db.database import Database

PAIR = 2
"""Sections of a standard pair: 1-2, 3-4, …"""


@dataclass(frozen=True, slots=True)
class Block:
    """A live row of schedule_events. `on` is reckoned from the semester's first day."""

    id: int
    on: date
    first: int
    last: int
    course: bool
    host: int | None
    embeds: bool
    class_id: int | None
    item_id: int | None

    @property
    def cells(self) -> range:
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Class:
    """A row of task_classes, with the ids of its live items in learning order."""

    id: int
    first: date
    last: date
    total: int | None
    in_courses: bool
    pairs: tuple[int, ...]
    weekdays: tuple[int, ...]
    items: tuple[int, ...]

    @property
    def length(self) -> int:
        """Sections of one item: what the class shares out, two where it says nothing."""
        return max(self.total // len(self.items), 1) if self.total else 2

    def allows(self, on: date, first: int, last: int, free: Iterable[int]) -> bool:
        """Whether its dates, weekdays and pairs let an item lie there."""
        weekday = on.isoweekday()
        if not self.first <= on <= self.last or weekday in self.weekdays or weekday in free:
            return False
        touched = {(section + PAIR - 1) // PAIR for section in range(first, last + 1)}
        return touched.isdisjoint(self.pairs)


@dataclass(frozen=True, slots=True)
class Rows:
    """What the database holds of one student."""

    blocks: tuple[Block, ...]
    classes: tuple[Class, ...]
    sections: int
    end: date

    def of(self, class_id: int) -> list[Block]:
        """The blocks of a class, by time."""
        own = (one for one in self.blocks if one.class_id == class_id)
        return sorted(own, key=lambda one: (one.on, one.first))


async def rows_of(db: Database, user_id: int) -> Rows:
    """Reads them."""

    async def all_of(query: str) -> Sequence[Mapping[str, Any]]:
        return [dict(row._mapping.items()) for row in await tx.all(sql(query), user=user_id)]

    async with db.transaction() as tx:
        (semester,) = await all_of("SELECT * FROM semesters WHERE user_id = :user")
        events = await all_of("SELECT * FROM schedule_events WHERE user_id = :user AND live")
        classes = await all_of("SELECT * FROM task_classes WHERE user_id = :user")
        items = await all_of(
            "SELECT * FROM task_items WHERE user_id = :user AND deleted_at IS NULL "
            "ORDER BY task_class_id, item_order, id"
        )
    monday: date = semester["first_day"]
    return Rows(
        blocks=tuple(_block(one, monday) for one in events),
        classes=tuple(_class(one, items) for one in classes),
        sections=len(semester["section_starts"]),
        end=monday + timedelta(weeks=semester["weeks"]),
    )


def violations(rows: Rows, *, today: date, free: Iterable[int] = ()) -> list[str]:
    """Every rule that does not hold; `free` are the weekdays that the student wants free."""
    return [
        *_cells_taken_twice(rows),
        *_guests_astray(rows),
        *(fault for one in rows.classes for fault in _class_faults(rows, one, today, tuple(free))),
    ]


def variance(
    taken: Mapping[date, Iterable[int]], first: date, last: date, more: Iterable[Block] = ()
) -> float:
    """Population variance of the occupied sections of each day, first..last."""
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    cells: dict[date, set[int]] = {day: set(taken.get(day, ())) for day in days}
    for one in more:
        if one.on in cells:
            cells[one.on] |= set(one.cells)
    loads = [len(cells[day]) for day in days]
    mean = sum(loads) / len(loads)
    return sum((load - mean) ** 2 for load in loads) / len(loads)


def occupied(blocks: Iterable[Block]) -> dict[date, set[int]]:
    """The sections that are taken, by day; a guest takes those of its host."""
    found: dict[date, set[int]] = defaultdict(set)
    for one in blocks:
        found[one.on] |= set(one.cells)
    return found


def most_places(rows: Rows, one: Class, *, today: date, free: Iterable[int] = ()) -> int:
    """At most so many items of a class could lie in its dates, if it had them to itself: the free
    runs of every day, none of them across a rule of the class; courses that take guests count."""
    taken = occupied(block for block in rows.blocks if not block.embeds)
    found = 0
    for day in (one.first + timedelta(days=n) for n in range((one.last - one.first).days + 1)):
        if not today <= day < rows.end:
            continue
        section = 1
        while section + one.length - 1 <= rows.sections:
            cells = range(section, section + one.length)
            fits = one.allows(day, cells[0], cells[-1], free)
            if fits and taken[day].isdisjoint(cells):
                found += 1
                section += one.length
            else:
                section += 1
    return found


def _block(row: Mapping[str, Any], monday: date) -> Block:
    is_item = row["task_source_type"] == "task_item"
    return Block(
        id=row["id"],
        on=monday + timedelta(weeks=row["week"] - 1, days=row["day_of_week"] - 1),
        first=row["first_section"],
        last=row["last_section"],
        course=row["type"] == "course",
        host=row["host_event_id"],
        embeds=row["can_be_embedded"],
        class_id=row["task_class_id"],
        item_id=row["rel_id"] if is_item else None,
    )


def _class(row: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> Class:
    return Class(
        id=row["id"],
        first=row["start_date"],
        last=row["end_date"],
        total=row["total_sections"],
        in_courses=row["allow_filler_course"],
        pairs=tuple(row["excluded_pairs"]),
        weekdays=tuple(row["excluded_days"]),
        items=tuple(one["id"] for one in items if one["task_class_id"] == row["id"]),
    )


def _cells_taken_twice(rows: Rows) -> Iterator[str]:
    """One block to a cell, and one guest to a cell of its host."""
    found: dict[tuple[date, int, bool], int] = {}
    for one in rows.blocks:
        for section in one.cells:
            cell = (one.on, section, one.host is not None)
            if (other := found.setdefault(cell, one.id)) != one.id:
                yield f"{one.on} section {section}: blocks {other} and {one.id}"


def _guests_astray(rows: Rows) -> Iterator[str]:
    by_id = {one.id: one for one in rows.blocks}
    in_courses = {one.id for one in rows.classes if one.in_courses}
    for one in rows.blocks:
        if one.host is None:
            continue
        host = by_id.get(one.host)
        if host is None or not host.embeds or host.on != one.on:
            yield f"guest {one.id} has no host"
        elif not (host.first <= one.first and one.last <= host.last):
            yield f"guest {one.id} lies outside host {host.id}"
        if one.class_id is not None and one.class_id not in in_courses:
            yield f"guest {one.id}: class {one.class_id} is not for courses"


def _class_faults(rows: Rows, one: Class, today: date, free: tuple[int, ...]) -> Iterator[str]:
    own = rows.of(one.id)
    if [block.item_id for block in own] != list(one.items):
        yield f"class {one.id}: {[block.item_id for block in own]} is not {list(one.items)}"
    for before, after in itertools.pairwise(own):
        if (before.on, before.last) >= (after.on, after.first):
            yield f"class {one.id}: {after.id} begins before {before.id} has ended"
    for block in own:
        if len(block.cells) != one.length:
            yield f"block {block.id} takes {len(block.cells)} sections, not {one.length}"
        if not today <= block.on < rows.end or not 1 <= block.first <= block.last <= rows.sections:
            yield f"block {block.id} lies outside the semester, or in the past"
        if not one.allows(block.on, block.first, block.last, free):
            yield f"block {block.id} on {block.on} breaks a rule of class {one.id}"
