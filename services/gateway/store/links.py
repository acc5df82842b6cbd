"""One-time sign-in links; the token itself is never stored."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import text

from libs.db.database import Tx

_ADD = text("""
    INSERT INTO sign_in_links (token_hash, user_id, next_path, expires_at)
    VALUES (:token_hash, :user_id, :next_path,
        clock_timestamp() + make_interval(secs => :seconds))
""")
# At most so many within the life of a link, and one for each attempt.
_ADD_ASKED = text("""
    INSERT INTO sign_in_links (token_hash, user_id, next_path, expires_at, asked_key)
    SELECT :token_hash, :user_id, :next_path,
        clock_timestamp() + make_interval(secs => :seconds), :key
    WHERE (SELECT count(*) FROM sign_in_links WHERE user_id = :user_id
        AND asked_key IS NOT NULL AND expires_at > clock_timestamp()) < :most
    ON CONFLICT DO NOTHING RETURNING expires_at
""")
_OPEN = text("""
    SELECT true FROM sign_in_links
    WHERE token_hash = :token_hash AND used_at IS NULL AND expires_at > clock_timestamp()
""")
# Of two that use the same link at once the second waits for the first and finds it used.
_USE = text("""
    UPDATE sign_in_links SET used_at = clock_timestamp()
    WHERE token_hash = :token_hash AND used_at IS NULL AND expires_at > clock_timestamp()
    RETURNING user_id, next_path
""")
_PRUNE = text("""
    DELETE FROM sign_in_links WHERE token_hash IN (
        SELECT token_hash FROM sign_in_links
        WHERE expires_at < clock_timestamp() - interval '7 days' LIMIT 100)
""")


@dataclass(frozen=True, slots=True)
class Used:
    """What a link led to."""

    user_id: int
    next_path: str | None


async def add(
    tx: Tx, token_hash: bytes, user_id: int, *, next_path: str | None, life: timedelta
) -> None:
    """Stores a new link."""
    await tx.execute(
        _ADD,
        token_hash=token_hash,
        user_id=user_id,
        next_path=next_path,
        seconds=life.total_seconds(),
    )


async def add_asked(
    tx: Tx,
    token_hash: bytes,
    user_id: int,
    *,
    next_path: str | None,
    life: timedelta,
    key: str,
    most: int,
) -> datetime | None:
    """Stores a link that its user asked for, and tells when it ends.

    None: `most` of them are alive, or this attempt has had its link. The user's row is locked.
    """
    found: datetime | None = await tx.scalar(
        _ADD_ASKED,
        token_hash=token_hash,
        user_id=user_id,
        next_path=next_path,
        seconds=life.total_seconds(),
        key=key,
        most=most,
    )
    return found


async def is_open(tx: Tx, token_hash: bytes) -> bool:
    """Whether the link can still be used; uses nothing up."""
    return await tx.scalar(_OPEN, token_hash=token_hash) is not None


async def use(tx: Tx, token_hash: bytes) -> Used | None:
    """Uses the link up; None where it was used, has expired or never was."""
    row = await tx.first(_USE, token_hash=token_hash)
    return Used(row.user_id, row.next_path) if row else None


async def prune(tx: Tx) -> None:
    """Forgets some links that expired long ago."""
    await tx.execute(_PRUNE)
