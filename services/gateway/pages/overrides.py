"""Changed days (调休): dates without classes, and dates that run those of another day."""

from collections.abc import Sequence
from datetime import date as calendar_date
from typing import Annotated

from fastapi import APIRouter, Query
from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, forms, zones
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.web.weeks import week_request
from services.gateway.wire import override_form, overrides_page
from services.gateway.wire.entered import Refused, problems_of
from services.gateway.wire.override_form import DateForm, OverrideForm, Shown
from services.gateway.wire.overrides_page import InTheWay, OverridesPage, Speaker
from services.gateway.wire.told import Told
from services.gateway.wire.told import told as told_words
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(include_in_schema=False)

_PAGE = "/calendar"
_PUT = schedule_service_pb2.PutCalendarOverrideRequest
_DELETE = schedule_service_pb2.DeleteCalendarOverrideRequest
_LIST = schedule_service_pb2.ListCalendarOverridesRequest


@router.get(_PAGE)
async def overrides(
    request: Request,
    visitor: SignedIn,
    told: Token = "",
    pending: Annotated[int, Query(ge=0, le=10_000)] = 0,
    after: Annotated[calendar_date | None, Query()] = None,
) -> Response:
    """The changed days of the semester, with a form for another one."""
    spoken = locale_of(request)
    notice = told_words(spoken, "overrides", told)
    if notice and pending:
        key = "overrides.pending_1" if pending == 1 else "overrides.pending"
        notice = notice.about(say(spoken, key, n=pending))
    return await _show(request, visitor, notice=notice, after=after)


@router.post(_PAGE)
async def put(request: Request, visitor: SignedIn) -> Response:
    """Says what happens on a date."""
    parts, form = parts_of(request), await forms.read(request, OverrideForm)
    key = key_of(None, form.idempotency_key)
    try:
        asked = _PUT(request_id=key, override=override_form.message(form))
        made = await parts.suite.call(visitor, parts.suite.schedule.PutCalendarOverride, asked)
    except (Refused, RemoteError) as error:
        return await _refused(request, visitor, form, error)
    return _led("saved", len(made.pending_events))


@router.post(f"{_PAGE}/delete")
async def delete(request: Request, visitor: SignedIn) -> Response:
    """Gives a date its own classes back."""
    parts, form = parts_of(request), await forms.read(request, DateForm)
    asked = _DELETE(request_id=f"{key_of(None, form.idempotency_key)}.{form.date}", date=form.date)
    try:
        gone = await parts.suite.call(visitor, parts.suite.schedule.DeleteCalendarOverride, asked)
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return _led("gone", 0)
        return await _refused(request, visitor, OverrideForm(date=form.date), error)
    return _led("deleted", len(gone.pending_events))


async def _refused(
    request: Request, visitor: Visitor, form: OverrideForm, error: Refused | RemoteError
) -> Response:
    """The form as it was sent, with what is wrong about it. Raises what has no words here."""
    if isinstance(error, RemoteError):
        if error.reason == "calendar_collision":
            return await _collision(request, visitor, form, error)
        if error.reason == "semester_not_found":
            return await _show(request, visitor, form=Shown(form, {}), status=409)
    spoken = locale_of(request)
    found = override_form.problem_of(error) if isinstance(error, RemoteError) else None
    problems = found or problems_of(error, override_form.FIELDS)
    return await _show(request, visitor, form=Shown(form, problems.words(spoken)), status=400)


async def _collision(
    request: Request, visitor: Visitor, form: OverrideForm, error: RemoteError
) -> Response:
    """What stands in the way, by name."""
    parts, spoken = parts_of(request), locale_of(request)
    on = calendar_date.fromisoformat(form.date.strip())
    ids = [int(one) for one in error.metadata.get("event_ids", "").split(",") if one]
    count = int(error.metadata.get("event_count", len(ids)))
    week = await _week(parts, visitor, on)
    blocks = overrides_page.in_the_way(spoken, on.isoformat(), ids, count, week)
    head = say(spoken, "overrides.collision", date=day_of_month(spoken, on))
    notice = Told("warn", "warn", head, say(spoken, "overrides.collision_more"))
    return await _show(
        request, visitor, form=Shown(form, {}), notice=notice, blocks=tuple(blocks), status=409
    )


async def _show(
    request: Request,
    visitor: Visitor,
    *,
    form: Shown | None = None,
    notice: Told | None = None,
    blocks: Sequence[InTheWay] = (),
    after: calendar_date | None = None,
    status: int = 200,
) -> Response:
    page = await _page(parts_of(request), visitor, locale_of(request), after)
    if form is None:
        form = Shown(OverrideForm(week=page.this_week) if page else OverrideForm(), {})
    return answers.page(
        request,
        "overrides.html",
        visitor=visitor,
        status=status,
        page=page,
        shown=form,
        told=notice,
        blocks=blocks,
    )


async def _page(
    parts: Parts, visitor: Visitor, spoken: Locale, after: calendar_date | None
) -> OverridesPage | None:
    """The changed days; None where there is no semester yet."""
    semester = await zones.semester_of(parts, visitor)
    if semester is None:
        return None
    speaker = Speaker.of(spoken, semester, parts.clock.now())
    asked = _LIST(
        first_date=speaker.semester.first_day.isoformat(),
        last_date=speaker.semester.last_day.isoformat(),
        page_token=after.isoformat() if after else "",
    )
    method = parts.suite.schedule.ListCalendarOverrides
    return speaker.build(await parts.suite.call(visitor, method, asked))


async def _week(
    parts: Parts, visitor: Visitor, on: calendar_date
) -> schedule_service_pb2.GetWeekResponse | None:
    """The week of a date, where nothing keeps it from being told."""
    try:
        return await parts.suite.call(visitor, parts.suite.schedule.GetWeek, week_request(None, on))
    except RemoteError as error:
        if error.code is not StatusCode.NOT_FOUND:
            raise
        return None


def _led(told: str, pending: int) -> RedirectResponse:
    return forms.led_to(_PAGE, {"told": told, "pending": pending})
