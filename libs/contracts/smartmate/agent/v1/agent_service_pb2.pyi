import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.agent.v1 import feedback_pb2 as _feedback_pb2
from smartmate.agent.v1 import chat_pb2 as _chat_pb2
from smartmate.agent.v1 import conversation_pb2 as _conversation_pb2
from smartmate.agent.v1 import memory_pb2 as _memory_pb2
from smartmate.agent.v1 import selection_pb2 as _selection_pb2
from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ConfirmReply(_message.Message):
    __slots__ = ("number", "accepted", "words", "run_id")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    number: int
    accepted: bool
    words: str
    run_id: str
    def __init__(self, number: _Optional[int] = ..., accepted: _Optional[bool] = ..., words: _Optional[str] = ..., run_id: _Optional[str] = ...) -> None: ...

class QuestionAnswer(_message.Message):
    __slots__ = ("number", "choice_id", "text", "run_id")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CHOICE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    number: int
    choice_id: str
    text: str
    run_id: str
    def __init__(self, number: _Optional[int] = ..., choice_id: _Optional[str] = ..., text: _Optional[str] = ..., run_id: _Optional[str] = ...) -> None: ...

class ChatRequest(_message.Message):
    __slots__ = ("request_id", "conversation_id", "text", "confirm_reply", "answer", "preview_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_REPLY_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    conversation_id: str
    text: str
    confirm_reply: ConfirmReply
    answer: QuestionAnswer
    preview_id: str
    def __init__(self, request_id: _Optional[str] = ..., conversation_id: _Optional[str] = ..., text: _Optional[str] = ..., confirm_reply: _Optional[_Union[ConfirmReply, _Mapping]] = ..., answer: _Optional[_Union[QuestionAnswer, _Mapping]] = ..., preview_id: _Optional[str] = ...) -> None: ...

class ChatResponse(_message.Message):
    __slots__ = ("conversation", "event")
    CONVERSATION_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    conversation: _conversation_pb2.Conversation
    event: _chat_pb2.ChatEvent
    def __init__(self, conversation: _Optional[_Union[_conversation_pb2.Conversation, _Mapping]] = ..., event: _Optional[_Union[_chat_pb2.ChatEvent, _Mapping]] = ...) -> None: ...

class ResumeRequest(_message.Message):
    __slots__ = ("run_id", "after_sequence")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    after_sequence: int
    def __init__(self, run_id: _Optional[str] = ..., after_sequence: _Optional[int] = ...) -> None: ...

class ResumeResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _chat_pb2.ChatEvent
    def __init__(self, event: _Optional[_Union[_chat_pb2.ChatEvent, _Mapping]] = ...) -> None: ...

class GetRunStateRequest(_message.Message):
    __slots__ = ("run_id",)
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    def __init__(self, run_id: _Optional[str] = ...) -> None: ...

class GetRunStateResponse(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: _conversation_pb2.RunState
    def __init__(self, run: _Optional[_Union[_conversation_pb2.RunState, _Mapping]] = ...) -> None: ...

class ListConversationsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListConversationsResponse(_message.Message):
    __slots__ = ("conversations", "next_page_token")
    CONVERSATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    conversations: _containers.RepeatedCompositeFieldContainer[_conversation_pb2.Conversation]
    next_page_token: str
    def __init__(self, conversations: _Optional[_Iterable[_Union[_conversation_pb2.Conversation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetConversationRequest(_message.Message):
    __slots__ = ("conversation_id", "page_size", "page_token")
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    conversation_id: str
    page_size: int
    page_token: str
    def __init__(self, conversation_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class GetConversationResponse(_message.Message):
    __slots__ = ("conversation", "messages", "next_page_token", "question", "confirm_request", "last_sequence")
    CONVERSATION_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_REQUEST_FIELD_NUMBER: _ClassVar[int]
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    conversation: _conversation_pb2.Conversation
    messages: _containers.RepeatedCompositeFieldContainer[_conversation_pb2.ChatMessage]
    next_page_token: str
    question: _chat_pb2.Question
    confirm_request: _chat_pb2.ConfirmRequest
    last_sequence: int
    def __init__(self, conversation: _Optional[_Union[_conversation_pb2.Conversation, _Mapping]] = ..., messages: _Optional[_Iterable[_Union[_conversation_pb2.ChatMessage, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., question: _Optional[_Union[_chat_pb2.Question, _Mapping]] = ..., confirm_request: _Optional[_Union[_chat_pb2.ConfirmRequest, _Mapping]] = ..., last_sequence: _Optional[int] = ...) -> None: ...

class DeleteConversationRequest(_message.Message):
    __slots__ = ("request_id", "conversation_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    conversation_id: str
    def __init__(self, request_id: _Optional[str] = ..., conversation_id: _Optional[str] = ...) -> None: ...

class DeleteConversationResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class SelectCandidateRequest(_message.Message):
    __slots__ = ("situation", "candidates", "memory_texts", "user_words", "locale")
    SITUATION_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    MEMORY_TEXTS_FIELD_NUMBER: _ClassVar[int]
    USER_WORDS_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    situation: _selection_pb2.Situation
    candidates: _containers.RepeatedCompositeFieldContainer[_selection_pb2.CandidateBrief]
    memory_texts: _containers.RepeatedScalarFieldContainer[str]
    user_words: str
    locale: _selection_pb2.Locale
    def __init__(self, situation: _Optional[_Union[_selection_pb2.Situation, _Mapping]] = ..., candidates: _Optional[_Iterable[_Union[_selection_pb2.CandidateBrief, _Mapping]]] = ..., memory_texts: _Optional[_Iterable[str]] = ..., user_words: _Optional[str] = ..., locale: _Optional[_Union[_selection_pb2.Locale, str]] = ...) -> None: ...

class SelectCandidateResponse(_message.Message):
    __slots__ = ("selected_candidate_id", "summary", "reason", "risk", "notification_text", "fallback_used", "fallback_reason", "model")
    SELECTED_CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RISK_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_TEXT_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_USED_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_REASON_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    selected_candidate_id: str
    summary: _localized_text_pb2.LocalizedText
    reason: _localized_text_pb2.LocalizedText
    risk: _localized_text_pb2.LocalizedText
    notification_text: _localized_text_pb2.LocalizedText
    fallback_used: bool
    fallback_reason: str
    model: str
    def __init__(self, selected_candidate_id: _Optional[str] = ..., summary: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., reason: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., risk: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., notification_text: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., fallback_used: _Optional[bool] = ..., fallback_reason: _Optional[str] = ..., model: _Optional[str] = ...) -> None: ...

class LocateFeedbackRequest(_message.Message):
    __slots__ = ("text", "now_time", "time_zone", "blocks")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    text: str
    now_time: _timestamp_pb2.Timestamp
    time_zone: str
    blocks: _containers.RepeatedCompositeFieldContainer[_feedback_pb2.FeedbackBlock]
    def __init__(self, text: _Optional[str] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., time_zone: _Optional[str] = ..., blocks: _Optional[_Iterable[_Union[_feedback_pb2.FeedbackBlock, _Mapping]]] = ...) -> None: ...

class LocateFeedbackResponse(_message.Message):
    __slots__ = ("event_ids", "fallback_used", "fallback_reason", "model")
    EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_USED_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_REASON_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    event_ids: _containers.RepeatedScalarFieldContainer[int]
    fallback_used: bool
    fallback_reason: str
    model: str
    def __init__(self, event_ids: _Optional[_Iterable[int]] = ..., fallback_used: _Optional[bool] = ..., fallback_reason: _Optional[str] = ..., model: _Optional[str] = ...) -> None: ...

class RecallMemoryRequest(_message.Message):
    __slots__ = ("query", "types", "include_timed", "limit")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    TYPES_FIELD_NUMBER: _ClassVar[int]
    INCLUDE_TIMED_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    query: str
    types: _containers.RepeatedScalarFieldContainer[_memory_pb2.MemoryType]
    include_timed: bool
    limit: int
    def __init__(self, query: _Optional[str] = ..., types: _Optional[_Iterable[_Union[_memory_pb2.MemoryType, str]]] = ..., include_timed: _Optional[bool] = ..., limit: _Optional[int] = ...) -> None: ...

class RecallMemoryResponse(_message.Message):
    __slots__ = ("items",)
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_memory_pb2.MemoryItem]
    def __init__(self, items: _Optional[_Iterable[_Union[_memory_pb2.MemoryItem, _Mapping]]] = ...) -> None: ...

class PutMemoryRequest(_message.Message):
    __slots__ = ("request_id", "memory_id", "type", "text", "days_of_week", "first_section", "last_section")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DAYS_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    memory_id: int
    type: _memory_pb2.MemoryType
    text: str
    days_of_week: _containers.RepeatedScalarFieldContainer[int]
    first_section: int
    last_section: int
    def __init__(self, request_id: _Optional[str] = ..., memory_id: _Optional[int] = ..., type: _Optional[_Union[_memory_pb2.MemoryType, str]] = ..., text: _Optional[str] = ..., days_of_week: _Optional[_Iterable[int]] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ...) -> None: ...

class PutMemoryResponse(_message.Message):
    __slots__ = ("item",)
    ITEM_FIELD_NUMBER: _ClassVar[int]
    item: _memory_pb2.MemoryItem
    def __init__(self, item: _Optional[_Union[_memory_pb2.MemoryItem, _Mapping]] = ...) -> None: ...

class ListMemoryRequest(_message.Message):
    __slots__ = ("types", "page_size", "page_token")
    TYPES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    types: _containers.RepeatedScalarFieldContainer[_memory_pb2.MemoryType]
    page_size: int
    page_token: str
    def __init__(self, types: _Optional[_Iterable[_Union[_memory_pb2.MemoryType, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMemoryResponse(_message.Message):
    __slots__ = ("items", "next_page_token")
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    items: _containers.RepeatedCompositeFieldContainer[_memory_pb2.MemoryItem]
    next_page_token: str
    def __init__(self, items: _Optional[_Iterable[_Union[_memory_pb2.MemoryItem, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteMemoryRequest(_message.Message):
    __slots__ = ("request_id", "memory_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    MEMORY_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    memory_id: int
    def __init__(self, request_id: _Optional[str] = ..., memory_id: _Optional[int] = ...) -> None: ...

class DeleteMemoryResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
