import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.schedule.v1 import apply_pb2 as _apply_pb2
from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from smartmate.schedule.v1 import rough_build_pb2 as _rough_build_pb2
from smartmate.schedule.v1 import schedule_event_pb2 as _schedule_event_pb2
from smartmate.schedule.v1 import task_pb2 as _task_pb2
from smartmate.schedule.v1 import task_class_pb2 as _task_class_pb2
from smartmate.schedule.v1 import timetable_pb2 as _timetable_pb2
from smartmate.schedule.v1 import user_settings_pb2 as _user_settings_pb2
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

class PutCalendarOverrideRequest(_message.Message):
    __slots__ = ("request_id", "override")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    override: _calendar_pb2.CalendarOverride
    def __init__(self, request_id: _Optional[str] = ..., override: _Optional[_Union[_calendar_pb2.CalendarOverride, _Mapping]] = ...) -> None: ...

class PutCalendarOverrideResponse(_message.Message):
    __slots__ = ("override", "events", "pending_events")
    OVERRIDE_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    PENDING_EVENTS_FIELD_NUMBER: _ClassVar[int]
    override: _calendar_pb2.CalendarOverride
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    pending_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    def __init__(self, override: _Optional[_Union[_calendar_pb2.CalendarOverride, _Mapping]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., pending_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ...) -> None: ...

class ListCalendarOverridesRequest(_message.Message):
    __slots__ = ("first_date", "last_date", "page_size", "page_token")
    FIRST_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_DATE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    first_date: str
    last_date: str
    page_size: int
    page_token: str
    def __init__(self, first_date: _Optional[str] = ..., last_date: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCalendarOverridesResponse(_message.Message):
    __slots__ = ("overrides", "next_page_token")
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    overrides: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.CalendarOverride]
    next_page_token: str
    def __init__(self, overrides: _Optional[_Iterable[_Union[_calendar_pb2.CalendarOverride, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteCalendarOverrideRequest(_message.Message):
    __slots__ = ("request_id", "date")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    date: str
    def __init__(self, request_id: _Optional[str] = ..., date: _Optional[str] = ...) -> None: ...

class DeleteCalendarOverrideResponse(_message.Message):
    __slots__ = ("events", "pending_events")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    PENDING_EVENTS_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    pending_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    def __init__(self, events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., pending_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ...) -> None: ...

class ImportTimetableRequest(_message.Message):
    __slots__ = ("request_id", "semester_id", "format", "document", "dry_run", "displaced_event_ids", "base_version")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SEMESTER_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    DISPLACED_EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    semester_id: int
    format: _timetable_pb2.TimetableFormat
    document: bytes
    dry_run: bool
    displaced_event_ids: _containers.RepeatedScalarFieldContainer[int]
    base_version: str
    def __init__(self, request_id: _Optional[str] = ..., semester_id: _Optional[int] = ..., format: _Optional[_Union[_timetable_pb2.TimetableFormat, str]] = ..., document: _Optional[bytes] = ..., dry_run: _Optional[bool] = ..., displaced_event_ids: _Optional[_Iterable[int]] = ..., base_version: _Optional[str] = ...) -> None: ...

class ImportTimetableResponse(_message.Message):
    __slots__ = ("diff", "written", "meeting_count", "format", "base_version")
    DIFF_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_FIELD_NUMBER: _ClassVar[int]
    MEETING_COUNT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    BASE_VERSION_FIELD_NUMBER: _ClassVar[int]
    diff: _timetable_pb2.TimetableDiff
    written: bool
    meeting_count: int
    format: _timetable_pb2.TimetableFormat
    base_version: str
    def __init__(self, diff: _Optional[_Union[_timetable_pb2.TimetableDiff, _Mapping]] = ..., written: _Optional[bool] = ..., meeting_count: _Optional[int] = ..., format: _Optional[_Union[_timetable_pb2.TimetableFormat, str]] = ..., base_version: _Optional[str] = ...) -> None: ...

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
    __slots__ = ("semester", "week", "dates", "events", "today", "now_time", "overrides")
    SEMESTER_FIELD_NUMBER: _ClassVar[int]
    WEEK_FIELD_NUMBER: _ClassVar[int]
    DATES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TODAY_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    semester: _calendar_pb2.Semester
    week: int
    dates: _containers.RepeatedScalarFieldContainer[str]
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    today: str
    now_time: _timestamp_pb2.Timestamp
    overrides: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.CalendarOverride]
    def __init__(self, semester: _Optional[_Union[_calendar_pb2.Semester, _Mapping]] = ..., week: _Optional[int] = ..., dates: _Optional[_Iterable[str]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., today: _Optional[str] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., overrides: _Optional[_Iterable[_Union[_calendar_pb2.CalendarOverride, _Mapping]]] = ...) -> None: ...

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

class ListEventsRequest(_message.Message):
    __slots__ = ("first_date", "last_date", "type", "page_size", "page_token")
    FIRST_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_DATE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    first_date: str
    last_date: str
    type: _schedule_event_pb2.ScheduleEventType
    page_size: int
    page_token: str
    def __init__(self, first_date: _Optional[str] = ..., last_date: _Optional[str] = ..., type: _Optional[_Union[_schedule_event_pb2.ScheduleEventType, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("events", "next_page_token", "semesters", "task_class_names")
    class TaskClassNamesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: str
        def __init__(self, key: _Optional[int] = ..., value: _Optional[str] = ...) -> None: ...
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SEMESTERS_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_NAMES_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    next_page_token: str
    semesters: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.Semester]
    task_class_names: _containers.ScalarMap[int, str]
    def __init__(self, events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., semesters: _Optional[_Iterable[_Union[_calendar_pb2.Semester, _Mapping]]] = ..., task_class_names: _Optional[_Mapping[int, str]] = ...) -> None: ...

class DeleteEventRequest(_message.Message):
    __slots__ = ("request_id", "event_id", "if_placement_version")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    IF_PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    event_id: int
    if_placement_version: int
    def __init__(self, request_id: _Optional[str] = ..., event_id: _Optional[int] = ..., if_placement_version: _Optional[int] = ...) -> None: ...

class DeleteEventResponse(_message.Message):
    __slots__ = ("event", "pending_events")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    PENDING_EVENTS_FIELD_NUMBER: _ClassVar[int]
    event: _schedule_event_pb2.ScheduleEvent
    pending_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    def __init__(self, event: _Optional[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]] = ..., pending_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ...) -> None: ...

class RevokeEventRequest(_message.Message):
    __slots__ = ("request_id", "event_id", "if_placement_version")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    IF_PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    event_id: int
    if_placement_version: int
    def __init__(self, request_id: _Optional[str] = ..., event_id: _Optional[int] = ..., if_placement_version: _Optional[int] = ...) -> None: ...

class RevokeEventResponse(_message.Message):
    __slots__ = ("event", "target")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    event: _schedule_event_pb2.ScheduleEvent
    target: _change_pb2.Target
    def __init__(self, event: _Optional[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ...) -> None: ...

class SetCourseEmbeddingRequest(_message.Message):
    __slots__ = ("request_id", "course_id", "can_be_embedded")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    COURSE_ID_FIELD_NUMBER: _ClassVar[int]
    CAN_BE_EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    course_id: int
    can_be_embedded: bool
    def __init__(self, request_id: _Optional[str] = ..., course_id: _Optional[int] = ..., can_be_embedded: _Optional[bool] = ...) -> None: ...

class SetCourseEmbeddingResponse(_message.Message):
    __slots__ = ("can_be_embedded", "meeting_count")
    CAN_BE_EMBEDDED_FIELD_NUMBER: _ClassVar[int]
    MEETING_COUNT_FIELD_NUMBER: _ClassVar[int]
    can_be_embedded: bool
    meeting_count: int
    def __init__(self, can_be_embedded: _Optional[bool] = ..., meeting_count: _Optional[int] = ...) -> None: ...

class ExportCalendarRequest(_message.Message):
    __slots__ = ("semester_id", "first_date", "last_date")
    SEMESTER_ID_FIELD_NUMBER: _ClassVar[int]
    FIRST_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_DATE_FIELD_NUMBER: _ClassVar[int]
    semester_id: int
    first_date: str
    last_date: str
    def __init__(self, semester_id: _Optional[int] = ..., first_date: _Optional[str] = ..., last_date: _Optional[str] = ...) -> None: ...

class ExportCalendarResponse(_message.Message):
    __slots__ = ("document", "file_name", "event_count")
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    EVENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    document: bytes
    file_name: str
    event_count: int
    def __init__(self, document: _Optional[bytes] = ..., file_name: _Optional[str] = ..., event_count: _Optional[int] = ...) -> None: ...

class PutUserSettingsRequest(_message.Message):
    __slots__ = ("request_id", "settings")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    settings: _user_settings_pb2.UserSettings
    def __init__(self, request_id: _Optional[str] = ..., settings: _Optional[_Union[_user_settings_pb2.UserSettings, _Mapping]] = ...) -> None: ...

class PutUserSettingsResponse(_message.Message):
    __slots__ = ("settings",)
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _user_settings_pb2.UserSettings
    def __init__(self, settings: _Optional[_Union[_user_settings_pb2.UserSettings, _Mapping]] = ...) -> None: ...

class GetUserSettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetUserSettingsResponse(_message.Message):
    __slots__ = ("settings",)
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _user_settings_pb2.UserSettings
    def __init__(self, settings: _Optional[_Union[_user_settings_pb2.UserSettings, _Mapping]] = ...) -> None: ...

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

class TaskItemInput(_message.Message):
    __slots__ = ("task_item_id", "content", "order", "done")
    TASK_ITEM_ID_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    task_item_id: int
    content: str
    order: int
    done: bool
    def __init__(self, task_item_id: _Optional[int] = ..., content: _Optional[str] = ..., order: _Optional[int] = ..., done: _Optional[bool] = ...) -> None: ...

class TaskClassInput(_message.Message):
    __slots__ = ("name", "mode", "strategy", "start_date", "end_date", "total_sections", "allow_filler_course", "excluded_pairs", "excluded_days_of_week", "subject_type", "difficulty", "cognitive_intensity", "items")
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
    name: str
    mode: _task_class_pb2.TaskClassMode
    strategy: _task_class_pb2.PlanningStrategy
    start_date: str
    end_date: str
    total_sections: int
    allow_filler_course: bool
    excluded_pairs: _containers.RepeatedScalarFieldContainer[int]
    excluded_days_of_week: _containers.RepeatedScalarFieldContainer[int]
    subject_type: _task_class_pb2.SubjectType
    difficulty: _task_class_pb2.Difficulty
    cognitive_intensity: _task_class_pb2.CognitiveIntensity
    items: _containers.RepeatedCompositeFieldContainer[TaskItemInput]
    def __init__(self, name: _Optional[str] = ..., mode: _Optional[_Union[_task_class_pb2.TaskClassMode, str]] = ..., strategy: _Optional[_Union[_task_class_pb2.PlanningStrategy, str]] = ..., start_date: _Optional[str] = ..., end_date: _Optional[str] = ..., total_sections: _Optional[int] = ..., allow_filler_course: _Optional[bool] = ..., excluded_pairs: _Optional[_Iterable[int]] = ..., excluded_days_of_week: _Optional[_Iterable[int]] = ..., subject_type: _Optional[_Union[_task_class_pb2.SubjectType, str]] = ..., difficulty: _Optional[_Union[_task_class_pb2.Difficulty, str]] = ..., cognitive_intensity: _Optional[_Union[_task_class_pb2.CognitiveIntensity, str]] = ..., items: _Optional[_Iterable[_Union[TaskItemInput, _Mapping]]] = ...) -> None: ...

class PutTaskClassRequest(_message.Message):
    __slots__ = ("request_id", "task_class_id", "task_class", "if_version")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_FIELD_NUMBER: _ClassVar[int]
    IF_VERSION_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task_class_id: int
    task_class: TaskClassInput
    if_version: int
    def __init__(self, request_id: _Optional[str] = ..., task_class_id: _Optional[int] = ..., task_class: _Optional[_Union[TaskClassInput, _Mapping]] = ..., if_version: _Optional[int] = ...) -> None: ...

class PutTaskClassResponse(_message.Message):
    __slots__ = ("task_class", "order_repairs", "removed_event_ids")
    TASK_CLASS_FIELD_NUMBER: _ClassVar[int]
    ORDER_REPAIRS_FIELD_NUMBER: _ClassVar[int]
    REMOVED_EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    task_class: _task_class_pb2.TaskClass
    order_repairs: _containers.RepeatedCompositeFieldContainer[_task_class_pb2.OrderRepair]
    removed_event_ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, task_class: _Optional[_Union[_task_class_pb2.TaskClass, _Mapping]] = ..., order_repairs: _Optional[_Iterable[_Union[_task_class_pb2.OrderRepair, _Mapping]]] = ..., removed_event_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class GetTaskClassRequest(_message.Message):
    __slots__ = ("task_class_id",)
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    task_class_id: int
    def __init__(self, task_class_id: _Optional[int] = ...) -> None: ...

class GetTaskClassResponse(_message.Message):
    __slots__ = ("task_class",)
    TASK_CLASS_FIELD_NUMBER: _ClassVar[int]
    task_class: _task_class_pb2.TaskClass
    def __init__(self, task_class: _Optional[_Union[_task_class_pb2.TaskClass, _Mapping]] = ...) -> None: ...

class ListTaskClassesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTaskClassesResponse(_message.Message):
    __slots__ = ("task_classes", "next_page_token")
    TASK_CLASSES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    task_classes: _containers.RepeatedCompositeFieldContainer[_task_class_pb2.TaskClass]
    next_page_token: str
    def __init__(self, task_classes: _Optional[_Iterable[_Union[_task_class_pb2.TaskClass, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeleteTaskClassRequest(_message.Message):
    __slots__ = ("request_id", "task_class_id")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    task_class_id: int
    def __init__(self, request_id: _Optional[str] = ..., task_class_id: _Optional[int] = ...) -> None: ...

class DeleteTaskClassResponse(_message.Message):
    __slots__ = ("removed_event_ids",)
    REMOVED_EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    removed_event_ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, removed_event_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class DateRange(_message.Message):
    __slots__ = ("first_date", "last_date")
    FIRST_DATE_FIELD_NUMBER: _ClassVar[int]
    LAST_DATE_FIELD_NUMBER: _ClassVar[int]
    first_date: str
    last_date: str
    def __init__(self, first_date: _Optional[str] = ..., last_date: _Optional[str] = ...) -> None: ...

class LoadPlanningStateRequest(_message.Message):
    __slots__ = ("task_class_ids", "period")
    TASK_CLASS_IDS_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    task_class_ids: _containers.RepeatedScalarFieldContainer[int]
    period: DateRange
    def __init__(self, task_class_ids: _Optional[_Iterable[int]] = ..., period: _Optional[_Union[DateRange, _Mapping]] = ...) -> None: ...

class LoadPlanningStateResponse(_message.Message):
    __slots__ = ("now_time", "semester", "window", "problem", "skipped", "task_classes", "events", "events_elsewhere", "overrides")
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    SEMESTER_FIELD_NUMBER: _ClassVar[int]
    WINDOW_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASSES_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_ELSEWHERE_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    now_time: _timestamp_pb2.Timestamp
    semester: _calendar_pb2.Semester
    window: DateRange
    problem: _task_class_pb2.WindowProblem
    skipped: _containers.RepeatedCompositeFieldContainer[_task_class_pb2.SkippedTaskClass]
    task_classes: _containers.RepeatedCompositeFieldContainer[_task_class_pb2.TaskClass]
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    events_elsewhere: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    overrides: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.CalendarOverride]
    def __init__(self, now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., semester: _Optional[_Union[_calendar_pb2.Semester, _Mapping]] = ..., window: _Optional[_Union[DateRange, _Mapping]] = ..., problem: _Optional[_Union[_task_class_pb2.WindowProblem, str]] = ..., skipped: _Optional[_Iterable[_Union[_task_class_pb2.SkippedTaskClass, _Mapping]]] = ..., task_classes: _Optional[_Iterable[_Union[_task_class_pb2.TaskClass, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., events_elsewhere: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., overrides: _Optional[_Iterable[_Union[_calendar_pb2.CalendarOverride, _Mapping]]] = ...) -> None: ...

class RoughBuildRequest(_message.Message):
    __slots__ = ("task_class_ids", "period", "excluded_days_of_week", "excluded_pairs")
    TASK_CLASS_IDS_FIELD_NUMBER: _ClassVar[int]
    PERIOD_FIELD_NUMBER: _ClassVar[int]
    EXCLUDED_DAYS_OF_WEEK_FIELD_NUMBER: _ClassVar[int]
    EXCLUDED_PAIRS_FIELD_NUMBER: _ClassVar[int]
    task_class_ids: _containers.RepeatedScalarFieldContainer[int]
    period: DateRange
    excluded_days_of_week: _containers.RepeatedScalarFieldContainer[int]
    excluded_pairs: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, task_class_ids: _Optional[_Iterable[int]] = ..., period: _Optional[_Union[DateRange, _Mapping]] = ..., excluded_days_of_week: _Optional[_Iterable[int]] = ..., excluded_pairs: _Optional[_Iterable[int]] = ...) -> None: ...

class RoughBuildResponse(_message.Message):
    __slots__ = ("now_time", "placements", "unplaced", "skipped", "classes", "explanation", "changes", "base", "day_count")
    class BaseEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    PLACEMENTS_FIELD_NUMBER: _ClassVar[int]
    UNPLACED_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    CLASSES_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    DAY_COUNT_FIELD_NUMBER: _ClassVar[int]
    now_time: _timestamp_pb2.Timestamp
    placements: _containers.RepeatedCompositeFieldContainer[_rough_build_pb2.RoughPlacement]
    unplaced: _containers.RepeatedCompositeFieldContainer[_rough_build_pb2.UnplacedItem]
    skipped: _containers.RepeatedCompositeFieldContainer[_task_class_pb2.SkippedTaskClass]
    classes: _containers.RepeatedCompositeFieldContainer[_rough_build_pb2.RoughClassReport]
    explanation: str
    changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    base: _containers.ScalarMap[str, str]
    day_count: int
    def __init__(self, now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., placements: _Optional[_Iterable[_Union[_rough_build_pb2.RoughPlacement, _Mapping]]] = ..., unplaced: _Optional[_Iterable[_Union[_rough_build_pb2.UnplacedItem, _Mapping]]] = ..., skipped: _Optional[_Iterable[_Union[_task_class_pb2.SkippedTaskClass, _Mapping]]] = ..., classes: _Optional[_Iterable[_Union[_rough_build_pb2.RoughClassReport, _Mapping]]] = ..., explanation: _Optional[str] = ..., changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ..., base: _Optional[_Mapping[str, str]] = ..., day_count: _Optional[int] = ...) -> None: ...

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
    __slots__ = ("target", "title", "placement_version", "done", "deadline_time", "estimated_sections", "quadrant", "urgency_threshold_time", "version", "task_class_id", "task_order")
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PLACEMENT_VERSION_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    QUADRANT_FIELD_NUMBER: _ClassVar[int]
    URGENCY_THRESHOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ORDER_FIELD_NUMBER: _ClassVar[int]
    target: _change_pb2.Target
    title: str
    placement_version: int
    done: bool
    deadline_time: _timestamp_pb2.Timestamp
    estimated_sections: int
    quadrant: _task_pb2.Quadrant
    urgency_threshold_time: _timestamp_pb2.Timestamp
    version: int
    task_class_id: int
    task_order: int
    def __init__(self, target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., title: _Optional[str] = ..., placement_version: _Optional[int] = ..., done: _Optional[bool] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., estimated_sections: _Optional[int] = ..., quadrant: _Optional[_Union[_task_pb2.Quadrant, str]] = ..., urgency_threshold_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[int] = ..., task_class_id: _Optional[int] = ..., task_order: _Optional[int] = ...) -> None: ...

class GetSchedulingFactsResponse(_message.Message):
    __slots__ = ("now_time", "target", "semesters", "events", "target_events", "next_task_event_id", "settings", "overrides", "asked_event", "task_class", "class_events", "next_dynamic_task")
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    SEMESTERS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TARGET_EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_TASK_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    OVERRIDES_FIELD_NUMBER: _ClassVar[int]
    ASKED_EVENT_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_FIELD_NUMBER: _ClassVar[int]
    CLASS_EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_DYNAMIC_TASK_FIELD_NUMBER: _ClassVar[int]
    now_time: _timestamp_pb2.Timestamp
    target: TargetFacts
    semesters: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.Semester]
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    target_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    next_task_event_id: int
    settings: _user_settings_pb2.UserSettings
    overrides: _containers.RepeatedCompositeFieldContainer[_calendar_pb2.CalendarOverride]
    asked_event: _schedule_event_pb2.ScheduleEvent
    task_class: _task_class_pb2.TaskClass
    class_events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    next_dynamic_task: NextDynamicTask
    def __init__(self, now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., target: _Optional[_Union[TargetFacts, _Mapping]] = ..., semesters: _Optional[_Iterable[_Union[_calendar_pb2.Semester, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., target_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., next_task_event_id: _Optional[int] = ..., settings: _Optional[_Union[_user_settings_pb2.UserSettings, _Mapping]] = ..., overrides: _Optional[_Iterable[_Union[_calendar_pb2.CalendarOverride, _Mapping]]] = ..., asked_event: _Optional[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]] = ..., task_class: _Optional[_Union[_task_class_pb2.TaskClass, _Mapping]] = ..., class_events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ..., next_dynamic_task: _Optional[_Union[NextDynamicTask, _Mapping]] = ...) -> None: ...

class NextDynamicTask(_message.Message):
    __slots__ = ("event", "target", "task_class", "events")
    EVENT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    TASK_CLASS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    event: _schedule_event_pb2.ScheduleEvent
    target: TargetFacts
    task_class: _task_class_pb2.TaskClass
    events: _containers.RepeatedCompositeFieldContainer[_schedule_event_pb2.ScheduleEvent]
    def __init__(self, event: _Optional[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]] = ..., target: _Optional[_Union[TargetFacts, _Mapping]] = ..., task_class: _Optional[_Union[_task_class_pb2.TaskClass, _Mapping]] = ..., events: _Optional[_Iterable[_Union[_schedule_event_pb2.ScheduleEvent, _Mapping]]] = ...) -> None: ...

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

class UndoApplyRequest(_message.Message):
    __slots__ = ("apply_id", "undone_apply_id")
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    UNDONE_APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    apply_id: str
    undone_apply_id: str
    def __init__(self, apply_id: _Optional[str] = ..., undone_apply_id: _Optional[str] = ...) -> None: ...

class UndoApplyResponse(_message.Message):
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
    __slots__ = ("task", "exists", "done", "quadrant", "urgency_threshold_time", "deadline_time", "version", "scheduled", "settings")
    TASK_FIELD_NUMBER: _ClassVar[int]
    EXISTS_FIELD_NUMBER: _ClassVar[int]
    DONE_FIELD_NUMBER: _ClassVar[int]
    QUADRANT_FIELD_NUMBER: _ClassVar[int]
    URGENCY_THRESHOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SCHEDULED_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    task: DueTask
    exists: bool
    done: bool
    quadrant: _task_pb2.Quadrant
    urgency_threshold_time: _timestamp_pb2.Timestamp
    deadline_time: _timestamp_pb2.Timestamp
    version: int
    scheduled: bool
    settings: _user_settings_pb2.UserSettings
    def __init__(self, task: _Optional[_Union[DueTask, _Mapping]] = ..., exists: _Optional[bool] = ..., done: _Optional[bool] = ..., quadrant: _Optional[_Union[_task_pb2.Quadrant, str]] = ..., urgency_threshold_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., version: _Optional[int] = ..., scheduled: _Optional[bool] = ..., settings: _Optional[_Union[_user_settings_pb2.UserSettings, _Mapping]] = ...) -> None: ...

class CheckDueTasksResponse(_message.Message):
    __slots__ = ("tasks", "now_time")
    TASKS_FIELD_NUMBER: _ClassVar[int]
    NOW_TIME_FIELD_NUMBER: _ClassVar[int]
    tasks: _containers.RepeatedCompositeFieldContainer[DueTaskFacts]
    now_time: _timestamp_pb2.Timestamp
    def __init__(self, tasks: _Optional[_Iterable[_Union[DueTaskFacts, _Mapping]]] = ..., now_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
