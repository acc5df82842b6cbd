"""What a channel is handed: one frozen content for one record."""

from dataclasses import dataclass, field

from services.notification.domain.message import Content


@dataclass(frozen=True, slots=True)
class Parcel:
    """A message in a channel's format.

    `key` stays the same over all attempts; `content` was frozen at the first one. Ids may be
    logged, the content may not; `hidden` of it may stand in nothing that is kept.
    """

    record_id: str
    notification_id: str
    user_id: int
    key: str
    content: Content = field(repr=False)
    hidden: tuple[str, ...] = field(default=(), repr=False)
