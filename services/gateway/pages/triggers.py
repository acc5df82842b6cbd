"""Asking for a look: from a program, or from the page of a suggestion that has had its time."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain import ids
from services.gateway.domain.idempotency import key_of
from services.gateway.web import answers, bodies, looks, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader
from services.gateway.web.negotiation import is_form
from services.gateway.web.parts import parts_of
from services.gateway.web.redirects import to_look, to_preview
from services.gateway.wire.bodies import DryRunBody, KeyBody, TriggerBody, timestamp
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(tags=["active scheduling"])

_API = "/api/v1/active-schedule"
_PREVIEW = "/previews/{preview_id}"
_PREVIEWS = f"/active-schedule{_PREVIEW}"

_DryRun = active_scheduler_service_pb2.DryRunResponse
_Regenerate = active_scheduler_service_pb2.RegeneratePreviewResponse
_Trigger = active_scheduler_service_pb2.TriggerResponse
_GetTrigger = active_scheduler_service_pb2.GetTriggerResponse


@router.post("/active-schedule/dry-run", **openapi.answers_with(_DryRun))
@router.post(f"{_API}/dry-run", **openapi.answers_with(_DryRun))
async def dry_run(request: Request, visitor: SignedIn, body: DryRunBody) -> Response:
    """What a look would show. Writes nothing, so it needs no key."""
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.DryRunRequest(
        type=body.type,
        target=body.target.message(),
        mock_now_time=timestamp(body.mock_now_time),
    )
    return answers.data(await parts.suite.call(visitor, parts.suite.active_scheduler.DryRun, asked))


@router.post("/active-schedule/trigger", **openapi.answers_with(_Trigger))
@router.post(f"{_API}/trigger", **openapi.answers_with(_Trigger))
async def trigger(
    request: Request, visitor: SignedIn, body: TriggerBody, header: KeyHeader = None
) -> Response:
    """Asks for a look at a target."""
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.TriggerRequest(
        request_id=key_of(header, body.idempotency_key),
        type=body.type,
        target=body.target.message(),
        mock_now_time=timestamp(body.mock_now_time),
    )
    return answers.data(
        await parts.suite.call(visitor, parts.suite.active_scheduler.Trigger, asked)
    )


@router.post(f"{_PREVIEWS}/regenerate", **openapi.takes(KeyBody, _Regenerate))
@router.post(f"{_API}{_PREVIEW}/regenerate", **openapi.takes(KeyBody, _Regenerate))
async def regenerate(
    request: Request, visitor: SignedIn, preview_id: str, header: KeyHeader = None
) -> Response:
    """A new look in the place of a suggestion; a form is led on to what the look found."""
    body = await bodies.read(request, KeyBody) if await request.body() else KeyBody()
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.RegeneratePreviewRequest(
        request_id=key_of(header, body.idempotency_key), preview_id=ids.preview_id(preview_id)
    )
    method = parts.suite.active_scheduler.RegeneratePreview
    try:
        found = await parts.suite.call(visitor, method, asked)
    except RemoteError as error:
        if is_form(request):
            return to_preview(preview_id, error)
        raise
    if not is_form(request):
        return answers.data(found)
    return to_look(await looks.followed(parts, visitor, found.trigger))


@router.get(f"{_API}/triggers/{{trigger_id}}", **openapi.answers_with(_GetTrigger))
async def one_trigger(request: Request, visitor: SignedIn, trigger_id: str) -> Response:
    """One trigger and what became of it."""
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.GetTriggerRequest(trigger_id=trigger_id)
    return answers.data(
        await parts.suite.call(visitor, parts.suite.active_scheduler.GetTrigger, asked)
    )
