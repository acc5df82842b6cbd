"""The week page."""

import asyncio
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query
from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.gateway.domain.locale import Locale
from services.gateway.domain.places import day_of_month
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.web.weeks import AtDate, AtWeek, week_request
from services.gateway.wire import week_page
from services.gateway.wire.told import told as told_words
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(include_in_schema=False)

_log = logs.get("gateway.pages")
_OUTSIDE = frozenset({"not_started", "ended", "out_of_semester"})


@router.get("/")
async def home() -> Response:
    """The week is where everybody starts."""
    return RedirectResponse("/week", 303)


@router.get("/week")
async def week(
    request: Request,
    visitor: SignedIn,
    week: AtWeek = None,
    date: AtDate = None,
    day: Annotated[int | None, Query(ge=1, le=7)] = None,
    told: Token = "",
) -> Response:
    """Everything that stands in one week."""
    parts, spoken = parts_of(request), locale_of(request)
    asked = week_request(week, date)
    found, suggestions = await asyncio.gather(
        _week(parts, visitor, asked), _open_suggestions(parts, visitor)
    )
    if isinstance(found, RemoteError):
        return answers.page(
            request,
            "week_none.html",
            visitor=visitor,
            suggestions=suggestions,
            reason=found.reason,
            nearest=_nearest(spoken, found),
        )
    return answers.page(
        request,
        "week.html",
        visitor=visitor,
        page=week_page.build(spoken, found, day=day or (date.isoweekday() if date else None)),
        suggestions=suggestions,
        told=told_words(spoken, "week", told),
    )


async def _week(
    parts: Parts, visitor: Visitor, request: schedule_service_pb2.GetWeekRequest
) -> schedule_service_pb2.GetWeekResponse | RemoteError:
    """The week, or why there is none to show."""
    try:
        return await parts.suite.call(visitor, parts.suite.schedule.GetWeek, request)
    except RemoteError as error:
        if error.reason == "semester_not_found" or error.reason in _OUTSIDE:
            return error
        raise


async def _open_suggestions(parts: Parts, visitor: Visitor) -> int:
    """How many suggestions wait. The week is shown also while nobody can tell."""
    request = active_scheduler_service_pb2.ListPreviewsRequest(open_only=True)
    try:
        answer = await parts.suite.call(visitor, parts.suite.active_scheduler.ListPreviews, request)
    except RemoteError as error:
        if error.code not in (StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED):
            raise
        _log.warning("suggestions_unknown", code=error.code.name)
        return 0
    return len(answer.previews)


def _nearest(spoken: Locale, error: RemoteError) -> tuple[str, str] | None:
    """First and last day of the semester next to a date that lies outside every one."""
    first, last = error.metadata.get("first_date"), error.metadata.get("last_date")
    if not first or not last:
        return None
    return (
        day_of_month(spoken, date.fromisoformat(first)),
        day_of_month(spoken, date.fromisoformat(last)),
    )
