"""For whoever runs the suite: /healthz (alive), /readyz (takes requests), /metrics."""

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
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


@router.get("/metrics")
async def metrics() -> Response:
    """Prometheus metrics of this process; they hold no ids."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
