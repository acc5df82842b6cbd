"""Blocks of the schedule: rows of `schedule_events` with one row of `schedules` per section."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from libs.db.database import Tx, constraint
from libs.planning.grid import Place, Target, TargetKind
from services.schedule.domain.block import BlockState, Day, NewBlock, ScheduledBlock, in_order
from services.schedule.domain.errors import CellTaken
from services.schedule.store import rows

_GUARDS = frozenset({"schedules_one_block_a_cell", "schedules_one_guest_a_cell"})

STATE = """
    id, version, type, task_source_type, rel_id, semester_id, week, day_of_week, first_section,
    last_section, live
"""
SEEN = """
    e.id, e.type, e.semester_id, e.week, e.day_of_week, e.first_section, e.last_section,
    e.start_time, e.end_time, e.version, e.placement_version, e.task_source_type, e.rel_id,
    e.can_be_embedded, e.host_event_id, e.makeup_for_event_id, e.name, e.location, e.teacher,
    e.task_class_id, e.task_order
"""
_GET = text(f"""
    SELECT {SEEN} FROM schedule_events e
    WHERE e.user_id = :user_id AND e.id = :event_id AND e.live
""")
_OF_WEEK = text(f"""
    SELECT {SEEN} FROM schedule_events e
    WHERE e.user_id = :user_id AND e.semester_id = :semester_id AND e.week = :week AND e.live
""")
# `OFFSET 0` has each day looked up by its key, however small the table was at the planning.
_OF_DAYS = text(f"""
    SELECT on_day.*
    FROM unnest(CAST(:semester_ids AS bigint[]), CAST(:weeks AS int[]), CAST(:days AS int[]))
        AS d (semester_id, week, day_of_week),
    LATERAL (
        SELECT {SEEN} FROM schedule_events e
        WHERE e.user_id = :user_id AND e.semester_id = d.semester_id AND e.week = d.week
            AND e.day_of_week = d.day_of_week AND e.live OFFSET 0) AS on_day
""")
_OF_SOURCE = text(f"""
    SELECT {SEEN} FROM schedule_events e
    WHERE e.user_id = :user_id AND e.type = 'task' AND e.rel_id = :rel_id AND e.live
      AND coalesce(e.task_source_type, 'task_item') = :kind
""")
# `OFFSET 0` has each one looked up by its key, however small the tables were at the planning.
_TO_DO = text("""
    SELECT 'task_pool' AS kind, found.id
    FROM unnest(CAST(:task_ids AS bigint[])) AS asked (id), LATERAL (
        SELECT t.id FROM tasks t WHERE t.user_id = :user_id AND t.id = asked.id
            AND t.status = 'open' AND t.deleted_at IS NULL OFFSET 0) AS found
    UNION ALL
    SELECT 'task_item', found.id
    FROM unnest(CAST(:item_ids AS bigint[])) AS asked (id), LATERAL (
        SELECT i.id FROM task_items i WHERE i.user_id = :user_id AND i.id = asked.id
            AND NOT i.done AND i.deleted_at IS NULL OFFSET 0) AS found
""")
_OF_SEMESTER = text(f"""
    SELECT {SEEN} FROM schedule_events e
    WHERE e.user_id = :user_id AND e.semester_id = :semester_id AND e.live
""")
_NEW_IDS = text("""
    SELECT nextval('schedule_events_id_seq') FROM generate_series(1, CAST(:count AS int))
""")

# One JSON parameter holds the rows; instants are ISO 8601 text in it.
NEW = """
    n AS MATERIALIZED (
        SELECT user_id, id, semester_id, week, day_of_week, first_section, last_section,
            start_time, end_time, type, task_source_type, rel_id, name, location, teacher,
            can_be_embedded, host_event_id, makeup_for_event_id, task_class_id, task_order,
            apply_id, version
        FROM json_to_recordset(CAST(:blocks AS json)) AS n (user_id bigint, id bigint,
            semester_id bigint, week int, day_of_week int, first_section int, last_section int,
            start_time timestamptz, end_time timestamptz, type text, task_source_type text,
            rel_id bigint, name text, location text, teacher text, can_be_embedded boolean,
            host_event_id bigint, makeup_for_event_id bigint, task_class_id bigint,
            task_order int, apply_id text, version bigint)
    ), events AS (
        INSERT INTO schedule_events (user_id, id, semester_id, week, day_of_week,
            first_section, last_section, start_time, end_time, type, task_source_type, rel_id,
            name, location, teacher, can_be_embedded, host_event_id, makeup_for_event_id,
            task_class_id, task_order, apply_id, version, placement_version)
        SELECT user_id, id, semester_id, week, day_of_week, first_section, last_section,
            start_time, end_time, type, task_source_type, rel_id, name, location, teacher,
            can_be_embedded, host_event_id, makeup_for_event_id, task_class_id, task_order,
            apply_id, version, version
        FROM n
    ), cells AS (
        INSERT INTO schedules (user_id, semester_id, week, day_of_week, section, event_id,
            host_event_id)
        SELECT user_id, semester_id, week, day_of_week, section, id, host_event_id
        FROM n, generate_series(first_section, last_section) AS section
    )
"""
_ADD = text(f"WITH {NEW} SELECT 1")
_CLEAR_CELLS = text("DELETE FROM schedules WHERE user_id = :user_id AND event_id = ANY(:ids)")
_FILL_CELLS = text("""
    INSERT INTO schedules (user_id, semester_id, week, day_of_week, section, event_id,
        host_event_id)
    SELECT user_id, semester_id, week, day_of_week, section, id, host_event_id
    FROM schedule_events,
        generate_series(CAST(first_section AS int), CAST(last_section AS int)) AS section
    WHERE user_id = :user_id AND id = ANY(:ids) AND live
""")
_REMOVE = text(f"""
    WITH cells AS (DELETE FROM schedules WHERE user_id = :user_id AND event_id = ANY(:ids))
    UPDATE schedule_events SET live = false, removed_at = clock_timestamp(),
        version = next_version_v1(version),
        placement_version = next_version_v1(placement_version)
    WHERE user_id = :user_id AND id = ANY(:ids) AND live
    RETURNING {STATE}
""")
_RENAME = text(f"""
    UPDATE schedule_events SET name = :name, version = next_version_v1(version)
    WHERE user_id = :user_id AND type = 'task' AND task_source_type = :kind
      AND rel_id = :rel_id AND live
    RETURNING {STATE}
""")
_PUT = text("""
    UPDATE schedule_events SET week = n.week, day_of_week = n.day_of_week,
        first_section = n.first_section, last_section = n.last_section,
        start_time = n.start_time, end_time = n.end_time, name = n.name,
        location = n.location, teacher = n.teacher,
        version = next_version_v1(schedule_events.version),
        placement_version = CASE
            WHEN (schedule_events.week, schedule_events.day_of_week,
                  schedule_events.first_section, schedule_events.last_section)
                IS DISTINCT FROM (n.week, n.day_of_week, n.first_section, n.last_section)
            THEN next_version_v1(placement_version) ELSE placement_version END
    FROM json_to_recordset(CAST(:blocks AS json)) AS n (id bigint, week int, day_of_week int,
        first_section int, last_section int, start_time timestamptz, end_time timestamptz,
        name text, location text, teacher text)
    WHERE schedule_events.user_id = :user_id AND schedule_events.id = n.id
    RETURNING schedule_events.id, schedule_events.version, type, task_source_type, rel_id,
        semester_id, schedule_events.week, schedule_events.day_of_week,
        schedule_events.first_section, schedule_events.last_section, live
""")
_RETIME = text(f"""
    UPDATE schedule_events SET start_time = n.start_time, end_time = n.end_time,
        version = next_version_v1(version)
    FROM json_to_recordset(CAST(:blocks AS json))
        AS n (event_id bigint, start_time timestamptz, end_time timestamptz)
    WHERE user_id = :user_id AND id = n.event_id
    RETURNING {STATE}
""")

to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@contextmanager
def guarding() -> Iterator[None]:
    """Turns the refusal of the last guard into CellTaken."""
    try:
        yield
    except IntegrityError as error:
        if constraint(error) in _GUARDS:
            raise CellTaken from error
        raise


async def get(tx: Tx, user_id: int, event_id: int) -> ScheduledBlock | None:
    """One live block, or None."""
    row = await tx.first(_GET, user_id=user_id, event_id=event_id)
    return None if row is None else rows.scheduled(row._mapping)


async def of_week(tx: Tx, user_id: int, semester_id: int, week: int) -> tuple[ScheduledBlock, ...]:
    """The live blocks of one week, in order of time."""
    return _seen(await tx.all(_OF_WEEK, user_id=user_id, semester_id=semester_id, week=week))


async def of_days(tx: Tx, user_id: int, days: Sequence[Day]) -> tuple[ScheduledBlock, ...]:
    """The live blocks of some days, in order of time."""
    if not days:
        return ()
    return _seen(
        await tx.all(
            _OF_DAYS,
            user_id=user_id,
            semester_ids=[day[0] for day in days],
            weeks=[day[1] for day in days],
            days=[day[2] for day in days],
        )
    )


async def of_source(tx: Tx, user_id: int, source: Target) -> tuple[ScheduledBlock, ...]:
    """The live blocks that were placed for one target, wherever they stand."""
    return _seen(
        await tx.all(_OF_SOURCE, user_id=user_id, kind=source.kind.value, rel_id=source.id)
    )


async def to_do(tx: Tx, user_id: int, sources: Iterable[Target | None]) -> frozenset[Target]:
    """Those of what blocks were placed for that are there and not done."""
    asked = {one for one in sources if one is not None}
    if not asked:
        return frozenset()
    of_kind = {kind: [one.id for one in asked if one.kind is kind] for kind in TargetKind}
    found = await tx.all(
        _TO_DO,
        user_id=user_id,
        task_ids=of_kind[TargetKind.TASK_POOL],
        item_ids=of_kind[TargetKind.TASK_ITEM],
    )
    return frozenset(Target(TargetKind(row.kind), row.id) for row in found)


async def of_semester(tx: Tx, user_id: int, semester_id: int) -> tuple[ScheduledBlock, ...]:
    """Every live block of a semester, in order of time."""
    return _seen(await tx.all(_OF_SEMESTER, user_id=user_id, semester_id=semester_id))


async def new_ids(tx: Tx, count: int) -> tuple[int, ...]:
    """Draws ids for blocks that are about to be written."""
    return tuple(row[0] for row in await tx.all(_NEW_IDS, count=count)) if count else ()


async def add(
    tx: Tx, user_id: int, new: Sequence[NewBlock], *, version: int, apply_id: str | None = None
) -> tuple[BlockState, ...]:
    """Writes new blocks and their sections. Raises CellTaken."""
    if not new:
        return ()
    stated = new_rows(user_id, new, version=version, apply_id=apply_id)
    with guarding():
        await tx.execute(_ADD, blocks=to_json(stated))
    return added(new, version=version)


async def remove(tx: Tx, user_id: int, ids: Iterable[int]) -> tuple[BlockState, ...]:
    """Takes blocks out of the schedule; their rows stay as tombstones."""
    gone = sorted(ids)
    return rows.states(await tx.all(_REMOVE, user_id=user_id, ids=gone)) if gone else ()


async def rename(tx: Tx, user_id: int, source: Target, name: str) -> tuple[BlockState, ...]:
    """Gives the live blocks of a target another name; no placement version rises."""
    found = await tx.all(
        _RENAME, user_id=user_id, kind=source.kind.value, rel_id=source.id, name=name
    )
    return rows.states(found)


async def clear_cells(tx: Tx, user_id: int, ids: Sequence[int]) -> None:
    """Frees every section of some blocks, which are about to be moved."""
    if ids:
        await tx.execute(_CLEAR_CELLS, user_id=user_id, ids=list(ids))


async def fill_cells(tx: Tx, user_id: int, ids: Sequence[int]) -> None:
    """Takes the sections of blocks that were moved. Raises CellTaken."""
    if ids:
        with guarding():
            await tx.execute(_FILL_CELLS, user_id=user_id, ids=list(ids))


async def put(tx: Tx, user_id: int, changed: Sequence[NewBlock]) -> tuple[BlockState, ...]:
    """Rewrites existing blocks: place, instants, name, location, teacher.

    Their sections are the caller's: freed before, taken after. The placement version rises only
    where the place changes.
    """
    if not changed:
        return ()
    stated = new_rows(user_id, changed, version=0, apply_id=None)
    found = await tx.all(_PUT, user_id=user_id, blocks=to_json(stated))
    return rows.states(found)


async def retime(
    tx: Tx, user_id: int, times: Sequence[tuple[int, datetime, datetime]]
) -> tuple[BlockState, ...]:
    """Rewrites the instants of blocks whose place stays: (id, begin, end)."""
    if not times:
        return ()
    stated = [
        {"event_id": id_, "start_time": start.isoformat(), "end_time": end.isoformat()}
        for id_, start, end in times
    ]
    return rows.states(await tx.all(_RETIME, user_id=user_id, blocks=json.dumps(stated)))


def new_rows(
    user_id: int, new: Sequence[NewBlock], *, version: int, apply_id: str | None
) -> list[dict[str, Any]]:
    """Blocks as the JSON parameter of the statements above holds them."""
    kept = {"user_id": user_id, "version": version, "apply_id": apply_id}
    return [{**kept, **_row(block)} for block in new]


def added(new: Sequence[NewBlock], *, version: int) -> tuple[BlockState, ...]:
    """New blocks as they are told of."""
    return tuple(
        BlockState(
            id=block.id, version=version, kind=block.kind, source=block.source, place=block.place
        )
        for block in new
    )


def _row(block: NewBlock) -> dict[str, Any]:
    return {
        "id": block.id,
        **_place_columns(block.place),
        "start_time": block.starts_at.isoformat(),
        "end_time": block.ends_at.isoformat(),
        "type": block.kind.value,
        "task_source_type": block.source.kind.value if block.source else None,
        "rel_id": block.source.id if block.source else block.course_id,
        "name": block.name,
        "location": block.location,
        "teacher": block.teacher,
        "can_be_embedded": block.can_be_embedded,
        "host_event_id": block.host_id,
        "makeup_for_event_id": block.makeup_for_id,
        "task_class_id": block.class_id,
        "task_order": block.order,
    }


def _place_columns(place: Place) -> dict[str, int]:
    return {
        "semester_id": place.semester_id,
        "week": place.week,
        "day_of_week": place.day,
        "first_section": place.first,
        "last_section": place.last,
    }


def _seen(found: Sequence[Any]) -> tuple[ScheduledBlock, ...]:
    return in_order(rows.scheduled(row._mapping) for row in found)
