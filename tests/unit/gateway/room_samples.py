"""Hand-made answers about where the sample's block may go: two sections, due Tuesday 22:00."""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from services.gateway.wire.calendar import semester as known
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, edit_pb2
from smartmate.schedule.v1 import schedule_event_pb2
from tests.unit.gateway import gateway_samples as samples

DUE = datetime(2026, 12, 1, 14, tzinfo=UTC)
CLASS_MEETING = samples.event(8, "班会", samples.place(2, 3, 3), kind=samples.TASK)
_LENGTH = 2
_SEMESTER = known(samples.semester())


def room(
    *,
    events: Sequence[schedule_event_pb2.ScheduleEvent] | None = None,
    days: Sequence[int] = (1, 2),
    near: Sequence[int] = (1, 2),
    now: datetime = samples.NOW,
    blocked: edit_pb2.ShutCode | None = None,
) -> active_scheduler_service_pb2.CheckEditsResponse:
    """Every section of some days of week 13."""
    standing = samples.before_events() if events is None else list(events)
    made = [
        edit_pb2.EditDay(
            semester_id=3,
            week=13,
            day_of_week=day,
            date=(date(2026, 11, 29) + timedelta(days=day)).isoformat(),
            is_near=day in near,
            spots=[_spot(day, first, standing, now, blocked) for first in range(1, 13)],
        )
        for day in days
    ]
    return active_scheduler_service_pb2.CheckEditsResponse(
        days=made,
        legal_places=[
            spot.place for day in made for spot in day.spots if not spot.HasField("shut")
        ],
        blocked=None if blocked is None else edit_pb2.ShutReason(code=blocked),
        events=[event for event in standing if event.place.day_of_week in days],
        semesters=[samples.semester()],
        now_time=samples.stamp(now),
    )


def _spot(
    day: int,
    first: int,
    standing: Sequence[schedule_event_pb2.ScheduleEvent],
    now: datetime,
    blocked: edit_pb2.ShutCode | None,
) -> edit_pb2.EditSpot:
    place = samples.place(day, first, first + _LENGTH - 1)
    shut = next(_reasons(day, first, standing, now), None)
    if shut is None and blocked is not None:
        shut = edit_pb2.ShutReason(code=blocked)
    if place.last_section > 12:
        return edit_pb2.EditSpot(place=place, shut=shut)
    starts, ends = _SEMESTER.span(13, day, first, place.last_section)
    return edit_pb2.EditSpot(
        place=place,
        shut=shut,
        start_time=samples.stamp(starts),
        end_time=samples.stamp(ends),
        crosses_lunch=first == 4,
        crosses_dinner=first == 8,
    )


def _reasons(
    day: int,
    first: int,
    standing: Sequence[schedule_event_pb2.ScheduleEvent],
    now: datetime,
) -> Iterator[edit_pb2.ShutReason]:
    last = first + _LENGTH - 1
    if last > 12:
        yield edit_pb2.ShutReason(code=edit_pb2.SHUT_CODE_TOO_LONG)
        return
    starts, ends = _SEMESTER.span(13, day, first, last)
    if starts < now:
        yield edit_pb2.ShutReason(code=edit_pb2.SHUT_CODE_STARTED)
    for event in standing:
        at = event.place
        if at.day_of_week == day and at.first_section <= last and first <= at.last_section:
            is_course = event.type == samples.COURSE
            code = edit_pb2.SHUT_CODE_COURSE if is_course else edit_pb2.SHUT_CODE_TASK
            yield edit_pb2.ShutReason(code=code, event_id=event.event_id, event_name=event.name)
    if ends > DUE:
        yield edit_pb2.ShutReason(
            code=edit_pb2.SHUT_CODE_DEADLINE,
            end_time=samples.stamp(ends.astimezone(ZoneInfo("UTC"))),
            limit_time=samples.stamp(DUE),
        )
