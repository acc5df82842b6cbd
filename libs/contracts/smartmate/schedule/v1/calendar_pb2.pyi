from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SectionTime(_message.Message):
    __slots__ = ("start_minute_of_day", "end_minute_of_day")
    START_MINUTE_OF_DAY_FIELD_NUMBER: _ClassVar[int]
    END_MINUTE_OF_DAY_FIELD_NUMBER: _ClassVar[int]
    start_minute_of_day: int
    end_minute_of_day: int
    def __init__(self, start_minute_of_day: _Optional[int] = ..., end_minute_of_day: _Optional[int] = ...) -> None: ...

class SectionClock(_message.Message):
    __slots__ = ("sections", "lunch_after_section", "dinner_after_section")
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    LUNCH_AFTER_SECTION_FIELD_NUMBER: _ClassVar[int]
    DINNER_AFTER_SECTION_FIELD_NUMBER: _ClassVar[int]
    sections: _containers.RepeatedCompositeFieldContainer[SectionTime]
    lunch_after_section: int
    dinner_after_section: int
    def __init__(self, sections: _Optional[_Iterable[_Union[SectionTime, _Mapping]]] = ..., lunch_after_section: _Optional[int] = ..., dinner_after_section: _Optional[int] = ...) -> None: ...

class Semester(_message.Message):
    __slots__ = ("semester_id", "first_date", "week_count", "time_zone", "clock", "version")
    SEMESTER_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_DATE_FIELD_NUMBER: _ClassVar[int]
    WEEK_COUNT_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    semester_id: int
    first_date: str
    week_count: int
    time_zone: str
    clock: SectionClock
    version: int
    def __init__(self, semester_id: _Optional[int] = ..., first_date: _Optional[str] = ..., week_count: _Optional[int] = ..., time_zone: _Optional[str] = ..., clock: _Optional[_Union[SectionClock, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class Place(_message.Message):
    __slots__ = ("semester_id", "week", "day_of_week", "first_section", "last_section")
    SEMESTER_ID_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    semester_id: int
    week: int
    day_of_week: int
    first_section: int
    last_section: int
    def __init__(self, semester_id: _Optional[int] = ..., week: _Optional[int] = ..., day_of_week: _Optional[int] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ...) -> None: ...

class TimetableDay(_message.Message):
    __slots__ = ("week", "day_of_week")
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    week: int
    day_of_week: int
    def __init__(self, week: _Optional[int] = ..., day_of_week: _Optional[int] = ...) -> None: ...

class CalendarOverride(_message.Message):
    __slots__ = ("date", "runs", "version")
    DATE_FIELD_NUMBER: _ClassVar[int]
    RUNS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    date: str
    runs: TimetableDay
    version: int
    def __init__(self, date: _Optional[str] = ..., runs: _Optional[_Union[TimetableDay, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...
