"""A record as it is stored."""

from dataclasses import dataclass
from datetime import datetime

from services.notification.domain.channel import ChannelType
from services.notification.domain.record import RecordState


@dataclass(frozen=True, slots=True)
class Record:
    """What is told of a record. `channel_id` 0: the user had no channel.

    `next_attempt_at` is None while an attempt is under way and when there is none to come.
    """

    id: int
    user_id: int
    notification_id: str
    preview_id: str
    channel_id: int
    channel_type: ChannelType | None
    state: RecordState
    reason: str
    attempts: int
    provider_code: int | None
    created_at: datetime
    next_attempt_at: datetime | None
    settled_at: datetime | None
