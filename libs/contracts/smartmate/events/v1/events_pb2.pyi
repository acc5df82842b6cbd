import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from smartmate.active_scheduler.v1 import preview_pb2 as _preview_pb2
from smartmate.active_scheduler.v1 import trigger_pb2 as _trigger_pb2
from smartmate.notification.v1 import record_pb2 as _record_pb2
from smartmate.options.v1 import event_pb2 as _event_pb2
from smartmate.schedule.v1 import apply_pb2 as _apply_pb2
from smartmate.schedule.v1 import calendar_pb2 as _calendar_pb2
from smartmate.schedule.v1 import change_pb2 as _change_pb2
from smartmate.schedule.v1 import schedule_event_pb2 as _schedule_event_pb2
from smartmate.schedule.v1 import task_pb2 as _task_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScheduleChangeCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCHEDULE_CHANGE_CAUSE_UNSPECIFIED: _ClassVar[ScheduleChangeCause]
    SCHEDULE_CHANGE_CAUSE_IMPORT: _ClassVar[ScheduleChangeCause]
    SCHEDULE_CHANGE_CAUSE_APPLY: _ClassVar[ScheduleChangeCause]
    SCHEDULE_CHANGE_CAUSE_TASK: _ClassVar[ScheduleChangeCause]
    SCHEDULE_CHANGE_CAUSE_SEMESTER: _ClassVar[ScheduleChangeCause]
    SCHEDULE_CHANGE_CAUSE_EDIT: _ClassVar[ScheduleChangeCause]
    SCHEDULE_CHANGE_CAUSE_CALENDAR: _ClassVar[ScheduleChangeCause]
    SCHEDULE_CHANGE_CAUSE_TASK_CLASS: _ClassVar[ScheduleChangeCause]
SCHEDULE_CHANGE_CAUSE_UNSPECIFIED: ScheduleChangeCause
SCHEDULE_CHANGE_CAUSE_IMPORT: ScheduleChangeCause
SCHEDULE_CHANGE_CAUSE_APPLY: ScheduleChangeCause
SCHEDULE_CHANGE_CAUSE_TASK: ScheduleChangeCause
SCHEDULE_CHANGE_CAUSE_SEMESTER: ScheduleChangeCause
SCHEDULE_CHANGE_CAUSE_EDIT: ScheduleChangeCause
SCHEDULE_CHANGE_CAUSE_CALENDAR: ScheduleChangeCause
SCHEDULE_CHANGE_CAUSE_TASK_CLASS: ScheduleChangeCause

class TaskChanged(_message.Message):
    __slots__ = ("user_id", "task_id", "version", "deleted", "status", "quadrant", "deadline_time", "urgency_threshold_time", "estimated_sections", "urgency_version")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TASK_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    DELETED_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    QUADRANT_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_TIME_FIELD_NUMBER: _ClassVar[int]
    URGENCY_THRESHOLD_TIME_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_SECTIONS_FIELD_NUMBER: _ClassVar[int]
    URGENCY_VERSION_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    task_id: int
    version: int
    deleted: bool
    status: _task_pb2.TaskStatus
    quadrant: _task_pb2.Quadrant
    deadline_time: _timestamp_pb2.Timestamp
    urgency_threshold_time: _timestamp_pb2.Timestamp
    estimated_sections: int
    urgency_version: int
    def __init__(self, user_id: _Optional[int] = ..., task_id: _Optional[int] = ..., version: _Optional[int] = ..., deleted: _Optional[bool] = ..., status: _Optional[_Union[_task_pb2.TaskStatus, str]] = ..., quadrant: _Optional[_Union[_task_pb2.Quadrant, str]] = ..., deadline_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., urgency_threshold_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., estimated_sections: _Optional[int] = ..., urgency_version: _Optional[int] = ...) -> None: ...

class ScheduleEventState(_message.Message):
    __slots__ = ("event_id", "version", "removed", "type", "source", "place")
    EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    REMOVED_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    event_id: int
    version: int
    removed: bool
    type: _schedule_event_pb2.ScheduleEventType
    source: _change_pb2.Target
    place: _calendar_pb2.Place
    def __init__(self, event_id: _Optional[int] = ..., version: _Optional[int] = ..., removed: _Optional[bool] = ..., type: _Optional[_Union[_schedule_event_pb2.ScheduleEventType, str]] = ..., source: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., place: _Optional[_Union[_calendar_pb2.Place, _Mapping]] = ...) -> None: ...

class ScheduleChanged(_message.Message):
    __slots__ = ("user_id", "cause", "apply_id", "events")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    cause: ScheduleChangeCause
    apply_id: str
    events: _containers.RepeatedCompositeFieldContainer[ScheduleEventState]
    def __init__(self, user_id: _Optional[int] = ..., cause: _Optional[_Union[ScheduleChangeCause, str]] = ..., apply_id: _Optional[str] = ..., events: _Optional[_Iterable[_Union[ScheduleEventState, _Mapping]]] = ...) -> None: ...

class ScheduleApplyRequested(_message.Message):
    __slots__ = ("user_id", "apply_id", "preview_id", "changes", "base", "not_after_time")
    class BaseEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    BASE_FIELD_NUMBER: _ClassVar[int]
    NOT_AFTER_TIME_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    apply_id: str
    preview_id: str
    changes: _containers.RepeatedCompositeFieldContainer[_change_pb2.ScheduleChange]
    base: _containers.ScalarMap[str, str]
    not_after_time: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[int] = ..., apply_id: _Optional[str] = ..., preview_id: _Optional[str] = ..., changes: _Optional[_Iterable[_Union[_change_pb2.ScheduleChange, _Mapping]]] = ..., base: _Optional[_Mapping[str, str]] = ..., not_after_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ScheduleApplySucceeded(_message.Message):
    __slots__ = ("user_id", "apply_id", "event_ids", "judge_time", "undoes_apply_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    EVENT_IDS_FIELD_NUMBER: _ClassVar[int]
    JUDGE_TIME_FIELD_NUMBER: _ClassVar[int]
    UNDOES_APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    apply_id: str
    event_ids: _containers.RepeatedScalarFieldContainer[int]
    judge_time: _timestamp_pb2.Timestamp
    undoes_apply_id: str
    def __init__(self, user_id: _Optional[int] = ..., apply_id: _Optional[str] = ..., event_ids: _Optional[_Iterable[int]] = ..., judge_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., undoes_apply_id: _Optional[str] = ...) -> None: ...

class ScheduleApplyFailed(_message.Message):
    __slots__ = ("user_id", "apply_id", "refusals", "judge_time")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    REFUSALS_FIELD_NUMBER: _ClassVar[int]
    JUDGE_TIME_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    apply_id: str
    refusals: _containers.RepeatedCompositeFieldContainer[_apply_pb2.Refusal]
    judge_time: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[int] = ..., apply_id: _Optional[str] = ..., refusals: _Optional[_Iterable[_Union[_apply_pb2.Refusal, _Mapping]]] = ..., judge_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ActiveScheduleTriggered(_message.Message):
    __slots__ = ("user_id", "trigger_id", "type", "target")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    trigger_id: str
    type: _trigger_pb2.TriggerType
    target: _change_pb2.Target
    def __init__(self, user_id: _Optional[int] = ..., trigger_id: _Optional[str] = ..., type: _Optional[_Union[_trigger_pb2.TriggerType, str]] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ...) -> None: ...

class SchedulePreviewGenerated(_message.Message):
    __slots__ = ("user_id", "preview_id", "trigger_id", "target", "expire_time")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    preview_id: str
    trigger_id: str
    target: _change_pb2.Target
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, user_id: _Optional[int] = ..., preview_id: _Optional[str] = ..., trigger_id: _Optional[str] = ..., target: _Optional[_Union[_change_pb2.Target, _Mapping]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PreviewChanged(_message.Message):
    __slots__ = ("user_id", "preview_id", "version", "state", "apply_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    APPLY_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    preview_id: str
    version: int
    state: _preview_pb2.PreviewState
    apply_id: str
    def __init__(self, user_id: _Optional[int] = ..., preview_id: _Optional[str] = ..., version: _Optional[int] = ..., state: _Optional[_Union[_preview_pb2.PreviewState, str]] = ..., apply_id: _Optional[str] = ...) -> None: ...

class NotificationFeishuRequested(_message.Message):
    __slots__ = ("notification_id", "user_id", "trigger_id", "preview_id", "trigger_type", "target_kind", "valid_until_time", "path")
    NOTIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_ID_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    TRIGGER_TYPE_FIELD_NUMBER: _ClassVar[int]
    TARGET_KIND_FIELD_NUMBER: _ClassVar[int]
    VALID_UNTIL_TIME_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    notification_id: str
    user_id: int
    trigger_id: str
    preview_id: str
    trigger_type: _trigger_pb2.TriggerType
    target_kind: _change_pb2.TargetKind
    valid_until_time: _timestamp_pb2.Timestamp
    path: str
    def __init__(self, notification_id: _Optional[str] = ..., user_id: _Optional[int] = ..., trigger_id: _Optional[str] = ..., preview_id: _Optional[str] = ..., trigger_type: _Optional[_Union[_trigger_pb2.TriggerType, str]] = ..., target_kind: _Optional[_Union[_change_pb2.TargetKind, str]] = ..., valid_until_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., path: _Optional[str] = ...) -> None: ...

class NotificationSettled(_message.Message):
    __slots__ = ("user_id", "notification_id", "state", "reason", "preview_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PREVIEW_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: int
    notification_id: str
    state: _record_pb2.RecordState
    reason: str
    preview_id: str
    def __init__(self, user_id: _Optional[int] = ..., notification_id: _Optional[str] = ..., state: _Optional[_Union[_record_pb2.RecordState, str]] = ..., reason: _Optional[str] = ..., preview_id: _Optional[str] = ...) -> None: ...
