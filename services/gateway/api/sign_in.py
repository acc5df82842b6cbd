"""Asking for a sign-in link, from a program."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from services.gateway.handlers.link_post import Wish
from services.gateway.web import access
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parts import parts_of
from services.gateway.wire.sign_in_form import AskBody

router = APIRouter(prefix="/api/v1", tags=["sign-in"])

_ACCEPTED = {"description": "Asked for; whether anybody goes by that handle is told to nobody"}


@router.post(
    "/sign-in-links",
    status_code=202,
    response_model=None,
    responses={202: _ACCEPTED},
    openapi_extra={"security": []},
)
async def ask(request: Request, body: AskBody, key: RequiredKey) -> Response:
    """Sends a one-time sign-in link to the person's own channel; the same answer to everybody."""
    access.check_origin(request)
    parts = parts_of(request)
    access.spend(parts.by_asking, access.address_of(request))
    parts.link_post.take(Wish(body.handle, None, key))
    return JSONResponse({}, 202)
