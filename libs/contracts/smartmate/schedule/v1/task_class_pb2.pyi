import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TaskClassMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TASK_CLASS_MODE_UNSPECIFIED: _ClassVar[TaskClassMode]
    TASK_CLASS_MODE_AUTO: _ClassVar[TaskClassMode]
    TASK_CLASS_MODE_MANUAL: _ClassVar[TaskClassMode]

class PlanningStrategy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLANNING_STRATEGY_UNSPECIFIED: _ClassVar[PlanningStrategy]
    PLANNING_STRATEGY_STEADY: _ClassVar[PlanningStrategy]
    PLANNING_STRATEGY_RAPID: _ClassVar[PlanningStrategy]

class SubjectType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SUBJECT_TYPE_UNSPECIFIED: _ClassVar[SubjectType]
    SUBJECT_TYPE_QUANTITATIVE: _ClassVar[SubjectType]
    SUBJECT_TYPE_MEMORY: _ClassVar[SubjectType]
    SUBJECT_TYPE_READING: _ClassVar[SubjectType]
    SUBJECT_TYPE_MIXED: _ClassVar[SubjectType]

class Difficulty(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DIFFICULTY_UNSPECIFIED: _ClassVar[Difficulty]
    DIFFICULTY_LOW: _ClassVar[Difficulty]
    DIFFICULTY_MEDIUM: _ClassVar[Difficulty]
    DIFFICULTY_HIGH: _ClassVar[Difficulty]

class CognitiveIntensity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COGNITIVE_INTENSITY_UNSPECIFIED: _ClassVar[CognitiveIntensity]
    COGNITIVE_INTENSITY_LOW: _ClassVar[CognitiveIntensity]
    COGNITIVE_INTENSITY_MEDIUM: _ClassVar[CognitiveIntensity]
    COGNITIVE_INTENSITY_HIGH: _ClassVar[CognitiveIntensity]

class TaskClassSkipReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TASK_CLASS_SKIP_REASON_UNSPECIFIED: _ClassVar[TaskClassSkipReason]
    TASK_CLASS_SKIP_REASON_DATES_MISSING: _ClassVar[TaskClassSkipReason]
    TASK_CLASS_SKIP_REASON_DATES_REVERSED: _ClassVar[TaskClassSkipReason]
    TASK_CLASS_SKIP_REASON_OUTSIDE_SEMESTER: _ClassVar[TaskClassSkipReason]
    TASK_CLASS_SKIP_REASON_OUTSIDE_PERIOD: _ClassVar[TaskClassSkipReason]
    TASK_CLASS_SKIP_REASON_MANUAL: _ClassVar[TaskClassSkipReason]

class WindowProblem(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WINDOW_PROBLEM_UNSPECIFIED: _ClassVar[WindowProblem]
    WINDOW_PROBLEM_ASK_DATES: _ClassVar[WindowProblem]
    WINDOW_PROBLEM_NO_WINDOW: _ClassVar[WindowProblem]
TASK_CLASS_MODE_UNSPECIFIED: TaskClassMode
TASK_CLASS_MODE_AUTO: TaskClassMode
TASK_CLASS_MODE_MANUAL: TaskClassMode
PLANNING_STRATEGY_UNSPECIFIED: PlanningStrategy
PLANNING_STRATEGY_STEADY: PlanningStrategy
PLANNING_STRATEGY_RAPID: PlanningStrategy
SUBJECT_TYPE_UNSPECIFIED: SubjectType
SUBJECT_TYPE_QUANTITATIVE: SubjectType
SUBJECT_TYPE_MEMORY: SubjectType
SUBJECT_TYPE_READING: SubjectType
SUBJECT_TYPE_MIXED: SubjectType
DIFFICULTY_UNSPECIFIED: Difficulty
DIFFICULTY_LOW: Difficulty
DIFFICULTY_MEDIUM: Difficulty
DIFFICULTY_HIGH: Difficulty
COGNITIVE_INTENSITY_UNSPECIFIED: CognitiveIntensity
COGNITIVE_INTENSITY_LOW: CognitiveIntensity
COGNITIVE_INTENSITY_MEDIUM: CognitiveIntensity
COGNITIVE_INTENSITY_HIGH: CognitiveIntensity
TASK_CLASS_SKIP_REASON_UNSPECIFIED: TaskClassSkipReason
TASK_CLASS_SKIP_REASON_DATES_MISSING: TaskClassSkipReason
TASK_CLASS_SKIP_REASON_DATES_REVERSED: TaskClassSkipReason
TASK_CLASS_SKIP_REASON_OUTSIDE_SEMESTER: TaskClassSkipReason
TASK_CLASS_SKIP_REASON_OUTSIDE_PERIOD: TaskClassSkipReason
TASK_CLASS_SKIP_REASON_MANUAL: TaskClassSkipReason
WINDOW_PROBLEM_UNSPECIFIED: WindowProblem
WINDOW_PROBLEM_ASK_DATES: WindowProblem
WINDOW_PROBLEM_NO_WINDOW: WindowProblem

class TaskClass(_message.Message):
    __slots__ = ("task_class_id", "name", "mode", "strategy", "start_date", "end_date", "total_sections", "allow_filler_course", "excluded_pairs", "excluded_days_of_week", "subject_type", "difficulty", "cognitive_intensity", "items", "version", "placement_version", "create_time")
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MODE_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    START_DATE_FIELD_NUMBER: _ClassVar[int]
    END_DATE_FIELD_NUMBER: _ClassVar[int]
    TOTAL_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    ALLOW_FILLER_COURSE_FIELD_NUMBER: _ClassVar[int]
    EXCLUDED_PAIRS_FIELD_NUMBER: _ClassVar[int]
    EXCLUDED_DAYS_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_TYPE_FIELD_NUMBER: _ClassVar[int]
    DIFFICULTY_FIELD_NUMBER: _ClassVar[int]
    COGNITIVE_INTENSITY_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    task_class_id: int
    name: str
    mode: TaskClassMode
    strategy: PlanningStrategy
    start_date: str
    end_date: str
    total_sections: int
    allow_filler_course: bool
    excluded_pairs: _containers.RepeatedScalarFieldContainer[int]
    excluded_days_of_week: _containers.RepeatedScalarFieldContainer[int]
    subject_type: SubjectType
    difficulty: Difficulty
    cognitive_intensity: CognitiveIntensity
    items: _containers.RepeatedCompositeFieldContainer[TaskItem]
    version: int
    placement_version: int
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, task_class_id: _Optional[int] = ..., name: _Optional[str] = ..., mode: _Optional[_Union[TaskClassMode, str]] = ..., strategy: _Optional[_Union[PlanningStrategy, str]] = ..., start_date: _Optional[str] = ..., end_date: _Optional[str] = ..., total_sections: _Optional[int] = ..., allow_filler_course: _Optional[bool] = ..., excluded_pairs: _Optional[_Iterable[int]] = ..., excluded_days_of_week: _Optional[_Iterable[int]] = ..., subject_type: _Optional[_Union[SubjectType, str]] = ..., difficulty: _Optional[_Union[Difficulty, str]] = ..., cognitive_intensity: _Optional[_Union[CognitiveIntensity, str]] = ..., items: _Optional[_Iterable[_Union[TaskItem, _Mapping]]] = ..., version: _Optional[int] = ..., placement_version: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class TaskItem(_message.Message):
    __slots__ = ("task_item_id", "content", "order", "done", "placement_version", "event_ids")
    TASK_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    task_item_id: int
    content: str
    order: int
    done: bool
    placement_version: int
    event_ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, task_item_id: _Optional[int] = ..., content: _Optional[str] = ..., order: _Optional[int] = ..., done: _Optional[bool] = ..., placement_version: _Optional[int] = ..., event_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class SkippedTaskClass(_message.Message):
    __slots__ = ("task_class_id", "name", "reason")
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    task_class_id: int
    name: str
    reason: TaskClassSkipReason
    def __init__(self, task_class_id: _Optional[int] = ..., name: _Optional[str] = ..., reason: _Optional[_Union[TaskClassSkipReason, str]] = ...) -> None: ...

class OrderRepair(_message.Message):
    __slots__ = ("task_item_id", "given_order", "order")
    TASK_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    GIVEN_ORDER_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    task_item_id: int
    given_order: int
    order: int
    def __init__(self, task_item_id: _Optional[int] = ..., given_order: _Optional[int] = ..., order: _Optional[int] = ...) -> None: ...
