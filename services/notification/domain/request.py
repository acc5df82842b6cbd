"""What a person is to be told, as the event asks for it."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class TargetKind(StrEnum):
    """What the message is about; the value is what the database holds."""

    TASK_POOL = "task_pool"
    TASK_ITEM = "task_item"
    SCHEDULE_EVENT = "schedule_event"
    CHANNEL = "channel"
    BATCH = "batch"
    SIGN_IN = "sign_in"
    UNRECOGNISED = ""


@dataclass(frozen=True, slots=True)
class Request:
    """`notification_id` is the preview's id, or the trigger's where there is no preview, or
    `test_…`, or a batch's, or `sig_…`.

    `path` begins with a slash and goes behind the public base URL. A link sent after
    `valid_until` is dead.
    """

    notification_id: str
    user_id: int
    trigger_id: str
    preview_id: str
    target_kind: TargetKind
    valid_until: datetime
    path: str

    @property
    def is_test(self) -> bool:
        """Whether it is there to try out a channel: no event asks for what is about one."""
        return self.target_kind is TargetKind.CHANNEL

    @property
    def is_sign_in(self) -> bool:
        """Whether it is a sign-in link: its own path is a placeholder."""
        return self.target_kind is TargetKind.SIGN_IN

    @property
    def is_announced(self) -> bool:
        """Whether others want to know how it ended: those who asked for it by an event."""
        return not (self.is_test or self.is_sign_in)

    @property
    def is_batch(self) -> bool:
        """Whether it tells several others, which have records of their own."""
        return self.target_kind is TargetKind.BATCH
