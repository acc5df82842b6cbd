import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.schedule.v1 import apply_pb2 as _apply_pb2
from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from smartmate.schedule.v1 import schedule_event_pb2 as _schedule_event_pb2
from smartmate.schedule.v1 import task_pb2 as _task_pb2
from smartmate.schedule.v1 import timetable_pb2 as _timetable_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PutSemesterRequest(_message.Message):
    __slots__ = ("request_id", "semester")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEMESTER_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    semester: _calendar_pb2.Semester
    def __init__(self, request_id: _Optional[str] = ..., semester: _Optional[_Union[_calendar_pb2.Semester, _Mapping]] = ...) -> None: ...

class PutSemesterResponse(_message.Message):
    __slots__ = ("semester",)
    SEMESTER_FIELD_NUMBER: _ClassVar[int]
    semester: _calendar_pb2.Semester
    def __init__(self, semester: _Optional[_Union[_calendar_pb2.Semester, _Mapping]] = ...) -> None: ...

class GetSemesterRequest(_message.Message):
    __slots__ = ("date",)
    DATE_FIELD_NUMBER: _ClassVar[int]
    date: str
    def __init__(self, date: _Optional[str] = ...) -> None: ...

class GetSemesterResponse(_message.Message):
    __slots__ = ("semester",)
    SEMESTER_FIELD_NUMBER: _ClassVar[int]
    semester: _calendar_pb2.Semester
    def __init__(self, semester: _Optional[_Union[_calendar_pb2.Semester, _Mapping]] = ...) -> None: ...

class ImportTimetableRequest(_message.Message):
    __slots__ = ("request_id", "semester_id", "format", "document", "dry_run")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEMESTER_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    semester_id: int
    format: _timetable_pb2.TimetableFormat
    document: bytes
    dry_run: bool
    def __init__(self, request_id: _Optional[str] = ..., semester_id: _Optional[int] = ..., format: _Optional[_Union[_timetable_pb2.TimetableFormat, str]] = ..., document: _Optional[bytes] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class ImportTimetableResponse(_message.Message):
    __slots__ = ("diff", "written", "meeting_count")
    DIFF_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_FIELD_NUMBER: _ClassVar[int]
    MEETING_COUNT_FIELD_NUMBER: _ClassVar[int]
    diff: _timetable_pb2.TimetableDiff
    written: bool
    meeting_count: int
    def __init__(self, diff: _Optional[_Union[_timetable_pb2.TimetableDiff, _Mapping]] = ..., written: _Optional[bool] = ..., meeting_count: _Optional[int] = ...) -> None: ...

class GetWeekRequest(_message.Message):
    __slots__ = ("week_of_semester", "date")
    WEEK_OF_SEMESTER_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    week_of_semester: WeekOfSemester
    date: str
    def __init__(self, week_of_semester: _Optional[_Union[WeekOfSemester, _Mapping]] = ..., date: _Optional[str] = ...) -> None: ...

class WeekOfSemester(_message.Message):
    __slots__ = ("semester_id", "week")
    SEMESTER_ID_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    semester_id: int
    week: int
    def __init__(self, semester_id: _Optional[int] = ..., week: _Optional[int] = ...) -> None: ...

class GetWeekResponse(_message.Message):
    __slots__ = ("semester", "week", "dates", "events", "today", "now_time")
    SEMESTER_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DATES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TODAY_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    semester: _calendar_pb2.Semester
    week: int
    dates: _containers.RepeatedScalarFieldContainer[str]
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    today: str
    now_time: _timestamp_pb2.Timestamp
    def __init__(self, semester: _Optional[_Union[_calendar_pb2.Semester, _Mapping]] = ..., week: _Optional[int] = ..., dates: _Optional[_Iterable[str]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., today: _Optional[str] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetTodayRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetTodayResponse(_message.Message):
    __slots__ = ("semester", "date", "week", "day_of_week", "events", "now_time")
    SEMESTER_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DAY_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    semester: _calendar_pb2.Semester
    date: str
    week: int
    day_of_week: int
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    now_time: _timestamp_pb2.Timestamp
    def __init__(self, semester: _Optional[_Union[_calendar_pb2.Semester, _Mapping]] = ..., date: _Optional[str] = ..., week: _Optional[int] = ..., day_of_week: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class TaskInput(_message.Message):
    __slots__ = ("title", "quadrant", "deadline_time", "urgency_threshold_time", "estimated_sections")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    QUADRANT_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    URGENCY_THRESHOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    title: str
    quadrant: _task_pb2.Quadrant
    deadline_time: _timestamp_pb2.Timestamp
    urgency_threshold_time: _timestamp_pb2.Timestamp
    estimated_sections: int
    def __init__(self, title: _Optional[str] = ..., quadrant: _Optional[_Union[_task_pb2.Quadrant, str]] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., urgency_threshold_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., estimated_sections: _Optional[int] = ...) -> None: ...

class CreateTaskRequest(_message.Message):
    __slots__ = ("request_id", "task")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task: TaskInput
    def __init__(self, request_id: _Optional[str] = ..., task: _Optional[_Union[TaskInput, _Mapping]] = ...) -> None: ...

class CreateTaskResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: _task_pb2.Task
    def __init__(self, task: _Optional[_Union[_task_pb2.Task, _Mapping]] = ...) -> None: ...

class UpdateTaskRequest(_message.Message):
    __slots__ = ("request_id", "task_id", "task", "if_version")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    IF_VERSION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task_id: int
    task: TaskInput
    if_version: int
    def __init__(self, request_id: _Optional[str] = ..., task_id: _Optional[int] = ..., task: _Optional[_Union[TaskInput, _Mapping]] = ..., if_version: _Optional[int] = ...) -> None: ...

class UpdateTaskResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: _task_pb2.Task
    def __init__(self, task: _Optional[_Union[_task_pb2.Task, _Mapping]] = ...) -> None: ...

class CompleteTaskRequest(_message.Message):
    __slots__ = ("request_id", "task_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task_id: int
    def __init__(self, request_id: _Optional[str] = ..., task_id: _Optional[int] = ...) -> None: ...

class CompleteTaskResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: _task_pb2.Task
    def __init__(self, task: _Optional[_Union[_task_pb2.Task, _Mapping]] = ...) -> None: ...

class ReopenTaskRequest(_message.Message):
    __slots__ = ("request_id", "task_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task_id: int
    def __init__(self, request_id: _Optional[str] = ..., task_id: _Optional[int] = ...) -> None: ...

class ReopenTaskResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: _task_pb2.Task
    def __init__(self, task: _Optional[_Union[_task_pb2.Task, _Mapping]] = ...) -> None: ...

class DeleteTaskRequest(_message.Message):
    __slots__ = ("request_id", "task_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task_id: int
    def __init__(self, request_id: _Optional[str] = ..., task_id: _Optional[int] = ...) -> None: ...

class DeleteTaskResponse(_message.Message):
    __slots__ = ("removed_event_ids",)
    REMOVED_EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    removed_event_ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, removed_event_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class GetTaskRequest(_message.Message):
    __slots__ = ("task_id",)
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    task_id: int
    def __init__(self, task_id: _Optional[int] = ...) -> None: ...

class GetTaskResponse(_message.Message):
    __slots__ = ("task",)
    TASK_FIELD_NUMBER: _ClassVar[int]
    task: _task_pb2.Task
    def __init__(self, task: _Optional[_Union[_task_pb2.Task, _Mapping]] = ...) -> None: ...

class ListTasksRequest(_message.Message):
    __slots__ = ("status", "page_size", "page_token")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    status: _task_pb2.TaskStatus
    page_size: int
    page_token: str
    def __init__(self, status: _Optional[_Union[_task_pb2.TaskStatus, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTasksResponse(_message.Message):
    __slots__ = ("tasks", "next_page_token")
    TASKS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[_task_pb2.Task]
    next_page_token: str
    def __init__(self, tasks: _Optional[_Iterable[_Union[_task_pb2.Task, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetSchedulingFactsRequest(_message.Message):
    __slots__ = ("target", "horizon", "mock_now_time")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    HORIZON_FIELD_NUMBER: _ClassVar[int]
    MOCK_NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    target: _change_pb2.Target
    horizon: _duration_pb2.Duration
    mock_now_time: _timestamp_pb2.Timestamp
    def __init__(self, target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., horizon: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., mock_now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class TargetFacts(_message.Message):
    __slots__ = ("target", "title", "placement_version", "done", "deadline_time", "estimated_sections", "quadrant", "urgency_threshold_time", "version")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    QUADRANT_FIELD_NUMBER: _ClassVar[int]
    URGENCY_THRESHOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    target: _change_pb2.Target
    title: str
    placement_version: int
    done: bool
    deadline_time: _timestamp_pb2.Timestamp
    estimated_sections: int
    quadrant: _task_pb2.Quadrant
    urgency_threshold_time: _timestamp_pb2.Timestamp
    version: int
    def __init__(self, target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., title: _Optional[str] = ..., placement_version: _Optional[int] = ..., done: _Optional[bool] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., estimated_sections: _Optional[int] = ..., quadrant: _Optional[_Union[_task_pb2.Quadrant, str]] = ..., urgency_threshold_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[int] = ...) -> None: ...

class GetSchedulingFactsResponse(_message.Message):
    __slots__ = ("now_time", "target", "semesters", "events", "target_events", "next_task_event_id")
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SEMESTERS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TARGET_EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_TASK_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    now_time: _timestamp_pb2.Timestamp
    target: TargetFacts
    semesters: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.Semester]
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    target_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    next_task_event_id: int
    def __init__(self, now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., target: _Optional[_Union[TargetFacts, _Mapping]] = ..., semesters: _Optional[_Iterable[_Union[_calendar_pb2.Semester, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., target_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., next_task_event_id: _Optional[int] = ...) -> None: ...

class CheckChangesRequest(_message.Message):
    __slots__ = ("changes", "base")
    class BaseEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    base: _containers.ScalarMap[str, str]
    def __init__(self, changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ..., base: _Optional[_Mapping[str, str]] = ...) -> None: ...

class CheckChangesResponse(_message.Message):
    __slots__ = ("refusals", "base")
    class BaseEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    refusals: _containers.RepeatedCompositeFieldContainer[_apply_pb2.Refusal]
    base: _containers.ScalarMap[str, str]
    def __init__(self, refusals: _Optional[_Iterable[_Union[_apply_pb2.Refusal, _Mapping]]] = ..., base: _Optional[_Mapping[str, str]] = ...) -> None: ...

class ApplyChangesRequest(_message.Message):
    __slots__ = ("apply_id", "changes", "base", "not_after_time")
    class BaseEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    NOT_AFTER_TIME_FIELD_NUMBER: _ClassVar[int]
    apply_id: str
    changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    base: _containers.ScalarMap[str, str]
    not_after_time: _timestamp_pb2.Timestamp
    def __init__(self, apply_id: _Optional[str] = ..., changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ..., base: _Optional[_Mapping[str, str]] = ..., not_after_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ApplyChangesResponse(_message.Message):
    __slots__ = ("verdict",)
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    verdict: _apply_pb2.ApplyVerdict
    def __init__(self, verdict: _Optional[_Union[_apply_pb2.ApplyVerdict, _Mapping]] = ...) -> None: ...

class GetApplyRequest(_message.Message):
    __slots__ = ("apply_id",)
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    apply_id: str
    def __init__(self, apply_id: _Optional[str] = ...) -> None: ...

class GetApplyResponse(_message.Message):
    __slots__ = ("verdict",)
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    verdict: _apply_pb2.ApplyVerdict
    def __init__(self, verdict: _Optional[_Union[_apply_pb2.ApplyVerdict, _Mapping]] = ...) -> None: ...

class DueTask(_message.Message):
    __slots__ = ("user_id", "task_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    task_id: int
    def __init__(self, user_id: _Optional[int] = ..., task_id: _Optional[int] = ...) -> None: ...

class CheckDueTasksRequest(_message.Message):
    __slots__ = ("tasks",)
    TASKS_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[DueTask]
    def __init__(self, tasks: _Optional[_Iterable[_Union[DueTask, _Mapping]]] = ...) -> None: ...

class DueTaskFacts(_message.Message):
    __slots__ = ("task", "exists", "done", "quadrant", "urgency_threshold_time", "deadline_time", "version", "scheduled")
    TASK_FIELD_NUMBER: _ClassVar[int]
    EXISTS_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    QUADRANT_FIELD_NUMBER: _ClassVar[int]
    URGENCY_THRESHOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_FIELD_NUMBER: _ClassVar[int]
    task: DueTask
    exists: bool
    done: bool
    quadrant: _task_pb2.Quadrant
    urgency_threshold_time: _timestamp_pb2.Timestamp
    deadline_time: _timestamp_pb2.Timestamp
    version: int
    scheduled: bool
    def __init__(self, task: _Optional[_Union[DueTask, _Mapping]] = ..., exists: _Optional[bool] = ..., done: _Optional[bool] = ..., quadrant: _Optional[_Union[_task_pb2.Quadrant, str]] = ..., urgency_threshold_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[int] = ..., scheduled: _Optional[bool] = ...) -> None: ...

class CheckDueTasksResponse(_message.Message):
    __slots__ = ("tasks", "now_time")
    TASKS_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[DueTaskFacts]
    now_time: _timestamp_pb2.Timestamp
    def __init__(self, tasks: _Optional[_Iterable[_Union[DueTaskFacts, _Mapping]]] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
