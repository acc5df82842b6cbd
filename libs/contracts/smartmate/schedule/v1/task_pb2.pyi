import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Quadrant(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUADRANT_UNSPECIFIED: _ClassVar[Quadrant]
    QUADRANT_URGENT_IMPORTANT: _ClassVar[Quadrant]
    QUADRANT_IMPORTANT: _ClassVar[Quadrant]
    QUADRANT_URGENT: _ClassVar[Quadrant]
    QUADRANT_NEITHER: _ClassVar[Quadrant]

class TaskStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TASK_STATUS_UNSPECIFIED: _ClassVar[TaskStatus]
    TASK_STATUS_OPEN: _ClassVar[TaskStatus]
    TASK_STATUS_COMPLETED: _ClassVar[TaskStatus]
QUADRANT_UNSPECIFIED: Quadrant
QUADRANT_URGENT_IMPORTANT: Quadrant
QUADRANT_IMPORTANT: Quadrant
QUADRANT_URGENT: Quadrant
QUADRANT_NEITHER: Quadrant
TASK_STATUS_UNSPECIFIED: TaskStatus
TASK_STATUS_OPEN: TaskStatus
TASK_STATUS_COMPLETED: TaskStatus

class Task(_message.Message):
    __slots__ = ("task_id", "title", "quadrant", "effective_quadrant", "deadline_time", "urgency_threshold_time", "estimated_sections", "status", "version", "placement_version", "create_time", "complete_time")
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    QUADRANT_FIELD_NUMBER: _ClassVar[int]
    EFFECTIVE_QUADRANT_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    URGENCY_THRESHOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_TIME_FIELD_NUMBER: _ClassVar[int]
    task_id: int
    title: str
    quadrant: Quadrant
    effective_quadrant: Quadrant
    deadline_time: _timestamp_pb2.Timestamp
    urgency_threshold_time: _timestamp_pb2.Timestamp
    estimated_sections: int
    status: TaskStatus
    version: int
    placement_version: int
    create_time: _timestamp_pb2.Timestamp
    complete_time: _timestamp_pb2.Timestamp
    def __init__(self, task_id: _Optional[int] = ..., title: _Optional[str] = ..., quadrant: _Optional[_Union[Quadrant, str]] = ..., effective_quadrant: _Optional[_Union[Quadrant, str]] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., urgency_threshold_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., estimated_sections: _Optional[int] = ..., status: _Optional[_Union[TaskStatus, str]] = ..., version: _Optional[int] = ..., placement_version: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., complete_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
