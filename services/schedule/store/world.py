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
from services.schedule.store import applies, rows, semesters
from services.schedule.store.applies import Stored

_BLOCK = """
    e.id, e.type, e.semester_id, e.week, e.day_of_week, e.first_section, e.last_section,
    e.placement_version, e.task_source_type, e.rel_id, e.can_be_embedded, e.host_event_id, e.name
"""
_READ = text(f"""
    WITH found AS MATERIALIZED (
        SELECT {_BLOCK}
        FROM unnest(CAST(:days_semester AS bigint[]), CAST(:days_week AS int[]),
                CAST(:days_day AS int[])) AS d (semester_id, week, day_of_week)
        JOIN schedule_events e ON e.user_id = :user_id AND e.semester_id = d.semester_id
            AND e.week = d.week AND e.day_of_week = d.day_of_week AND e.live
        UNION ALL
        SELECT {_BLOCK}
        FROM unnest(CAST(:task_ids AS bigint[])) AS t (id)
        JOIN schedule_events e ON e.user_id = :user_id AND e.rel_id = t.id
            AND e.type = 'task' AND e.task_source_type = 'task_pool' AND e.live
        UNION ALL
        SELECT {_BLOCK}
        FROM unnest(CAST(:event_ids AS bigint[])) AS n (id)
        JOIN schedule_events e ON e.user_id = :user_id AND e.id = n.id AND e.live
    )
    SELECT clock_timestamp() AS now,
        (SELECT json_agg(found) FROM found) AS blocks,
        (SELECT json_agg(t) FROM (
            SELECT id, title, status, deadline_at, estimated_sections, placement_version
            FROM tasks WHERE user_id = :user_id AND id = ANY(CAST(:task_ids AS bigint[]))
                AND deleted_at IS NULL) AS t) AS tasks,
        (SELECT json_agg(s) FROM (
            SELECT {semesters.COLUMNS} FROM semesters
            WHERE user_id = :user_id AND id IN (
                SELECT unnest(CAST(:semester_ids AS bigint[]))
                UNION SELECT semester_id FROM found)) AS s) AS semesters,
        (SELECT row_to_json(a) FROM ({applies.GET}) AS a) AS verdict,
        ARRAY(SELECT nextval('schedule_events_id_seq')
            FROM generate_series(1, CAST(:new_ids AS int))) AS new_ids
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
    row = await tx.one(
        _READ,
        user_id=user_id,
        days_semester=[day[0] for day in touched.days],
        days_week=[day[1] for day in touched.days],
        days_day=[day[2] for day in touched.days],
        task_ids=list(touched.task_ids),
        event_ids=list(touched.event_ids),
        semester_ids=list(touched.semester_ids),
        apply_id=apply_id,
        new_ids=new_ids,
    )
    facts = [_facts(one) for one in _many(row.tasks)]
    world = World(
        semesters=tuple(rows.semester(one) for one in _many(row.semesters)),
        blocks=_once(_many(row.blocks)),
        targets={one.target: one for one in facts},
    )
    stored = applies.stored(row.verdict) if row.verdict else None
    return Reading(row.now, world, stored, tuple(row.new_ids))


def _once(found: list[Mapping[str, Any]]) -> tuple[Block, ...]:
    """Blocks by their ids: one may be read for its day, its target and its name."""
    return tuple({one["id"]: rows.block(one) for one in found}.values())


def _many(column: list[Mapping[str, Any]] | None) -> list[Mapping[str, Any]]:
    """The rows of one JSON column; the driver gives None for no rows."""
    return column or []


def _facts(row: Mapping[str, Any]) -> TargetFacts:
    return TargetFacts(
        target=Target(TargetKind.TASK_POOL, row["id"]),
        placement_version=row["placement_version"],
        done=row["status"] == TaskStatus.COMPLETED,
        deadline=rows.instant(row["deadline_at"]) if row["deadline_at"] else None,
        estimated_sections=row["estimated_sections"],
        title=row["title"],
    )
