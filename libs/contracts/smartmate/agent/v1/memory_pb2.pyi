import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MemoryType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEMORY_TYPE_UNSPECIFIED: _ClassVar[MemoryType]
    MEMORY_TYPE_PREFERENCE: _ClassVar[MemoryType]
    MEMORY_TYPE_CONSTRAINT: _ClassVar[MemoryType]
    MEMORY_TYPE_FACT: _ClassVar[MemoryType]
MEMORY_TYPE_UNSPECIFIED: MemoryType
MEMORY_TYPE_PREFERENCE: MemoryType
MEMORY_TYPE_CONSTRAINT: MemoryType
MEMORY_TYPE_FACT: MemoryType

class MemoryItem(_message.Message):
    __slots__ = ("memory_id", "type", "text", "days_of_week", "first_section", "last_section", "create_time", "update_time")
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DAYS_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    memory_id: int
    type: MemoryType
    text: str
    days_of_week: _containers.RepeatedScalarFieldContainer[int]
    first_section: int
    last_section: int
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, memory_id: _Optional[int] = ..., type: _Optional[_Union[MemoryType, str]] = ..., text: _Optional[str] = ..., days_of_week: _Optional[_Iterable[int]] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
