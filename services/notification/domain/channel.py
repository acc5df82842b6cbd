"""A user's ways to be reached (spec: notification.md, Channels)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from services.notification.domain.message import Language

MOST = 20
"""Channels a user may have."""


class ChannelType(StrEnum):
    """The value is what the database holds."""

    FEISHU_BOT = "feishu_bot"
    CONSOLE = "console"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel as it is shown: its secrets are masked.

    Tried in ascending order of (position, id).
    """

    id: int
    type: ChannelType
    name: str
    position: int
    language: Language
    keyword: str
    masked_url: str
    has_secret: bool
    created_at: datetime
    takes_sign_in_links: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel as its user wants it.

    `position` 0: behind all others. `url`, `secret` and `takes_sign_in_links` None: as they are,
    which for a new one is no link; `secret` empty: none.
    """

    type: ChannelType
    name: str
    position: int
    language: Language
    keyword: str
    url: str | None
    secret: str | None
    takes_sign_in_links: bool | None = None
