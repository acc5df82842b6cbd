"""Weeks, days, facts and blocks on the wire."""

from libs.planning.grid import BlockKind
from libs.rpc.errors import invalid
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.views import (
    DayView,
    WeekAsked,
    WeekByNumber,
    WeekOfDate,
    WeekView,
)
from services.schedule.wire import calendar, changes, fields
from smartmate.schedule.v1 import schedule_event_pb2, schedule_service_pb2

_TYPES = {
    BlockKind.COURSE: schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE,
    BlockKind.TASK: schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK,
}


def event_type(kind: BlockKind) -> schedule_event_pb2.ScheduleEventType:
    """Course or task."""
    return _TYPES[kind]


def read_week(request: schedule_service_pb2.GetWeekRequest) -> WeekAsked:
    """Which week is wanted. Raises InvalidRequest."""
    at = request.WhichOneof("at")
    if at == "week_of_semester":
        if request.week_of_semester.semester_id < 0:
            raise invalid("week_of_semester.semester_id", "must not be negative")
        return WeekByNumber(request.week_of_semester.semester_id, request.week_of_semester.week)
    return WeekOfDate(fields.iso_date("date", request.date) if at == "date" else None)


def week(found: WeekView) -> schedule_service_pb2.GetWeekResponse:
    """One week."""
    return schedule_service_pb2.GetWeekResponse(
        semester=calendar.semester(found.semester),
        week=found.week,
        dates=[on.isoformat() for on in found.dates],
        events=[event(one) for one in found.blocks],
        today=found.today.isoformat(),
        now_time=fields.timestamp(found.now),
        overrides=[calendar.override(one) for one in found.overrides],
    )


def day(found: DayView) -> schedule_service_pb2.GetTodayResponse:
    """The current date."""
    return schedule_service_pb2.GetTodayResponse(
        semester=calendar.semester(found.semester),
        date=found.on.isoformat(),
        week=found.week,
        day_of_week=found.day,
        events=[event(one) for one in found.blocks],
        now_time=fields.timestamp(found.now),
    )


def event(found: ScheduledBlock) -> schedule_event_pb2.ScheduleEvent:
    """One live block."""
    block = found.block
    return schedule_event_pb2.ScheduleEvent(
        event_id=block.id,
        type=event_type(block.kind),
        source=changes.target(block.source) if block.source else None,
        name=block.name,
        place=calendar.place(block.place),
        start_time=fields.timestamp(found.starts_at),
        end_time=fields.timestamp(found.ends_at),
        can_be_embedded=block.can_be_embedded,
        host_event_id=block.host_id or 0,
        makeup_for_event_id=block.makeup_for_id or 0,
        placement_version=block.placement_version,
        location=found.location,
        teacher=found.teacher,
        course_id=found.course_id or 0,
        task_class_id=block.class_id or 0,
        task_order=block.order or 0,
    )
