import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.notification.v1 import channel_pb2 as _channel_pb2
from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RecordState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RECORD_STATE_UNSPECIFIED: _ClassVar[RecordState]
    RECORD_STATE_PENDING: _ClassVar[RecordState]
    RECORD_STATE_SENDING: _ClassVar[RecordState]
    RECORD_STATE_SENT: _ClassVar[RecordState]
    RECORD_STATE_FAILED: _ClassVar[RecordState]
    RECORD_STATE_DEAD: _ClassVar[RecordState]
    RECORD_STATE_SKIPPED: _ClassVar[RecordState]
    RECORD_STATE_UNKNOWN: _ClassVar[RecordState]
RECORD_STATE_UNSPECIFIED: RecordState
RECORD_STATE_PENDING: RecordState
RECORD_STATE_SENDING: RecordState
RECORD_STATE_SENT: RecordState
RECORD_STATE_FAILED: RecordState
RECORD_STATE_DEAD: RecordState
RECORD_STATE_SKIPPED: RecordState
RECORD_STATE_UNKNOWN: RecordState

class NotificationRecord(_message.Message):
    __slots__ = ("record_id", "notification_id", "channel_id", "channel_type", "state", "reason", "attempt_count", "provider_code", "create_time", "next_attempt_time", "settle_time", "what_to_do", "batch_id")
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_COUNT_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_CODE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    NEXT_ATTEMPT_TIME_FIELD_NUMBER: _ClassVar[int]
    SETTLE_TIME_FIELD_NUMBER: _ClassVar[int]
    WHAT_TO_DO_FIELD_NUMBER: _ClassVar[int]
    BATCH_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    notification_id: str
    channel_id: int
    channel_type: _channel_pb2.ChannelType
    state: RecordState
    reason: str
    attempt_count: int
    provider_code: int
    create_time: _timestamp_pb2.Timestamp
    next_attempt_time: _timestamp_pb2.Timestamp
    settle_time: _timestamp_pb2.Timestamp
    what_to_do: _localized_text_pb2.LocalizedText
    batch_id: str
    def __init__(self, record_id: _Optional[int] = ..., notification_id: _Optional[str] = ..., channel_id: _Optional[int] = ..., channel_type: _Optional[_Union[_channel_pb2.ChannelType, str]] = ..., state: _Optional[_Union[RecordState, str]] = ..., reason: _Optional[str] = ..., attempt_count: _Optional[int] = ..., provider_code: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., next_attempt_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., settle_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., what_to_do: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., batch_id: _Optional[str] = ...) -> None: ...
