"""Suggestions: the open ones, one of them before and after, confirm, ignore.

At the root for browsers and programs, below /api/v1 for programs alone.
"""

from functools import partial
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from libs.planning.calendar import DEFAULT_TIME_ZONE
from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.gateway.domain import ids
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, openapi, questions, rooms, zones
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader
from services.gateway.web.negotiation import is_form, locale_of, wants_page
from services.gateway.web.parts import Parts, parts_of
from services.gateway.web.redirects import in_chat, preview_path, to_preview
from services.gateway.web.rooms import AtCandidate, AtChange, AtEdits
from services.gateway.wire import preview_list, standing
from services.gateway.wire import room as room_words
from services.gateway.wire.bodies import ConfirmBody, KeyBody, edited
from services.gateway.wire.confirm_form import ConfirmForm
from services.gateway.wire.edits import changes_of
from services.gateway.wire.edits import read as read_edits
from services.gateway.wire.preview_page import Builder
from services.gateway.wire.room import Room
from smartmate.active_scheduler.v1 import (
    active_scheduler_service_pb2,
    preview_pb2,
    trigger_pb2,
)

router = APIRouter(tags=["active scheduling"])

_log = logs.get("gateway.pages")
_ROOT = "/active-schedule/previews"
_API = f"/api/v1{_ROOT}"

_Get = active_scheduler_service_pb2.GetPreviewResponse
_List = active_scheduler_service_pb2.ListPreviewsResponse
_Confirm = active_scheduler_service_pb2.ConfirmPreviewResponse
_Ignore = active_scheduler_service_pb2.IgnorePreviewResponse
_LEGAL = openapi.answers_with(active_scheduler_service_pb2.CheckEditsResponse)
openapi.adds("EditSpot", "words", room_words.WORDS)


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
        lines=preview_list.build(
            locale_of(request), found, now=parts.clock.now(), zone=await _zone(parts, visitor)
        ),
        next_page_token=found.next_page_token,
    )


async def _zone(parts: Parts, visitor: Visitor) -> ZoneInfo:
    """The zone of the semester, the default one while nobody can tell."""
    try:
        return await zones.zone_of(parts, visitor)
    except RemoteError:
        return ZoneInfo(DEFAULT_TIME_ZONE)


@router.get(f"{_ROOT}/{{preview_id}}", **openapi.answers_with(_Get))
@router.get(f"{_API}/{{preview_id}}", **openapi.answers_with(_Get))
async def preview(
    request: Request,
    visitor: SignedIn,
    preview_id: str,
    candidate: str = "",
    told: str = "",
    edits: AtEdits = "",
) -> Response:
    """One suggestion: the page for a browser, JSON for a program.

    The page shows the candidate and the edited places of its address, as far as they are possible.
    """
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.GetPreviewRequest(preview_id=ids.preview_id(preview_id))
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.GetPreview, asked)
    if not wants_page(request):
        return answers.data(found)
    beside = await rooms.beside_written(parts, visitor, found.preview)
    look = await questions.follow_up(parts, visitor, found.preview)
    builder = Builder(
        locale_of(request),
        standing.with_beside(found, beside),
        asked=candidate,
        told=told,
        edits=rooms.places_of(edits),
        room=await rooms.of_page(parts, visitor, found.preview, candidate),
        newer=await _newer(parts, visitor, found.preview, look),
        look=look,
    )
    return answers.page(
        request,
        "preview.html",
        visitor=visitor,
        page=builder.page(),
        path=preview_path(preview_id),
    )


async def _newer(
    parts: Parts,
    visitor: Visitor,
    shown: preview_pb2.Preview,
    look: trigger_pb2.TriggerRecord | None,
) -> str:
    """The suggestion in the place of one that was superseded: what its answer led to, else the open
    one about the same thing; empty: none."""
    if shown.state != preview_pb2.PREVIEW_STATE_SUPERSEDED:
        return ""
    if look is not None and look.preview_id:
        return look.preview_id
    if not shown.HasField("target"):
        return ""
    asked = active_scheduler_service_pb2.ListPreviewsRequest(open_only=True)
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.ListPreviews, asked)
    return next((one.preview_id for one in found.previews if one.target == shown.target), "")


@router.get(f"{_ROOT}/{{preview_id}}/legal-cells", **_LEGAL)
@router.get(f"{_API}/{{preview_id}}/legal-cells", **_LEGAL)
async def legal_cells(
    request: Request,
    visitor: SignedIn,
    preview_id: str,
    candidate_id: AtCandidate,
    change_id: AtChange,
    edits: AtEdits = "",
) -> Response:
    """Where a change of a candidate may go: each place with a reason where it is shut.

    Asked once for each grab of a block. Beside what the service tells, each spot has `words` in
    the language of the request.
    """
    asked = active_scheduler_service_pb2.CheckEditsRequest(
        preview_id=ids.preview_id(preview_id),
        candidate_id=candidate_id,
        change_id=change_id,
        edited_changes=changes_of(read_edits(edits)),
    )
    parts = parts_of(request)
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.CheckEdits, asked)
    return JSONResponse(Room(locale_of(request), found).as_json())


@router.post(f"{_ROOT}/{{preview_id}}/confirm", **openapi.takes(ConfirmBody, _Confirm))
async def confirm(
    request: Request, visitor: SignedIn, preview_id: str, header: KeyHeader = None
) -> Response:
    """The person's answer, as JSON from a program or as a form from the page."""
    if not is_form(request):
        body = await bodies.read(request, ConfirmBody)
        key = key_of(header, body.idempotency_key)
        if body.action == "ignore":
            return await _ignored(request, visitor, preview_id, key)
        return await _confirmed(request, visitor, preview_id, body, key)
    form = await bodies.read(request, ConfirmForm)
    body, key = form.body(), key_of(header, form.idempotency_key)
    if body.action == "ignore":
        return await _ignored(request, visitor, preview_id, key)
    back = partial(
        to_preview, candidate_id=form.candidate_id, edits=form.edits, chat=in_chat(request)
    )
    try:
        await _confirmed(request, visitor, preview_id, body, key)
    except RemoteError as error:
        return back(preview_id, error)
    return back(preview_id)


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
            return to_preview(preview_id, error, chat=in_chat(request))
        raise
    if is_form(request):
        return to_preview(preview_id, chat=in_chat(request))
    return answers.data(found)
