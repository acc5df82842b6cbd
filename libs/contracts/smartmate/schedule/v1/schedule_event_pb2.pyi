import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScheduleEventType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCHEDULE_EVENT_TYPE_UNSPECIFIED: _ClassVar[ScheduleEventType]
    SCHEDULE_EVENT_TYPE_COURSE: _ClassVar[ScheduleEventType]
    SCHEDULE_EVENT_TYPE_TASK: _ClassVar[ScheduleEventType]
SCHEDULE_EVENT_TYPE_UNSPECIFIED: ScheduleEventType
SCHEDULE_EVENT_TYPE_COURSE: ScheduleEventType
SCHEDULE_EVENT_TYPE_TASK: ScheduleEventType

class ScheduleEvent(_message.Message):
    __slots__ = ("event_id", "type", "source", "name", "place", "start_time", "end_time", "can_be_embedded", "host_event_id", "makeup_for_event_id", "placement_version", "location", "teacher", "course_id", "task_class_id", "task_order")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    CAN_BE_EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    HOST_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    MAKEUP_FOR_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    TEACHER_FIELD_NUMBER: _ClassVar[int]
    COURSE_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ORDER_FIELD_NUMBER: _ClassVar[int]
    event_id: int
    type: ScheduleEventType
    source: _change_pb2.Target
    name: str
    place: _calendar_pb2.Place
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    can_be_embedded: bool
    host_event_id: int
    makeup_for_event_id: int
    placement_version: int
    location: str
    teacher: str
    course_id: int
    task_class_id: int
    task_order: int
    def __init__(self, event_id: _Optional[int] = ..., type: _Optional[_Union[ScheduleEventType, str]] = ..., source: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., name: _Optional[str] = ..., place: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., can_be_embedded: _Optional[bool] = ..., host_event_id: _Optional[int] = ..., makeup_for_event_id: _Optional[int] = ..., placement_version: _Optional[int] = ..., location: _Optional[str] = ..., teacher: _Optional[str] = ..., course_id: _Optional[int] = ..., task_class_id: _Optional[int] = ..., task_order: _Optional[int] = ...) -> None: ...
