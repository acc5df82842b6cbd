from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
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
    TIMETABLE_FORMAT_WAKEUP: _ClassVar[TimetableFormat]

class CourseField(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COURSE_FIELD_UNSPECIFIED: _ClassVar[CourseField]
    COURSE_FIELD_NAME: _ClassVar[CourseField]
    COURSE_FIELD_TEACHER: _ClassVar[CourseField]
    COURSE_FIELD_LOCATION: _ClassVar[CourseField]
    COURSE_FIELD_DAY_OF_WEEK: _ClassVar[CourseField]
    COURSE_FIELD_SECTIONS: _ClassVar[CourseField]
    COURSE_FIELD_WEEKS: _ClassVar[CourseField]
TIMETABLE_FORMAT_UNSPECIFIED: TimetableFormat
TIMETABLE_FORMAT_ZHENGFANG_JSON: TimetableFormat
TIMETABLE_FORMAT_WAKEUP: TimetableFormat
COURSE_FIELD_UNSPECIFIED: CourseField
COURSE_FIELD_NAME: CourseField
COURSE_FIELD_TEACHER: CourseField
COURSE_FIELD_LOCATION: CourseField
COURSE_FIELD_DAY_OF_WEEK: CourseField
COURSE_FIELD_SECTIONS: CourseField
COURSE_FIELD_WEEKS: CourseField

class CourseRow(_message.Message):
    __slots__ = ("line", "name", "teacher", "location", "day_of_week", "first_section", "last_section", "weeks", "course_id", "can_be_embedded", "skipped_weeks")
    LINE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    TEACHER_FIELD_NUMBER: _ClassVar[int]
    LOCATION_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    WEEKS_FIELD_NUMBER: _ClassVar[int]
    COURSE_ID_FIELD_NUMBER: _ClassVar[int]
    CAN_BE_EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_WEEKS_FIELD_NUMBER: _ClassVar[int]
    line: int
    name: str
    teacher: str
    location: str
    day_of_week: int
    first_section: int
    last_section: int
    weeks: _containers.RepeatedScalarFieldContainer[int]
    course_id: int
    can_be_embedded: bool
    skipped_weeks: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, line: _Optional[int] = ..., name: _Optional[str] = ..., teacher: _Optional[str] = ..., location: _Optional[str] = ..., day_of_week: _Optional[int] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ..., weeks: _Optional[_Iterable[int]] = ..., course_id: _Optional[int] = ..., can_be_embedded: _Optional[bool] = ..., skipped_weeks: _Optional[_Iterable[int]] = ...) -> None: ...

class CourseChange(_message.Message):
    __slots__ = ("before", "after", "fields")
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    before: CourseRow
    after: CourseRow
    fields: _containers.RepeatedScalarFieldContainer[CourseField]
    def __init__(self, before: _Optional[_Union[CourseRow, _Mapping]] = ..., after: _Optional[_Union[CourseRow, _Mapping]] = ..., fields: _Optional[_Iterable[_Union[CourseField, str]]] = ...) -> None: ...

class RawField(_message.Message):
    __slots__ = ("field", "value")
    FIELD_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    field: str
    value: str
    def __init__(self, field: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class UnreadRow(_message.Message):
    __slots__ = ("line", "raw", "field", "reason", "message", "expected", "value", "position", "name", "fields")
    LINE_FIELD_NUMBER: _ClassVar[int]
    RAW_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    line: int
    raw: str
    field: str
    reason: str
    message: _localized_text_pb2.LocalizedText
    expected: str
    value: str
    position: int
    name: str
    fields: _containers.RepeatedCompositeFieldContainer[RawField]
    def __init__(self, line: _Optional[int] = ..., raw: _Optional[str] = ..., field: _Optional[str] = ..., reason: _Optional[str] = ..., message: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., expected: _Optional[str] = ..., value: _Optional[str] = ..., position: _Optional[int] = ..., name: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[RawField, _Mapping]]] = ...) -> None: ...

class TimetableConflict(_message.Message):
    __slots__ = ("line", "name", "other_line", "event_id", "other_name", "week", "day_of_week", "section", "course_id", "weeks", "last_section", "can_give_way", "was_skipped")
    LINE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    OTHER_LINE_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    OTHER_NAME_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    SECTION_FIELD_NUMBER: _ClassVar[int]
    COURSE_ID_FIELD_NUMBER: _ClassVar[int]
    WEEKS_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    CAN_GIVE_WAY_FIELD_NUMBER: _ClassVar[int]
    WAS_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    line: int
    name: str
    other_line: int
    event_id: int
    other_name: str
    week: int
    day_of_week: int
    section: int
    course_id: int
    weeks: _containers.RepeatedScalarFieldContainer[int]
    last_section: int
    can_give_way: bool
    was_skipped: bool
    def __init__(self, line: _Optional[int] = ..., name: _Optional[str] = ..., other_line: _Optional[int] = ..., event_id: _Optional[int] = ..., other_name: _Optional[str] = ..., week: _Optional[int] = ..., day_of_week: _Optional[int] = ..., section: _Optional[int] = ..., course_id: _Optional[int] = ..., weeks: _Optional[_Iterable[int]] = ..., last_section: _Optional[int] = ..., can_give_way: _Optional[bool] = ..., was_skipped: _Optional[bool] = ...) -> None: ...

class LostBlock(_message.Message):
    __slots__ = ("event_id", "name", "place")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    event_id: int
    name: str
    place: _calendar_pb2.Place
    def __init__(self, event_id: _Optional[int] = ..., name: _Optional[str] = ..., place: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ...) -> None: ...

class TimetableWarning(_message.Message):
    __slots__ = ("code", "message")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    code: str
    message: _localized_text_pb2.LocalizedText
    def __init__(self, code: _Optional[str] = ..., message: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class TimetableDiff(_message.Message):
    __slots__ = ("added", "changed", "removed", "unchanged_count", "conflicts", "unread", "row_count", "kept", "refused", "displaced", "unhosted", "untimed_names", "duplicate_count", "warnings", "changes_nothing")
    ADDED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    UNCHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    CONFLICTS_FIELD_NUMBER: _ClassVar[int]
    UNREAD_FIELD_NUMBER: _ClassVar[int]
    ROW_COUNT_FIELD_NUMBER: _ClassVar[int]
    KEPT_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    DISPLACED_FIELD_NUMBER: _ClassVar[int]
    UNHOSTED_FIELD_NUMBER: _ClassVar[int]
    UNTIMED_NAMES_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_COUNT_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    CHANGES_NOTHING_FIELD_NUMBER: _ClassVar[int]
    added: _containers.RepeatedCompositeFieldContainer[CourseRow]
    changed: _containers.RepeatedCompositeFieldContainer[CourseChange]
    removed: _containers.RepeatedCompositeFieldContainer[CourseRow]
    unchanged_count: int
    conflicts: _containers.RepeatedCompositeFieldContainer[TimetableConflict]
    unread: _containers.RepeatedCompositeFieldContainer[UnreadRow]
    row_count: int
    kept: _containers.RepeatedCompositeFieldContainer[CourseRow]
    refused: _containers.RepeatedCompositeFieldContainer[CourseRow]
    displaced: _containers.RepeatedCompositeFieldContainer[LostBlock]
    unhosted: _containers.RepeatedCompositeFieldContainer[LostBlock]
    untimed_names: _containers.RepeatedScalarFieldContainer[str]
    duplicate_count: int
    warnings: _containers.RepeatedCompositeFieldContainer[TimetableWarning]
    changes_nothing: bool
    def __init__(self, added: _Optional[_Iterable[_Union[CourseRow, _Mapping]]] = ..., changed: _Optional[_Iterable[_Union[CourseChange, _Mapping]]] = ..., removed: _Optional[_Iterable[_Union[CourseRow, _Mapping]]] = ..., unchanged_count: _Optional[int] = ..., conflicts: _Optional[_Iterable[_Union[TimetableConflict, _Mapping]]] = ..., unread: _Optional[_Iterable[_Union[UnreadRow, _Mapping]]] = ..., row_count: _Optional[int] = ..., kept: _Optional[_Iterable[_Union[CourseRow, _Mapping]]] = ..., refused: _Optional[_Iterable[_Union[CourseRow, _Mapping]]] = ..., displaced: _Optional[_Iterable[_Union[LostBlock, _Mapping]]] = ..., unhosted: _Optional[_Iterable[_Union[LostBlock, _Mapping]]] = ..., untimed_names: _Optional[_Iterable[str]] = ..., duplicate_count: _Optional[int] = ..., warnings: _Optional[_Iterable[_Union[TimetableWarning, _Mapping]]] = ..., changes_nothing: _Optional[bool] = ...) -> None: ...
