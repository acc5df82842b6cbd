"""Order inside a task class: its items keep their learning order, classes may interleave.

The one rule that place, move, swap, batches, spread_even, rough build, local reorder, drag edits
and apply ask. Spec: planning.md, Order inside a task class.

`violation` judges one wanted block against the live blocks around it, `violations` a set of final
placements. Blocks of other classes, and other blocks of the same item, bind nothing, so the
callers may hand over everything there is.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from operator import itemgetter
from typing import Literal


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Sections first..last, both included, of one day.

    `day` is any whole number that rises with the date: the day of a planning window, or
    `date.toordinal()`. One comparison must not mix the two.
    """

    day: int
    first: int
    last: int

    @property
    def length(self) -> int:
        """Number of sections."""
        return self.last - self.first + 1

    @property
    def start(self) -> tuple[int, int]:
        """(day, first section)."""
        return self.day, self.first

    @property
    def end(self) -> tuple[int, int]:
        """(day, last section)."""
        return self.day, self.last


@dataclass(frozen=True, slots=True)
class OrderedBlock:
    """One live block of an item, with the class and the repaired order that it carries.

    `makeup`: it was made for an unfinished block of the same item, and stands for it; of
    `makeup_for` by id, where that is known. `begun`: it runs or is past. `name` is for people and
    decides nothing.
    """

    class_id: int
    item_id: int
    order: int
    span: Span
    makeup: bool = False
    begun: bool = False
    name: str = ""
    makeup_for: int | None = None

    @property
    def rank(self) -> tuple[int, int]:
        """Where the item comes in its class."""
        return self.order, self.item_id


@dataclass(frozen=True, slots=True)
class AllowedRange:
    """Where an item may lie: after the end of one block, before the start of another.

    None leaves that side open.
    """

    after: OrderedBlock | None = None
    before: OrderedBlock | None = None

    def admits(self, span: Span) -> bool:
        """Whether the whole span lies inside."""
        return self.blocker(span) is None

    def blocker(self, span: Span) -> OrderedBlock | None:
        """The neighbour that a span gets past or touches; the earlier item first."""
        if self.after is not None and span.start <= self.after.span.end:
            return self.after
        if self.before is not None and span.end >= self.before.span.start:
            return self.before
        return None


def quoted(block: OrderedBlock) -> str:
    """An item as people name it."""
    return f"「{block.name}」" if block.name else "该项"


def in_window(span: Span) -> str:
    """A span by its day in the window: 第3天第1-2节."""
    sections = f"{span.first}-{span.last}" if span.last > span.first else f"{span.first}"
    return f"第{span.day}天第{sections}节"


@dataclass(frozen=True, slots=True)
class OrderViolation:
    """A wanted block that gets past its neighbour, and where it might lie instead."""

    wanted: OrderedBlock
    neighbour: OrderedBlock
    allowed: AllowedRange

    @property
    def reason(self) -> str:
        """Why, in Chinese, with places as days of the window."""
        return self.said()

    def said(
        self,
        naming: Callable[[OrderedBlock], str] = quoted,
        placing: Callable[[Span], str] = in_window,
    ) -> str:
        """Why, in Chinese, in the caller's words for items and places."""
        is_earlier = self.neighbour.rank < self.wanted.rank
        side, way = ("前面", "之后") if is_earlier else ("后面", "之前")
        return (
            f"{naming(self.wanted)}须排在同一任务类{side}的{naming(self.neighbour)}"
            f"（{placing(self.neighbour.span)}）{way}；"
            f"可放范围：{range_words(self.allowed, placing)}"
        )


def range_words(allowed: AllowedRange, placing: Callable[[Span], str] = in_window) -> str:
    """A range in Chinese; 不限 where both sides are open."""
    parts = []
    if allowed.after is not None:
        parts.append(f"晚于{placing(allowed.after.span)}")
    if allowed.before is not None:
        parts.append(f"早于{placing(allowed.before.span)}")
    return "、".join(parts) or "不限"


def allowed_range(wanted: OrderedBlock, blocks: Iterable[OrderedBlock]) -> AllowedRange:
    """Where the item of `wanted` may lie among the live blocks; its own place is not looked at.

    An unplaced neighbour has no block and does not bind; the next placed one beyond it does. Where
    the placed ones are themselves out of order, the one that reaches furthest binds, so that no
    two items ever invert. A block that has begun does not bind the makeup of an earlier item.
    """
    after: OrderedBlock | None = None
    before: OrderedBlock | None = None
    class_id, item_id, rank = wanted.class_id, wanted.item_id, wanted.rank
    others = [b for b in blocks if b.class_id == class_id and b.item_id != item_id]
    for block in _last_standing(others):
        if (block.order, block.item_id) < rank:
            if not (block.makeup and wanted.begun) and (after is None or _ends_later(block, after)):
                after = block
        elif not (wanted.makeup and block.begun) and (
            before is None or _starts_earlier(block, before)
        ):
            before = block
    return AllowedRange(after, before)


def violation(wanted: OrderedBlock, blocks: Iterable[OrderedBlock]) -> OrderViolation | None:
    """Whether a block may lie where it says, among the live blocks of its class: None is ok."""
    allowed = allowed_range(wanted, blocks)
    neighbour = allowed.blocker(wanted.span)
    return None if neighbour is None else OrderViolation(wanted, neighbour, allowed)


def violations(
    final: Iterable[OrderedBlock], *, only: Collection[OrderedBlock] | None = None
) -> tuple[OrderViolation, ...]:
    """Judges final placements together: each of `only` (else every block) among all of them.

    Blocks that a makeup stands for are history and are not judged. Sorted by class and rank.
    """
    by_class: dict[int, list[OrderedBlock]] = {}
    for block in final:
        by_class.setdefault(block.class_id, []).append(block)
    found = [
        OrderViolation(block, neighbour, allowed)
        for blocks in by_class.values()
        for block, allowed in zip(blocks, lineup(blocks), strict=True)
        if allowed is not None and (only is None or block in only)
        if (neighbour := allowed.blocker(block.span)) is not None
    ]
    return tuple(sorted(found, key=_by_place_in_class))


def is_in_order(blocks: Iterable[OrderedBlock]) -> bool:
    """Whether the blocks of one class come one behind the other: then no two of them are inverted.

    A quick yes. A no may still be legal, for makeups and what has begun: `violation` knows.
    """
    day, last = -inf, 0
    for block in sorted(blocks, key=_rank_and_start):
        span = block.span
        if span.day < day or (span.day == day and span.first <= last):
            return False
        day, last = span.day, span.last
    return True


def _rank_and_start(block: OrderedBlock) -> tuple[int, int, int, int]:
    span = block.span
    return block.order, block.item_id, span.day, span.first


def lineup(blocks: Sequence[OrderedBlock]) -> tuple[AllowedRange | None, ...]:
    """The allowed range of each block of one class among the others, all at once.

    The same as `allowed_range` block by block; None for blocks that a makeup stands for.
    """
    standing = {id(block) for block in _last_standing(blocks)}
    ranked = sorted(
        (block.rank, place) for place, block in enumerate(blocks) if id(block) in standing
    )
    items = [[blocks[place] for _, place in run] for _, run in groupby(ranked, itemgetter(0))]
    # Two bounds on each side: among all blocks, and among those that bind everyone.
    afters = _swept(items, _ends_later, lambda block: block.makeup)
    befores = _swept(items[::-1], _starts_earlier, lambda block: block.begun)[::-1]
    ranges: dict[int, AllowedRange] = {}
    for same, (after, plain), (before, ahead) in zip(items, afters, befores, strict=True):
        for block in same:
            ranges[id(block)] = AllowedRange(
                plain if block.begun else after, ahead if block.makeup else before
            )
    return tuple(ranges.get(id(block)) for block in blocks)


_Bounds = tuple[OrderedBlock | None, OrderedBlock | None]


def _swept(
    items: Sequence[Sequence[OrderedBlock]],
    reaches: Callable[[OrderedBlock, OrderedBlock], bool],
    is_lenient: Callable[[OrderedBlock], bool],
) -> list[_Bounds]:
    """What reaches furthest of the items before each: among all, and among the others alone."""
    found: list[_Bounds] = []
    furthest: OrderedBlock | None = None
    strict: OrderedBlock | None = None
    for same in items:
        found.append((furthest, strict))
        for block in same:
            if furthest is None or reaches(block, furthest):
                furthest = block
            if not is_lenient(block) and (strict is None or reaches(block, strict)):
                strict = block
    return found


@dataclass(frozen=True, slots=True)
class OrderRepair:
    """An order that was missing or doubled, and the position that took its place."""

    item_id: int
    given: int | None
    order: int
    problem: Literal["missing", "doubled"]


@dataclass(frozen=True, slots=True)
class RepairedOrders:
    """The order of each item of one class, and what had to be repaired, by the new order."""

    of: Mapping[int, int]
    repairs: tuple[OrderRepair, ...] = ()


def repaired_orders(given: Mapping[int, int | None]) -> RepairedOrders:
    """The orders of one class's items (item id → order), missing and doubled ones repaired.

    Orders that are all there and different stay. Otherwise every item takes its stable position
    from 1 (by order, missing last, then id), so that no repaired order meets a given one.
    """
    ranked = sorted(given, key=lambda item_id: (given[item_id] is None, given[item_id], item_id))
    times: dict[int | None, int] = {}
    for order in given.values():
        times[order] = times.get(order, 0) + 1
    orders = {item_id: position for position, item_id in enumerate(ranked, start=1)}
    repairs = tuple(
        OrderRepair(item_id, order, orders[item_id], "missing" if order is None else "doubled")
        for item_id in ranked
        if (order := given[item_id]) is None or times[order] > 1
    )
    if repairs:
        return RepairedOrders(orders, repairs)
    return RepairedOrders({i: order for i in ranked if (order := given[i]) is not None})


def _last_standing(blocks: Collection[OrderedBlock]) -> Iterable[OrderedBlock]:
    """Of an item with makeups the last one alone, with the other half of it where it was made in
    two; of an item without all its blocks."""
    makeups: dict[int, OrderedBlock] = {}
    for block in blocks:
        if block.makeup:
            other = makeups.get(block.item_id)
            if other is None or _made_for(other) < _made_for(block):
                makeups[block.item_id] = block
    if not makeups:
        return blocks
    return [block for block in blocks if _stands(block, makeups.get(block.item_id, block))]


def _made_for(makeup: OrderedBlock) -> tuple[Span, int]:
    return makeup.span, makeup.makeup_for or 0


def _stands(block: OrderedBlock, last: OrderedBlock) -> bool:
    """Whether a block of an item stands beside its last makeup."""
    if block is last or (block.makeup and _made_for(block) == _made_for(last)):
        return True
    return block.makeup_for is not None and block.makeup_for == last.makeup_for


def _ends_later(block: OrderedBlock, other: OrderedBlock) -> bool:
    one, two = block.span, other.span
    if one.day != two.day:
        return one.day > two.day
    return (one.last, block.rank, one.first) > (two.last, other.rank, two.first)


def _starts_earlier(block: OrderedBlock, other: OrderedBlock) -> bool:
    one, two = block.span, other.span
    if one.day != two.day:
        return one.day < two.day
    return (one.first, block.rank, one.last) < (two.first, other.rank, two.last)


def _by_place_in_class(broken: OrderViolation) -> tuple[int, tuple[int, int], Span]:
    return broken.wanted.class_id, broken.wanted.rank, broken.wanted.span
