from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TargetKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TARGET_KIND_UNSPECIFIED: _ClassVar[TargetKind]
    TARGET_KIND_TASK_POOL: _ClassVar[TargetKind]
    TARGET_KIND_TASK_ITEM: _ClassVar[TargetKind]
    TARGET_KIND_SCHEDULE_EVENT: _ClassVar[TargetKind]

class ChangeType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHANGE_TYPE_UNSPECIFIED: _ClassVar[ChangeType]
    CHANGE_TYPE_ADD: _ClassVar[ChangeType]
    CHANGE_TYPE_CREATE_MAKEUP: _ClassVar[ChangeType]
    CHANGE_TYPE_PLACE: _ClassVar[ChangeType]
    CHANGE_TYPE_MOVE: _ClassVar[ChangeType]
    CHANGE_TYPE_COMPRESS: _ClassVar[ChangeType]
    CHANGE_TYPE_EMBED: _ClassVar[ChangeType]
    CHANGE_TYPE_UNEMBED: _ClassVar[ChangeType]
    CHANGE_TYPE_REMOVE: _ClassVar[ChangeType]
TARGET_KIND_UNSPECIFIED: TargetKind
TARGET_KIND_TASK_POOL: TargetKind
TARGET_KIND_TASK_ITEM: TargetKind
TARGET_KIND_SCHEDULE_EVENT: TargetKind
CHANGE_TYPE_UNSPECIFIED: ChangeType
CHANGE_TYPE_ADD: ChangeType
CHANGE_TYPE_CREATE_MAKEUP: ChangeType
CHANGE_TYPE_PLACE: ChangeType
CHANGE_TYPE_MOVE: ChangeType
CHANGE_TYPE_COMPRESS: ChangeType
CHANGE_TYPE_EMBED: ChangeType
CHANGE_TYPE_UNEMBED: ChangeType
CHANGE_TYPE_REMOVE: ChangeType

class Target(_message.Message):
    __slots__ = ("kind", "id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    kind: TargetKind
    id: int
    def __init__(self, kind: _Optional[_Union[TargetKind, str]] = ..., id: _Optional[int] = ...) -> None: ...

class ScheduleChange(_message.Message):
    __slots__ = ("change_id", "type", "target", "to", "host_event_id", "editable", "risk")
    CHANGE_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    HOST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    EDITABLE_FIELD_NUMBER: _ClassVar[int]
    RISK_FIELD_NUMBER: _ClassVar[int]
    change_id: str
    type: ChangeType
    target: Target
    to: _calendar_pb2.Place
    host_event_id: int
    editable: bool
    risk: str
    def __init__(self, change_id: _Optional[str] = ..., type: _Optional[_Union[ChangeType, str]] = ..., target: _Optional[_Union[Target, _Mapping]] = ..., to: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ..., host_event_id: _Optional[int] = ..., editable: _Optional[bool] = ..., risk: _Optional[str] = ..., **kwargs) -> None: ...
