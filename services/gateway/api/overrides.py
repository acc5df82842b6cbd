"""Changed days (调休)."""

from datetime import date as calendar_date
from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parameters import PageSize
from services.gateway.web.parts import parts_of
from services.gateway.wire.class_bodies import OverrideBody
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(prefix="/api/v1/calendar/overrides", tags=["schedule"])

OnDate = Annotated[calendar_date, Path(description="ISO 8601 date, inside a semester")]
InRange = Annotated[
    calendar_date | None, Query(description="Absent = those of the present semester")
]

_List = schedule_service_pb2.ListCalendarOverridesResponse
_Put = schedule_service_pb2.PutCalendarOverrideResponse
_Delete = schedule_service_pb2.DeleteCalendarOverrideResponse


@router.get("", **openapi.answers_with(_List))
async def overrides(
    request: Request,
    visitor: SignedIn,
    first_date: InRange = None,
    last_date: InRange = None,
    page_size: PageSize = 0,
    page_token: str = "",
) -> Response:
    """The changed days of a range of dates, by date."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ListCalendarOverridesRequest(
        first_date=first_date.isoformat() if first_date else "",
        last_date=last_date.isoformat() if last_date else "",
        page_size=page_size,
        page_token=page_token,
    )
    method = parts.suite.schedule.ListCalendarOverrides
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.put("/{date}", **openapi.answers_with(_Put))
async def put(
    request: Request, visitor: SignedIn, date: OnDate, body: OverrideBody, key: RequiredKey
) -> Response:
    """Says what happens on a date instead of its own classes."""
    parts = parts_of(request)
    asked = schedule_service_pb2.PutCalendarOverrideRequest(
        request_id=key, override=body.message(date.isoformat())
    )
    method = parts.suite.schedule.PutCalendarOverride
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.delete("/{date}", **openapi.answers_with(_Delete))
async def delete(request: Request, visitor: SignedIn, date: OnDate, key: RequiredKey) -> Response:
    """Gives a date its own classes back."""
    parts = parts_of(request)
    asked = schedule_service_pb2.DeleteCalendarOverrideRequest(
        request_id=key, date=date.isoformat()
    )
    method = parts.suite.schedule.DeleteCalendarOverride
    return answers.data(await parts.suite.call(visitor, method, asked))
