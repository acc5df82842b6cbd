"""Study plans: put, delete, read. The caller of a writing function holds the user's lock."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from libs.db.database import Tx
from libs.planning.class_order import broken
from libs.planning.grid import Block, Grid
from libs.planning.order import OrderRepair
from services.schedule.domain.block import BlockState, Cause, ScheduledBlock
from services.schedule.domain.errors import (
    ItemOrderBroken,
    TaskClassNotFound,
    TaskItemNotFound,
    TooManyTaskClasses,
    VersionMismatch,
)
from services.schedule.domain.task_class import (
    ClassFields,
    Item,
    ItemAsked,
    TaskClass,
    arrange,
)
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import blocks, class_blocks, semesters, task_classes

MOST_CLASSES = 200


@dataclass(frozen=True, slots=True)
class Put:
    """A class as stored, what of the orders was repaired, and blocks that left with items."""

    task_class: TaskClass
    repairs: tuple[OrderRepair, ...] = ()
    removed: tuple[int, ...] = ()


async def create(tx: Tx, user_id: int, fields: ClassFields, items: Sequence[ItemAsked]) -> Put:
    """A new class. Raises TooManyTaskClasses, and TaskItemNotFound for an item that is not new."""
    if await task_classes.count(tx, user_id) >= MOST_CLASSES:
        raise TooManyTaskClasses
    for item in items:
        if item.id:
            raise TaskItemNotFound(item.id)
    arranged = arrange(items, await task_classes.new_item_ids(tx, len(items)))
    class_id = await task_classes.add(tx, user_id, fields)
    await task_classes.add_items(tx, user_id, class_id, arranged.items)
    return Put(await get(tx, user_id, class_id), arranged.repairs)


async def replace_class(
    tx: Tx,
    user_id: int,
    class_id: int,
    fields: ClassFields,
    items: Sequence[ItemAsked],
    outlet: Outlet,
    *,
    if_version: int | None = None,
) -> Put:
    """Replaces a class and its items.

    What is so already stays as it is. Raises TaskClassNotFound, TaskItemNotFound, VersionMismatch,
    and ItemOrderBroken where blocks that have not begun would stand against the new order.
    """
    before = await get(tx, user_id, class_id)
    if if_version is not None and before.version != if_version:
        raise VersionMismatch(before.version)
    known = {item.id: item for item in before.items}
    for one in items:
        if one.id and one.id not in known:
            raise TaskItemNotFound(one.id)
    drawn = iter(await task_classes.new_item_ids(tx, sum(not one.id for one in items)))
    arranged = arrange(items, [one.id or next(drawn) for one in items])
    difference = _difference(known, arranged.items)
    if before.fields == fields and difference.is_nothing:
        return Put(before, arranged.repairs)
    placed = await class_blocks.of_class(tx, user_id, class_id)
    now = await semesters.now(tx)
    await _refuse_broken_order(tx, user_id, placed, arranged.items, now)
    removed = await _write(tx, user_id, before, fields, difference, outlet)
    return Put(await get(tx, user_id, class_id), arranged.repairs, removed)


async def delete(tx: Tx, user_id: int, class_id: int, outlet: Outlet) -> tuple[int, ...]:
    """Deletes a class with its items; gives the blocks that left the schedule with it.

    Blocks that have begun stay: they are history. Raises TaskClassNotFound.
    """
    found = await get(tx, user_id, class_id)
    item_ids = [item.id for item in found.items]
    removed = await _remove_ahead(tx, user_id, class_id, item_ids)
    await class_blocks.leave_class(tx, user_id, item_ids)
    await task_classes.bury(tx, user_id, class_id, item_ids)
    await outlet.schedule_changed(tx, user_id, Cause.TASK_CLASS, removed)
    return tuple(one.id for one in removed)


async def get(tx: Tx, user_id: int, class_id: int) -> TaskClass:
    """One class. Raises TaskClassNotFound."""
    found = await task_classes.get(tx, user_id, class_id)
    if found is None:
        raise TaskClassNotFound
    return found


async def page(
    tx: Tx, user_id: int, *, before: int | None, size: int
) -> tuple[tuple[TaskClass, ...], int | None]:
    """A page of classes, newest first, and where the next one begins; None after the last."""
    found = await task_classes.page(tx, user_id, before=before, limit=size + 1)
    shown = found[:size]
    return shown, (shown[-1].id if len(found) > size else None)


@dataclass(frozen=True, slots=True)
class _Difference:
    """Items by what is done with them."""

    added: tuple[Item, ...]
    changed: tuple[Item, ...]
    removed: tuple[int, ...]
    renamed: tuple[Item, ...]
    reordered: tuple[Item, ...]

    @property
    def is_nothing(self) -> bool:
        return not (self.added or self.changed or self.removed)


def _difference(known: dict[int, Item], items: Sequence[Item]) -> _Difference:
    kept = [(known[item.id], item) for item in items if item.id in known]
    return _Difference(
        added=tuple(item for item in items if item.id not in known),
        changed=tuple(
            item
            for old, item in kept
            if old.content != item.content or old.plans_otherwise_than(item)
        ),
        removed=tuple(sorted(known.keys() - {item.id for item in items})),
        renamed=tuple(item for old, item in kept if old.content != item.content),
        reordered=tuple(item for old, item in kept if old.order != item.order),
    )


async def _write(
    tx: Tx,
    user_id: int,
    before: TaskClass,
    fields: ClassFields,
    difference: _Difference,
    outlet: Outlet,
) -> tuple[int, ...]:
    """Writes class, items and what of their blocks changes; gives the blocks that left."""
    resized = len(difference.added) != len(difference.removed)
    matters = resized or fields.plans_otherwise_than(before.fields)
    await task_classes.put(tx, user_id, before.id, fields, matters=matters)
    removed = await _remove_ahead(tx, user_id, before.id, difference.removed)
    await class_blocks.leave_class(tx, user_id, difference.removed)
    await task_classes.bury_items(tx, user_id, difference.removed)
    await task_classes.add_items(tx, user_id, before.id, difference.added)
    await task_classes.put_items(tx, user_id, difference.changed)
    names = {item.id: item.content for item in difference.renamed}
    orders = {item.id: item.order for item in difference.reordered}
    renamed = await class_blocks.rename(tx, user_id, names)
    reordered = await class_blocks.reorder(tx, user_id, orders)
    # A block that was both renamed and reordered is told of once, as it is in the end.
    states = {one.id: one for one in (*removed, *renamed, *reordered)}
    await outlet.schedule_changed(tx, user_id, Cause.TASK_CLASS, tuple(states.values()))
    return tuple(one.id for one in removed)


async def _remove_ahead(
    tx: Tx, user_id: int, class_id: int, item_ids: Sequence[int]
) -> tuple[BlockState, ...]:
    """Takes the blocks of items that have not begun out of the schedule."""
    now = await semesters.now(tx)
    ahead = [
        one.block.id
        for one in await class_blocks.of_class(tx, user_id, class_id)
        if one.block.source is not None and one.block.source.id in item_ids and one.starts_at > now
    ]
    return await blocks.remove(tx, user_id, ahead)


async def _refuse_broken_order(
    tx: Tx,
    user_id: int,
    placed: Sequence[ScheduledBlock],
    items: Sequence[Item],
    now: datetime,
) -> None:
    """Blocks that stood in order have to stand in the new order too; history is not judged."""
    orders = {item.id: item.order for item in items}
    before = [one.block for one in placed if one.block.source and one.block.source.id in orders]
    if not before:
        return
    ids = sorted({block.place.semester_id for block in before})
    grid = Grid(await semesters.some(tx, user_id, ids), ())
    was = {_pair(one.block, one.neighbour) for one in broken(before, before, grid, now)}
    after = [_reordered(block, orders) for block in before]
    ahead = [block for block in after if grid.starts_at(block.place) >= now]
    for found in broken(after, ahead, grid, now):
        pair = _pair(found.block, found.neighbour)
        if pair not in was:
            raise ItemOrderBroken(item_id=pair[0], other_item_id=pair[1], event_id=found.block.id)


def _reordered(block: Block, orders: dict[int, int]) -> Block:
    return replace(block, order=orders[_item_id(block)])


def _pair(block: Block, neighbour: Block) -> tuple[int, int]:
    return _item_id(block), _item_id(neighbour)


def _item_id(block: Block) -> int:
    if block.source is None:
        raise AssertionError("a block of a class without a source")
    return block.source.id
