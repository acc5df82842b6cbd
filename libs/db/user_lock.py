"""The lock that puts all writers of one user in a row.

Source: spec active-scheduling.md, apply. The lock is a statement of its own: truth is read by
later statements, whose snapshots are younger than the lock.
"""

from sqlalchemy import text

from libs.db.database import Tx

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
