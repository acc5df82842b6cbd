"""How long the task of a suggestion takes, where that was only assumed: set, and looked at anew."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain import ids
from services.gateway.domain.errors import PreviewNotFound
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, looks, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader
from services.gateway.web.negotiation import is_form
from services.gateway.web.parts import Parts, parts_of
from services.gateway.web.redirects import to_look, to_preview
from services.gateway.wire.estimate import EstimateBody, EstimateForm, with_estimate
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2
from smartmate.schedule.v1 import change_pb2, schedule_service_pb2

router = APIRouter(tags=["active scheduling"])

_PATH = "/active-schedule/previews/{preview_id}/estimate"
_Answer = active_scheduler_service_pb2.RegeneratePreviewResponse


@router.post(_PATH, **openapi.takes(EstimateBody, _Answer))
@router.post(f"/api/v1{_PATH}", **openapi.takes(EstimateBody, _Answer))
async def estimate(
    request: Request, visitor: SignedIn, preview_id: str, header: KeyHeader = None
) -> Response:
    """Keeps the length with the task and asks for a new look in the place of the suggestion."""
    body: EstimateForm | EstimateBody
    if is_form(request):
        body = await bodies.read(request, EstimateForm)
    else:
        body = await bodies.read(request, EstimateBody)
    key, sections = key_of(header, body.idempotency_key), int(body.sections)
    parts = parts_of(request)
    try:
        await _keep(parts, visitor, ids.preview_id(preview_id), sections, key)
        asked = active_scheduler_service_pb2.RegeneratePreviewRequest(
            request_id=key, preview_id=preview_id
        )
        method = parts.suite.active_scheduler.RegeneratePreview
        found = await parts.suite.call(visitor, method, asked)
    except RemoteError as error:
        if is_form(request):
            return to_preview(preview_id, error)
        raise
    if not is_form(request):
        return answers.data(found)
    return to_look(await looks.followed(parts, visitor, found.trigger))


async def _keep(parts: Parts, visitor: Visitor, preview_id: str, sections: int, key: str) -> None:
    """Writes the length down, unless it stands there. Nothing else of the task is altered."""
    shown = await parts.suite.call(
        visitor,
        parts.suite.active_scheduler.GetPreview,
        active_scheduler_service_pb2.GetPreviewRequest(preview_id=preview_id),
    )
    target = shown.preview.target
    if target.kind != change_pb2.TARGET_KIND_TASK_POOL:
        raise PreviewNotFound
    wanted = schedule_service_pb2.GetTaskRequest(task_id=target.id)
    found = await parts.suite.call(visitor, parts.suite.schedule.GetTask, wanted)
    if found.task.HasField("estimated_sections") and found.task.estimated_sections == sections:
        return
    update = with_estimate(found.task, sections, request_id=key)
    await parts.suite.call(visitor, parts.suite.schedule.UpdateTask, update)
