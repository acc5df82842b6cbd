"""The application: middleware, routes, static files, refusals."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from services.gateway.domain.buckets import Buckets
from services.gateway.server import operations, refusals
from services.gateway.server.middleware import Limits, Observed, SecureHeaders
from services.gateway.web import openapi
from services.gateway.web.parts import Parts
from services.gateway.web.rendering import STATIC, STATIC_PATH, Renderer

_FOR_GOOD = "public, max-age=31536000, immutable"
_ASK_AGAIN = "public, no-cache"


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of every request."""

    by_address: Buckets
    request_seconds: float
    receive_seconds: float


class _Static(StaticFiles):
    """Static files; one that is named with the digest of its content may be kept for good."""

    def __init__(self, renderer: Renderer) -> None:
        super().__init__(directory=STATIC)
        self._renderer = renderer

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            answer = await super().get_response(path, scope)
        except ValueError as error:
            # A name with a NUL, which no file can have.
            raise HTTPException(404) from error
        digest = Request(scope).query_params.get("v", "")
        kept = self._renderer.is_current(path, digest)
        answer.headers["Cache-Control"] = _FOR_GOOD if kept else _ASK_AGAIN
        return answer


def application(parts: Parts, bounds: Bounds, routers: Iterable[APIRouter]) -> FastAPI:
    """The application of one gateway."""
    app = FastAPI(
        title="SmartMate",
        version="1",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        middleware=[
            Middleware(SecureHeaders, is_https=parts.policy.is_https),
            Middleware(Observed, request_seconds=bounds.request_seconds),
            Middleware(
                Limits, by_address=bounds.by_address, receive_seconds=bounds.receive_seconds
            ),
        ],
    )
    app.state.parts = parts
    app.include_router(operations.router)
    for router in routers:
        app.include_router(router)
    app.mount(STATIC_PATH, _Static(parts.renderer))
    refusals.register(app)
    _describe(app)
    return app


def _describe(app: FastAPI) -> None:
    """/openapi.json, made when it is first asked for."""
    made: dict[str, Any] = {}

    @app.get("/openapi.json", include_in_schema=False)
    async def openapi_json() -> Response:
        if not made:
            made.update(openapi.document(app))
        return JSONResponse(made)
