"""Everything that the gateway itself refuses; each class has a stable `reason`."""

from typing import ClassVar


class GatewayError(Exception):
    """A refusal of the gateway."""

    reason: ClassVar[str] = "gateway_error"


class NotSignedIn(GatewayError):
    """Nobody is signed in: pages lead to sign-in, programs get a refusal."""

    reason = "not_signed_in"


class InvalidBearer(GatewayError):
    """A bearer token that proves nothing."""

    reason = "invalid_token"


class ForgedPost(GatewayError):
    """A change that does not come from one of our own pages."""

    reason = "form_not_ours"


class LinkSpent(GatewayError):
    """A sign-in link that was used, has expired or never was; which one is not told."""

    reason = "sign_in_link_spent"


class UserUnknown(GatewayError):
    """No user has this id."""

    reason = "user_not_found"

    def __init__(self, user_id: int) -> None:
        super().__init__(f"no user {user_id}")
        self.user_id = user_id


class InvalidName(GatewayError):
    """A name that is empty, too long or no line of text."""

    reason = "invalid_name"

    def __init__(self, longest: int) -> None:
        super().__init__(f"a name is one line of 1 to {longest} characters")
        self.longest = longest


class InvalidHandle(GatewayError):
    """A handle that is empty, too long, or not of letters, digits and `._@-`."""

    reason = "invalid_handle"

    def __init__(self, longest: int) -> None:
        super().__init__(f"a handle is 1 to {longest} ASCII letters, digits and ._@-")
        self.longest = longest


class HandleTaken(GatewayError):
    """Another user goes by this handle."""

    reason = "handle_taken"


class KeyMissing(GatewayError):
    """A change without an idempotency key."""

    reason = "idempotency_key_missing"


class KeysDiffer(GatewayError):
    """The key in the header and the key in the body are not the same."""

    reason = "idempotency_keys_differ"


class KeyInvalid(GatewayError):
    """A key that is not 1 to 64 visible ASCII characters."""

    reason = "idempotency_key_invalid"


class TooManyRequests(GatewayError):
    """The caller asks faster than it may; `retry_after` is in whole seconds."""

    reason = "too_many_requests"

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"again in {retry_after} s")
        self.retry_after = retry_after


class TooLarge(GatewayError):
    """A body of more than the limit."""

    reason = "too_large"


class TooSlow(GatewayError):
    """A body that was not whole in time."""

    reason = "too_slow"


class NothingHere(GatewayError):
    """An id that cannot be one of ours; answered like one that belongs to somebody else."""

    reason = "not_found"


class PreviewNotFound(NothingHere):
    """No suggestion can have this id."""

    reason = "preview_not_found"


class TriggerNotFound(NothingHere):
    """No look can have this id."""

    reason = "trigger_not_found"


class ConversationNotFound(NothingHere):
    """No conversation can have this id."""

    reason = "conversation_not_found"


class RunNotFound(NothingHere):
    """No run of a conversation can have this id."""

    reason = "run_not_found"


class AwayForNow(GatewayError):
    """Something that the gateway needs is not there at the moment."""

    reason = "unavailable"
