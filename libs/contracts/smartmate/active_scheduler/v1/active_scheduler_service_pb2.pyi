import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.active_scheduler.v1 import edit_pb2 as _edit_pb2
from smartmate.active_scheduler.v1 import observation_pb2 as _observation_pb2
from smartmate.active_scheduler.v1 import preview_pb2 as _preview_pb2
from smartmate.active_scheduler.v1 import trigger_pb2 as _trigger_pb2
from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from smartmate.schedule.v1 import schedule_event_pb2 as _schedule_event_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DryRunRequest(_message.Message):
    __slots__ = ("target", "mock_now_time", "type")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    MOCK_NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    target: _change_pb2.Target
    mock_now_time: _timestamp_pb2.Timestamp
    type: _trigger_pb2.TriggerType
    def __init__(self, target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., mock_now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., type: _Optional[_Union[_trigger_pb2.TriggerType, str]] = ...) -> None: ...

class DryRunResponse(_message.Message):
    __slots__ = ("action", "reason_code", "preview", "metrics", "issues")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    REASON_CODE_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ISSUES_FIELD_NUMBER: _ClassVar[int]
    action: _preview_pb2.DecisionAction
    reason_code: str
    preview: _preview_pb2.Preview
    metrics: _observation_pb2.Metrics
    issues: _containers.RepeatedCompositeFieldContainer[_observation_pb2.Issue]
    def __init__(self, action: _Optional[_Union[_preview_pb2.DecisionAction, str]] = ..., reason_code: _Optional[str] = ..., preview: _Optional[_Union[_preview_pb2.Preview, _Mapping]] = ..., metrics: _Optional[_Union[_observation_pb2.Metrics, _Mapping]] = ..., issues: _Optional[_Iterable[_Union[_observation_pb2.Issue, _Mapping]]] = ...) -> None: ...

class TriggerRequest(_message.Message):
    __slots__ = ("request_id", "type", "target", "mock_now_time")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    MOCK_NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    type: _trigger_pb2.TriggerType
    target: _change_pb2.Target
    mock_now_time: _timestamp_pb2.Timestamp
    def __init__(self, request_id: _Optional[str] = ..., type: _Optional[_Union[_trigger_pb2.TriggerType, str]] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., mock_now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class TriggerResponse(_message.Message):
    __slots__ = ("trigger", "deduplicated")
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    DEDUPLICATED_FIELD_NUMBER: _ClassVar[int]
    trigger: _trigger_pb2.TriggerRecord
    deduplicated: bool
    def __init__(self, trigger: _Optional[_Union[_trigger_pb2.TriggerRecord, _Mapping]] = ..., deduplicated: _Optional[bool] = ...) -> None: ...

class SubmitFeedbackRequest(_message.Message):
    __slots__ = ("request_id", "feedback_id", "target", "text")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    feedback_id: str
    target: _change_pb2.Target
    text: str
    def __init__(self, request_id: _Optional[str] = ..., feedback_id: _Optional[str] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class SubmitFeedbackResponse(_message.Message):
    __slots__ = ("trigger", "deduplicated")
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    DEDUPLICATED_FIELD_NUMBER: _ClassVar[int]
    trigger: _trigger_pb2.TriggerRecord
    deduplicated: bool
    def __init__(self, trigger: _Optional[_Union[_trigger_pb2.TriggerRecord, _Mapping]] = ..., deduplicated: _Optional[bool] = ...) -> None: ...

class AnswerQuestionRequest(_message.Message):
    __slots__ = ("request_id", "preview_id", "choice_id", "text")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    CHOICE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    preview_id: str
    choice_id: str
    text: str
    def __init__(self, request_id: _Optional[str] = ..., preview_id: _Optional[str] = ..., choice_id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class AnswerQuestionResponse(_message.Message):
    __slots__ = ("trigger", "preview", "already_answered")
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    ALREADY_ANSWERED_FIELD_NUMBER: _ClassVar[int]
    trigger: _trigger_pb2.TriggerRecord
    preview: _preview_pb2.Preview
    already_answered: bool
    def __init__(self, trigger: _Optional[_Union[_trigger_pb2.TriggerRecord, _Mapping]] = ..., preview: _Optional[_Union[_preview_pb2.Preview, _Mapping]] = ..., already_answered: _Optional[bool] = ...) -> None: ...

class GetTriggerRequest(_message.Message):
    __slots__ = ("trigger_id",)
    TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    trigger_id: str
    def __init__(self, trigger_id: _Optional[str] = ...) -> None: ...

class GetTriggerResponse(_message.Message):
    __slots__ = ("trigger",)
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    trigger: _trigger_pb2.TriggerRecord
    def __init__(self, trigger: _Optional[_Union[_trigger_pb2.TriggerRecord, _Mapping]] = ...) -> None: ...

class GetPreviewRequest(_message.Message):
    __slots__ = ("preview_id",)
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    preview_id: str
    def __init__(self, preview_id: _Optional[str] = ...) -> None: ...

class GetPreviewResponse(_message.Message):
    __slots__ = ("preview", "now_time")
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    preview: _preview_pb2.Preview
    now_time: _timestamp_pb2.Timestamp
    def __init__(self, preview: _Optional[_Union[_preview_pb2.Preview, _Mapping]] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListPreviewsRequest(_message.Message):
    __slots__ = ("open_only", "page_size", "page_token")
    OPEN_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    open_only: bool
    page_size: int
    page_token: str
    def __init__(self, open_only: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPreviewsResponse(_message.Message):
    __slots__ = ("previews", "next_page_token")
    PREVIEWS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    previews: _containers.RepeatedCompositeFieldContainer[_preview_pb2.PreviewSummary]
    next_page_token: str
    def __init__(self, previews: _Optional[_Iterable[_Union[_preview_pb2.PreviewSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class WatchPreviewRequest(_message.Message):
    __slots__ = ("preview_id",)
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    preview_id: str
    def __init__(self, preview_id: _Optional[str] = ...) -> None: ...

class WatchPreviewResponse(_message.Message):
    __slots__ = ("preview", "now_time")
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    preview: _preview_pb2.Preview
    now_time: _timestamp_pb2.Timestamp
    def __init__(self, preview: _Optional[_Union[_preview_pb2.Preview, _Mapping]] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CheckEditsRequest(_message.Message):
    __slots__ = ("preview_id", "candidate_id", "change_id", "edited_changes")
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGE_ID_FIELD_NUMBER: _ClassVar[int]
    EDITED_CHANGES_FIELD_NUMBER: _ClassVar[int]
    preview_id: str
    candidate_id: str
    change_id: str
    edited_changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    def __init__(self, preview_id: _Optional[str] = ..., candidate_id: _Optional[str] = ..., change_id: _Optional[str] = ..., edited_changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ...) -> None: ...

class CheckEditsResponse(_message.Message):
    __slots__ = ("days", "legal_places", "blocked", "events", "semesters", "now_time")
    DAYS_FIELD_NUMBER: _ClassVar[int]
    LEGAL_PLACES_FIELD_NUMBER: _ClassVar[int]
    BLOCKED_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    SEMESTERS_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    days: _containers.RepeatedCompositeFieldContainer[_edit_pb2.EditDay]
    legal_places: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.Place]
    blocked: _edit_pb2.ShutReason
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    semesters: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.Semester]
    now_time: _timestamp_pb2.Timestamp
    def __init__(self, days: _Optional[_Iterable[_Union[_edit_pb2.EditDay, _Mapping]]] = ..., legal_places: _Optional[_Iterable[_Union[_calendar_pb2.Place, _Mapping]]] = ..., blocked: _Optional[_Union[_edit_pb2.ShutReason, _Mapping]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., semesters: _Optional[_Iterable[_Union[_calendar_pb2.Semester, _Mapping]]] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ConfirmPreviewRequest(_message.Message):
    __slots__ = ("request_id", "preview_id", "candidate_id", "edited_changes")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    CANDIDATE_ID_FIELD_NUMBER: _ClassVar[int]
    EDITED_CHANGES_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    preview_id: str
    candidate_id: str
    edited_changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    def __init__(self, request_id: _Optional[str] = ..., preview_id: _Optional[str] = ..., candidate_id: _Optional[str] = ..., edited_changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ...) -> None: ...

class ConfirmPreviewResponse(_message.Message):
    __slots__ = ("apply_id", "preview")
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    apply_id: str
    preview: _preview_pb2.Preview
    def __init__(self, apply_id: _Optional[str] = ..., preview: _Optional[_Union[_preview_pb2.Preview, _Mapping]] = ...) -> None: ...

class IgnorePreviewRequest(_message.Message):
    __slots__ = ("request_id", "preview_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    preview_id: str
    def __init__(self, request_id: _Optional[str] = ..., preview_id: _Optional[str] = ...) -> None: ...

class IgnorePreviewResponse(_message.Message):
    __slots__ = ("preview",)
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    preview: _preview_pb2.Preview
    def __init__(self, preview: _Optional[_Union[_preview_pb2.Preview, _Mapping]] = ...) -> None: ...

class BindPreviewConversationRequest(_message.Message):
    __slots__ = ("request_id", "preview_id", "conversation_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    preview_id: str
    conversation_id: str
    def __init__(self, request_id: _Optional[str] = ..., preview_id: _Optional[str] = ..., conversation_id: _Optional[str] = ...) -> None: ...

class BindPreviewConversationResponse(_message.Message):
    __slots__ = ("preview",)
    PREVIEW_FIELD_NUMBER: _ClassVar[int]
    preview: _preview_pb2.Preview
    def __init__(self, preview: _Optional[_Union[_preview_pb2.Preview, _Mapping]] = ...) -> None: ...

class RegeneratePreviewRequest(_message.Message):
    __slots__ = ("request_id", "preview_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    preview_id: str
    def __init__(self, request_id: _Optional[str] = ..., preview_id: _Optional[str] = ...) -> None: ...

class RegeneratePreviewResponse(_message.Message):
    __slots__ = ("trigger",)
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    trigger: _trigger_pb2.TriggerRecord
    def __init__(self, trigger: _Optional[_Union[_trigger_pb2.TriggerRecord, _Mapping]] = ...) -> None: ...

class ListTriggersRequest(_message.Message):
    __slots__ = ("user_id", "states", "page_size", "page_token")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    states: _containers.RepeatedScalarFieldContainer[_trigger_pb2.TriggerState]
    page_size: int
    page_token: str
    def __init__(self, user_id: _Optional[int] = ..., states: _Optional[_Iterable[_Union[_trigger_pb2.TriggerState, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTriggersResponse(_message.Message):
    __slots__ = ("triggers", "next_page_token")
    TRIGGERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    triggers: _containers.RepeatedCompositeFieldContainer[_trigger_pb2.TriggerListing]
    next_page_token: str
    def __init__(self, triggers: _Optional[_Iterable[_Union[_trigger_pb2.TriggerListing, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetTraceRequest(_message.Message):
    __slots__ = ("trigger_id", "user_id", "target")
    TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    trigger_id: str
    user_id: int
    target: _change_pb2.Target
    def __init__(self, trigger_id: _Optional[str] = ..., user_id: _Optional[int] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ...) -> None: ...

class GetTraceResponse(_message.Message):
    __slots__ = ("trigger", "user_id", "steps")
    TRIGGER_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    trigger: _trigger_pb2.TriggerRecord
    user_id: int
    steps: _containers.RepeatedCompositeFieldContainer[_trigger_pb2.TraceStep]
    def __init__(self, trigger: _Optional[_Union[_trigger_pb2.TriggerRecord, _Mapping]] = ..., user_id: _Optional[int] = ..., steps: _Optional[_Iterable[_Union[_trigger_pb2.TraceStep, _Mapping]]] = ...) -> None: ...
