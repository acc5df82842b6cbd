"""Sessions of browsers; the cookie's token itself is never stored."""

from datetime import timedelta

from sqlalchemy import text

from libs.db.database import Tx
from services.gateway.store.users import User

_ADD = text("""
    INSERT INTO sessions (token_hash, user_id, expires_at)
    VALUES (:token_hash, :user_id, clock_timestamp() + make_interval(secs => :seconds))
""")
_FIND = text("""
    SELECT users.id, users.name, users.is_operator
    FROM sessions JOIN users ON users.id = sessions.user_id
    WHERE sessions.token_hash = :token_hash AND sessions.expires_at > clock_timestamp()
""")
_END = text("DELETE FROM sessions WHERE token_hash = :token_hash")
_PRUNE = text("""
    DELETE FROM sessions WHERE token_hash IN (
        SELECT token_hash FROM sessions WHERE expires_at <= clock_timestamp() LIMIT 100)
""")


async def add(tx: Tx, token_hash: bytes, user_id: int, *, life: timedelta) -> None:
    """Stores a new session."""
    await tx.execute(_ADD, token_hash=token_hash, user_id=user_id, seconds=life.total_seconds())


async def find(tx: Tx, token_hash: bytes) -> User | None:
    """Whose session it is, while it lasts."""
    row = await tx.first(_FIND, token_hash=token_hash)
    return User(row.id, row.name, row.is_operator) if row else None


async def end(tx: Tx, token_hash: bytes) -> None:
    """Ends a session; ending one that is not there is no error."""
    await tx.execute(_END, token_hash=token_hash)


async def prune(tx: Tx) -> None:
    """Forgets some sessions that have ended."""
    await tx.execute(_PRUNE)
