from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class LocalizedText(_message.Message):
    __slots__ = ("zh_cn", "en_us")
    ZH_CN_FIELD_NUMBER: _ClassVar[int]
    EN_US_FIELD_NUMBER: _ClassVar[int]
    zh_cn: str
    en_us: str
    def __init__(self, zh_cn: _Optional[str] = ..., en_us: _Optional[str] = ...) -> None: ...
