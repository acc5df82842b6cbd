"""Users: who may come in. Everything else about a person lives in the other services."""

from dataclasses import dataclass

from sqlalchemy import text

from libs.db.database import Tx

_ADD = text("INSERT INTO users (name, is_operator) VALUES (:name, :is_operator) RETURNING id")
_FIND = text("SELECT id, name, is_operator FROM users WHERE id = :user_id")


@dataclass(frozen=True, slots=True)
class User:
    """One row of `users`."""

    user_id: int
    name: str
    is_operator: bool


async def add(tx: Tx, name: str, *, is_operator: bool) -> int:
    """A new user's id."""
    return int(await tx.scalar(_ADD, name=name, is_operator=is_operator))


async def find(tx: Tx, user_id: int) -> User | None:
    """The user, or None."""
    row = await tx.first(_FIND, user_id=user_id)
    return User(row.id, row.name, row.is_operator) if row else None
