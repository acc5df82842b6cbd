"""notification_channels."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from services.notification.domain.channel import Channel, ChannelType
from services.notification.domain.message import Language

_COLUMNS = """
    id, type, name, position, language, keyword, masked_url, has_secret, takes_sign_in_links,
    sealed, created_at
"""

_NEXT_ID = text("SELECT nextval(pg_get_serial_sequence('notification_channels', 'id'))")
_LOCK_USER = text("""
    SELECT pg_advisory_xact_lock(hashtextextended('notification_channels', :user_id))
""")
_COUNT = text("""
    SELECT count(*) FROM notification_channels WHERE user_id = :user_id AND deleted_at IS NULL
""")
# Position 0 asks for the place behind all others.
_LAST = """
    COALESCE((SELECT max(position) + 1 FROM notification_channels
        WHERE user_id = :user_id AND id <> :id AND deleted_at IS NULL), 1)
"""
_INSERT = text(f"""
    INSERT INTO notification_channels (user_id, id, type, name, position, language, keyword,
        masked_url, has_secret, takes_sign_in_links, sealed)
    VALUES (:user_id, :id, :type, :name, COALESCE(NULLIF(:position, 0), {_LAST}), :language,
        :keyword, :masked_url, :has_secret, COALESCE(:takes_sign_in_links, false), :sealed)
    RETURNING {_COLUMNS}
""")
_UPDATE = text(f"""
    UPDATE notification_channels SET name = :name,
        position = COALESCE(NULLIF(:position, 0), {_LAST}), language = :language,
        keyword = :keyword, masked_url = :masked_url, has_secret = :has_secret, sealed = :sealed,
        takes_sign_in_links = COALESCE(:takes_sign_in_links, takes_sign_in_links),
        updated_at = clock_timestamp()
    WHERE user_id = :user_id AND id = :id AND type = :type AND deleted_at IS NULL
    RETURNING {_COLUMNS}
""")
_GET = text(f"""
    SELECT {_COLUMNS} FROM notification_channels
    WHERE user_id = :user_id AND id = :id AND deleted_at IS NULL
""")
_LOCK = text(f"""
    SELECT {_COLUMNS} FROM notification_channels
    WHERE user_id = :user_id AND id = :id AND deleted_at IS NULL FOR UPDATE
""")
_LIST = text(f"""
    SELECT {_COLUMNS} FROM notification_channels
    WHERE user_id = :user_id AND deleted_at IS NULL
        AND (position, id) > (CAST(:position AS bigint), :id)
    ORDER BY position, id LIMIT :limit
""")
# The secrets go with it; the row stays, for records name it.
_DELETE = text("""
    UPDATE notification_channels SET sealed = NULL,
        deleted_at = COALESCE(deleted_at, clock_timestamp())
    WHERE user_id = :user_id AND id = :id
""")
# The first one that this message has not been tried on.
_UNTRIED = text("""
    SELECT channel.id, channel.type FROM notification_channels AS channel
    WHERE channel.user_id = :user_id AND channel.deleted_at IS NULL
        AND (channel.takes_sign_in_links OR NOT :sign_in) AND NOT EXISTS (
        SELECT 1 FROM notification_records AS record
        WHERE record.user_id = :user_id AND record.notification_id = :notification_id
            AND record.channel_id = channel.id)
    ORDER BY channel.position, channel.id LIMIT 1
""")


@dataclass(frozen=True, slots=True)
class Kept:
    """A channel with its sealed secrets; None where the type has none."""

    channel: Channel
    sealed: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Way:
    """A channel as far as a record needs to know it."""

    id: int
    type: ChannelType


async def next_id(tx: Tx) -> int:
    """An id for a new channel: its seal is bound to it, so it must be known beforehand."""
    id_: int = await tx.scalar(_NEXT_ID)
    return id_


async def count(tx: Tx, user_id: int) -> int:
    """How many channels a user has; that stays so for all who count, until the end of `tx`."""
    # A statement of its own: what is counted is younger than the lock.
    await tx.execute(_LOCK_USER, user_id=user_id)
    number: int = await tx.scalar(_COUNT, user_id=user_id)
    return number


async def insert(tx: Tx, user_id: int, channel_id: int, values: dict[str, Any]) -> Channel:
    """Writes a new channel."""
    return _channel(await tx.one(_INSERT, user_id=user_id, id=channel_id, **values))


async def update(tx: Tx, user_id: int, channel_id: int, values: dict[str, Any]) -> Channel:
    """Changes a channel that was locked before."""
    return _channel(await tx.one(_UPDATE, user_id=user_id, id=channel_id, **values))


async def get(tx: Tx, user_id: int, channel_id: int) -> Channel | None:
    """A channel of this user that was not deleted."""
    row = await tx.first(_GET, user_id=user_id, id=channel_id)
    return _channel(row) if row else None


async def lock(tx: Tx, user_id: int, channel_id: int) -> Kept | None:
    """The same with its seal, locked until the end of the transaction."""
    row = await tx.first(_LOCK, user_id=user_id, id=channel_id)
    return Kept(_channel(row), row.sealed) if row else None


async def in_order(
    tx: Tx, user_id: int, *, after: tuple[int, int], limit: int
) -> Sequence[Channel]:
    """Channels behind (position, id), in the order in which they are tried."""
    position, id_ = after
    rows = await tx.all(_LIST, user_id=user_id, position=position, id=id_, limit=limit)
    return [_channel(row) for row in rows]


async def delete(tx: Tx, user_id: int, channel_id: int) -> bool:
    """Deletes a channel and its secrets; False: the user never had it."""
    return await tx.execute(_DELETE, user_id=user_id, id=channel_id) > 0


async def untried(
    tx: Tx, user_id: int, notification_id: str, *, sign_in: bool = False
) -> Way | None:
    """The channel whose turn it is for a message; None: there is none, or none is left.

    `sign_in`: the message is a sign-in link, which not every channel takes.
    """
    row = await tx.first(
        _UNTRIED, user_id=user_id, notification_id=notification_id, sign_in=sign_in
    )
    return Way(row.id, ChannelType(row.type)) if row else None


def _channel(row: Row) -> Channel:
    return Channel(
        id=row.id,
        type=ChannelType(row.type),
        name=row.name,
        position=row.position,
        language=Language(row.language),
        keyword=row.keyword,
        masked_url=row.masked_url,
        has_secret=row.has_secret,
        created_at=row.created_at,
        takes_sign_in_links=row.takes_sign_in_links,
    )
