"""A user's channels: created, changed, listed, deleted. Secrets go in and never come out."""

from collections.abc import Sequence
from typing import Any

from libs.db.database import Tx
from services.notification.channels.outlets import SECRET, URL
from services.notification.channels.sealing import Sealer, masked
from services.notification.domain import errors
from services.notification.domain.channel import MOST, Channel, ChannelType, Wanted
from services.notification.store import channels
from services.notification.store.channels import Kept


async def put(tx: Tx, sealer: Sealer, user_id: int, channel_id: int, wanted: Wanted) -> Channel:
    """Creates a channel where `channel_id` is 0, else changes the one named.

    Raises ChannelNotFound, ChannelRefused, TooManyChannels, SecretUnreadable.
    """
    if channel_id == 0:
        return await _create(tx, sealer, user_id, wanted)
    kept = await channels.lock(tx, user_id, channel_id)
    if kept is None:
        raise errors.ChannelNotFound(channel_id)
    if kept.channel.type is not wanted.type:
        raise errors.ChannelRefused("type", "cannot be changed")
    secrets = _merged(_opened(sealer, user_id, kept, wanted), wanted)
    values = _values(sealer, user_id, channel_id, wanted, secrets)
    return await channels.update(tx, user_id, channel_id, values)


async def _create(tx: Tx, sealer: Sealer, user_id: int, wanted: Wanted) -> Channel:
    if wanted.type is ChannelType.FEISHU_BOT and not wanted.url:
        raise errors.ChannelRefused("webhook_url", "is required for a new Feishu bot")
    if await channels.count(tx, user_id) >= MOST:
        raise errors.TooManyChannels(MOST)
    channel_id = await channels.next_id(tx)
    values = _values(sealer, user_id, channel_id, wanted, _merged({}, wanted))
    return await channels.insert(tx, user_id, channel_id, values)


async def find(tx: Tx, user_id: int, channel_id: int) -> Channel:
    """A channel of this user. Raises ChannelNotFound."""
    channel = await channels.get(tx, user_id, channel_id)
    if channel is None:
        raise errors.ChannelNotFound(channel_id)
    return channel


async def in_order(
    tx: Tx, user_id: int, *, after: tuple[int, int], limit: int
) -> tuple[Sequence[Channel], Channel | None]:
    """A page of channels in the order in which they are tried, and its last one if more follow."""
    found = await channels.in_order(tx, user_id, after=after, limit=limit + 1)
    page = found[:limit]
    return page, page[-1] if len(found) > limit else None


async def delete(tx: Tx, user_id: int, channel_id: int) -> None:
    """Deletes a channel and its secrets; twice is no error. Raises ChannelNotFound."""
    if not await channels.delete(tx, user_id, channel_id):
        raise errors.ChannelNotFound(channel_id)


def _opened(sealer: Sealer, user_id: int, kept: Kept, wanted: Wanted) -> dict[str, str]:
    """What the channel keeps; not asked for where all of it is replaced."""
    if kept.sealed is None or (wanted.url is not None and wanted.secret is not None):
        return {}
    return sealer.open(kept.sealed, user_id=user_id, channel_id=str(kept.channel.id))


def _merged(secrets: dict[str, str], wanted: Wanted) -> dict[str, str]:
    given = {URL: wanted.url, SECRET: wanted.secret}
    merged = secrets | {name: value for name, value in given.items() if value is not None}
    return {name: value for name, value in merged.items() if value}


def _values(
    sealer: Sealer, user_id: int, channel_id: int, wanted: Wanted, secrets: dict[str, str]
) -> dict[str, Any]:
    sealed = sealer.seal(secrets, user_id=user_id, channel_id=str(channel_id)) if secrets else None
    return {
        "type": wanted.type.value,
        "name": wanted.name,
        "position": wanted.position,
        "language": wanted.language.value,
        "keyword": wanted.keyword,
        "masked_url": masked(secrets[URL]) if URL in secrets else "",
        "has_secret": SECRET in secrets,
        "takes_sign_in_links": wanted.takes_sign_in_links,
        "sealed": sealed,
    }
