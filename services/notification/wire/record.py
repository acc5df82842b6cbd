"""Records as messages."""

from services.notification.domain.record import RecordState
from services.notification.domain.remedy import remedy
from services.notification.domain.stored import Record
from services.notification.wire import values
from services.notification.wire.channel import TYPE_NUMBERS
from smartmate.notification.v1 import record_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText

STATES = {
    RecordState.PENDING: record_pb2.RECORD_STATE_PENDING,
    RecordState.SENDING: record_pb2.RECORD_STATE_SENDING,
    RecordState.SENT: record_pb2.RECORD_STATE_SENT,
    RecordState.FAILED: record_pb2.RECORD_STATE_FAILED,
    RecordState.DEAD: record_pb2.RECORD_STATE_DEAD,
    RecordState.SKIPPED: record_pb2.RECORD_STATE_SKIPPED,
    RecordState.UNKNOWN: record_pb2.RECORD_STATE_UNKNOWN,
}


def record_message(record: Record) -> record_pb2.NotificationRecord:
    message = record_pb2.NotificationRecord(
        record_id=record.id,
        notification_id=record.notification_id,
        channel_id=record.channel_id,
        state=STATES[record.state],
        reason=record.reason,
        attempt_count=record.attempts,
        provider_code=_int32(record.provider_code),
        create_time=values.timestamp(record.created_at),
        next_attempt_time=values.timestamp(record.next_attempt_at),
        settle_time=values.timestamp(record.settled_at),
        batch_id=record.batch_id,
    )
    if record.channel_type is not None:
        message.channel_type = TYPE_NUMBERS[record.channel_type]
    if advice := remedy(record.state, record.reason):
        message.what_to_do.CopyFrom(LocalizedText(zh_cn=advice.zh, en_us=advice.en))
    return message


def _int32(code: int | None) -> int:
    """A provider may answer any number; the contract holds 32 bits."""
    return min(max(code or 0, -(2**31)), 2**31 - 1)
