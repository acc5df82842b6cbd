from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor
EVENT_FIELD_NUMBER: _ClassVar[int]
event: _descriptor.FieldDescriptor

class EventContract(_message.Message):
    __slots__ = ("type", "said_by", "heard_by")
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SAID_BY_FIELD_NUMBER: _ClassVar[int]
    HEARD_BY_FIELD_NUMBER: _ClassVar[int]
    type: str
    said_by: str
    heard_by: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, type: _Optional[str] = ..., said_by: _Optional[str] = ..., heard_by: _Optional[_Iterable[str]] = ...) -> None: ...
