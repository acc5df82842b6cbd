"""Weeks, days, facts and blocks on the wire."""

from datetime import datetime, timedelta

from libs.planning.grid import BlockKind, Target
from libs.rpc.errors import invalid
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.task import Task
from services.schedule.domain.views import (
    DayView,
    SchedulingFacts,
    WeekAsked,
    WeekByNumber,
    WeekOfDate,
    WeekView,
)
from services.schedule.wire import calendar, changes, fields, tasks
from smartmate.schedule.v1 import schedule_event_pb2, schedule_service_pb2

_LONGEST_HORIZON = timedelta(days=9)
_DEFAULT_HORIZON = timedelta(hours=24)

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


def read_horizon(request: schedule_service_pb2.GetSchedulingFactsRequest) -> timedelta:
    """How far ahead blocks are wanted."""
    if not request.HasField("horizon"):
        return _DEFAULT_HORIZON
    return fields.length_of_time("horizon", request.horizon, longest=_LONGEST_HORIZON)


def read_mock_now(
    request: schedule_service_pb2.GetSchedulingFactsRequest,
) -> datetime | None:
    """The instant that takes the place of the clock, where there is one."""
    if not request.HasField("mock_now_time"):
        return None
    return fields.instant("mock_now_time", request.mock_now_time)


def week(found: WeekView) -> schedule_service_pb2.GetWeekResponse:
    """One week."""
    return schedule_service_pb2.GetWeekResponse(
        semester=calendar.semester(found.semester),
        week=found.week,
        dates=[on.isoformat() for on in found.dates],
        events=[event(one) for one in found.blocks],
        today=found.today.isoformat(),
        now_time=fields.timestamp(found.now),
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
        makeup_for_event_id=found.makeup_for_id or 0,
        placement_version=block.placement_version,
        location=found.location,
        teacher=found.teacher,
    )


def facts(found: SchedulingFacts) -> schedule_service_pb2.GetSchedulingFactsResponse:
    """All that is known around one target."""
    return schedule_service_pb2.GetSchedulingFactsResponse(
        now_time=fields.timestamp(found.now),
        target=_target_facts(found.target, found.task),
        semesters=[calendar.semester(one) for one in found.semesters],
        events=[event(one) for one in found.blocks],
        target_events=[event(one) for one in found.target_blocks],
        next_task_event_id=found.next_task_block_id or 0,
    )


def _target_facts(target: Target, task: Task) -> schedule_service_pb2.TargetFacts:
    message = schedule_service_pb2.TargetFacts(
        target=changes.target(target),
        title=task.fields.title,
        placement_version=task.placement_version,
        done=task.done,
        estimated_sections=task.fields.estimated_sections,
        quadrant=tasks.quadrant(task.fields.quadrant),
        version=task.version,
    )
    if task.fields.deadline_at is not None:
        message.deadline_time.FromDatetime(task.fields.deadline_at)
    if task.fields.urgency_threshold_at is not None:
        message.urgency_threshold_time.FromDatetime(task.fields.urgency_threshold_at)
    return message
