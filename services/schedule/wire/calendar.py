"""Semesters and places on the wire."""

from collections.abc import Sequence
from datetime import date

from libs.planning.calendar import (
    DAYS_PER_WEEK,
    DEFAULT_CLOCK,
    DEFAULT_TIME_ZONE,
    MAX_WEEKS,
    InvalidSemester,
    Override,
    SectionClock,
    SectionTime,
    Semester,
)
from libs.planning.grid import Place
from libs.rpc.errors import invalid
from services.schedule.wire import fields
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2

_SECTION = "semester.clock.sections"
_LONGEST_ZONE = 64
_PAGE = 100

# Where the planning core names a field of its own, the field of the message.
_FIELDS = {
    "first_day": "semester.first_date",
    "weeks": "semester.week_count",
    "time_zone": "semester.time_zone",
    "sections": "semester.clock.sections",
    "lunch_after": "semester.clock.lunch_after_section",
    "dinner_after": "semester.clock.dinner_after_section",
}


def read_semester(message: calendar_pb2.Semester) -> Semester:
    """A semester as it is asked for; id 0 means a new one. Raises InvalidRequest."""
    if message.semester_id < 0:
        raise invalid("semester.semester_id", "must not be negative")
    zone = fields.optional_text("semester.time_zone", message.time_zone, longest=_LONGEST_ZONE)
    first_day = fields.iso_date("semester.first_date", message.first_date)
    try:
        return Semester(
            id=message.semester_id,
            first_day=first_day,
            weeks=message.week_count,
            time_zone=zone or DEFAULT_TIME_ZONE,
            clock=_read_clock(message.clock) if message.HasField("clock") else DEFAULT_CLOCK,
            version=0,
        )
    except InvalidSemester as error:
        raise invalid(_FIELDS[error.field], error.problem) from error


def _read_clock(message: calendar_pb2.SectionClock) -> SectionClock:
    return SectionClock(
        sections=tuple(
            SectionTime(
                fields.time_of_day(f"{_SECTION}.start_minute_of_day", section.start_minute_of_day),
                fields.time_of_day(f"{_SECTION}.end_minute_of_day", section.end_minute_of_day),
            )
            for section in message.sections
        ),
        lunch_after=message.lunch_after_section,
        dinner_after=message.dinner_after_section,
    )


def semester(found: Semester) -> calendar_pb2.Semester:
    """A semester as stored."""
    return calendar_pb2.Semester(
        semester_id=found.id,
        first_date=found.first_day.isoformat(),
        week_count=found.weeks,
        time_zone=found.time_zone,
        clock=_clock(found.clock),
        version=found.version,
    )


def _clock(clock: SectionClock) -> calendar_pb2.SectionClock:
    return calendar_pb2.SectionClock(
        sections=[
            calendar_pb2.SectionTime(
                start_minute_of_day=fields.minute_of_day(section.start),
                end_minute_of_day=fields.minute_of_day(section.end),
            )
            for section in clock.sections
        ],
        lunch_after_section=clock.lunch_after,
        dinner_after_section=clock.dinner_after,
    )


def read_override(
    message: calendar_pb2.CalendarOverride,
) -> tuple[date, tuple[int, int] | None]:
    """A date and the (week, day) that it runs, None for no classes. Raises InvalidRequest."""
    on = fields.iso_date("override.date", message.date)
    if not message.HasField("runs"):
        return on, None
    week = fields.within("override.runs.week", message.runs.week, 1, MAX_WEEKS)
    day = fields.within("override.runs.day_of_week", message.runs.day_of_week, 1, DAYS_PER_WEEK)
    return on, (week, day)


def override(found: Override) -> calendar_pb2.CalendarOverride:
    """What happens on a date."""
    message = calendar_pb2.CalendarOverride(date=found.on.isoformat(), version=found.version)
    if found.runs is not None:
        message.runs.week, message.runs.day_of_week = found.runs
    return message


def read_page(
    request: schedule_service_pb2.ListCalendarOverridesRequest,
) -> tuple[date | None, int]:
    """The date that the page begins behind, and its size. Raises InvalidRequest."""
    if request.page_size < 0:
        raise invalid("page_size", "must not be negative")
    size = min(request.page_size or _PAGE, _PAGE)
    after = fields.iso_date("page_token", request.page_token) if request.page_token else None
    if after is not None and after >= date.max:
        raise invalid("page_token", "must be next_page_token of an answer")
    return after, size


def page(
    shown: Sequence[Override], more: date | None
) -> schedule_service_pb2.ListCalendarOverridesResponse:
    """A page of overrides."""
    return schedule_service_pb2.ListCalendarOverridesResponse(
        overrides=[override(one) for one in shown],
        next_page_token=more.isoformat() if more is not None else "",
    )


def read_place(message: calendar_pb2.Place) -> Place:
    """A place as it is asked for; it may name what no semester has."""
    return Place(
        message.semester_id,
        message.week,
        message.day_of_week,
        message.first_section,
        message.last_section,
    )


def place(found: Place) -> calendar_pb2.Place:
    """A place."""
    return calendar_pb2.Place(
        semester_id=found.semester_id,
        week=found.week,
        day_of_week=found.day,
        first_section=found.first,
        last_section=found.last,
    )
