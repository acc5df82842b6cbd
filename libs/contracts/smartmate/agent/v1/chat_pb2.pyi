import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from smartmate.text.v1 import localized_text_pb2 as _localized_text_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_PHASE_UNSPECIFIED: _ClassVar[RunPhase]
    RUN_PHASE_CHAT: _ClassVar[RunPhase]
    RUN_PHASE_PLAN: _ClassVar[RunPhase]
    RUN_PHASE_CONFIRM_PLAN: _ClassVar[RunPhase]
    RUN_PHASE_ROUGH_BUILD: _ClassVar[RunPhase]
    RUN_PHASE_EXECUTE: _ClassVar[RunPhase]
    RUN_PHASE_DELIVER: _ClassVar[RunPhase]
    RUN_PHASE_CONFIRM_WRITE: _ClassVar[RunPhase]
    RUN_PHASE_QUICK_TASK: _ClassVar[RunPhase]
    RUN_PHASE_FEEDBACK: _ClassVar[RunPhase]
    RUN_PHASE_DONE: _ClassVar[RunPhase]

class OutcomeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_KIND_UNSPECIFIED: _ClassVar[OutcomeKind]
    OUTCOME_KIND_COMPLETED: _ClassVar[OutcomeKind]
    OUTCOME_KIND_ABORTED: _ClassVar[OutcomeKind]
    OUTCOME_KIND_EXHAUSTED: _ClassVar[OutcomeKind]

class ConfirmKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONFIRM_KIND_UNSPECIFIED: _ClassVar[ConfirmKind]
    CONFIRM_KIND_PLAN: _ClassVar[ConfirmKind]
    CONFIRM_KIND_CHANGES: _ClassVar[ConfirmKind]
    CONFIRM_KIND_TOOL: _ClassVar[ConfirmKind]
RUN_PHASE_UNSPECIFIED: RunPhase
RUN_PHASE_CHAT: RunPhase
RUN_PHASE_PLAN: RunPhase
RUN_PHASE_CONFIRM_PLAN: RunPhase
RUN_PHASE_ROUGH_BUILD: RunPhase
RUN_PHASE_EXECUTE: RunPhase
RUN_PHASE_DELIVER: RunPhase
RUN_PHASE_CONFIRM_WRITE: RunPhase
RUN_PHASE_QUICK_TASK: RunPhase
RUN_PHASE_FEEDBACK: RunPhase
RUN_PHASE_DONE: RunPhase
OUTCOME_KIND_UNSPECIFIED: OutcomeKind
OUTCOME_KIND_COMPLETED: OutcomeKind
OUTCOME_KIND_ABORTED: OutcomeKind
OUTCOME_KIND_EXHAUSTED: OutcomeKind
CONFIRM_KIND_UNSPECIFIED: ConfirmKind
CONFIRM_KIND_PLAN: ConfirmKind
CONFIRM_KIND_CHANGES: ConfirmKind
CONFIRM_KIND_TOOL: ConfirmKind

class ChatEvent(_message.Message):
    __slots__ = ("run_id", "sequence", "create_time", "status", "speak", "tool_call", "tool_result", "diff", "question", "confirm_request", "preview_card", "outcome")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    SPEAK_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_FIELD_NUMBER: _ClassVar[int]
    TOOL_RESULT_FIELD_NUMBER: _ClassVar[int]
    DIFF_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    CONFIRM_REQUEST_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_CARD_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    sequence: int
    create_time: _timestamp_pb2.Timestamp
    status: Status
    speak: Speak
    tool_call: ToolCall
    tool_result: ToolResult
    diff: Diff
    question: Question
    confirm_request: ConfirmRequest
    preview_card: PreviewCard
    outcome: Outcome
    def __init__(self, run_id: _Optional[str] = ..., sequence: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., status: _Optional[_Union[Status, _Mapping]] = ..., speak: _Optional[_Union[Speak, _Mapping]] = ..., tool_call: _Optional[_Union[ToolCall, _Mapping]] = ..., tool_result: _Optional[_Union[ToolResult, _Mapping]] = ..., diff: _Optional[_Union[Diff, _Mapping]] = ..., question: _Optional[_Union[Question, _Mapping]] = ..., confirm_request: _Optional[_Union[ConfirmRequest, _Mapping]] = ..., preview_card: _Optional[_Union[PreviewCard, _Mapping]] = ..., outcome: _Optional[_Union[Outcome, _Mapping]] = ...) -> None: ...

class Status(_message.Message):
    __slots__ = ("phase", "code", "text", "round")
    PHASE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    phase: RunPhase
    code: str
    text: _localized_text_pb2.LocalizedText
    round: int
    def __init__(self, phase: _Optional[_Union[RunPhase, str]] = ..., code: _Optional[str] = ..., text: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ..., round: _Optional[int] = ...) -> None: ...

class Speak(_message.Message):
    __slots__ = ("text", "by_template")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    BY_TEMPLATE_FIELD_NUMBER: _ClassVar[int]
    text: str
    by_template: bool
    def __init__(self, text: _Optional[str] = ..., by_template: _Optional[bool] = ...) -> None: ...

class ToolCall(_message.Message):
    __slots__ = ("number", "tool", "arguments_json", "title")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    ARGUMENTS_JSON_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    number: int
    tool: str
    arguments_json: str
    title: _localized_text_pb2.LocalizedText
    def __init__(self, number: _Optional[int] = ..., tool: _Optional[str] = ..., arguments_json: _Optional[str] = ..., title: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class ToolResult(_message.Message):
    __slots__ = ("number", "tool", "ok", "code", "text", "changed_count")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TOOL_FIELD_NUMBER: _ClassVar[int]
    OK_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    number: int
    tool: str
    ok: bool
    code: str
    text: str
    changed_count: int
    def __init__(self, number: _Optional[int] = ..., tool: _Optional[str] = ..., ok: _Optional[bool] = ..., code: _Optional[str] = ..., text: _Optional[str] = ..., changed_count: _Optional[int] = ...) -> None: ...

class RunCounts(_message.Message):
    __slots__ = ("pending", "suggested", "existing")
    PENDING_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_FIELD_NUMBER: _ClassVar[int]
    EXISTING_FIELD_NUMBER: _ClassVar[int]
    pending: int
    suggested: int
    existing: int
    def __init__(self, pending: _Optional[int] = ..., suggested: _Optional[int] = ..., existing: _Optional[int] = ...) -> None: ...

class Diff(_message.Message):
    __slots__ = ("counts", "lines", "days")
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    LINES_FIELD_NUMBER: _ClassVar[int]
    DAYS_FIELD_NUMBER: _ClassVar[int]
    counts: RunCounts
    lines: _containers.RepeatedCompositeFieldContainer[DiffLine]
    days: _containers.RepeatedCompositeFieldContainer[DiffDay]
    def __init__(self, counts: _Optional[_Union[RunCounts, _Mapping]] = ..., lines: _Optional[_Iterable[_Union[DiffLine, _Mapping]]] = ..., days: _Optional[_Iterable[_Union[DiffDay, _Mapping]]] = ...) -> None: ...

class DiffLine(_message.Message):
    __slots__ = ("change", "name", "category", "from_date", "to_date")
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    FROM_DATE_FIELD_NUMBER: _ClassVar[int]
    TO_DATE_FIELD_NUMBER: _ClassVar[int]
    change: _change_pb2.ScheduleChange
    name: str
    category: str
    from_date: str
    to_date: str
    def __init__(self, change: _Optional[_Union[_change_pb2.ScheduleChange, _Mapping]] = ..., name: _Optional[str] = ..., category: _Optional[str] = ..., from_date: _Optional[str] = ..., to_date: _Optional[str] = ...) -> None: ...

class DiffDay(_message.Message):
    __slots__ = ("date", "week", "day_of_week", "before", "after")
    DATE_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    date: str
    week: int
    day_of_week: int
    before: _containers.RepeatedCompositeFieldContainer[DiffBlock]
    after: _containers.RepeatedCompositeFieldContainer[DiffBlock]
    def __init__(self, date: _Optional[str] = ..., week: _Optional[int] = ..., day_of_week: _Optional[int] = ..., before: _Optional[_Iterable[_Union[DiffBlock, _Mapping]]] = ..., after: _Optional[_Iterable[_Union[DiffBlock, _Mapping]]] = ...) -> None: ...

class DiffBlock(_message.Message):
    __slots__ = ("name", "category", "first_section", "last_section", "course", "can_be_embedded", "embedded", "change_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    FIRST_SECTION_FIELD_NUMBER: _ClassVar[int]
    LAST_SECTION_FIELD_NUMBER: _ClassVar[int]
    COURSE_FIELD_NUMBER: _ClassVar[int]
    CAN_BE_EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    CHANGE_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    category: str
    first_section: int
    last_section: int
    course: bool
    can_be_embedded: bool
    embedded: bool
    change_id: str
    def __init__(self, name: _Optional[str] = ..., category: _Optional[str] = ..., first_section: _Optional[int] = ..., last_section: _Optional[int] = ..., course: _Optional[bool] = ..., can_be_embedded: _Optional[bool] = ..., embedded: _Optional[bool] = ..., change_id: _Optional[str] = ...) -> None: ...

class Question(_message.Message):
    __slots__ = ("number", "text", "choices", "allows_text")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    ALLOWS_TEXT_FIELD_NUMBER: _ClassVar[int]
    number: int
    text: str
    choices: _containers.RepeatedCompositeFieldContainer[QuestionChoice]
    allows_text: bool
    def __init__(self, number: _Optional[int] = ..., text: _Optional[str] = ..., choices: _Optional[_Iterable[_Union[QuestionChoice, _Mapping]]] = ..., allows_text: _Optional[bool] = ...) -> None: ...

class QuestionChoice(_message.Message):
    __slots__ = ("choice_id", "text")
    CHOICE_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    choice_id: str
    text: str
    def __init__(self, choice_id: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class ConfirmRequest(_message.Message):
    __slots__ = ("number", "kind", "text", "steps", "diff", "tool_call")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    DIFF_FIELD_NUMBER: _ClassVar[int]
    TOOL_CALL_FIELD_NUMBER: _ClassVar[int]
    number: int
    kind: ConfirmKind
    text: str
    steps: _containers.RepeatedCompositeFieldContainer[PlanStep]
    diff: Diff
    tool_call: ToolCall
    def __init__(self, number: _Optional[int] = ..., kind: _Optional[_Union[ConfirmKind, str]] = ..., text: _Optional[str] = ..., steps: _Optional[_Iterable[_Union[PlanStep, _Mapping]]] = ..., diff: _Optional[_Union[Diff, _Mapping]] = ..., tool_call: _Optional[_Union[ToolCall, _Mapping]] = ...) -> None: ...

class PlanStep(_message.Message):
    __slots__ = ("text", "done_criterion")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    DONE_CRITERION_FIELD_NUMBER: _ClassVar[int]
    text: str
    done_criterion: str
    def __init__(self, text: _Optional[str] = ..., done_criterion: _Optional[str] = ...) -> None: ...

class PreviewCard(_message.Message):
    __slots__ = ("preview_id", "title", "summary")
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    preview_id: str
    title: str
    summary: _localized_text_pb2.LocalizedText
    def __init__(self, preview_id: _Optional[str] = ..., title: _Optional[str] = ..., summary: _Optional[_Union[_localized_text_pb2.LocalizedText, _Mapping]] = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("kind", "code", "user_message", "counts", "apply_id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    USER_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    kind: OutcomeKind
    code: str
    user_message: str
    counts: RunCounts
    apply_id: str
    def __init__(self, kind: _Optional[_Union[OutcomeKind, str]] = ..., code: _Optional[str] = ..., user_message: _Optional[str] = ..., counts: _Optional[_Union[RunCounts, _Mapping]] = ..., apply_id: _Optional[str] = ...) -> None: ...
