"""The lock that puts all writers of one user in a row.

Source: spec active-scheduling.md, apply. The lock is a statement of its own: truth is read by
later statements, whose snapshots are younger than the lock.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy import text

from libs.db.database import Database, LockTimeout, Tx

T = TypeVar("T")

_ENSURE = text("INSERT INTO users (id) VALUES (:user_id) ON CONFLICT DO NOTHING")
_LOCK = text("SELECT id FROM users WHERE id = :user_id FOR UPDATE")
_LOCK_FREE = text("SELECT id FROM users WHERE id = ANY(:user_ids) FOR UPDATE SKIP LOCKED")


async def lock_user(tx: Tx, user_id: int) -> None:
    """Takes the user's row in table `users`, which it creates where there is none.

    Waits at most the connection's lock_timeout; then the error is one of `is_away`.
    """
    # A user who is known, as nearly all are, costs one statement.
    if await tx.execute(_LOCK, user_id=user_id) == 0:
        await tx.execute(_ENSURE, user_id=user_id)
        await tx.execute(_LOCK, user_id=user_id)


async def lock_free(tx: Tx, user_ids: Collection[int]) -> frozenset[int]:
    """Takes the rows of those of the users whom nobody else holds, and gives their ids.

    It waits for nobody, so that who holds several rows never meets another head-on. A user
    without a row is not among them.
    """
    found = await tx.all(_LOCK_FREE, user_ids=list(user_ids))
    return frozenset(row.id for row in found)


async def run_in_turn(db: Database, user_id: int, work: Callable[[Tx], Awaitable[T]]) -> T:
    """`Database.run` for a writer of a user: one at a time, with the user's row locked.

    Who waits for another writer of this process holds no connection meanwhile, so that one user
    cannot take them all. Waits at most the lock timeout for him, and as long again for writers
    of other processes; then the error is one of `is_contended`.
    """

    async with turn(db, user_id):
        return await run_locked(db, user_id, work)


async def run_locked(db: Database, user_id: int, work: Callable[[Tx], Awaitable[T]]) -> T:
    """`Database.run` with the user's row locked, for who has the user's turn."""

    async def locked(tx: Tx) -> T:
        await lock_user(tx, user_id)
        return await work(tx)

    return await db.run(locked)


@asynccontextmanager
async def turn(db: Database, user_id: int) -> AsyncIterator[None]:
    """The turn of one writer of this process at a user. Raises LockTimeout."""
    if user_id in db.writers:
        await _queue(db, user_id)
    else:
        # As nearly always: nobody is before him, and no clock is needed.
        db.writers[user_id] = deque()
    try:
        yield
    finally:
        _hand_on(db, user_id)


async def _queue(db: Database, user_id: int) -> None:
    mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
    db.writers[user_id].append(mine)
    try:
        async with asyncio.timeout(db.lock_seconds):
            await mine
    except BaseException as error:
        # The turn may have come at the very moment in which its waiter gave up.
        if mine.done() and not mine.cancelled():
            _hand_on(db, user_id)
        if isinstance(error, TimeoutError):
            raise LockTimeout(user_id) from error
        raise


def _hand_on(db: Database, user_id: int) -> None:
    """To the next who still waits, the earliest first."""
    waiting = db.writers[user_id]
    while waiting:
        following = waiting.popleft()
        if not following.done():
            following.set_result(None)
            return
    del db.writers[user_id]
