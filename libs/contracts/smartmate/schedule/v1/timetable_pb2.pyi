from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TimetableFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIMETABLE_FORMAT_UNSPECIFIED: _ClassVar[TimetableFormat]
    TIMETABLE_FORMAT_ZHENGFANG_JSON: _ClassVar[TimetableFormat]
TIMETABLE_FORMAT_UNSPECIFIED: TimetableFormat
TIMETABLE_FORMAT_ZHENGFANG_JSON: TimetableFormat

class CourseRow(_message.Message):
    __slots__ = ("line", "name", "teacher", "location", "day_of_week", "first_section", "last_section", "weeks", "course_id")
    LINE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TEACHER_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    WEEKS_FIELD_NUMBER: _ClassVar[int]
    COURSE_ID_FIELD_NUMBER: _ClassVar[int]
    line: int
    name: str
    teacher: str
    location: str
    day_of_week: int
    first_section: int
    last_section: int
    weeks: _containers.RepeatedScalarFieldContainer[int]
    course_id: int
    def __init__(self, line: _Optional[int] = ..., name: _Optional[str] = ..., teacher: _Optional[str] = ..., location: _Optional[str] = ..., day_of_week: _Optional[int] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ..., weeks: _Optional[_Iterable[int]] = ..., course_id: _Optional[int] = ...) -> None: ...

class CourseChange(_message.Message):
    __slots__ = ("before", "after")
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    before: CourseRow
    after: CourseRow
    def __init__(self, before: _Optional[_Union[CourseRow, _Mapping]] = ..., after: _Optional[_Union[CourseRow, _Mapping]] = ...) -> None: ...

class UnreadRow(_message.Message):
    __slots__ = ("line", "raw", "field", "reason", "message", "expected")
    LINE_FIELD_NUMBER: _ClassVar[int]
    RAW_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    line: int
    raw: str
    field: str
    reason: str
    message: _localized_text_pb2.LocalizedText
    expected: str
    def __init__(self, line: _Optional[int] = ..., raw: _Optional[str] = ..., field: _Optional[str] = ..., reason: _Optional[str] = ..., message: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., expected: _Optional[str] = ...) -> None: ...

class TimetableConflict(_message.Message):
    __slots__ = ("line", "name", "other_line", "event_id", "other_name", "week", "day_of_week", "section")
    LINE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OTHER_LINE_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    OTHER_NAME_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    line: int
    name: str
    other_line: int
    event_id: int
    other_name: str
    week: int
    day_of_week: int
    section: int
    def __init__(self, line: _Optional[int] = ..., name: _Optional[str] = ..., other_line: _Optional[int] = ..., event_id: _Optional[int] = ..., other_name: _Optional[str] = ..., week: _Optional[int] = ..., day_of_week: _Optional[int] = ..., section: _Optional[int] = ...) -> None: ...

class TimetableDiff(_message.Message):
    __slots__ = ("added", "changed", "removed", "unchanged_count", "conflicts", "unread", "row_count")
    ADDED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    CONFLICTS_FIELD_NUMBER: _ClassVar[int]
    UNREAD_FIELD_NUMBER: _ClassVar[int]
    ROW_COUNT_FIELD_NUMBER: _ClassVar[int]
    added: _containers.RepeatedCompositeFieldContainer[CourseRow]
    changed: _containers.RepeatedCompositeFieldContainer[CourseChange]
    removed: _containers.RepeatedCompositeFieldContainer[CourseRow]
    unchanged_count: int
    conflicts: _containers.RepeatedCompositeFieldContainer[TimetableConflict]
    unread: _containers.RepeatedCompositeFieldContainer[UnreadRow]
    row_count: int
    def __init__(self, added: _Optional[_Iterable[_Union[CourseRow, _Mapping]]] = ..., changed: _Optional[_Iterable[_Union[CourseChange, _Mapping]]] = ..., removed: _Optional[_Iterable[_Union[CourseRow, _Mapping]]] = ..., unchanged_count: _Optional[int] = ..., conflicts: _Optional[_Iterable[_Union[TimetableConflict, _Mapping]]] = ..., unread: _Optional[_Iterable[_Union[UnreadRow, _Mapping]]] = ..., row_count: _Optional[int] = ...) -> None: ...
