"""Everything that changes are judged against, in one statement.

It is never part of the statement that takes the user's lock: its snapshot has to be younger.
"""

from collections.abc import Mapping
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
_OF_DAYS = f"""
    SELECT {_BLOCK} FROM {_DAYS}
    JOIN schedule_events e ON e.user_id = :user_id AND e.semester_id = d.semester_id
        AND e.week = d.week AND e.day_of_week = d.day_of_week AND e.live
"""
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
_READ_POOL = text(f"""
    WITH found AS MATERIALIZED (
        {_OF_DAYS}
        UNION ALL
        SELECT {_BLOCK}
        FROM unnest(CAST(:task_ids AS bigint[])) AS t (id)
        JOIN schedule_events e ON e.user_id = :user_id AND e.rel_id = t.id
            AND e.type = 'task' AND e.task_source_type = 'task_pool' AND e.live
    )
    SELECT clock_timestamp() AS now,
        (SELECT json_agg(found) FROM found) AS blocks,
        (SELECT json_agg(t) FROM (
            SELECT id, title, status, deadline_at, estimated_sections, placement_version
            FROM tasks WHERE user_id = :user_id AND id = ANY(CAST(:task_ids AS bigint[]))
                AND deleted_at IS NULL) AS t) AS tasks,
        NULL AS item_rows, NULL AS class_rows, {_REST}
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
        SELECT {_BLOCK} FROM named n
        JOIN schedule_events e ON e.user_id = :user_id AND e.semester_id = n.semester_id
            AND e.week = n.week AND e.day_of_week = n.day_of_week AND e.live
        UNION ALL
        SELECT {_BLOCK} FROM pool
        JOIN schedule_events e ON e.user_id = :user_id AND e.rel_id = pool.id
            AND e.type = 'task' AND e.task_source_type = 'task_pool' AND e.live
        UNION ALL
        SELECT {_BLOCK} FROM items
        JOIN schedule_events e ON e.user_id = :user_id AND e.rel_id = items.id
            AND e.type = 'task' AND e.task_source_type IS DISTINCT FROM 'task_pool' AND e.live
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


async def read(
    tx: Tx, user_id: int, touched: Touched, *, apply_id: str = "", new_ids: int = 0
) -> Reading:
    """Reads what changes and their base touch, and the verdict on `apply_id`."""
    asked: dict[str, Any] = {
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
