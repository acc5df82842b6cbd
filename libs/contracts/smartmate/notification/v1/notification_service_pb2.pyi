import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.notification.v1 import channel_pb2 as _channel_pb2
from smartmate.notification.v1 import record_pb2 as _record_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PutChannelRequest(_message.Message):
    __slots__ = ("request_id", "channel_id", "type", "name", "position", "language", "webhook_url", "secret", "keyword", "takes_sign_in_links")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    WEBHOOK_URL_FIELD_NUMBER: _ClassVar[int]
    SECRET_FIELD_NUMBER: _ClassVar[int]
    KEYWORD_FIELD_NUMBER: _ClassVar[int]
    TAKES_SIGN_IN_LINKS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    channel_id: int
    type: _channel_pb2.ChannelType
    name: str
    position: int
    language: _channel_pb2.Language
    webhook_url: str
    secret: str
    keyword: str
    takes_sign_in_links: bool
    def __init__(self, request_id: _Optional[str] = ..., channel_id: _Optional[int] = ..., type: _Optional[_Union[_channel_pb2.ChannelType, str]] = ..., name: _Optional[str] = ..., position: _Optional[int] = ..., language: _Optional[_Union[_channel_pb2.Language, str]] = ..., webhook_url: _Optional[str] = ..., secret: _Optional[str] = ..., keyword: _Optional[str] = ..., takes_sign_in_links: _Optional[bool] = ...) -> None: ...

class PutChannelResponse(_message.Message):
    __slots__ = ("channel",)
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    channel: _channel_pb2.Channel
    def __init__(self, channel: _Optional[_Union[_channel_pb2.Channel, _Mapping]] = ...) -> None: ...

class GetChannelRequest(_message.Message):
    __slots__ = ("channel_id",)
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    channel_id: int
    def __init__(self, channel_id: _Optional[int] = ...) -> None: ...

class GetChannelResponse(_message.Message):
    __slots__ = ("channel",)
    CHANNEL_FIELD_NUMBER: _ClassVar[int]
    channel: _channel_pb2.Channel
    def __init__(self, channel: _Optional[_Union[_channel_pb2.Channel, _Mapping]] = ...) -> None: ...

class ListChannelsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListChannelsResponse(_message.Message):
    __slots__ = ("channels", "next_page_token", "offered_types")
    CHANNELS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    OFFERED_TYPES_FIELD_NUMBER: _ClassVar[int]
    channels: _containers.RepeatedCompositeFieldContainer[_channel_pb2.Channel]
    next_page_token: str
    offered_types: _containers.RepeatedScalarFieldContainer[_channel_pb2.ChannelType]
    def __init__(self, channels: _Optional[_Iterable[_Union[_channel_pb2.Channel, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., offered_types: _Optional[_Iterable[_Union[_channel_pb2.ChannelType, str]]] = ...) -> None: ...

class DeleteChannelRequest(_message.Message):
    __slots__ = ("request_id", "channel_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    channel_id: int
    def __init__(self, request_id: _Optional[str] = ..., channel_id: _Optional[int] = ...) -> None: ...

class DeleteChannelResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TestChannelRequest(_message.Message):
    __slots__ = ("request_id", "channel_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CHANNEL_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    channel_id: int
    def __init__(self, request_id: _Optional[str] = ..., channel_id: _Optional[int] = ...) -> None: ...

class TestChannelResponse(_message.Message):
    __slots__ = ("record",)
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.NotificationRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.NotificationRecord, _Mapping]] = ...) -> None: ...

class ListRecordsRequest(_message.Message):
    __slots__ = ("notification_id", "page_size", "page_token")
    NOTIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    notification_id: str
    page_size: int
    page_token: str
    def __init__(self, notification_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRecordsResponse(_message.Message):
    __slots__ = ("records", "next_page_token")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedCompositeFieldContainer[_record_pb2.NotificationRecord]
    next_page_token: str
    def __init__(self, records: _Optional[_Iterable[_Union[_record_pb2.NotificationRecord, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRecordRequest(_message.Message):
    __slots__ = ("record_id",)
    RECORD_ID_FIELD_NUMBER: _ClassVar[int]
    record_id: int
    def __init__(self, record_id: _Optional[int] = ...) -> None: ...

class GetRecordResponse(_message.Message):
    __slots__ = ("record",)
    RECORD_FIELD_NUMBER: _ClassVar[int]
    record: _record_pb2.NotificationRecord
    def __init__(self, record: _Optional[_Union[_record_pb2.NotificationRecord, _Mapping]] = ...) -> None: ...

class SendSignInLinkRequest(_message.Message):
    __slots__ = ("request_id", "user_id", "path", "expire_time")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    user_id: int
    path: str
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, request_id: _Optional[str] = ..., user_id: _Optional[int] = ..., path: _Optional[str] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class SendSignInLinkResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
