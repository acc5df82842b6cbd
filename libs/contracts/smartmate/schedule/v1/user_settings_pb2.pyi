from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class QuietHours(_message.Message):
    __slots__ = ("start_minute_of_day", "end_minute_of_day")
    START_MINUTE_OF_DAY_FIELD_NUMBER: _ClassVar[int]
    END_MINUTE_OF_DAY_FIELD_NUMBER: _ClassVar[int]
    start_minute_of_day: int
    end_minute_of_day: int
    def __init__(self, start_minute_of_day: _Optional[int] = ..., end_minute_of_day: _Optional[int] = ...) -> None: ...

class UserSettings(_message.Message):
    __slots__ = ("quiet_hours", "time_zone", "default_estimated_sections", "version")
    QUIET_HOURS_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_ESTIMATED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    quiet_hours: QuietHours
    time_zone: str
    default_estimated_sections: int
    version: int
    def __init__(self, quiet_hours: _Optional[_Union[QuietHours, _Mapping]] = ..., time_zone: _Optional[str] = ..., default_estimated_sections: _Optional[int] = ..., version: _Optional[int] = ...) -> None: ...
