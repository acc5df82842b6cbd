"""What active_scheduler says when it is asked: is it still worth sending, and the words.

Source: spec notification.md, Message. Worth it is what is ready, waits for the person and has two
minutes of life left; where no answer comes the template goes out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from services.notification.domain.message import Language
from services.notification.domain.record import SkipReason
from services.notification.domain.request import Request


class PreviewState(StrEnum):
    """Where a preview stands."""

    READY = "ready"
    APPLYING = "applying"
    APPLIED = "applied"
    IGNORED = "ignored"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"


class Topic(StrEnum):
    """What waits for the person."""

    SUGGESTION = "suggestion"
    QUESTION = "question"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Spot:
    """A run of sections on one day, in the person's own time."""

    first: int
    last: int
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class PlannedChange:
    """One thing that would move or appear. `taken_by`: what stands at `to` now."""

    name: str
    from_: Spot | None
    to: Spot | None
    taken_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """A preview as it is at `now`, by active_scheduler's clock; `time_zone` is an IANA name.

    `is_answered`: its question was answered, and a new look is under way.
    """

    state: PreviewState
    topic: Topic
    target_title: str
    summary: Mapping[Language, str]
    changes: tuple[PlannedChange, ...]
    now: datetime
    expires_at: datetime
    time_zone: str
    is_answered: bool = False


@dataclass(frozen=True, slots=True)
class Absent:
    """There is no such preview for this user."""


@dataclass(frozen=True, slots=True)
class Silence:
    """No answer came, or none that could be read, or there is no preview to ask about."""


Answer: TypeAlias = Told | Absent | Silence


@dataclass(frozen=True, slots=True)
class Matter:
    """What a person is to be told of, and what was said about it when it was asked."""

    request: Request
    answer: Answer


_REASONS = {
    PreviewState.APPLYING: SkipReason.APPLYING,
    PreviewState.APPLIED: SkipReason.APPLIED,
    PreviewState.IGNORED: SkipReason.IGNORED,
    PreviewState.SUPERSEDED: SkipReason.SUPERSEDED,
    PreviewState.EXPIRED: SkipReason.PREVIEW_EXPIRED,
}


def not_worth_it(
    answer: Answer, *, now: datetime, valid_until: datetime, min_life: timedelta
) -> SkipReason | None:
    """Why the message need not go out any more, or None: it should.

    `now` and `valid_until` are of this service's own clock and decide where no answer came.
    """
    match answer:
        case Absent():
            return SkipReason.PREVIEW_NOT_FOUND
        case Silence():
            left = valid_until - now
        case Told(state=PreviewState.READY, is_answered=True):
            return SkipReason.ANSWERED
        case Told(state=PreviewState.READY):
            left = answer.expires_at - answer.now
        case Told(state=state):
            return _REASONS[state]
    return None if left >= min_life else SkipReason.PREVIEW_EXPIRED
