import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.active_scheduler.v1 import question_pb2 as _question_pb2
from smartmate.active_scheduler.v1 import trigger_pb2 as _trigger_pb2
from smartmate.schedule.v1 import apply_pb2 as _apply_pb2
from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from smartmate.schedule.v1 import schedule_event_pb2 as _schedule_event_pb2
from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DecisionAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_ACTION_UNSPECIFIED: _ClassVar[DecisionAction]
    DECISION_ACTION_CLOSE: _ClassVar[DecisionAction]
    DECISION_ACTION_ASK_USER: _ClassVar[DecisionAction]
    DECISION_ACTION_SELECT_CANDIDATE: _ClassVar[DecisionAction]
    DECISION_ACTION_NOTIFY_ONLY: _ClassVar[DecisionAction]

class CandidateFamily(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CANDIDATE_FAMILY_UNSPECIFIED: _ClassVar[CandidateFamily]
    CANDIDATE_FAMILY_EARLIEST: _ClassVar[CandidateFamily]
    CANDIDATE_FAMILY_LAST_SAFE: _ClassVar[CandidateFamily]
    CANDIDATE_FAMILY_BEST_MATCH: _ClassVar[CandidateFamily]
    CANDIDATE_FAMILY_LEAST_DISTURBANCE: _ClassVar[CandidateFamily]

class CandidateType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CANDIDATE_TYPE_UNSPECIFIED: _ClassVar[CandidateType]
    CANDIDATE_TYPE_ADD_TASK_POOL_TO_SCHEDULE: _ClassVar[CandidateType]
    CANDIDATE_TYPE_MAKEUP_BLOCK: _ClassVar[CandidateType]
    CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP: _ClassVar[CandidateType]
    CANDIDATE_TYPE_COMPRESS_WITH_NEXT_DYNAMIC_TASK: _ClassVar[CandidateType]
    CANDIDATE_TYPE_DROP_UNFINISHED: _ClassVar[CandidateType]
    CANDIDATE_TYPE_SPLIT_IN_TWO: _ClassVar[CandidateType]

class PreviewState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PREVIEW_STATE_UNSPECIFIED: _ClassVar[PreviewState]
    PREVIEW_STATE_READY: _ClassVar[PreviewState]
    PREVIEW_STATE_APPLYING: _ClassVar[PreviewState]
    PREVIEW_STATE_APPLIED: _ClassVar[PreviewState]
    PREVIEW_STATE_IGNORED: _ClassVar[PreviewState]
    PREVIEW_STATE_SUPERSEDED: _ClassVar[PreviewState]
    PREVIEW_STATE_EXPIRED: _ClassVar[PreviewState]

class NotificationStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTIFICATION_STATUS_UNSPECIFIED: _ClassVar[NotificationStatus]
    NOTIFICATION_STATUS_PENDING: _ClassVar[NotificationStatus]
    NOTIFICATION_STATUS_SENT: _ClassVar[NotificationStatus]
    NOTIFICATION_STATUS_DEAD: _ClassVar[NotificationStatus]
    NOTIFICATION_STATUS_SKIPPED: _ClassVar[NotificationStatus]
    NOTIFICATION_STATUS_UNKNOWN: _ClassVar[NotificationStatus]
DECISION_ACTION_UNSPECIFIED: DecisionAction
DECISION_ACTION_CLOSE: DecisionAction
DECISION_ACTION_ASK_USER: DecisionAction
DECISION_ACTION_SELECT_CANDIDATE: DecisionAction
DECISION_ACTION_NOTIFY_ONLY: DecisionAction
CANDIDATE_FAMILY_UNSPECIFIED: CandidateFamily
CANDIDATE_FAMILY_EARLIEST: CandidateFamily
CANDIDATE_FAMILY_LAST_SAFE: CandidateFamily
CANDIDATE_FAMILY_BEST_MATCH: CandidateFamily
CANDIDATE_FAMILY_LEAST_DISTURBANCE: CandidateFamily
CANDIDATE_TYPE_UNSPECIFIED: CandidateType
CANDIDATE_TYPE_ADD_TASK_POOL_TO_SCHEDULE: CandidateType
CANDIDATE_TYPE_MAKEUP_BLOCK: CandidateType
CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP: CandidateType
CANDIDATE_TYPE_COMPRESS_WITH_NEXT_DYNAMIC_TASK: CandidateType
CANDIDATE_TYPE_DROP_UNFINISHED: CandidateType
CANDIDATE_TYPE_SPLIT_IN_TWO: CandidateType
PREVIEW_STATE_UNSPECIFIED: PreviewState
PREVIEW_STATE_READY: PreviewState
PREVIEW_STATE_APPLYING: PreviewState
PREVIEW_STATE_APPLIED: PreviewState
PREVIEW_STATE_IGNORED: PreviewState
PREVIEW_STATE_SUPERSEDED: PreviewState
PREVIEW_STATE_EXPIRED: PreviewState
NOTIFICATION_STATUS_UNSPECIFIED: NotificationStatus
NOTIFICATION_STATUS_PENDING: NotificationStatus
NOTIFICATION_STATUS_SENT: NotificationStatus
NOTIFICATION_STATUS_DEAD: NotificationStatus
NOTIFICATION_STATUS_SKIPPED: NotificationStatus
NOTIFICATION_STATUS_UNKNOWN: NotificationStatus

class Candidate(_message.Message):
    __slots__ = ("candidate_id", "family", "changes", "summary", "reason", "risk", "after_events", "base", "type", "preferences_met", "preferences_unmet")
    class BaseEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RISK_FIELD_NUMBER: _ClassVar[int]
    AFTER_EVENTS_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    PREFERENCES_MET_FIELD_NUMBER: _ClassVar[int]
    PREFERENCES_UNMET_FIELD_NUMBER: _ClassVar[int]
    candidate_id: str
    family: CandidateFamily
    changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    summary: _localized_text_pb2.LocalizedText
    reason: _localized_text_pb2.LocalizedText
    risk: _localized_text_pb2.LocalizedText
    after_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    base: _containers.ScalarMap[str, str]
    type: CandidateType
    preferences_met: _containers.RepeatedCompositeFieldContainer[_localized_text_pb2.LocalizedText]
    preferences_unmet: _containers.RepeatedCompositeFieldContainer[_localized_text_pb2.LocalizedText]
    def __init__(self, candidate_id: _Optional[str] = ..., family: _Optional[_Union[CandidateFamily, str]] = ..., changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ..., summary: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., reason: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., risk: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., after_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., base: _Optional[_Mapping[str, str]] = ..., type: _Optional[_Union[CandidateType, str]] = ..., preferences_met: _Optional[_Iterable[_Union[_localized_text_pb2.LocalizedText, _Mapping]]] = ..., preferences_unmet: _Optional[_Iterable[_Union[_localized_text_pb2.LocalizedText, _Mapping]]] = ...) -> None: ...

class Preview(_message.Message):
    __slots__ = ("preview_id", "trigger_id", "trigger_type", "target", "target_title", "state", "version", "action", "reason_code", "candidates", "selected_candidate_id", "summary", "facts", "inaction", "warnings", "before_events", "semesters", "generate_time", "expire_time", "apply_id", "last_refusals", "apply_time", "applied_event_ids", "notification_status", "is_mock_time", "facts_time", "deadline_time", "planned_sections", "applied_changes", "notification_text", "llm_fallback_used", "llm_fallback_reason", "model", "question", "undo_time", "words", "conversation_id")
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_TYPE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TARGET_TITLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_CODE_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    SELECTED_CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    INACTION_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    BEFORE_EVENTS_FIELD_NUMBER: _ClassVar[int]
    SEMESTERS_FIELD_NUMBER: _ClassVar[int]
    GENERATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    LAST_REFUSALS_FIELD_NUMBER: _ClassVar[int]
    APPLY_TIME_FIELD_NUMBER: _ClassVar[int]
    APPLIED_EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_STATUS_FIELD_NUMBER: _ClassVar[int]
    IS_MOCK_TIME_FIELD_NUMBER: _ClassVar[int]
    FACTS_TIME_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    PLANNED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    APPLIED_CHANGES_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_TEXT_FIELD_NUMBER: _ClassVar[int]
    LLM_FALLBACK_USED_FIELD_NUMBER: _ClassVar[int]
    LLM_FALLBACK_REASON_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    UNDO_TIME_FIELD_NUMBER: _ClassVar[int]
    WORDS_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    preview_id: str
    trigger_id: str
    trigger_type: _trigger_pb2.TriggerType
    target: _change_pb2.Target
    target_title: str
    state: PreviewState
    version: int
    action: DecisionAction
    reason_code: str
    candidates: _containers.RepeatedCompositeFieldContainer[Candidate]
    selected_candidate_id: str
    summary: _localized_text_pb2.LocalizedText
    facts: _containers.RepeatedCompositeFieldContainer[_localized_text_pb2.LocalizedText]
    inaction: _localized_text_pb2.LocalizedText
    warnings: _containers.RepeatedScalarFieldContainer[str]
    before_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    semesters: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.Semester]
    generate_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    apply_id: str
    last_refusals: _containers.RepeatedCompositeFieldContainer[_apply_pb2.Refusal]
    apply_time: _timestamp_pb2.Timestamp
    applied_event_ids: _containers.RepeatedScalarFieldContainer[int]
    notification_status: NotificationStatus
    is_mock_time: bool
    facts_time: _timestamp_pb2.Timestamp
    deadline_time: _timestamp_pb2.Timestamp
    planned_sections: int
    applied_changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    notification_text: _localized_text_pb2.LocalizedText
    llm_fallback_used: bool
    llm_fallback_reason: str
    model: str
    question: _question_pb2.Question
    undo_time: _timestamp_pb2.Timestamp
    words: str
    conversation_id: str
    def __init__(self, preview_id: _Optional[str] = ..., trigger_id: _Optional[str] = ..., trigger_type: _Optional[_Union[_trigger_pb2.TriggerType, str]] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., target_title: _Optional[str] = ..., state: _Optional[_Union[PreviewState, str]] = ..., version: _Optional[int] = ..., action: _Optional[_Union[DecisionAction, str]] = ..., reason_code: _Optional[str] = ..., candidates: _Optional[_Iterable[_Union[Candidate, _Mapping]]] = ..., selected_candidate_id: _Optional[str] = ..., summary: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., facts: _Optional[_Iterable[_Union[_localized_text_pb2.LocalizedText, _Mapping]]] = ..., inaction: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., warnings: _Optional[_Iterable[str]] = ..., before_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., semesters: _Optional[_Iterable[_Union[_calendar_pb2.Semester, _Mapping]]] = ..., generate_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., apply_id: _Optional[str] = ..., last_refusals: _Optional[_Iterable[_Union[_apply_pb2.Refusal, _Mapping]]] = ..., apply_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., applied_event_ids: _Optional[_Iterable[int]] = ..., notification_status: _Optional[_Union[NotificationStatus, str]] = ..., is_mock_time: _Optional[bool] = ..., facts_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., planned_sections: _Optional[int] = ..., applied_changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ..., notification_text: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., llm_fallback_used: _Optional[bool] = ..., llm_fallback_reason: _Optional[str] = ..., model: _Optional[str] = ..., question: _Optional[_Union[_question_pb2.Question, _Mapping]] = ..., undo_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., words: _Optional[str] = ..., conversation_id: _Optional[str] = ...) -> None: ...

class PreviewSummary(_message.Message):
    __slots__ = ("preview_id", "target_title", "summary", "state", "generate_time", "expire_time", "target", "action", "trigger_type", "is_answered")
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_TITLE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    GENERATE_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_TYPE_FIELD_NUMBER: _ClassVar[int]
    IS_ANSWERED_FIELD_NUMBER: _ClassVar[int]
    preview_id: str
    target_title: str
    summary: _localized_text_pb2.LocalizedText
    state: PreviewState
    generate_time: _timestamp_pb2.Timestamp
    expire_time: _timestamp_pb2.Timestamp
    target: _change_pb2.Target
    action: DecisionAction
    trigger_type: _trigger_pb2.TriggerType
    is_answered: bool
    def __init__(self, preview_id: _Optional[str] = ..., target_title: _Optional[str] = ..., summary: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., state: _Optional[_Union[PreviewState, str]] = ..., generate_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., action: _Optional[_Union[DecisionAction, str]] = ..., trigger_type: _Optional[_Union[_trigger_pb2.TriggerType, str]] = ..., is_answered: _Optional[bool] = ...) -> None: ...
