import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TriggerType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIGGER_TYPE_UNSPECIFIED: _ClassVar[TriggerType]
    TRIGGER_TYPE_IMPORTANT_URGENT_TASK: _ClassVar[TriggerType]
    TRIGGER_TYPE_UNFINISHED_FEEDBACK: _ClassVar[TriggerType]

class TriggerSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIGGER_SOURCE_UNSPECIFIED: _ClassVar[TriggerSource]
    TRIGGER_SOURCE_WORKER_DUE_JOB: _ClassVar[TriggerSource]
    TRIGGER_SOURCE_API_TRIGGER: _ClassVar[TriggerSource]
    TRIGGER_SOURCE_REGENERATE: _ClassVar[TriggerSource]
    TRIGGER_SOURCE_USER_FEEDBACK: _ClassVar[TriggerSource]
    TRIGGER_SOURCE_ANSWER: _ClassVar[TriggerSource]

class TriggerState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TRIGGER_STATE_UNSPECIFIED: _ClassVar[TriggerState]
    TRIGGER_STATE_PENDING: _ClassVar[TriggerState]
    TRIGGER_STATE_PROCESSING: _ClassVar[TriggerState]
    TRIGGER_STATE_PREVIEW_GENERATED: _ClassVar[TriggerState]
    TRIGGER_STATE_CLOSED: _ClassVar[TriggerState]
    TRIGGER_STATE_SKIPPED: _ClassVar[TriggerState]
    TRIGGER_STATE_FAILED: _ClassVar[TriggerState]
    TRIGGER_STATE_REJECTED: _ClassVar[TriggerState]
TRIGGER_TYPE_UNSPECIFIED: TriggerType
TRIGGER_TYPE_IMPORTANT_URGENT_TASK: TriggerType
TRIGGER_TYPE_UNFINISHED_FEEDBACK: TriggerType
TRIGGER_SOURCE_UNSPECIFIED: TriggerSource
TRIGGER_SOURCE_WORKER_DUE_JOB: TriggerSource
TRIGGER_SOURCE_API_TRIGGER: TriggerSource
TRIGGER_SOURCE_REGENERATE: TriggerSource
TRIGGER_SOURCE_USER_FEEDBACK: TriggerSource
TRIGGER_SOURCE_ANSWER: TriggerSource
TRIGGER_STATE_UNSPECIFIED: TriggerState
TRIGGER_STATE_PENDING: TriggerState
TRIGGER_STATE_PROCESSING: TriggerState
TRIGGER_STATE_PREVIEW_GENERATED: TriggerState
TRIGGER_STATE_CLOSED: TriggerState
TRIGGER_STATE_SKIPPED: TriggerState
TRIGGER_STATE_FAILED: TriggerState
TRIGGER_STATE_REJECTED: TriggerState

class TriggerRecord(_message.Message):
    __slots__ = ("trigger_id", "type", "source", "target", "state", "reason", "preview_id", "create_time", "finish_time", "is_mock_time", "mock_now_time", "linked_trigger_id", "feedback_id", "words")
    TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    IS_MOCK_TIME_FIELD_NUMBER: _ClassVar[int]
    MOCK_NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    LINKED_TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_ID_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    trigger_id: str
    type: TriggerType
    source: TriggerSource
    target: _change_pb2.Target
    state: TriggerState
    reason: str
    preview_id: str
    create_time: _timestamp_pb2.Timestamp
    finish_time: _timestamp_pb2.Timestamp
    is_mock_time: bool
    mock_now_time: _timestamp_pb2.Timestamp
    linked_trigger_id: str
    feedback_id: str
    words: str
    def __init__(self, trigger_id: _Optional[str] = ..., type: _Optional[_Union[TriggerType, str]] = ..., source: _Optional[_Union[TriggerSource, str]] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., state: _Optional[_Union[TriggerState, str]] = ..., reason: _Optional[str] = ..., preview_id: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., finish_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_mock_time: _Optional[bool] = ..., mock_now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., linked_trigger_id: _Optional[str] = ..., feedback_id: _Optional[str] = ..., words: _Optional[str] = ...) -> None: ...

class TriggerListing(_message.Message):
    __slots__ = ("trigger", "user_id", "priority")
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    trigger: TriggerRecord
    user_id: int
    priority: int
    def __init__(self, trigger: _Optional[_Union[TriggerRecord, _Mapping]] = ..., user_id: _Optional[int] = ..., priority: _Optional[int] = ...) -> None: ...

class TraceStep(_message.Message):
    __slots__ = ("name", "step_time", "id", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    STEP_TIME_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    step_time: _timestamp_pb2.Timestamp
    id: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., step_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
