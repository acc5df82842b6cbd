"""Telling that something was not finished: at a block, in words, or from a program."""

from datetime import date as calendar_date
from typing import Annotated

from fastapi import APIRouter, Path
from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, forms, looks, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader
from services.gateway.web.negotiation import is_form
from services.gateway.web.parts import parts_of
from services.gateway.web.redirects import to_look
from services.gateway.wire import feedback_form
from services.gateway.wire.event_forms import LARGEST, EventForm
from services.gateway.wire.feedback_form import FeedbackBody, FeedbackForm
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(tags=["active scheduling"])

_PATH = "/active-schedule/feedback"
_WEEK = "/week"

_Asked = active_scheduler_service_pb2.SubmitFeedbackRequest
_Told = active_scheduler_service_pb2.SubmitFeedbackResponse


@router.post(_PATH, **openapi.takes(FeedbackBody, _Told))
@router.post(f"/api/v1{_PATH}", **openapi.takes(FeedbackBody, _Told))
async def tell(request: Request, visitor: SignedIn, header: KeyHeader = None) -> Response:
    """Something was not finished; a form is led on to what the assistant makes of it."""
    if not is_form(request):
        body = await bodies.read(request, FeedbackBody)
        key = key_of(header, body.idempotency_key)
        return answers.data(await _submitted(request, visitor, body.message(key)))
    form = await bodies.read(request, FeedbackForm)
    key, text = key_of(header, form.idempotency_key), form.text.strip()
    if not text or len(text) > feedback_form.LONGEST:
        return _to_week(form.date, "feedback_long" if text else "feedback_empty")
    return await _followed(request, visitor, feedback_form.of_words(text, key))


@router.post(f"{_WEEK}/events/{{event_id}}/unfinished", include_in_schema=False)
async def block(
    request: Request, visitor: SignedIn, event_id: Annotated[int, Path(ge=1, le=LARGEST)]
) -> Response:
    """This block was not finished."""
    form = await forms.read(request, EventForm)
    key = key_of(None, form.idempotency_key)
    try:
        return await _followed(request, visitor, feedback_form.of_block(event_id, key))
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return _to_week(form.date, "event_not_found")
        raise


async def _submitted(request: Request, visitor: Visitor, asked: _Asked) -> _Told:
    parts = parts_of(request)
    return await parts.suite.call(visitor, parts.suite.active_scheduler.SubmitFeedback, asked)


async def _followed(request: Request, visitor: Visitor, asked: _Asked) -> Response:
    """To the suggestion as soon as there is one, else to the page that waits for it."""
    told = await _submitted(request, visitor, asked)
    return to_look(await looks.followed(parts_of(request), visitor, told.trigger))


def _to_week(date: calendar_date | None, told: str) -> Response:
    return forms.led_to(_WEEK, {"date": date.isoformat() if date else "", "told": told})
