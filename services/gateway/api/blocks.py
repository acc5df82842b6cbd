"""Blocks of the schedule as a person changes them by hand, and the schedule as a calendar file."""

from datetime import date as calendar_date
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parameters import PageSize, RowId
from services.gateway.web.parts import parts_of
from services.gateway.wire.settings_bodies import EmbeddingBody
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(prefix="/api/v1", tags=["schedule"])

LARGEST = 2**63 - 1
Seen = Annotated[int, Query(ge=0, le=LARGEST, description="0 = whatever is there")]
OnDate = Annotated[calendar_date | None, Query(description="Absent = the first day there is")]
Type = Literal[
    "SCHEDULE_EVENT_TYPE_UNSPECIFIED", "SCHEDULE_EVENT_TYPE_COURSE", "SCHEDULE_EVENT_TYPE_TASK"
]

_List = schedule_service_pb2.ListEventsResponse
_Delete = schedule_service_pb2.DeleteEventResponse
_Revoke = schedule_service_pb2.RevokeEventResponse
_Embedding = schedule_service_pb2.SetCourseEmbeddingResponse
_CALENDAR = "text/calendar"


@router.get("/events", **openapi.answers_with(_List))
async def events(
    request: Request,
    visitor: SignedIn,
    first_date: OnDate = None,
    last_date: OnDate = None,
    type: Type = "SCHEDULE_EVENT_TYPE_UNSPECIFIED",
    page_size: PageSize = 0,
    page_token: str = "",
) -> Response:
    """The blocks of a range of dates, in order of time; of today where none is given."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ListEventsRequest(
        first_date=_iso(first_date),
        last_date=_iso(last_date),
        type=type,
        page_size=page_size,
        page_token=page_token,
    )
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.ListEvents, asked))


@router.delete("/events/{event_id}", **openapi.answers_with(_Delete))
async def delete(
    request: Request,
    visitor: SignedIn,
    event_id: RowId,
    key: RequiredKey,
    if_placement_version: Seen = 0,
) -> Response:
    """Deletes one meeting of a course, or a block of work; what it came from stays."""
    parts = parts_of(request)
    asked = schedule_service_pb2.DeleteEventRequest(
        request_id=key, event_id=event_id, if_placement_version=if_placement_version
    )
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.DeleteEvent, asked))


@router.post("/events/{event_id}/revoke", **openapi.answers_with(_Revoke))
async def revoke(
    request: Request,
    visitor: SignedIn,
    event_id: RowId,
    key: RequiredKey,
    if_placement_version: Seen = 0,
) -> Response:
    """Takes a block of work off the schedule; what it came from waits to be placed again."""
    parts = parts_of(request)
    asked = schedule_service_pb2.RevokeEventRequest(
        request_id=key, event_id=event_id, if_placement_version=if_placement_version
    )
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.RevokeEvent, asked))


@router.put("/courses/{course_id}/embedding", **openapi.answers_with(_Embedding))
async def embedding(
    request: Request, visitor: SignedIn, course_id: RowId, body: EmbeddingBody, key: RequiredKey
) -> Response:
    """Says whether the meetings of a course may host work."""
    parts = parts_of(request)
    asked = schedule_service_pb2.SetCourseEmbeddingRequest(
        request_id=key, course_id=course_id, can_be_embedded=body.can_be_embedded
    )
    method = parts.suite.schedule.SetCourseEmbedding
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.get(
    "/calendar.ics",
    response_model=None,
    responses={200: {"content": {_CALENDAR: {}}, "description": "RFC 5545, in UTF-8"}},
)
async def calendar(
    request: Request,
    visitor: SignedIn,
    semester_id: Annotated[int, Query(ge=0, le=LARGEST, description="0 = the current one")] = 0,
    first_date: OnDate = None,
    last_date: OnDate = None,
) -> Response:
    """A semester, or some dates of it, as a calendar file."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ExportCalendarRequest(
        semester_id=semester_id, first_date=_iso(first_date), last_date=_iso(last_date)
    )
    made = await parts.suite.call(visitor, parts.suite.schedule.ExportCalendar, asked)
    name = {"Content-Disposition": f'attachment; filename="{made.file_name}"'}
    return Response(made.document, media_type=f"{_CALENDAR}; charset=utf-8", headers=name)


def _iso(date: calendar_date | None) -> str:
    return date.isoformat() if date else ""
