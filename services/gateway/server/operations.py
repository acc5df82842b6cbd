"""For whoever runs the suite: /healthz (alive) and /readyz (takes requests).

These tell nothing that a visitor may not know; the figures are on the operations port alone.
"""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from services.gateway.web.parts import parts_of

router = APIRouter(include_in_schema=False)


@router.get("/healthz")
async def healthz() -> Response:
    """The process is alive."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def readyz(request: Request) -> Response:
    """Whether requests are wanted here."""
    if parts_of(request).readiness.ready:
        return PlainTextResponse("ok\n")
    return PlainTextResponse("not ready\n", 503)
