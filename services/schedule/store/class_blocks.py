"""Blocks of the items of a class: they carry its id and the order of their item."""

import json
from collections.abc import Mapping, Sequence

from sqlalchemy import text

from libs.db.database import Tx
from services.schedule.domain.block import BlockState, ScheduledBlock, in_order
from services.schedule.store import blocks, rows

_OF_CLASS = text(f"""
    SELECT {blocks.SEEN} FROM schedule_events e
    WHERE e.user_id = :user_id AND e.task_class_id = :class_id AND e.live
""")
_RENAME = text(f"""
    UPDATE schedule_events SET name = n.name, version = next_version_v1(version)
    FROM json_to_recordset(CAST(:items AS json)) AS n (item_id bigint, name text)
    WHERE user_id = :user_id AND rel_id = n.item_id AND type = 'task' AND live
      AND task_source_type IS DISTINCT FROM 'task_pool' AND schedule_events.name <> n.name
    RETURNING {blocks.STATE}
""")
_REORDER = text(f"""
    UPDATE schedule_events SET task_order = n.task_order, version = next_version_v1(version),
        placement_version = next_version_v1(placement_version)
    FROM json_to_recordset(CAST(:items AS json)) AS n (item_id bigint, task_order int)
    WHERE user_id = :user_id AND rel_id = n.item_id AND type = 'task' AND live
      AND task_source_type IS DISTINCT FROM 'task_pool'
      AND schedule_events.task_order IS DISTINCT FROM n.task_order
    RETURNING {blocks.STATE}
""")
_LEAVE_CLASS = text("""
    UPDATE schedule_events SET task_class_id = NULL, task_order = NULL
    WHERE user_id = :user_id AND rel_id = ANY(:item_ids) AND type = 'task' AND live
      AND task_source_type IS DISTINCT FROM 'task_pool'
""")


async def of_class(tx: Tx, user_id: int, class_id: int) -> tuple[ScheduledBlock, ...]:
    """The live blocks of all items of a class, in order of time."""
    found = await tx.all(_OF_CLASS, user_id=user_id, class_id=class_id)
    return in_order(rows.scheduled(row._mapping) for row in found)


async def rename(tx: Tx, user_id: int, names: Mapping[int, str]) -> tuple[BlockState, ...]:
    """Gives the live blocks of items other names; no placement version rises."""
    if not names:
        return ()
    stated = [{"item_id": item_id, "name": name} for item_id, name in names.items()]
    found = await tx.all(_RENAME, user_id=user_id, items=json.dumps(stated, ensure_ascii=False))
    return rows.states(found)


async def reorder(tx: Tx, user_id: int, orders: Mapping[int, int]) -> tuple[BlockState, ...]:
    """Writes the orders of items onto their live blocks; gives those that changed."""
    if not orders:
        return ()
    stated = [{"item_id": item_id, "task_order": order} for item_id, order in orders.items()]
    return rows.states(await tx.all(_REORDER, user_id=user_id, items=json.dumps(stated)))


async def leave_class(tx: Tx, user_id: int, item_ids: Sequence[int]) -> None:
    """Blocks of items that are gone are history: no order binds them or by them."""
    if item_ids:
        await tx.execute(_LEAVE_CLASS, user_id=user_id, item_ids=list(item_ids))
