"""What the order rule sees of blocks of the schedule: their class, order and place in time.

The rule itself stands in `libs.planning.order`. Spec: planning.md, Order inside a task class.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from libs.planning.calendar import OutOfSemester
from libs.planning.grid import Block, Grid, Place
from libs.planning.order import OrderedBlock, OrderViolation, Span, violations


@dataclass(frozen=True, slots=True)
class BrokenOrder:
    """A block that gets past a neighbour of its class, and where it might lie instead.

    It has to lie behind `after` and before `before`, where there are such blocks.
    """

    block: Block
    neighbour: Block
    after: Block | None
    before: Block | None
    violation: OrderViolation


def ordered(block: Block, grid: Grid, now: datetime) -> OrderedBlock | None:
    """A block as the rule sees it; None for what belongs to no class.

    Days are ordinals of dates, so that semesters compare. Raises OutOfSemester.
    """
    if block.class_id is None or block.order is None or block.source is None:
        return None
    place = block.place
    day = _day_of(block, grid)
    return OrderedBlock(
        class_id=block.class_id,
        item_id=block.source.id,
        order=block.order,
        span=Span(day, place.first, place.last),
        makeup=block.makeup_for_id is not None,
        begun=grid.starts_at(place) < now,
        name=block.name,
        makeup_for=block.makeup_for_id,
    )


def broken(
    final: Iterable[Block], judged: Iterable[Block], grid: Grid, now: datetime
) -> tuple[BrokenOrder, ...]:
    """Which of the blocks `judged` break the order among the final blocks of their classes."""
    seen = {one: block for block in final if (one := ordered(block, grid, now)) is not None}
    only = {one for block in judged if (one := ordered(block, grid, now)) is not None}
    if not only:
        return ()
    return tuple(
        BrokenOrder(
            block=seen[found.wanted],
            neighbour=seen[found.neighbour],
            after=seen[found.allowed.after] if found.allowed.after else None,
            before=seen[found.allowed.before] if found.allowed.before else None,
            violation=found,
        )
        for found in violations(seen, only=only)
    )


def reason(found: BrokenOrder, grid: Grid) -> str:
    """Why, in Chinese, with places as weeks and days of the semester."""
    places = {
        (_day_of(block, grid), block.place.first, block.place.last): block.place
        for block in (found.block, found.neighbour, found.after, found.before)
        if block is not None
    }
    return found.violation.said(
        placing=lambda span: place_words(places[span.day, span.first, span.last])
    )


def place_words(place: Place) -> str:
    """A place in Chinese: 第13周周二第1-2节."""
    sections = f"{place.first}-{place.last}" if place.length > 1 else f"{place.first}"
    return f"第{place.week}周周{'一二三四五六日'[place.day - 1]}第{sections}节"


def _day_of(block: Block, grid: Grid) -> int:
    semester = grid.semester(block.place.semester_id)
    if semester is None:
        raise OutOfSemester(block.place.semester_id, "row among the given semesters")
    return semester.date_of(block.place.week, block.place.day).toordinal()
