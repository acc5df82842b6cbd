"""Users: who may come in. Everything else about a person lives in the other services."""

from dataclasses import dataclass

from sqlalchemy import text

from libs.db.database import Tx

_ADD = text("""
    INSERT INTO users (name, is_operator, handle) VALUES (:name, :is_operator, :handle)
    ON CONFLICT (handle) DO NOTHING RETURNING id
""")
_FIND = text("SELECT id, name, is_operator FROM users WHERE id = :user_id")
_CALLED = text("""
    SELECT id FROM users WHERE handle = :handle
    UNION ALL SELECT id FROM users WHERE id = :user_id
        AND NOT EXISTS (SELECT 1 FROM users WHERE handle = :handle)
""")
# Those who ask for the same user count each other's links.
_LOCK = text("SELECT 1 FROM users WHERE id = :user_id FOR UPDATE")


@dataclass(frozen=True, slots=True)
class User:
    """One row of `users`."""

    user_id: int
    name: str
    is_operator: bool


async def add(tx: Tx, name: str, *, is_operator: bool, handle: str | None = None) -> int | None:
    """A new user's id; None: the handle is another's."""
    found: int | None = await tx.scalar(_ADD, name=name, is_operator=is_operator, handle=handle)
    return found


async def lock_called(tx: Tx, handle: str, user_id: int) -> int | None:
    """The user with this handle, else the one with this id, locked; None: nobody."""
    found: int | None = await tx.scalar(_CALLED, handle=handle, user_id=user_id)
    if found is not None:
        await tx.execute(_LOCK, user_id=found)
    return found


async def find(tx: Tx, user_id: int) -> User | None:
    """The user, or None."""
    row = await tx.first(_FIND, user_id=user_id)
    return User(row.id, row.name, row.is_operator) if row else None
