"""What the assistant remembers: the list, one of it to change, and forgetting."""

from fastapi import APIRouter
from grpc import StatusCode
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, chats, forms, memories
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import is_form, locale_of
from services.gateway.web.parameters import LongToken, RowId
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire import memory_form
from services.gateway.wire.entered import Refused, problems_of
from services.gateway.wire.memory_form import MemoryForm, Shown
from services.gateway.wire.memory_page import Speaker
from services.gateway.wire.told import told as told_words
from smartmate.agent.v1 import agent_service_pb2, memory_pb2

router = APIRouter(include_in_schema=False)

_LIST = "/memory"
_NEW = Shown(MemoryForm(), {})
_FULL = "too_many_memory_items"


@router.get(_LIST)
async def items(
    request: Request, visitor: SignedIn, told: LongToken = "", about: LongToken = ""
) -> Response:
    """What is remembered, all of it or what bears on something."""
    return await _list(request, visitor, _NEW, told=told, about=about.strip())


@router.post(_LIST)
async def remember(request: Request, visitor: SignedIn) -> Response:
    """Remembers something."""
    form = await _read(request)
    try:
        asked = memory_form.message(form, key_of(None, form.idempotency_key))
        await memories.put(parts_of(request), visitor, asked)
    except (Refused, RemoteError) as error:
        if isinstance(error, RemoteError) and error.reason == _FULL:
            shown = Shown(form, {})
            return await _list(request, visitor, shown, told="full", status=409)
        return await _list(request, visitor, _wrong(request, form, error), status=400)
    return forms.led_to(_LIST, {"told": "added"})


@router.get(f"{_LIST}/{{memory_id}}")
async def one(request: Request, visitor: SignedIn, memory_id: RowId) -> Response:
    """One item, to change it."""
    found = await memories.one(parts_of(request), visitor, memory_id)
    if found is None:
        return forms.led_to(_LIST, {"told": "gone"})
    return await _one(request, visitor, memory_id, Shown(memory_form.of_item(found), {}))


@router.post(f"{_LIST}/{{memory_id}}")
async def change(request: Request, visitor: SignedIn, memory_id: RowId) -> Response:
    """Changes an item."""
    form = await _read(request)
    try:
        asked = memory_form.message(form, key_of(None, form.idempotency_key), memory_id)
        await memories.put(parts_of(request), visitor, asked)
    except (Refused, RemoteError) as error:
        if isinstance(error, RemoteError) and error.code is StatusCode.NOT_FOUND:
            return forms.led_to(_LIST, {"told": "gone"})
        shown = _wrong(request, form, error)
        return await _one(request, visitor, memory_id, shown, status=400)
    return forms.led_to(_LIST, {"told": "saved"})


@router.post(f"{_LIST}/{{memory_id}}/delete")
async def forget(request: Request, visitor: SignedIn, memory_id: RowId) -> Response:
    """Forgets an item."""
    key = await forms.read_key(request, of=memory_id)
    await memories.forget(parts_of(request), visitor, memory_id, key)
    return forms.led_to(_LIST, {"told": "deleted"})


async def _read(request: Request) -> MemoryForm:
    if not is_form(request):
        raise HTTPException(415)
    fields = await bodies.read_form(request)
    fields.pop(bodies.CSRF_FIELD, None)
    return bodies.from_fields(MemoryForm, memory_form.fields(fields))


def _wrong(request: Request, form: MemoryForm, error: Refused | RemoteError) -> Shown:
    """The form as it was sent, with what is wrong about it. Raises what has no field here."""
    return Shown(form, problems_of(error, memory_form.FIELDS).words(locale_of(request)))


async def _speaker(request: Request, visitor: Visitor) -> Speaker:
    parts = parts_of(request)
    zone = (await chats.calendar_of(parts, visitor, ())).zone
    return Speaker(locale_of(request), zone, parts.clock.now())


async def _list(
    request: Request,
    visitor: Visitor,
    shown: Shown,
    *,
    told: str = "",
    about: str = "",
    status: int = 200,
) -> Response:
    speaker = await _speaker(request, visitor)
    found = await _found(parts_of(request), visitor, about)
    return answers.page(
        request,
        "memory.html",
        visitor=visitor,
        status=status,
        lines=speaker.lines(found),
        choices=speaker.choices,
        shown=shown,
        about=about,
        told=told_words(speaker.locale, "memory", told),
    )


async def _found(parts: Parts, visitor: Visitor, about: str) -> list[memory_pb2.MemoryItem]:
    if not about:
        return list(await memories.every(parts, visitor))
    asked = agent_service_pb2.RecallMemoryRequest(query=about, limit=50)
    return list((await memories.recalled(parts, visitor, asked)).items)


async def _one(
    request: Request, visitor: Visitor, memory_id: int, shown: Shown, *, status: int = 200
) -> Response:
    speaker = await _speaker(request, visitor)
    return answers.page(
        request,
        "memory_item.html",
        visitor=visitor,
        status=status,
        memory_id=memory_id,
        choices=speaker.choices,
        shown=shown,
    )
