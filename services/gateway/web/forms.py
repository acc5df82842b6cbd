"""Forms of pages: only what a page of ours sends is read."""

from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import urlencode

from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse

from services.gateway.domain.idempotency import key_of
from services.gateway.web import answers, bodies
from services.gateway.web.negotiation import is_form
from services.gateway.wire.bodies import KeyBody

B = TypeVar("B", bound=BaseModel)


async def read(request: Request, kind: type[B]) -> B:
    """The form as a model. Raises InvalidRequest, or 415 for anything but a form."""
    if not is_form(request):
        raise HTTPException(415)
    return await bodies.read(request, kind)


async def read_key(request: Request, *, of: int | None = None) -> str:
    """The key of a form that holds nothing else.

    `of`: one form changes several things, this one by this press; its key names it too.
    """
    key = key_of(None, (await read(request, KeyBody)).idempotency_key)
    return key if of is None else f"{key}.{of}"


def led_to(path: str, query: Mapping[str, object]) -> RedirectResponse:
    """On to a page of ours; values that are empty are left out."""
    kept = {name: value for name, value in query.items() if value}
    return answers.see_other(f"{path}?{urlencode(kept)}" if kept else path)
