"""Semesters and places on the wire."""

from datetime import time

from libs.planning.calendar import (
    DEFAULT_CLOCK,
    DEFAULT_TIME_ZONE,
    InvalidSemester,
    SectionClock,
    SectionTime,
    Semester,
)
from libs.planning.grid import Place
from libs.rpc.errors import invalid
from services.schedule.wire import fields
from smartmate.schedule.v1 import calendar_pb2

_LAST_MINUTE = 23 * 60 + 59
_LONGEST_ZONE = 64

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
                _read_minute("start_minute_of_day", section.start_minute_of_day),
                _read_minute("end_minute_of_day", section.end_minute_of_day),
            )
            for section in message.sections
        ),
        lunch_after=message.lunch_after_section,
        dinner_after=message.dinner_after_section,
    )


def _read_minute(name: str, minute: int) -> time:
    fields.within(f"semester.clock.sections.{name}", minute, 0, _LAST_MINUTE)
    return time(minute // 60, minute % 60)


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
                start_minute_of_day=_minute(section.start), end_minute_of_day=_minute(section.end)
            )
            for section in clock.sections
        ],
        lunch_after_section=clock.lunch_after,
        dinner_after_section=clock.dinner_after,
    )


def _minute(at: time) -> int:
    return at.hour * 60 + at.minute


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
