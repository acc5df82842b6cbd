"""Where the movable change of a page may go, asked for the page itself."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import Query

from libs.rpc.errors import InvalidRequest, RemoteError
from libs.telemetry import logs
from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from services.gateway.wire import edits, standing
from services.gateway.wire.chosen import chosen, written
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2
from smartmate.schedule.v1 import calendar_pb2, schedule_event_pb2, schedule_service_pb2

AtCandidate = Annotated[str, Query(min_length=1, max_length=200)]
AtChange = Annotated[str, Query(min_length=1, max_length=64)]
AtEdits = Annotated[
    str,
    Query(
        max_length=5000,
        description="Places that changes were given: change@semester.week.day.first-last",
    ),
]

_log = logs.get("gateway.rooms")


async def of_page(
    parts: Parts, visitor: Visitor, preview: preview_pb2.Preview, asked: str
) -> active_scheduler_service_pb2.CheckEditsResponse | None:
    """The room of the page's movable change; None where there is none, or nobody can tell.

    The page is of use without it: it shows the proposal, which can be confirmed as it is.
    """
    candidate = chosen(preview, asked)
    change = edits.movable(candidate) if candidate else None
    if candidate is None or change is None or preview.state != preview_pb2.PREVIEW_STATE_READY:
        return None
    request = active_scheduler_service_pb2.CheckEditsRequest(
        preview_id=preview.preview_id,
        candidate_id=candidate.candidate_id,
        change_id=change.change_id,
    )
    try:
        return await parts.suite.call(visitor, parts.suite.active_scheduler.CheckEdits, request)
    except RemoteError as error:
        _log.warning("room_unknown", preview_id=preview.preview_id, reason=error.reason)
        return None


async def beside_written(
    parts: Parts, visitor: Visitor, preview: preview_pb2.Preview
) -> Sequence[schedule_event_pb2.ScheduleEvent]:
    """What stands beside blocks that were written on days which the suggestion does not show."""
    known = standing.touched_days(preview)
    unknown = [place for place in written(preview).values() if edits.day_word(place) not in known]
    found: list[schedule_event_pb2.ScheduleEvent] = []
    for semester_id, week in {(place.semester_id, place.week) for place in unknown}:
        at = schedule_service_pb2.WeekOfSemester(semester_id=semester_id, week=week)
        request = schedule_service_pb2.GetWeekRequest(week_of_semester=at)
        try:
            found += (await parts.suite.call(visitor, parts.suite.schedule.GetWeek, request)).events
        except RemoteError as error:
            _log.warning("week_unknown", preview_id=preview.preview_id, reason=error.reason)
    days = {edits.day_word(place) for place in unknown}
    ours = set(preview.applied_event_ids)
    return [
        event
        for event in found
        if edits.day_word(event.place) in days and event.event_id not in ours
    ]


def places_of(text: str) -> Mapping[str, calendar_pb2.Place]:
    """The edited places of a page's address; one that names none is the page as proposed."""
    try:
        return edits.read(text)
    except InvalidRequest:
        return {}
