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

class ShutCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHUT_CODE_UNSPECIFIED: _ClassVar[ShutCode]
    SHUT_CODE_STARTED: _ClassVar[ShutCode]
    SHUT_CODE_COURSE: _ClassVar[ShutCode]
    SHUT_CODE_TASK: _ClassVar[ShutCode]
    SHUT_CODE_HOST_PARTIAL: _ClassVar[ShutCode]
    SHUT_CODE_DEADLINE: _ClassVar[ShutCode]
    SHUT_CODE_MUST_FOLLOW: _ClassVar[ShutCode]
    SHUT_CODE_MUST_PRECEDE: _ClassVar[ShutCode]
    SHUT_CODE_TOO_LONG: _ClassVar[ShutCode]
    SHUT_CODE_OUT_OF_SEMESTER: _ClassVar[ShutCode]
    SHUT_CODE_OTHER_CHANGE: _ClassVar[ShutCode]
    SHUT_CODE_BASE_CHANGED: _ClassVar[ShutCode]
    SHUT_CODE_TARGET_COMPLETED: _ClassVar[ShutCode]
    SHUT_CODE_TARGET_ALREADY_SCHEDULED: _ClassVar[ShutCode]
    SHUT_CODE_TARGET_NOT_FOUND: _ClassVar[ShutCode]
    SHUT_CODE_OTHER: _ClassVar[ShutCode]
SHUT_CODE_UNSPECIFIED: ShutCode
SHUT_CODE_STARTED: ShutCode
SHUT_CODE_COURSE: ShutCode
SHUT_CODE_TASK: ShutCode
SHUT_CODE_HOST_PARTIAL: ShutCode
SHUT_CODE_DEADLINE: ShutCode
SHUT_CODE_MUST_FOLLOW: ShutCode
SHUT_CODE_MUST_PRECEDE: ShutCode
SHUT_CODE_TOO_LONG: ShutCode
SHUT_CODE_OUT_OF_SEMESTER: ShutCode
SHUT_CODE_OTHER_CHANGE: ShutCode
SHUT_CODE_BASE_CHANGED: ShutCode
SHUT_CODE_TARGET_COMPLETED: ShutCode
SHUT_CODE_TARGET_ALREADY_SCHEDULED: ShutCode
SHUT_CODE_TARGET_NOT_FOUND: ShutCode
SHUT_CODE_OTHER: ShutCode

class ShutReason(_message.Message):
    __slots__ = ("code", "event_id", "event_name", "end_time", "limit_time", "detail")
    CODE_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_NAME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    LIMIT_TIME_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    code: ShutCode
    event_id: int
    event_name: str
    end_time: _timestamp_pb2.Timestamp
    limit_time: _timestamp_pb2.Timestamp
    detail: str
    def __init__(self, code: _Optional[_Union[ShutCode, str]] = ..., event_id: _Optional[int] = ..., event_name: _Optional[str] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., limit_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., detail: _Optional[str] = ...) -> None: ...

class EditSpot(_message.Message):
    __slots__ = ("place", "shut", "start_time", "end_time", "crosses_lunch", "crosses_dinner")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    SHUT_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    CROSSES_LUNCH_FIELD_NUMBER: _ClassVar[int]
    CROSSES_DINNER_FIELD_NUMBER: _ClassVar[int]
    place: _calendar_pb2.Place
    shut: ShutReason
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    crosses_lunch: bool
    crosses_dinner: bool
    def __init__(self, place: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ..., shut: _Optional[_Union[ShutReason, _Mapping]] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., crosses_lunch: _Optional[bool] = ..., crosses_dinner: _Optional[bool] = ...) -> None: ...

class EditDay(_message.Message):
    __slots__ = ("semester_id", "week", "day_of_week", "date", "is_near", "spots")
    SEMESTER_ID_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    IS_NEAR_FIELD_NUMBER: _ClassVar[int]
    SPOTS_FIELD_NUMBER: _ClassVar[int]
    semester_id: int
    week: int
    day_of_week: int
    date: str
    is_near: bool
    spots: _containers.RepeatedCompositeFieldContainer[EditSpot]
    def __init__(self, semester_id: _Optional[int] = ..., week: _Optional[int] = ..., day_of_week: _Optional[int] = ..., date: _Optional[str] = ..., is_near: _Optional[bool] = ..., spots: _Optional[_Iterable[_Union[EditSpot, _Mapping]]] = ...) -> None: ...
