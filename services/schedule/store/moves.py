"""Moving, taking away and bringing back blocks that are there, with their sections."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.grid import Block
from services.schedule.domain.block import BlockState
from services.schedule.store import blocks, rows

_TAKE_AWAY = text(f"""
    WITH cells AS (DELETE FROM schedules WHERE user_id = :user_id AND event_id = ANY(:ids))
    UPDATE schedule_events SET live = false, removed_at = clock_timestamp(),
        version = next_version_v1(version),
        placement_version = next_version_v1(placement_version)
    WHERE user_id = :user_id AND id = ANY(:ids) AND live
    RETURNING {blocks.STATE}, placement_version
""")
# A block that had left comes back by the same statement.
_MOVE = text("""
    UPDATE schedule_events SET semester_id = n.semester_id, week = n.week,
        day_of_week = n.day_of_week, first_section = n.first_section,
        last_section = n.last_section, start_time = n.start_time, end_time = n.end_time,
        host_event_id = n.host_event_id, task_class_id = n.task_class_id,
        task_order = n.task_order, name = n.name, live = true, removed_at = NULL,
        version = next_version_v1(version),
        placement_version = next_version_v1(placement_version)
    FROM json_to_recordset(CAST(:blocks AS json)) AS n (event_id bigint, semester_id bigint,
        week int, day_of_week int, first_section int, last_section int, start_time timestamptz,
        end_time timestamptz, host_event_id bigint, task_class_id bigint, task_order int,
        name text)
    WHERE user_id = :user_id AND id = n.event_id
    RETURNING id, version, type, task_source_type, rel_id, schedule_events.semester_id,
        schedule_events.week, schedule_events.day_of_week, schedule_events.first_section,
        schedule_events.last_section, live, placement_version
""")
_GONE = text(f"""
    SELECT {blocks.SEEN} FROM schedule_events e
    WHERE e.user_id = :user_id AND e.id = ANY(:ids) AND NOT e.live
""")


@dataclass(frozen=True, slots=True)
class Moved:
    """A block as it is to stand."""

    block: Block
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Written:
    """A block after a write: what is told of it, and its placement version."""

    state: BlockState
    placement_version: int


async def take_away(tx: Tx, user_id: int, ids: Sequence[int]) -> tuple[Written, ...]:
    """Takes blocks out of the schedule; their rows stay as tombstones."""
    if not ids:
        return ()
    return _written(await tx.all(_TAKE_AWAY, user_id=user_id, ids=list(ids)))


async def move(tx: Tx, user_id: int, moved: Sequence[Moved]) -> tuple[Written, ...]:
    """Puts blocks where they are to stand, those that had left included.

    Every section that they leave is freed before one is taken. Raises CellTaken.
    """
    if not moved:
        return ()
    ids = [one.block.id for one in moved]
    await blocks.clear_cells(tx, user_id, ids)
    stated = json.dumps([_row(one) for one in moved], ensure_ascii=False)
    found = _written(await tx.all(_MOVE, user_id=user_id, blocks=stated))
    await blocks.fill_cells(tx, user_id, ids)
    return found


async def gone(tx: Tx, user_id: int, ids: Sequence[int]) -> tuple[Block, ...]:
    """Those of the blocks that have left the schedule, as they were."""
    if not ids:
        return ()
    found = await tx.all(_GONE, user_id=user_id, ids=list(ids))
    return tuple(rows.block(row._mapping) for row in found)


def _written(found: Sequence[Any]) -> tuple[Written, ...]:
    return tuple(Written(rows.state(row._mapping), row.placement_version) for row in found)


def _row(moved: Moved) -> dict[str, Any]:
    block, place = moved.block, moved.block.place
    return {
        "event_id": block.id,
        "semester_id": place.semester_id,
        "week": place.week,
        "day_of_week": place.day,
        "first_section": place.first,
        "last_section": place.last,
        "start_time": moved.starts_at.isoformat(),
        "end_time": moved.ends_at.isoformat(),
        "host_event_id": block.host_id,
        "task_class_id": block.class_id,
        "task_order": block.order,
        "name": block.name,
    }
