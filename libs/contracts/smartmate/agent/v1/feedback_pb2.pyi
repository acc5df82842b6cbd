import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FeedbackBlock(_message.Message):
    __slots__ = ("event_id", "title", "start_time", "end_time", "day_of_week", "first_section", "last_section", "task_class_name")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_NAME_FIELD_NUMBER: _ClassVar[int]
    event_id: int
    title: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    day_of_week: int
    first_section: int
    last_section: int
    task_class_name: str
    def __init__(self, event_id: _Optional[int] = ..., title: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., day_of_week: _Optional[int] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ..., task_class_name: _Optional[str] = ...) -> None: ...
