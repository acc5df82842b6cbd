"""What can be wrong about a channel, a record or a secret.

NotificationError
├── WebhookUrlRefused
├── TransitionRefused
├── SecretUnreadable
├── Absent              nothing of that id for this user
│   ├── ChannelNotFound
│   └── RecordNotFound
├── TooManyChannels
└── ChannelRefused      a channel that cannot be as it is wanted; `field` is at fault
"""

from collections.abc import Mapping


class NotificationError(Exception):
    """Root of the tree; `reason` is the code a caller switches on."""

    reason = "notification_error"

    @property
    def metadata(self) -> Mapping[str, str]:
        """What a caller may be told besides the reason."""
        return {}


class WebhookUrlRefused(NotificationError):
    """A webhook address that nothing will be sent to; `problem` names the rule it breaks.

    The address itself is a credential and stands in no text.
    """

    reason = "webhook_url_refused"

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"problem": self.problem}


class TransitionRefused(NotificationError):
    """A record cannot go from one state to the other."""

    reason = "transition_refused"

    def __init__(self, before: str, after: str) -> None:
        super().__init__(f"{before} -> {after}")
        self.before = before
        self.after = after

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"from": self.before, "to": self.after}


class SecretUnreadable(NotificationError):
    """A sealed secret does not open: wrong key, wrong owner, or altered."""

    reason = "secret_unreadable"

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"problem": self.problem}


class Absent(NotificationError):
    """Nothing of that id for this user, whether it is another's or nobody's."""

    def __init__(self, id_: int) -> None:
        super().__init__(str(id_))
        self.id = id_


class ChannelNotFound(Absent):
    reason = "channel_not_found"


class RecordNotFound(Absent):
    reason = "record_not_found"


class TooManyChannels(NotificationError):
    """The user has as many channels as one may have."""

    reason = "too_many_channels"

    def __init__(self, most: int) -> None:
        super().__init__(str(most))
        self.most = most

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"most": str(self.most)}


class ChannelRefused(NotificationError):
    """A channel that cannot be as it is wanted."""

    reason = "channel_refused"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field
        self.problem = problem

    @property
    def metadata(self) -> Mapping[str, str]:
        return {"field": self.field, "problem": self.problem}
