"""Rows of study plans and their items."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.order import repaired_orders
from libs.planning.rough_input import Strategy
from services.schedule.domain.task_class import (
    ClassFields,
    Item,
    Level,
    Mode,
    SubjectType,
    TaskClass,
    in_order,
)
from services.schedule.store.rows import Values

_FIELDS = """
    name, mode, strategy, start_date, end_date, total_sections, allow_filler_course,
    excluded_pairs, excluded_days, subject_type, difficulty, cognitive_intensity
"""
_COLUMNS = f"id, {_FIELDS}, version, placement_version, created_at"
_VALUES = """
    :name, :mode, :strategy, :start_date, :end_date, :total_sections, :allow_filler_course,
    :excluded_pairs, :excluded_days, :subject_type, :difficulty, :cognitive_intensity
"""
_SOME = text(f"""
    SELECT {_COLUMNS} FROM task_classes
    WHERE user_id = :user_id AND id = ANY(:ids) AND deleted_at IS NULL
""")
_NAMES = text("""
    SELECT id, name FROM task_classes
    WHERE user_id = :user_id AND id = ANY(:ids) AND deleted_at IS NULL
""")
_OF_ITEM = text(f"""
    SELECT {_COLUMNS} FROM task_classes
    WHERE user_id = :user_id AND deleted_at IS NULL AND id = (
        SELECT task_class_id FROM task_items
        WHERE user_id = :user_id AND id = :item_id AND deleted_at IS NULL)
""")
_PAGE = text(f"""
    SELECT {_COLUMNS} FROM task_classes
    WHERE user_id = :user_id AND id < :before AND deleted_at IS NULL
    ORDER BY id DESC LIMIT :limit
""")
_COUNT = text("""
    SELECT count(*) FROM task_classes WHERE user_id = :user_id AND deleted_at IS NULL
""")
_ITEMS = text("""
    SELECT i.id, i.task_class_id, i.content, i.item_order, i.done, i.placement_version,
        ARRAY(SELECT e.id FROM schedule_events e
            WHERE e.user_id = :user_id AND e.rel_id = i.id AND e.type = 'task' AND e.live
              AND e.task_source_type IS DISTINCT FROM 'task_pool'
            ORDER BY e.start_time, e.id) AS event_ids
    FROM task_items i
    WHERE i.user_id = :user_id AND i.task_class_id = ANY(:class_ids) AND i.deleted_at IS NULL
""")
_ADD = text(f"""
    INSERT INTO task_classes (user_id, {_FIELDS}, version, placement_version)
    SELECT :user_id, {_VALUES}, first.version, first.version
    FROM (SELECT next_version_v1(0) AS version OFFSET 0) AS first
    RETURNING {_COLUMNS}
""")
_PUT = text(f"""
    UPDATE task_classes SET ({_FIELDS}) = ({_VALUES}),
        version = next_version_v1(version),
        placement_version = CASE WHEN :matters THEN next_version_v1(placement_version)
            ELSE placement_version END
    WHERE user_id = :user_id AND id = :class_id
    RETURNING {_COLUMNS}
""")
_BURY = text("""
    UPDATE task_classes SET deleted_at = clock_timestamp(), version = next_version_v1(version),
        placement_version = next_version_v1(placement_version)
    WHERE user_id = :user_id AND id = :class_id
""")
_NEW_ITEM_IDS = text("""
    SELECT nextval('task_items_id_seq') FROM generate_series(1, CAST(:count AS int))
""")
_ADD_ITEMS = text("""
    INSERT INTO task_items (user_id, id, task_class_id, content, item_order, done,
        placement_version)
    SELECT :user_id, n.id, :class_id, n.content, n.item_order, n.done, next_version_v1(0)
    FROM json_to_recordset(CAST(:items AS json))
        AS n (id bigint, content text, item_order int, done boolean)
""")
_PUT_ITEMS = text("""
    UPDATE task_items SET content = n.content, item_order = n.item_order, done = n.done,
        placement_version = CASE
            WHEN (task_items.item_order, task_items.done)
                IS DISTINCT FROM (n.item_order, n.done)
            THEN next_version_v1(placement_version) ELSE placement_version END
    FROM json_to_recordset(CAST(:items AS json))
        AS n (id bigint, content text, item_order int, done boolean)
    WHERE task_items.user_id = :user_id AND task_items.id = n.id
""")
_BURY_ITEMS = text("""
    UPDATE task_items SET deleted_at = clock_timestamp(),
        placement_version = next_version_v1(placement_version)
    WHERE user_id = :user_id AND id = ANY(:ids)
""")

_NEWEST = 2**63 - 1


async def get(tx: Tx, user_id: int, class_id: int) -> TaskClass | None:
    """One class with its items, or None where there is none or it was deleted."""
    found = await some(tx, user_id, [class_id])
    return found[0] if found else None


async def some(tx: Tx, user_id: int, ids: Sequence[int]) -> tuple[TaskClass, ...]:
    """Those of the classes that there are, by id."""
    if not ids:
        return ()
    found = await _with_items(tx, user_id, await tx.all(_SOME, user_id=user_id, ids=list(ids)))
    return tuple(sorted(found, key=lambda one: one.id))


async def names(tx: Tx, user_id: int, ids: Sequence[int]) -> Mapping[int, str]:
    """The names of those of the classes that there are, by id."""
    if not ids:
        return {}
    found = await tx.all(_NAMES, user_id=user_id, ids=list(ids))
    return {row.id: row.name for row in found}


async def of_item(tx: Tx, user_id: int, item_id: int) -> TaskClass | None:
    """The class of an item, or None where there is no such item."""
    found = await tx.all(_OF_ITEM, user_id=user_id, item_id=item_id)
    classes = await _with_items(tx, user_id, found)
    return classes[0] if classes else None


async def page(tx: Tx, user_id: int, *, before: int | None, limit: int) -> tuple[TaskClass, ...]:
    """At most `limit` classes with an id below `before`, newest first."""
    rows = await tx.all(_PAGE, user_id=user_id, before=before or _NEWEST, limit=limit)
    return await _with_items(tx, user_id, rows)


async def count(tx: Tx, user_id: int) -> int:
    """How many classes the user has."""
    return int(await tx.scalar(_COUNT, user_id=user_id))


async def add(tx: Tx, user_id: int, fields: ClassFields) -> int:
    """Writes a new class without items; gives its id."""
    return int((await tx.one(_ADD, user_id=user_id, **_values(fields))).id)


async def put(tx: Tx, user_id: int, class_id: int, fields: ClassFields, *, matters: bool) -> None:
    """Replaces what the owner sets; the placement version rises where it `matters` to a plan."""
    await tx.one(_PUT, user_id=user_id, class_id=class_id, matters=matters, **_values(fields))


async def bury(tx: Tx, user_id: int, class_id: int, item_ids: Sequence[int]) -> None:
    """Deletes a class with its items; the rows stay."""
    await bury_items(tx, user_id, item_ids)
    await tx.execute(_BURY, user_id=user_id, class_id=class_id)


async def new_item_ids(tx: Tx, count: int) -> tuple[int, ...]:
    """Draws ids for items that are about to be written."""
    return tuple(row[0] for row in await tx.all(_NEW_ITEM_IDS, count=count)) if count else ()


async def add_items(tx: Tx, user_id: int, class_id: int, items: Sequence[Item]) -> None:
    """Writes new items under their ids."""
    if items:
        await tx.execute(_ADD_ITEMS, user_id=user_id, class_id=class_id, items=_stated(items))


async def put_items(tx: Tx, user_id: int, items: Sequence[Item]) -> None:
    """Rewrites items; the placement version rises with order and done."""
    if items:
        await tx.execute(_PUT_ITEMS, user_id=user_id, items=_stated(items))


async def bury_items(tx: Tx, user_id: int, ids: Sequence[int]) -> None:
    """Deletes items; the rows stay."""
    if ids:
        await tx.execute(_BURY_ITEMS, user_id=user_id, ids=list(ids))


async def _with_items(tx: Tx, user_id: int, found: Sequence[Any]) -> tuple[TaskClass, ...]:
    if not found:
        return ()
    items: dict[int, list[Values]] = {row.id: [] for row in found}
    for row in await tx.all(_ITEMS, user_id=user_id, class_ids=list(items)):
        items[row.task_class_id].append(row._mapping)
    return tuple(_class(row._mapping, items[row.id]) for row in found)


def _class(row: Values, items: Sequence[Values]) -> TaskClass:
    orders = repaired_orders({item["id"]: item["item_order"] for item in items}).of
    return TaskClass(
        id=row["id"],
        fields=_fields(row),
        items=in_order(_item(item, orders) for item in items),
        version=row["version"],
        placement_version=row["placement_version"],
        created_at=row["created_at"],
    )


def _fields(row: Values) -> ClassFields:
    return ClassFields(
        name=row["name"],
        mode=Mode(row["mode"]),
        strategy=Strategy(row["strategy"]),
        start=row["start_date"],
        end=row["end_date"],
        total_sections=row["total_sections"],
        allow_filler_course=row["allow_filler_course"],
        excluded_pairs=tuple(row["excluded_pairs"]),
        excluded_days=tuple(row["excluded_days"]),
        subject_type=SubjectType(row["subject_type"]) if row["subject_type"] else None,
        difficulty=Level(row["difficulty"]) if row["difficulty"] else None,
        intensity=Level(row["cognitive_intensity"]) if row["cognitive_intensity"] else None,
    )


def _item(row: Values, orders: Mapping[int, int]) -> Item:
    return Item(
        id=row["id"],
        content=row["content"],
        order=orders[row["id"]],
        done=row["done"],
        placement_version=row["placement_version"],
        event_ids=tuple(row["event_ids"]),
    )


def _values(fields: ClassFields) -> dict[str, Any]:
    return {
        "name": fields.name,
        "mode": fields.mode.value,
        "strategy": fields.strategy.value,
        "start_date": fields.start,
        "end_date": fields.end,
        "total_sections": fields.total_sections,
        "allow_filler_course": fields.allow_filler_course,
        "excluded_pairs": list(fields.excluded_pairs),
        "excluded_days": list(fields.excluded_days),
        "subject_type": fields.subject_type.value if fields.subject_type else None,
        "difficulty": fields.difficulty.value if fields.difficulty else None,
        "cognitive_intensity": fields.intensity.value if fields.intensity else None,
    }


def _stated(items: Sequence[Item]) -> str:
    return json.dumps(
        [
            {
                "id": item.id,
                "content": item.content,
                "item_order": item.order,
                "done": item.done,
            }
            for item in items
        ],
        ensure_ascii=False,
    )
