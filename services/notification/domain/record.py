"""The life of a notification record (spec: notification.md, Records)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from services.notification.domain.errors import TransitionRefused


class RecordState(StrEnum):
    """Where a record stands; the value is what the database holds."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    DEAD = "dead"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


class SkipReason(StrEnum):
    """Why a message was not worth sending any more, or had nowhere to go."""

    NO_CHANNEL = "no_channel"
    NO_SIGN_IN_CHANNEL = "no_channel_for_sign_in"
    PREVIEW_EXPIRED = "preview_expired"
    PREVIEW_NOT_FOUND = "preview_not_found"
    SUPERSEDED = "preview_superseded"
    IGNORED = "preview_ignored"
    ANSWERED = "question_answered"
    APPLYING = "preview_applying"
    APPLIED = "applied"


class Cause(StrEnum):
    """What moves a record on."""

    CLAIMED = "claimed"
    LEASE_EXPIRED = "lease_expired"
    DELIVERED = "delivered"
    RETRYABLE = "retryable"
    REFUSED = "refused"
    OUT_OF_TIME = "out_of_time"
    NOT_WORTH_IT = "not_worth_it"
    NO_ANSWER = "no_answer"
    REPEATED = "repeated"
    BATCHED = "batched"
    ASKED_AGAIN = "asked_again"


@dataclass(frozen=True, slots=True)
class Transition:
    """One arrow of the drawing in ARCHITECTURE.md."""

    before: RecordState
    after: RecordState
    causes: tuple[Cause, ...]


# What waits is claimed or given up; what is claimed ends or waits again; `unknown` goes out at most
# once more, marked as a repeat; a person may ask again for what was not delivered.
TRANSITIONS: tuple[Transition, ...] = (
    Transition(RecordState.PENDING, RecordState.SENDING, (Cause.CLAIMED,)),
    Transition(RecordState.PENDING, RecordState.SKIPPED, (Cause.NOT_WORTH_IT,)),
    # It was told in one message with others, whose record went the way of every message.
    Transition(RecordState.PENDING, RecordState.SENT, (Cause.BATCHED,)),
    Transition(RecordState.PENDING, RecordState.DEAD, (Cause.BATCHED,)),
    Transition(RecordState.PENDING, RecordState.UNKNOWN, (Cause.BATCHED,)),
    # Same key, another worker: the provider drops the double.
    Transition(RecordState.SENDING, RecordState.SENDING, (Cause.LEASE_EXPIRED,)),
    Transition(RecordState.SENDING, RecordState.SENT, (Cause.DELIVERED,)),
    Transition(RecordState.SENDING, RecordState.FAILED, (Cause.RETRYABLE,)),
    Transition(RecordState.SENDING, RecordState.DEAD, (Cause.REFUSED, Cause.OUT_OF_TIME)),
    Transition(RecordState.SENDING, RecordState.SKIPPED, (Cause.NOT_WORTH_IT,)),
    # Where the provider has no key.
    Transition(RecordState.SENDING, RecordState.UNKNOWN, (Cause.NO_ANSWER, Cause.LEASE_EXPIRED)),
    Transition(RecordState.FAILED, RecordState.SENDING, (Cause.CLAIMED,)),
    Transition(RecordState.FAILED, RecordState.DEAD, (Cause.OUT_OF_TIME,)),
    Transition(RecordState.FAILED, RecordState.SKIPPED, (Cause.NOT_WORTH_IT,)),
    Transition(RecordState.FAILED, RecordState.PENDING, (Cause.ASKED_AGAIN,)),
    Transition(RecordState.UNKNOWN, RecordState.SENDING, (Cause.REPEATED,)),
    Transition(RecordState.UNKNOWN, RecordState.PENDING, (Cause.ASKED_AGAIN,)),
    Transition(RecordState.DEAD, RecordState.PENDING, (Cause.ASKED_AGAIN,)),
)

INITIAL: frozenset[RecordState] = frozenset({RecordState.PENDING, RecordState.SKIPPED})
"""The states a record is created in; skipped where the user has no channel."""

SETTLED: frozenset[RecordState] = frozenset(
    {RecordState.SENT, RecordState.DEAD, RecordState.SKIPPED, RecordState.UNKNOWN}
)
"""The states a record ends in; only a repeat or a person's wish leads out again."""

_ALLOWED: Mapping[tuple[RecordState, RecordState], Transition] = {
    (arrow.before, arrow.after): arrow for arrow in TRANSITIONS
}


def allowed_from(after: RecordState) -> frozenset[RecordState]:
    """The states from which a record may enter `after`: the condition of a compare-and-set."""
    return frozenset(arrow.before for arrow in TRANSITIONS if arrow.after is after)


def check(before: RecordState, after: RecordState) -> Transition:
    """The arrow from one state to the other. Raises TransitionRefused where there is none."""
    arrow = _ALLOWED.get((before, after))
    if arrow is None:
        raise TransitionRefused(before, after)
    return arrow


def is_settled(state: RecordState, *, comes_again: bool = False) -> bool:
    """Whether `notification.settled` is due: ended, and no repeat of an `unknown` is planned."""
    return state in SETTLED and not comes_again
