"""Suggestions: the open ones, one of them before and after, confirm, ignore.

At the root for browsers and programs, below /api/v1 for programs alone.
"""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.gateway.domain import ids
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader
from services.gateway.web.negotiation import is_form, locale_of, wants_page
from services.gateway.web.parts import parts_of
from services.gateway.web.redirects import preview_path, to_preview
from services.gateway.wire import preview_list
from services.gateway.wire.bodies import ConfirmBody, KeyBody, edited
from services.gateway.wire.preview_page import Builder
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(tags=["active scheduling"])

_log = logs.get("gateway.pages")
_ROOT = "/active-schedule/previews"
_API = f"/api/v1{_ROOT}"

_Get = active_scheduler_service_pb2.GetPreviewResponse
_List = active_scheduler_service_pb2.ListPreviewsResponse
_Confirm = active_scheduler_service_pb2.ConfirmPreviewResponse
_Ignore = active_scheduler_service_pb2.IgnorePreviewResponse


@router.get(_ROOT, **openapi.answers_with(_List))
@router.get(_API, **openapi.answers_with(_List))
async def open_previews(request: Request, visitor: SignedIn, page_token: str = "") -> Response:
    """The suggestions that can still be confirmed, newest first."""
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.ListPreviewsRequest(open_only=True, page_token=page_token)
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.ListPreviews, asked)
    if not wants_page(request):
        return answers.data(found)
    return answers.page(
        request,
        "previews.html",
        visitor=visitor,
        lines=preview_list.build(locale_of(request), found, now=parts.clock.now()),
        told=request.query_params.get("told", ""),
        next_page_token=found.next_page_token,
    )


@router.get(f"{_ROOT}/{{preview_id}}", **openapi.answers_with(_Get))
@router.get(f"{_API}/{{preview_id}}", **openapi.answers_with(_Get))
async def preview(
    request: Request, visitor: SignedIn, preview_id: str, candidate: str = "", told: str = ""
) -> Response:
    """One suggestion: the page for a browser, JSON for a program."""
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.GetPreviewRequest(preview_id=ids.preview_id(preview_id))
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.GetPreview, asked)
    if not wants_page(request):
        return answers.data(found)
    builder = Builder(
        locale_of(request),
        found,
        asked=candidate,
        told=told,
        written=tuple(one.to for one in found.preview.applied_changes if one.HasField("to")),
    )
    return answers.page(
        request,
        "preview.html",
        visitor=visitor,
        page=builder.page(),
        path=preview_path(preview_id),
    )


@router.post(f"{_ROOT}/{{preview_id}}/confirm", **openapi.takes(ConfirmBody, _Confirm))
async def confirm(
    request: Request, visitor: SignedIn, preview_id: str, header: KeyHeader = None
) -> Response:
    """The person's answer, as JSON from a program or as a form from the page."""
    body = await bodies.read(request, ConfirmBody)
    key = key_of(header, body.idempotency_key)
    if body.action == "ignore":
        return await _ignored(request, visitor, preview_id, key)
    if not is_form(request):
        return await _confirmed(request, visitor, preview_id, body, key)
    try:
        await _confirmed(request, visitor, preview_id, body, key)
    except RemoteError as error:
        return to_preview(preview_id, error, candidate_id=body.candidate_id)
    return to_preview(preview_id, candidate_id=body.candidate_id)


@router.post(f"{_API}/{{preview_id}}/confirm", **openapi.answers_with(_Confirm))
async def confirm_json(
    request: Request,
    visitor: SignedIn,
    preview_id: str,
    body: ConfirmBody,
    header: KeyHeader = None,
) -> Response:
    """The person's answer to a suggestion."""
    key = key_of(header, body.idempotency_key)
    if body.action == "ignore":
        return await _ignored(request, visitor, preview_id, key)
    return await _confirmed(request, visitor, preview_id, body, key)


@router.post(f"{_ROOT}/{{preview_id}}/ignore", **openapi.takes(KeyBody, _Ignore))
@router.post(f"{_API}/{{preview_id}}/ignore", **openapi.takes(KeyBody, _Ignore))
async def ignore(
    request: Request, visitor: SignedIn, preview_id: str, header: KeyHeader = None
) -> Response:
    """The person does not want it."""
    body = await bodies.read(request, KeyBody) if await request.body() else KeyBody()
    return await _ignored(request, visitor, preview_id, key_of(header, body.idempotency_key))


async def _confirmed(
    request: Request, visitor: Visitor, preview_id: str, body: ConfirmBody, key: str
) -> Response:
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.ConfirmPreviewRequest(
        request_id=key,
        preview_id=ids.preview_id(preview_id),
        candidate_id=body.candidate_id,
        edited_changes=edited(body.edited_changes),
    )
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.ConfirmPreview, asked)
    return answers.data(found)


async def _ignored(request: Request, visitor: Visitor, preview_id: str, key: str) -> Response:
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.IgnorePreviewRequest(
        request_id=key, preview_id=ids.preview_id(preview_id)
    )
    try:
        found = await parts.suite.call(visitor, parts.suite.active_scheduler.IgnorePreview, asked)
    except RemoteError as error:
        if is_form(request):
            return to_preview(preview_id, error)
        raise
    return to_preview(preview_id) if is_form(request) else answers.data(found)
