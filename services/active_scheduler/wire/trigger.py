"""Triggers as messages."""

from libs.rpc.errors import invalid
from services.active_scheduler.domain.trigger import (
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
)
from services.active_scheduler.wire import values
from smartmate.active_scheduler.v1 import trigger_pb2

TRIGGER_TYPES = {trigger_pb2.TRIGGER_TYPE_IMPORTANT_URGENT_TASK: TriggerType.IMPORTANT_URGENT_TASK}
TRIGGER_TYPE_NUMBERS = values.inverse(TRIGGER_TYPES)
_SOURCES = {
    TriggerSource.WORKER_DUE_JOB: trigger_pb2.TRIGGER_SOURCE_WORKER_DUE_JOB,
    TriggerSource.API_TRIGGER: trigger_pb2.TRIGGER_SOURCE_API_TRIGGER,
    TriggerSource.REGENERATE: trigger_pb2.TRIGGER_SOURCE_REGENERATE,
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


def trigger_message(trigger: Trigger) -> trigger_pb2.TriggerRecord:
    return trigger_pb2.TriggerRecord(
        trigger_id=trigger.id,
        type=TRIGGER_TYPE_NUMBERS[trigger.type],
        source=_SOURCES[trigger.source],
        target=values.target_message(trigger.target),
        state=_STATES[trigger.state],
        reason=trigger.reason,
        preview_id=trigger.preview_id or "",
        create_time=values.timestamp(trigger.created_at),
        finish_time=values.timestamp(trigger.finished_at),
        is_mock_time=trigger.is_mock,
        mock_now_time=values.timestamp(trigger.mock_now),
        linked_trigger_id=trigger.linked_trigger_id or "",
    )
