"""The answer to what a suggestion asks."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain import ids
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, forms, looks, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader
from services.gateway.web.negotiation import is_form
from services.gateway.web.parts import parts_of
from services.gateway.web.redirects import preview_path, to_look, to_preview
from services.gateway.wire import answer_form
from services.gateway.wire.answer_form import AnswerBody, AnswerForm
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(tags=["active scheduling"])

_PATH = "/active-schedule/previews/{preview_id}/answer"
_Answered = active_scheduler_service_pb2.AnswerQuestionResponse


@router.post(_PATH, **openapi.takes(AnswerBody, _Answered))
@router.post(f"/api/v1{_PATH}", **openapi.takes(AnswerBody, _Answered))
async def answer(
    request: Request, visitor: SignedIn, preview_id: str, header: KeyHeader = None
) -> Response:
    """Answers the question; the first answer counts. A form is led on to the new suggestion."""
    if not is_form(request):
        body = await bodies.read(request, AnswerBody)
        key = key_of(header, body.idempotency_key)
        return answers.data(await _given(request, visitor, preview_id, body, key))
    form = await bodies.read(request, AnswerForm)
    key = key_of(header, form.idempotency_key)
    if form.problem:
        return _back(preview_id, form.problem)
    try:
        given = await _given(request, visitor, preview_id, form, key)
    except RemoteError as error:
        return to_preview(preview_id, error)
    if given.already_answered:
        return _back(preview_id, "already_answered")
    return to_look(await looks.followed(parts_of(request), visitor, given.trigger))


async def _given(
    request: Request, visitor: Visitor, preview_id: str, body: AnswerBody | AnswerForm, key: str
) -> _Answered:
    parts = parts_of(request)
    asked = answer_form.message(ids.preview_id(preview_id), body, key)
    return await parts.suite.call(visitor, parts.suite.active_scheduler.AnswerQuestion, asked)


def _back(preview_id: str, told: str) -> Response:
    return forms.led_to(preview_path(ids.preview_id(preview_id)), {"told": told})
