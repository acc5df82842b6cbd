"""The planning state and its changes between the schedule contract and the tools."""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo

from google.protobuf.timestamp_pb2 import Timestamp

from libs.planning.calendar import SectionClock, SectionTime, Semester
from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Place, Target, TargetKind
from libs.planning.rough_input import item_length
from libs.planning.state import Intensity
from libs.planning.window import NoWindow, window_between
from services.agent.tools import loading
from services.agent.tools.bounds import ClassRule
from services.agent.tools.loading import (
    ClassRow,
    EventRow,
    ItemRow,
    Loaded,
    Rows,
    Snapshot,
    StateIds,
)
from services.agent.wire import values
from smartmate.schedule.v1 import (
    calendar_pb2,
    change_pb2,
    schedule_event_pb2,
    task_class_pb2,
)
from smartmate.schedule.v1 import schedule_service_pb2 as pb

_PROBLEMS = {
    task_class_pb2.WINDOW_PROBLEM_ASK_DATES: NoWindow.ASK_DATES,
    task_class_pb2.WINDOW_PROBLEM_NO_WINDOW: NoWindow.NO_WINDOW,
}
_INTENSITIES = {
    task_class_pb2.COGNITIVE_INTENSITY_LOW: Intensity.LOW,
    task_class_pb2.COGNITIVE_INTENSITY_MEDIUM: Intensity.MEDIUM,
    task_class_pb2.COGNITIVE_INTENSITY_HIGH: Intensity.HIGH,
}
_KINDS = {
    TargetKind.TASK_POOL: change_pb2.TARGET_KIND_TASK_POOL,
    TargetKind.TASK_ITEM: change_pb2.TARGET_KIND_TASK_ITEM,
    TargetKind.SCHEDULE_EVENT: change_pb2.TARGET_KIND_SCHEDULE_EVENT,
}
_KINDS_READ = values.inverse(_KINDS)
_TYPES = {
    ChangeType.ADD: change_pb2.CHANGE_TYPE_ADD,
    ChangeType.CREATE_MAKEUP: change_pb2.CHANGE_TYPE_CREATE_MAKEUP,
    ChangeType.PLACE: change_pb2.CHANGE_TYPE_PLACE,
    ChangeType.MOVE: change_pb2.CHANGE_TYPE_MOVE,
    ChangeType.COMPRESS: change_pb2.CHANGE_TYPE_COMPRESS,
    ChangeType.EMBED: change_pb2.CHANGE_TYPE_EMBED,
    ChangeType.UNEMBED: change_pb2.CHANGE_TYPE_UNEMBED,
    ChangeType.REMOVE: change_pb2.CHANGE_TYPE_REMOVE,
}
_TYPES_READ = values.inverse(_TYPES)


def snapshot(
    message: pb.LoadPlanningStateResponse, ids: StateIds | None = None
) -> Snapshot | NoWindow:
    """The state of a run with the rows that it was made of; or why there is no window."""
    found = loaded(message, ids)
    if isinstance(found, NoWindow):
        return found
    first = date.fromisoformat(message.window.first_date)
    rules = tuple(_rule(one, first) for one in message.task_classes if _has_dates(one))
    return Snapshot(message.SerializeToString(), found, first, rules)


def _has_dates(message: task_class_pb2.TaskClass) -> bool:
    return bool(message.start_date and message.end_date)


def _rule(message: task_class_pb2.TaskClass, first: date) -> ClassRule:
    return ClassRule(
        class_id=message.task_class_id,
        first_day=(date.fromisoformat(message.start_date) - first).days + 1,
        last_day=(date.fromisoformat(message.end_date) - first).days + 1,
        excluded_days=tuple(message.excluded_days_of_week),
        excluded_pairs=tuple(message.excluded_pairs),
        in_courses=message.allow_filler_course,
    )


def loaded(message: pb.LoadPlanningStateResponse, ids: StateIds | None = None) -> Loaded | NoWindow:
    """The state of a run, with the numbers of its last load; or why there is no window."""
    if message.problem != task_class_pb2.WINDOW_PROBLEM_UNSPECIFIED:
        return _PROBLEMS[message.problem]
    of_window = semester(message.semester)
    first = date.fromisoformat(message.window.first_date)
    last = date.fromisoformat(message.window.last_date)
    now = values.checked_instant(message.now_time, "now_time")
    window = window_between(of_window, first, last, now=now)
    return loading.load(window, _rows(message, of_window, first, now), ids)


def _rows(
    message: pb.LoadPlanningStateResponse, semester: Semester, first: date, now: datetime
) -> Rows:
    events = [*message.events, *message.events_elsewhere]
    return Rows(
        events=[_event(one, semester.zone, first, now) for one in events],
        items=[_item(one, of) for of in message.task_classes for one in of.items],
        classes=[_class(one) for one in message.task_classes],
    )


def _event(
    message: schedule_event_pb2.ScheduleEvent, zone: ZoneInfo, first: date, now: datetime
) -> EventRow:
    starts_at = _instant(message.start_time)
    is_item = message.source.kind == change_pb2.TARGET_KIND_TASK_ITEM
    return EventRow(
        event_id=message.event_id,
        place=place(message.place),
        name=message.name,
        course_id=message.course_id or None,
        can_be_embedded=message.can_be_embedded,
        host_event_id=message.host_event_id or None,
        class_id=message.task_class_id or None,
        item_id=message.source.id if is_item else None,
        order=message.task_order or None,
        makeup=message.makeup_for_event_id != 0,
        begun=starts_at < now,
        day=(starts_at.astimezone(zone).date() - first).days + 1,
    )


def _item(message: task_class_pb2.TaskItem, of: task_class_pb2.TaskClass) -> ItemRow:
    return ItemRow(
        item_id=message.task_item_id,
        class_id=of.task_class_id,
        content=message.content,
        order=message.order or None,
        waits=not message.done and not message.event_ids,
    )


def _class(message: task_class_pb2.TaskClass) -> ClassRow:
    return ClassRow(
        class_id=message.task_class_id,
        name=message.name,
        length=item_length(message.total_sections or None, len(message.items)).sections,
        intensity=_INTENSITIES.get(message.cognitive_intensity),
    )


def semester(message: calendar_pb2.Semester) -> Semester:
    """A semester with its clock."""
    sections = tuple(
        SectionTime(_time(one.start_minute_of_day), _time(one.end_minute_of_day))
        for one in message.clock.sections
    )
    clock = SectionClock(
        sections, message.clock.lunch_after_section, message.clock.dinner_after_section
    )
    return Semester(
        id=message.semester_id,
        first_day=date.fromisoformat(message.first_date),
        weeks=message.week_count,
        time_zone=message.time_zone,
        clock=clock,
        version=message.version,
    )


def change_message(change: Change) -> change_pb2.ScheduleChange:
    """A change as the contract has it."""
    found = change_pb2.ScheduleChange(
        change_id=change.change_id,
        type=_TYPES[change.type],
        target=change_pb2.Target(kind=_KINDS[change.target.kind], id=change.target.id),
        host_event_id=change.host_id or 0,
        editable=change.editable,
    )
    if change.to is not None:
        found.to.CopyFrom(_place_message(change.to))
    if change.from_ is not None:
        getattr(found, "from").CopyFrom(_place_message(change.from_))
    return found


def change(message: change_pb2.ScheduleChange) -> Change:
    """A change of the schedule service's; a type without a name here is unknown."""
    return Change(
        change_id=message.change_id,
        type=_TYPES_READ.get(message.type, ChangeType.UNKNOWN),
        target=Target(_KINDS_READ[message.target.kind], message.target.id),
        to=place(message.to) if message.HasField("to") else None,
        from_=place(getattr(message, "from")) if message.HasField("from") else None,
        host_id=message.host_event_id or None,
        editable=message.editable,
    )


def place(message: calendar_pb2.Place) -> Place:
    """Sections of a day."""
    return Place(
        message.semester_id,
        message.week,
        message.day_of_week,
        message.first_section,
        message.last_section,
    )


def _place_message(place: Place) -> calendar_pb2.Place:
    return calendar_pb2.Place(
        semester_id=place.semester_id,
        week=place.week,
        day_of_week=place.day,
        first_section=place.first,
        last_section=place.last,
    )


def _time(minute: int) -> time:
    # Midnight at the end of a day is told as 24:00; the clock's last instant is 23:59.
    return time(*divmod(min(minute, 24 * 60 - 1), 60))


def _instant(stamp: Timestamp) -> datetime:
    return values.checked_instant(stamp, "start_time")
