"""Every kind of channel behind one door."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from services.notification.channels.console import Console
from services.notification.channels.feishu_bot import BotTarget, FeishuBot
from services.notification.channels.parcel import Parcel
from services.notification.domain.card import card_content
from services.notification.domain.channel import ChannelType
from services.notification.domain.message import Content, Message
from services.notification.domain.outcome import Outcome
from services.notification.domain.plain import post_content, text_content

URL = "url"
SECRET = "secret"
"""Names under which a channel's secrets are sealed."""


@dataclass(frozen=True, slots=True)
class Outlets:
    """Sends a parcel by the kind of its channel; `secrets` are the channel's, opened."""

    bot: FeishuBot
    console: Console

    async def send(self, type_: ChannelType, secrets: Mapping[str, str], parcel: Parcel) -> Outcome:
        """One attempt."""
        if type_ is ChannelType.CONSOLE:
            return await self.console.send(parcel)
        return await self.bot.send(BotTarget(secrets[URL], secrets.get(SECRET)), parcel)


def contents(type_: ChannelType, message: Message) -> tuple[Content, Content | None]:
    """What goes out, and what instead where that is refused."""
    if type_ is ChannelType.CONSOLE:
        return text_content(message), None
    return card_content(message), post_content(message)


def rate_key(type_: ChannelType, secrets: Mapping[str, str]) -> bytes | None:
    """A digest of the webhook, whose rate all its channels share; None: there is no limit."""
    if type_ is ChannelType.CONSOLE:
        return None
    return hashlib.sha256(b"smartmate webhook\x00" + secrets[URL].encode()).digest()
