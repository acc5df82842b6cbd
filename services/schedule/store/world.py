"""Everything that changes are judged against, in one statement.

It is never part of the statement that takes the user's lock: its snapshot has to be younger.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.changes import TargetFacts, World
from libs.planning.grid import Block, Target, TargetKind
from services.schedule.domain.task import TaskStatus
from services.schedule.domain.touched import Touched
from services.schedule.store import applies, overrides, rows, semesters
from services.schedule.store.applies import Stored

_BLOCK = """
    e.id, e.type, e.semester_id, e.week, e.day_of_week, e.first_section, e.last_section,
    e.placement_version, e.task_source_type, e.rel_id, e.can_be_embedded, e.host_event_id,
    e.name, e.task_class_id, e.task_order, e.makeup_for_event_id
"""
_DAYS = """
    unnest(CAST(:days_semester AS bigint[]), CAST(:days_week AS int[]), CAST(:days_day AS int[]))
        AS d (semester_id, week, day_of_week)
"""
# `OFFSET 0` has each one looked up by its key, however small the tables were at the planning.
_ON_THAT_DAY = f"""
    LATERAL (
        SELECT {_BLOCK} FROM schedule_events e
        WHERE e.user_id = :user_id AND e.semester_id = d.semester_id AND e.week = d.week
            AND e.day_of_week = d.day_of_week AND e.live OFFSET 0) AS on_day
"""
_OF_DAYS = f"SELECT on_day.* FROM {_DAYS}, {_ON_THAT_DAY}"
_PLACED_FOR = f"""
    LATERAL (
        SELECT {_BLOCK} FROM schedule_events e
        WHERE e.user_id = :user_id AND e.rel_id = source.id AND e.type = 'task' AND e.live
            AND e.task_source_type $IS OFFSET 0) AS placed
"""
_FOR_TASK = _PLACED_FOR.replace("$IS", "= 'task_pool'")
_FOR_ITEM = _PLACED_FOR.replace("$IS", "IS DISTINCT FROM 'task_pool'")
_REST = f"""
    (SELECT json_agg(s) FROM (
        SELECT {semesters.COLUMNS} FROM semesters
        WHERE user_id = :user_id AND id IN (
            SELECT unnest(CAST(:semester_ids AS bigint[]))
            UNION SELECT semester_id FROM found)) AS s) AS semesters,
    (SELECT json_agg(o) FROM (
        SELECT {overrides.COLUMNS} FROM calendar_overrides
        WHERE user_id = :user_id AND on_date IN (
            SELECT unnest(CAST(:dates AS date[]))
            UNION SELECT s.first_day + 7 * (d.week - 1) + d.day_of_week - 1
            FROM {_DAYS} JOIN semesters s ON s.user_id = :user_id AND s.id = d.semester_id))
        AS o) AS overrides,
    (SELECT row_to_json(a) FROM ({applies.GET}) AS a) AS verdict,
    ARRAY(SELECT nextval('schedule_events_id_seq')
        FROM generate_series(1, CAST(:new_ids AS int))) AS new_ids
"""
# What most applies ask for: a task of the pool, and the days that it may stand on.
_POOL = f"""
    WITH found AS MATERIALIZED (
        {_OF_DAYS}
        UNION ALL
        SELECT placed.* FROM unnest(CAST(:task_ids AS bigint[])) AS source (id), {_FOR_TASK}
    )
    SELECT clock_timestamp() AS now,
        (SELECT json_agg(found) FROM found) AS blocks,
        (SELECT json_agg(t) FROM (
            SELECT id, title, status, deadline_at, estimated_sections, placement_version
            FROM tasks WHERE user_id = :user_id AND id = ANY(CAST(:task_ids AS bigint[]))
                AND deleted_at IS NULL) AS t) AS tasks,
        NULL AS item_rows, NULL AS class_rows, {_REST}
"""
_READ_POOL = text(_POOL)
# The same for many applies of as many users, a row for each.
_READ_POOLS = text(f"""
    SELECT a.user_id, pool.* FROM json_to_recordset(CAST(:asked AS json)) AS a (user_id bigint,
        apply_id text, days_semester bigint[], days_week int[], days_day int[],
        task_ids bigint[], semester_ids bigint[], dates date[], new_ids int),
    LATERAL ({re.sub(r":(?=[a-z])", "a.", _POOL)}) AS pool
""")
_READ_ALL = text(f"""
    WITH named AS MATERIALIZED (
        SELECT {_BLOCK}
        FROM unnest(CAST(:event_ids AS bigint[])) AS n (id)
        JOIN schedule_events e ON e.user_id = :user_id AND e.id = n.id AND e.live
    ), pool AS MATERIALIZED (
        SELECT unnest(CAST(:task_ids AS bigint[])) AS id
        UNION SELECT rel_id FROM named WHERE type = 'task' AND task_source_type = 'task_pool'
    ), items AS MATERIALIZED (
        SELECT i.id, i.task_class_id, i.content, i.item_order, i.done, i.placement_version
        FROM (
            SELECT unnest(CAST(:item_ids AS bigint[])) AS id
            UNION SELECT rel_id FROM named
            WHERE type = 'task' AND task_source_type IS DISTINCT FROM 'task_pool'
        ) AS wanted
        JOIN task_items i ON i.user_id = :user_id AND i.id = wanted.id AND i.deleted_at IS NULL
    ), classes AS MATERIALIZED (
        SELECT unnest(CAST(:class_ids AS bigint[])) AS id
        UNION SELECT task_class_id FROM items
        UNION SELECT task_class_id FROM named WHERE task_class_id IS NOT NULL
    ), found AS MATERIALIZED (
        {_OF_DAYS}
        UNION ALL
        SELECT * FROM named
        UNION ALL
        SELECT on_day.* FROM named AS d, {_ON_THAT_DAY}
        UNION ALL
        SELECT placed.* FROM pool AS source, {_FOR_TASK}
        UNION ALL
        SELECT placed.* FROM items AS source, {_FOR_ITEM}
        UNION ALL
        SELECT {_BLOCK} FROM classes
        JOIN schedule_events e ON e.user_id = :user_id AND e.task_class_id = classes.id AND e.live
    )
    SELECT clock_timestamp() AS now,
        (SELECT json_agg(found) FROM found) AS blocks,
        (SELECT json_agg(t) FROM (
            SELECT id, title, status, deadline_at, estimated_sections, placement_version
            FROM tasks WHERE user_id = :user_id AND id IN (SELECT id FROM pool)
                AND deleted_at IS NULL) AS t) AS tasks,
        (SELECT json_agg(items) FROM items) AS item_rows,
        (SELECT json_agg(c) FROM (
            SELECT id, placement_version FROM task_classes
            WHERE user_id = :user_id AND id IN (SELECT id FROM classes) AND deleted_at IS NULL)
            AS c) AS class_rows,
        {_REST}
""")


@dataclass(frozen=True, slots=True)
class Reading:
    """A world, the instant it was read at, and what an apply needs beside it.

    `stored` is the verdict on the attempt, where there is one; `new_ids` are for blocks that may
    be written.
    """

    now: datetime
    world: World
    stored: Stored | None
    new_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What `read` is asked for, of one user."""

    user_id: int
    touched: Touched
    apply_id: str
    new_ids: int


async def read(
    tx: Tx, user_id: int, touched: Touched, *, apply_id: str = "", new_ids: int = 0
) -> Reading:
    """Reads what changes and their base touch, and the verdict on `apply_id`."""
    asked = _asked(user_id, touched, apply_id, new_ids)
    if touched.is_pool_alone:
        row = await tx.one(_READ_POOL, **asked)
    else:
        row = await tx.one(
            _READ_ALL,
            event_ids=list(touched.event_ids),
            item_ids=list(touched.item_ids),
            class_ids=list(touched.class_ids),
            **asked,
        )
    return _reading(row)


async def read_pools(tx: Tx, asked: Sequence[Asked]) -> dict[int, Reading]:
    """As `read`, for applies of different users that touch the pool alone, by user."""
    stated = [
        {
            **_asked(one.user_id, one.touched, one.apply_id, one.new_ids),
            "dates": [date.isoformat() for date in one.touched.dates],
        }
        for one in asked
    ]
    found = await tx.all(_READ_POOLS, asked=json.dumps(stated))
    return {row.user_id: _reading(row) for row in found}


def _asked(user_id: int, touched: Touched, apply_id: str, new_ids: int) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "days_semester": [day[0] for day in touched.days],
        "days_week": [day[1] for day in touched.days],
        "days_day": [day[2] for day in touched.days],
        "task_ids": list(touched.task_ids),
        "semester_ids": list(touched.semester_ids),
        "dates": list(touched.dates),
        "apply_id": apply_id,
        "new_ids": new_ids,
    }


def _reading(row: Any) -> Reading:
    facts = [_task_facts(one) for one in _many(row.tasks)]
    facts += [_item_facts(one) for one in _many(row.item_rows)]
    world = World(
        semesters=tuple(rows.semester(one) for one in _many(row.semesters)),
        blocks=_once(_many(row.blocks)),
        targets={one.target: one for one in facts},
        overrides=tuple(rows.override(one) for one in _many(row.overrides)),
        classes={one["id"]: one["placement_version"] for one in _many(row.class_rows)},
    )
    stored = applies.stored(row.verdict) if row.verdict else None
    return Reading(row.now, world, stored, tuple(row.new_ids))


def _once(found: list[Mapping[str, Any]]) -> tuple[Block, ...]:
    """Blocks by their ids: one may be read for its day, its target and its name."""
    return tuple({one["id"]: rows.block(one) for one in found}.values())


def _many(column: list[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    """The rows of one JSON column; the driver gives None for no rows."""
    return column or []


def _task_facts(row: Mapping[str, Any]) -> TargetFacts:
    return TargetFacts(
        target=Target(TargetKind.TASK_POOL, row["id"]),
        placement_version=row["placement_version"],
        done=row["status"] == TaskStatus.COMPLETED,
        deadline=rows.instant(row["deadline_at"]) if row["deadline_at"] else None,
        estimated_sections=row["estimated_sections"],
        title=row["title"],
    )


def _item_facts(row: Mapping[str, Any]) -> TargetFacts:
    """Deadline and length belong to the class, and bind candidates rather than applies."""
    return TargetFacts(
        target=Target(TargetKind.TASK_ITEM, row["id"]),
        placement_version=row["placement_version"],
        done=row["done"],
        deadline=None,
        estimated_sections=None,
        title=row["content"],
        class_id=row["task_class_id"],
        order=row["item_order"],
    )
