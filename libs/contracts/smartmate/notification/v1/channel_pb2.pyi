import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ChannelType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHANNEL_TYPE_UNSPECIFIED: _ClassVar[ChannelType]
    CHANNEL_TYPE_FEISHU_BOT: _ClassVar[ChannelType]
    CHANNEL_TYPE_CONSOLE: _ClassVar[ChannelType]

class Language(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LANGUAGE_UNSPECIFIED: _ClassVar[Language]
    LANGUAGE_ZH_CN: _ClassVar[Language]
    LANGUAGE_EN_US: _ClassVar[Language]
CHANNEL_TYPE_UNSPECIFIED: ChannelType
CHANNEL_TYPE_FEISHU_BOT: ChannelType
CHANNEL_TYPE_CONSOLE: ChannelType
LANGUAGE_UNSPECIFIED: Language
LANGUAGE_ZH_CN: Language
LANGUAGE_EN_US: Language

class Channel(_message.Message):
    __slots__ = ("channel_id", "type", "name", "position", "language", "masked_url", "has_secret", "keyword", "create_time", "takes_sign_in_links")
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    MASKED_URL_FIELD_NUMBER: _ClassVar[int]
    HAS_SECRET_FIELD_NUMBER: _ClassVar[int]
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    TAKES_SIGN_IN_LINKS_FIELD_NUMBER: _ClassVar[int]
    channel_id: int
    type: ChannelType
    name: str
    position: int
    language: Language
    masked_url: str
    has_secret: bool
    keyword: str
    create_time: _timestamp_pb2.Timestamp
    takes_sign_in_links: bool
    def __init__(self, channel_id: _Optional[int] = ..., type: _Optional[_Union[ChannelType, str]] = ..., name: _Optional[str] = ..., position: _Optional[int] = ..., language: _Optional[_Union[Language, str]] = ..., masked_url: _Optional[str] = ..., has_secret: _Optional[bool] = ..., keyword: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., takes_sign_in_links: _Optional[bool] = ...) -> None: ...
