"""A record as it is stored."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from services.notification.domain.channel import ChannelType
from services.notification.domain.record import RecordState

AT_ONCE = timedelta(seconds=1)
"""An attempt that is due so soon belongs to the one before: signed anew, or without the card."""


@dataclass(frozen=True, slots=True)
class Record:
    """What is told of a record. `channel_id` 0: the user had no channel.

    `next_attempt_at` is None while an attempt is under way and when there is none to come, and
    for what goes out with a batch: then `batch_id` names it.
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
    valid_until: datetime
    created_at: datetime
    next_attempt_at: datetime | None
    settled_at: datetime | None
    batch_id: str = ""

    def is_answered(self, now: datetime) -> bool:
        """Whether an attempt is over and no other one follows at once, by the same clock."""
        if self.settled_at is not None:
            return True
        if not self.attempts or self.next_attempt_at is None:
            return False
        return self.next_attempt_at - now > AT_ONCE
