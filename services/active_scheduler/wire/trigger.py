"""Triggers as messages."""

from collections.abc import Sequence

from libs.rpc.errors import invalid
from services.active_scheduler.domain.trigger import (
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
)
from services.active_scheduler.wire import values
from smartmate.active_scheduler.v1 import trigger_pb2

TRIGGER_TYPES = {
    trigger_pb2.TRIGGER_TYPE_IMPORTANT_URGENT_TASK: TriggerType.IMPORTANT_URGENT_TASK,
    trigger_pb2.TRIGGER_TYPE_UNFINISHED_FEEDBACK: TriggerType.UNFINISHED_FEEDBACK,
}
TRIGGER_TYPE_NUMBERS = values.inverse(TRIGGER_TYPES)
_SOURCES = {
    TriggerSource.WORKER_DUE_JOB: trigger_pb2.TRIGGER_SOURCE_WORKER_DUE_JOB,
    TriggerSource.API_TRIGGER: trigger_pb2.TRIGGER_SOURCE_API_TRIGGER,
    TriggerSource.REGENERATE: trigger_pb2.TRIGGER_SOURCE_REGENERATE,
    TriggerSource.USER_FEEDBACK: trigger_pb2.TRIGGER_SOURCE_USER_FEEDBACK,
    TriggerSource.ANSWER: trigger_pb2.TRIGGER_SOURCE_ANSWER,
}
_STATES = {
    TriggerState.PENDING: trigger_pb2.TRIGGER_STATE_PENDING,
    TriggerState.PROCESSING: trigger_pb2.TRIGGER_STATE_PROCESSING,
    TriggerState.PREVIEW_GENERATED: trigger_pb2.TRIGGER_STATE_PREVIEW_GENERATED,
    TriggerState.CLOSED: trigger_pb2.TRIGGER_STATE_CLOSED,
    TriggerState.SKIPPED: trigger_pb2.TRIGGER_STATE_SKIPPED,
    TriggerState.FAILED: trigger_pb2.TRIGGER_STATE_FAILED,
    TriggerState.REJECTED: trigger_pb2.TRIGGER_STATE_REJECTED,
}


def checked_type(number: trigger_pb2.TriggerType) -> TriggerType:
    """A trigger type out of a request."""
    if number not in TRIGGER_TYPES:
        raise invalid("type", "must be a known type of trigger")
    return TRIGGER_TYPES[number]


_STATES_BY_NUMBER = values.inverse(_STATES)
_MAX_WORDS = 500


def checked_states(numbers: Sequence[trigger_pb2.TriggerState]) -> tuple[TriggerState, ...]:
    """States out of a request; none = any."""
    if any(number not in _STATES_BY_NUMBER for number in numbers):
        raise invalid("states", "must be known states of a trigger")
    return tuple(sorted({_STATES_BY_NUMBER[number] for number in numbers}))


def checked_words(text: str) -> str:
    """What a person says, out of a request, without the space around it."""
    words = text.strip()
    if len(words) > _MAX_WORDS:
        raise invalid("text", f"must be at most {_MAX_WORDS} characters")
    if "\0" in words:
        raise invalid("text", "must hold no NUL")
    return words


def listing_message(trigger: Trigger) -> trigger_pb2.TriggerListing:
    return trigger_pb2.TriggerListing(
        trigger=trigger_message(trigger), user_id=trigger.user_id, priority=trigger.priority or 0
    )


def trigger_message(trigger: Trigger) -> trigger_pb2.TriggerRecord:
    return trigger_pb2.TriggerRecord(
        trigger_id=trigger.id,
        type=TRIGGER_TYPE_NUMBERS[trigger.type],
        source=_SOURCES[trigger.source],
        target=values.target_message(trigger.target) if trigger.target else None,
        state=_STATES[trigger.state],
        reason=trigger.reason,
        preview_id=trigger.preview_id or "",
        create_time=values.timestamp(trigger.created_at),
        finish_time=values.timestamp(trigger.finished_at),
        is_mock_time=trigger.is_mock,
        mock_now_time=values.timestamp(trigger.mock_now),
        linked_trigger_id=trigger.linked_trigger_id or "",
        feedback_id=trigger.feedback_id or "",
        words=trigger.words,
    )
