"""Places, semesters, blocks and changes between the schedule contract and libs.planning."""

from datetime import date, time
from itertools import chain

from libs.planning.calendar import Override, SectionClock, SectionTime, Semester
from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Block, BlockKind, Place
from services.active_scheduler.wire import values
from smartmate.schedule.v1 import calendar_pb2, change_pb2, schedule_event_pb2

_CHANGE_TYPES = {
    change_pb2.CHANGE_TYPE_ADD: ChangeType.ADD,
    change_pb2.CHANGE_TYPE_CREATE_MAKEUP: ChangeType.CREATE_MAKEUP,
    change_pb2.CHANGE_TYPE_PLACE: ChangeType.PLACE,
    change_pb2.CHANGE_TYPE_MOVE: ChangeType.MOVE,
    change_pb2.CHANGE_TYPE_COMPRESS: ChangeType.COMPRESS,
    change_pb2.CHANGE_TYPE_EMBED: ChangeType.EMBED,
    change_pb2.CHANGE_TYPE_UNEMBED: ChangeType.UNEMBED,
    change_pb2.CHANGE_TYPE_REMOVE: ChangeType.REMOVE,
}
_CHANGE_TYPE_NUMBERS = values.inverse(_CHANGE_TYPES)

_BLOCK_KINDS = {
    schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE: BlockKind.COURSE,
    schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK: BlockKind.TASK,
}
_BLOCK_KIND_NUMBERS = values.inverse(_BLOCK_KINDS)


def place(message: calendar_pb2.Place) -> Place:
    return Place(
        message.semester_id,
        message.week,
        message.day_of_week,
        message.first_section,
        message.last_section,
    )


def place_message(value: Place) -> calendar_pb2.Place:
    return calendar_pb2.Place(
        semester_id=value.semester_id,
        week=value.week,
        day_of_week=value.day,
        first_section=value.first,
        last_section=value.last,
    )


def semester(message: calendar_pb2.Semester) -> Semester:
    """A semester as the schedule service tells it."""
    sections = tuple(
        SectionTime(_time(one.start_minute_of_day), _time(one.end_minute_of_day))
        for one in message.clock.sections
    )
    return Semester(
        id=message.semester_id,
        first_day=date.fromisoformat(message.first_date),
        weeks=message.week_count,
        time_zone=message.time_zone,
        clock=SectionClock(
            sections, message.clock.lunch_after_section, message.clock.dinner_after_section
        ),
        version=message.version,
    )


def override(message: calendar_pb2.CalendarOverride) -> Override:
    """What happens on a date instead of its own classes."""
    runs = (message.runs.week, message.runs.day_of_week) if message.HasField("runs") else None
    return Override(date.fromisoformat(message.date), runs, message.version)


def semester_message(value: Semester) -> calendar_pb2.Semester:
    clock = calendar_pb2.SectionClock(
        sections=[
            calendar_pb2.SectionTime(
                start_minute_of_day=_minutes(one.start), end_minute_of_day=_minutes(one.end)
            )
            for one in value.clock.sections
        ],
        lunch_after_section=value.clock.lunch_after,
        dinner_after_section=value.clock.dinner_after,
    )
    return calendar_pb2.Semester(
        semester_id=value.id,
        first_date=value.first_day.isoformat(),
        week_count=value.weeks,
        time_zone=value.time_zone,
        clock=clock,
        version=value.version,
    )


def block(message: schedule_event_pb2.ScheduleEvent) -> Block:
    return Block(
        id=message.event_id,
        kind=_BLOCK_KINDS[message.type],
        place=place(message.place),
        placement_version=message.placement_version,
        source=values.target(message.source) if message.HasField("source") else None,
        can_be_embedded=message.can_be_embedded,
        host_id=message.host_event_id or None,
        name=message.name,
    )


def block_message(
    value: Block, semesters: tuple[Semester, ...]
) -> schedule_event_pb2.ScheduleEvent:
    """A block with its instants; one whose semester is not given has none."""
    where = value.place
    home = next((one for one in semesters if one.id == where.semester_id), None)
    starts_at, ends_at = (
        home.span(where.week, where.day, where.first, where.last) if home else (None, None)
    )
    return schedule_event_pb2.ScheduleEvent(
        event_id=value.id,
        type=_BLOCK_KIND_NUMBERS[value.kind],
        source=values.target_message(value.source) if value.source else None,
        name=value.name,
        place=place_message(where),
        start_time=values.timestamp(starts_at),
        end_time=values.timestamp(ends_at),
        can_be_embedded=value.can_be_embedded,
        host_event_id=value.host_id or 0,
        placement_version=value.placement_version,
    )


def blocks(*lists: "list[schedule_event_pb2.ScheduleEvent]") -> tuple[Block, ...]:
    """The blocks of several lists, each once, by id."""
    found = {message.event_id: message for message in chain(*lists)}
    return tuple(block(found[key]) for key in sorted(found))


def change_message(value: Change, *, risk: str = "") -> change_pb2.ScheduleChange:
    return change_pb2.ScheduleChange(
        change_id=value.change_id,
        type=_CHANGE_TYPE_NUMBERS[value.type],
        target=values.target_message(value.target),
        to=place_message(value.to) if value.to else None,
        host_event_id=value.host_id or 0,
        editable=value.editable,
        risk=risk,
        **({"from": place_message(value.from_)} if value.from_ else {}),
    )


def _time(minutes: int) -> time:
    # Midnight at the end of a day is told as 24:00; the clock's last instant is 23:59.
    return time(*divmod(min(minutes, 24 * 60 - 1), 60))


def _minutes(at: time) -> int:
    return at.hour * 60 + at.minute
