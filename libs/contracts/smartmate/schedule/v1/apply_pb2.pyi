import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RefusalCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REFUSAL_CODE_UNSPECIFIED: _ClassVar[RefusalCode]
    REFUSAL_CODE_EXPIRED: _ClassVar[RefusalCode]
    REFUSAL_CODE_IDEMPOTENCY_CONFLICT: _ClassVar[RefusalCode]
    REFUSAL_CODE_BASE_VERSION_CHANGED: _ClassVar[RefusalCode]
    REFUSAL_CODE_TARGET_NOT_FOUND: _ClassVar[RefusalCode]
    REFUSAL_CODE_TARGET_COMPLETED: _ClassVar[RefusalCode]
    REFUSAL_CODE_TARGET_ALREADY_SCHEDULED: _ClassVar[RefusalCode]
    REFUSAL_CODE_SLOT_CONFLICT: _ClassVar[RefusalCode]
    REFUSAL_CODE_ORDER_VIOLATION: _ClassVar[RefusalCode]
    REFUSAL_CODE_INVALID_EDITED_CHANGES: _ClassVar[RefusalCode]
    REFUSAL_CODE_UNSUPPORTED_CHANGE_TYPE: _ClassVar[RefusalCode]
    REFUSAL_CODE_IN_THE_PAST: _ClassVar[RefusalCode]
    REFUSAL_CODE_OUT_OF_SEMESTER: _ClassVar[RefusalCode]

class ApplyState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    APPLY_STATE_UNSPECIFIED: _ClassVar[ApplyState]
    APPLY_STATE_APPLIED: _ClassVar[ApplyState]
    APPLY_STATE_REFUSED: _ClassVar[ApplyState]

class KeptReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    KEPT_REASON_UNSPECIFIED: _ClassVar[KeptReason]
    KEPT_REASON_CHANGED_SINCE: _ClassVar[KeptReason]
    KEPT_REASON_HAS_BEGUN: _ClassVar[KeptReason]
    KEPT_REASON_BELONGS_TOGETHER: _ClassVar[KeptReason]
    KEPT_REASON_GONE: _ClassVar[KeptReason]
REFUSAL_CODE_UNSPECIFIED: RefusalCode
REFUSAL_CODE_EXPIRED: RefusalCode
REFUSAL_CODE_IDEMPOTENCY_CONFLICT: RefusalCode
REFUSAL_CODE_BASE_VERSION_CHANGED: RefusalCode
REFUSAL_CODE_TARGET_NOT_FOUND: RefusalCode
REFUSAL_CODE_TARGET_COMPLETED: RefusalCode
REFUSAL_CODE_TARGET_ALREADY_SCHEDULED: RefusalCode
REFUSAL_CODE_SLOT_CONFLICT: RefusalCode
REFUSAL_CODE_ORDER_VIOLATION: RefusalCode
REFUSAL_CODE_INVALID_EDITED_CHANGES: RefusalCode
REFUSAL_CODE_UNSUPPORTED_CHANGE_TYPE: RefusalCode
REFUSAL_CODE_IN_THE_PAST: RefusalCode
REFUSAL_CODE_OUT_OF_SEMESTER: RefusalCode
APPLY_STATE_UNSPECIFIED: ApplyState
APPLY_STATE_APPLIED: ApplyState
APPLY_STATE_REFUSED: ApplyState
KEPT_REASON_UNSPECIFIED: KeptReason
KEPT_REASON_CHANGED_SINCE: KeptReason
KEPT_REASON_HAS_BEGUN: KeptReason
KEPT_REASON_BELONGS_TOGETHER: KeptReason
KEPT_REASON_GONE: KeptReason

class BaseEntryChange(_message.Message):
    __slots__ = ("key", "expected", "actual")
    KEY_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    ACTUAL_FIELD_NUMBER: _ClassVar[int]
    key: str
    expected: str
    actual: str
    def __init__(self, key: _Optional[str] = ..., expected: _Optional[str] = ..., actual: _Optional[str] = ...) -> None: ...

class Refusal(_message.Message):
    __slots__ = ("code", "change_id", "place", "event_id", "event_name", "base_entries", "detail", "after", "before", "reason")
    CODE_FIELD_NUMBER: _ClassVar[int]
    CHANGE_ID_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_NAME_FIELD_NUMBER: _ClassVar[int]
    BASE_ENTRIES_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    code: RefusalCode
    change_id: str
    place: _calendar_pb2.Place
    event_id: int
    event_name: str
    base_entries: _containers.RepeatedCompositeFieldContainer[BaseEntryChange]
    detail: str
    after: _calendar_pb2.Place
    before: _calendar_pb2.Place
    reason: str
    def __init__(self, code: _Optional[_Union[RefusalCode, str]] = ..., change_id: _Optional[str] = ..., place: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ..., event_id: _Optional[int] = ..., event_name: _Optional[str] = ..., base_entries: _Optional[_Iterable[_Union[BaseEntryChange, _Mapping]]] = ..., detail: _Optional[str] = ..., after: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ..., before: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ..., reason: _Optional[str] = ...) -> None: ...

class ApplyVerdict(_message.Message):
    __slots__ = ("apply_id", "state", "event_ids", "refusals", "judge_time", "undoes_apply_id", "kept_events")
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    JUDGE_TIME_FIELD_NUMBER: _ClassVar[int]
    UNDOES_APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    KEPT_EVENTS_FIELD_NUMBER: _ClassVar[int]
    apply_id: str
    state: ApplyState
    event_ids: _containers.RepeatedScalarFieldContainer[int]
    refusals: _containers.RepeatedCompositeFieldContainer[Refusal]
    judge_time: _timestamp_pb2.Timestamp
    undoes_apply_id: str
    kept_events: _containers.RepeatedCompositeFieldContainer[KeptEvent]
    def __init__(self, apply_id: _Optional[str] = ..., state: _Optional[_Union[ApplyState, str]] = ..., event_ids: _Optional[_Iterable[int]] = ..., refusals: _Optional[_Iterable[_Union[Refusal, _Mapping]]] = ..., judge_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., undoes_apply_id: _Optional[str] = ..., kept_events: _Optional[_Iterable[_Union[KeptEvent, _Mapping]]] = ...) -> None: ...

class KeptEvent(_message.Message):
    __slots__ = ("event_id", "event_name", "reason")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    event_id: int
    event_name: str
    reason: KeptReason
    def __init__(self, event_id: _Optional[int] = ..., event_name: _Optional[str] = ..., reason: _Optional[_Union[KeptReason, str]] = ...) -> None: ...
