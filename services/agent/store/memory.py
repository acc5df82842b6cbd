"""memory_items."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from services.agent.domain.memory import Hints, Item, MemoryType, NewItem

_COLUMNS = "id, type, text, days, first_section, last_section, created_at, updated_at"

# Whoever adds waits here for whoever adds to the same person's items.
_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended('memory_items', :user_id))")
_INSERT = text(f"""
    INSERT INTO memory_items (user_id, type, text, days, first_section, last_section)
    VALUES (:user_id, :type, :text, CAST(:days AS smallint[]), :first, :last)
    RETURNING {_COLUMNS}
""")
_UPDATE = text(f"""
    UPDATE memory_items SET type = :type, text = :text, days = CAST(:days AS smallint[]),
        first_section = :first, last_section = :last, updated_at = clock_timestamp()
    WHERE user_id = :user_id AND id = :id
    RETURNING {_COLUMNS}
""")
_COUNT = text("SELECT count(*) FROM memory_items WHERE user_id = :user_id")
_ALL = text(f"""
    SELECT {_COLUMNS} FROM memory_items
    WHERE user_id = :user_id
        AND (:any_type OR type = ANY(CAST(:types AS text[])))
    ORDER BY id DESC LIMIT :limit
""")
_PAGE = text(f"""
    SELECT {_COLUMNS} FROM memory_items
    WHERE user_id = :user_id AND id < :before
        AND (:any_type OR type = ANY(CAST(:types AS text[])))
    ORDER BY id DESC LIMIT :limit
""")
_DELETE = text("DELETE FROM memory_items WHERE user_id = :user_id AND id = :id")


async def lock(tx: Tx, user_id: int) -> None:
    """Puts all who add to a user's items in a row, until the end of the transaction."""
    await tx.execute(_LOCK, user_id=user_id)


async def insert(tx: Tx, user_id: int, item: NewItem) -> Item:
    """Writes a new item."""
    return _item(await tx.one(_INSERT, user_id=user_id, **_values(item)))


async def update(tx: Tx, user_id: int, item_id: int, item: NewItem) -> Item | None:
    """Changes an item; None: this user has none of that id."""
    row = await tx.first(_UPDATE, user_id=user_id, id=item_id, **_values(item))
    return _item(row) if row else None


async def count(tx: Tx, user_id: int) -> int:
    """How many items a user has."""
    number: int = await tx.scalar(_COUNT, user_id=user_id)
    return number


async def every(tx: Tx, user_id: int, types: Sequence[MemoryType], *, limit: int) -> Sequence[Item]:
    """Items of these types, of any where none is named."""
    rows = await tx.all(_ALL, user_id=user_id, limit=limit, **_types(types))
    return [_item(row) for row in rows]


async def page(
    tx: Tx, user_id: int, types: Sequence[MemoryType], *, before: int, limit: int
) -> Sequence[Item]:
    """Items with an id below `before`, newest first."""
    rows = await tx.all(_PAGE, user_id=user_id, before=before, limit=limit, **_types(types))
    return [_item(row) for row in rows]


async def delete(tx: Tx, user_id: int, item_id: int) -> None:
    """Deletes an item, if this user has it."""
    await tx.execute(_DELETE, user_id=user_id, id=item_id)


def _values(item: NewItem) -> dict[str, Any]:
    return {
        "type": item.type.value,
        "text": item.text,
        "days": list(item.hints.days),
        "first": item.hints.first,
        "last": item.hints.last,
    }


def _types(types: Sequence[MemoryType]) -> dict[str, Any]:
    return {"any_type": not types, "types": [one.value for one in types]}


def _item(row: Row) -> Item:
    return Item(
        id=row.id,
        type=MemoryType(row.type),
        text=row.text,
        hints=Hints(tuple(row.days), row.first_section, row.last_section),
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
