"""What an attempt's outcome does to its record (spec: notification.md, Records and Outcome)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from services.notification.domain import backoff, outcome
from services.notification.domain.backoff import DEFAULT_PACE, Pace
from services.notification.domain.outcome import (
    Ambiguous,
    Delivered,
    Outcome,
    RefreshToken,
    Refused,
    Resign,
    Retry,
)
from services.notification.domain.record import Cause, RecordState, SkipReason, is_settled

MAX_REPEATS = 1


@dataclass(frozen=True, slots=True)
class Past:
    """What the record knows, the attempt just made included.

    `attempts` made in all; `run`: how many of the last tries in a row, those that sent nothing
    included, ended with the same code as this one (1 = this alone); `repeats`: how often it went
    out again after `unknown`; `is_post`: this attempt was the plain message, not the card.
    """

    attempts: int
    run: int = 1
    repeats: int = 0
    is_post: bool = False


@dataclass(frozen=True, slots=True)
class Clockwork:
    """Time and chance for the next attempt; see `backoff.next_attempt`."""

    now: datetime
    valid_until: datetime
    jitter: float
    pace: Pace = DEFAULT_PACE

    def next_attempt(self, attempts: int, at_least: timedelta | None = None) -> datetime | None:
        """The moment of the next attempt, or None when it would come too late."""
        return backoff.next_attempt(
            self.now,
            attempts,
            valid_until=self.valid_until,
            jitter=self.jitter,
            at_least=at_least,
            pace=self.pace,
        )


@dataclass(frozen=True, slots=True)
class Step:
    """The next state of the record and all that is stored beside it.

    `next_attempt_at` is set for `failed`, and for an `unknown` that will be repeated. `as_post`:
    the next attempt sends the plain message. `refused` carries the advice of a refusal.
    """

    state: RecordState
    cause: Cause
    reason: str
    code: int | None = None
    message_id: str | None = None
    next_attempt_at: datetime | None = None
    as_post: bool = False
    refused: Refused | None = None

    @property
    def settled(self) -> bool:
        """Whether `notification.settled` is due."""
        return is_settled(self.state, comes_again=self.next_attempt_at is not None)

    @property
    def next_channel(self) -> bool:
        """Whether the user's next channel gets its turn: after a refusal alone."""
        return self.state is RecordState.DEAD and self.cause is Cause.REFUSED


def after(result: Outcome, past: Past, time: Clockwork) -> Step:
    """Decide what becomes of a record in `sending`."""
    match result:
        case Delivered(message_id=message_id):
            return Step(
                RecordState.SENT, Cause.DELIVERED, "delivered", code=0, message_id=message_id
            )
        case Retry():
            return _retry(result, past, time)
        case Refused():
            return _refuse(result, past, time)
        case Resign(refused=refused) | RefreshToken(refused=refused):
            if past.run > 1:
                return _refuse(refused, past, time)
            return _again_now(refused, time)
        case Ambiguous():
            return _unknown(result.reason, past, time)


def put_aside(reason: str, past: Past, *, last: str = "") -> Step:
    """The message is not worth sending any more; what may have arrived stays `unknown`.

    One that failed until its link died is given up for what it failed of, its `last` reason.
    """
    if past.repeats:
        return Step(RecordState.UNKNOWN, Cause.NO_ANSWER, reason)
    if past.attempts and reason == SkipReason.PREVIEW_EXPIRED:
        return Step(RecordState.DEAD, Cause.OUT_OF_TIME, last)
    return Step(RecordState.SKIPPED, Cause.NOT_WORTH_IT, reason)


def held_back(reason: str, until: datetime, past: Past, time: Clockwork) -> Step:
    """Not sent now, by our own doing; again at `until`, unless the link is dead by then."""
    if until >= time.valid_until:
        return _end(Cause.OUT_OF_TIME, past, reason, None, None)
    return Step(RecordState.FAILED, Cause.RETRYABLE, reason, next_attempt_at=until)


def _retry(retry: Retry, past: Past, time: Clockwork) -> Step:
    if retry.at_most is not None and past.run >= retry.at_most:
        return _refuse(outcome.refused_after_tries(retry), past, time)
    # Tries that sent nothing are no attempts, and wait longer each time all the same.
    moment = time.next_attempt(max(past.attempts, past.run), retry.after)
    if moment is None:
        return _end(Cause.OUT_OF_TIME, past, retry.reason, retry.code, None)
    return Step(
        RecordState.FAILED, Cause.RETRYABLE, retry.reason, retry.code, next_attempt_at=moment
    )


def _refuse(refused: Refused, past: Past, time: Clockwork) -> Step:
    if refused.as_post and not past.is_post:
        return _again_now(refused, time, as_post=True)
    return _end(Cause.REFUSED, past, refused.reason, refused.code, refused)


def _again_now(refused: Refused, time: Clockwork, *, as_post: bool = False) -> Step:
    return Step(
        RecordState.FAILED,
        Cause.RETRYABLE,
        refused.reason,
        refused.code,
        next_attempt_at=time.now,
        as_post=as_post,
    )


def _end(cause: Cause, past: Past, reason: str, code: int | None, refused: Refused | None) -> Step:
    """Dead; but where an earlier attempt may have arrived, `unknown` stays the truth."""
    if past.repeats:
        return Step(RecordState.UNKNOWN, Cause.NO_ANSWER, reason, code, refused=refused)
    return Step(RecordState.DEAD, cause, reason, code, refused=refused)


def _unknown(reason: str, past: Past, time: Clockwork) -> Step:
    comes_again = past.repeats < MAX_REPEATS
    moment = time.next_attempt(past.attempts) if comes_again else None
    return Step(RecordState.UNKNOWN, Cause.NO_ANSWER, reason, next_attempt_at=moment)
