import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.agent.v1 import chat_pb2 as _chat_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Speaker(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SPEAKER_UNSPECIFIED: _ClassVar[Speaker]
    SPEAKER_PERSON: _ClassVar[Speaker]
    SPEAKER_ASSISTANT: _ClassVar[Speaker]

class RunWait(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_WAIT_UNSPECIFIED: _ClassVar[RunWait]
    RUN_WAIT_QUESTION: _ClassVar[RunWait]
    RUN_WAIT_CONFIRM: _ClassVar[RunWait]
SPEAKER_UNSPECIFIED: Speaker
SPEAKER_PERSON: Speaker
SPEAKER_ASSISTANT: Speaker
RUN_WAIT_UNSPECIFIED: RunWait
RUN_WAIT_QUESTION: RunWait
RUN_WAIT_CONFIRM: RunWait

class Conversation(_message.Message):
    __slots__ = ("conversation_id", "title", "preview_id", "run_id", "phase", "waits_for", "create_time", "update_time")
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    WAITS_FOR_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    title: str
    preview_id: str
    run_id: str
    phase: _chat_pb2.RunPhase
    waits_for: RunWait
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, conversation_id: _Optional[str] = ..., title: _Optional[str] = ..., preview_id: _Optional[str] = ..., run_id: _Optional[str] = ..., phase: _Optional[_Union[_chat_pb2.RunPhase, str]] = ..., waits_for: _Optional[_Union[RunWait, str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ChatMessage(_message.Message):
    __slots__ = ("message_id", "speaker", "text", "run_id", "create_time")
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    SPEAKER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    message_id: int
    speaker: Speaker
    text: str
    run_id: str
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, message_id: _Optional[int] = ..., speaker: _Optional[_Union[Speaker, str]] = ..., text: _Optional[str] = ..., run_id: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ContextWeight(_message.Message):
    __slots__ = ("name", "tokens")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    name: str
    tokens: int
    def __init__(self, name: _Optional[str] = ..., tokens: _Optional[int] = ...) -> None: ...

class RunState(_message.Message):
    __slots__ = ("run_id", "conversation_id", "version", "phase", "waits_for", "round", "corrections", "counts", "outcome", "context", "used_tokens", "model", "last_sequence", "create_time", "update_time")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    WAITS_FOR_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    CORRECTIONS_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    USED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    conversation_id: str
    version: int
    phase: _chat_pb2.RunPhase
    waits_for: RunWait
    round: int
    corrections: int
    counts: _chat_pb2.RunCounts
    outcome: _chat_pb2.Outcome
    context: _containers.RepeatedCompositeFieldContainer[ContextWeight]
    used_tokens: int
    model: str
    last_sequence: int
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    def __init__(self, run_id: _Optional[str] = ..., conversation_id: _Optional[str] = ..., version: _Optional[int] = ..., phase: _Optional[_Union[_chat_pb2.RunPhase, str]] = ..., waits_for: _Optional[_Union[RunWait, str]] = ..., round: _Optional[int] = ..., corrections: _Optional[int] = ..., counts: _Optional[_Union[_chat_pb2.RunCounts, _Mapping]] = ..., outcome: _Optional[_Union[_chat_pb2.Outcome, _Mapping]] = ..., context: _Optional[_Iterable[_Union[ContextWeight, _Mapping]]] = ..., used_tokens: _Optional[int] = ..., model: _Optional[str] = ..., last_sequence: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
