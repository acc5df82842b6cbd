import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class QuestionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUESTION_KIND_UNSPECIFIED: _ClassVar[QuestionKind]
    QUESTION_KIND_WHICH_BLOCK: _ClassVar[QuestionKind]
    QUESTION_KIND_DELAY_END: _ClassVar[QuestionKind]
    QUESTION_KIND_OTHER_DAY: _ClassVar[QuestionKind]
    QUESTION_KIND_SHORTEN: _ClassVar[QuestionKind]
    QUESTION_KIND_SPLIT: _ClassVar[QuestionKind]
QUESTION_KIND_UNSPECIFIED: QuestionKind
QUESTION_KIND_WHICH_BLOCK: QuestionKind
QUESTION_KIND_DELAY_END: QuestionKind
QUESTION_KIND_OTHER_DAY: QuestionKind
QUESTION_KIND_SHORTEN: QuestionKind
QUESTION_KIND_SPLIT: QuestionKind

class QuestionChoice(_message.Message):
    __slots__ = ("choice_id", "text", "event_id")
    CHOICE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    choice_id: str
    text: _localized_text_pb2.LocalizedText
    event_id: int
    def __init__(self, choice_id: _Optional[str] = ..., text: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., event_id: _Optional[int] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("kind", "text", "choices", "room_from_time", "sections", "answer_time", "answered_choice_id", "answer_words", "answer_trigger_id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    ROOM_FROM_TIME_FIELD_NUMBER: _ClassVar[int]
    SECTIONS_FIELD_NUMBER: _ClassVar[int]
    ANSWER_TIME_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_CHOICE_ID_FIELD_NUMBER: _ClassVar[int]
    ANSWER_WORDS_FIELD_NUMBER: _ClassVar[int]
    ANSWER_TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    kind: QuestionKind
    text: _localized_text_pb2.LocalizedText
    choices: _containers.RepeatedCompositeFieldContainer[QuestionChoice]
    room_from_time: _timestamp_pb2.Timestamp
    sections: int
    answer_time: _timestamp_pb2.Timestamp
    answered_choice_id: str
    answer_words: str
    answer_trigger_id: str
    def __init__(self, kind: _Optional[_Union[QuestionKind, str]] = ..., text: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., choices: _Optional[_Iterable[_Union[QuestionChoice, _Mapping]]] = ..., room_from_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., sections: _Optional[int] = ..., answer_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., answered_choice_id: _Optional[str] = ..., answer_words: _Optional[str] = ..., answer_trigger_id: _Optional[str] = ...) -> None: ...
