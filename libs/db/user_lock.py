"""The lock that puts all writers of one user in a row.

Source: spec active-scheduling.md, apply. The lock is a statement of its own: truth is read by
later statements, whose snapshots are younger than the lock.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy import text

from libs.db.database import Database, LockTimeout, Tx

T = TypeVar("T")

_ENSURE = text("INSERT INTO users (id) VALUES (:user_id) ON CONFLICT DO NOTHING")
_LOCK = text("SELECT id FROM users WHERE id = :user_id FOR UPDATE")


async def lock_user(tx: Tx, user_id: int) -> None:
    """Takes the user's row in table `users`, which it creates where there is none.

    Waits at most the connection's lock_timeout; then the error is one of `is_away`.
    """
    # A user who is known, as nearly all are, costs one statement.
    if await tx.execute(_LOCK, user_id=user_id) == 0:
        await tx.execute(_ENSURE, user_id=user_id)
        await tx.execute(_LOCK, user_id=user_id)


async def run_in_turn(db: Database, user_id: int, work: Callable[[Tx], Awaitable[T]]) -> T:
    """`Database.run` for a writer of a user: one at a time, with the user's row locked.

    Who waits for another writer of this process holds no connection meanwhile, so that one user
    cannot take them all. Waits at most the lock timeout for him, and as long again for writers
    of other processes; then the error is one of `is_contended`.
    """

    async def locked(tx: Tx) -> T:
        await lock_user(tx, user_id)
        return await work(tx)

    async with _turn(db, user_id):
        return await db.run(locked)


@asynccontextmanager
async def _turn(db: Database, user_id: int) -> AsyncIterator[None]:
    lock = db.writers.setdefault(user_id, asyncio.Lock())
    try:
        async with asyncio.timeout(db.lock_seconds):
            await lock.acquire()
    except TimeoutError as error:
        raise LockTimeout(user_id) from error
    try:
        yield
    finally:
        lock.release()
