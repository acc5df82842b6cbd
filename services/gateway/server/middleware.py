"""Around every request: head lines, deadline, trace, metrics, limits, and a fixed answer to what
nobody foresaw."""

import asyncio
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from opentelemetry.trace import SpanKind
from prometheus_client import Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from libs.db.database import is_away
from libs.rpc import deadline
from libs.telemetry import logs, traces
from services.gateway.domain.buckets import Buckets
from services.gateway.domain.errors import (
    AwayForNow,
    GatewayError,
    TooLarge,
    TooManyRequests,
    TooSlow,
)
from services.gateway.web import answers
from services.gateway.web.rendering import STATIC_PATH
from services.gateway.wire import problems

_log = logs.get("gateway.server")
_SECONDS = Histogram("smartmate_http_seconds", "Requests served", ["method", "route", "status"])
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"})

MAX_BODY_BYTES = 2 * 1024 * 1024
OPERATIONS = frozenset({"/healthz", "/readyz"})

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Our own forms need an Origin that says where they come from; other sites learn nothing.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_STRICT_TRANSPORT = "max-age=31536000"


@dataclass(slots=True)
class SecureHeaders:
    """Head lines that protect the pages; what belongs to a person is kept by no cache."""

    app: ASGIApp
    is_https: bool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                if self.is_https:
                    headers["Strict-Transport-Security"] = _STRICT_TRANSPORT
                headers.setdefault("Cache-Control", "no-store")
                headers.add_vary_header("Accept, Accept-Language, Cookie")
            await send(message)

        await self.app(scope, receive, sending)


@dataclass(slots=True)
class Observed:
    """Deadline, trace and metrics; an exception that nobody foresaw becomes a fixed answer."""

    app: ASGIApp
    request_seconds: float

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        loop = asyncio.get_running_loop()
        began = loop.time()
        deadline.begin(self.request_seconds)
        carrier = dict(Headers(scope=scope).items())
        try:
            with traces.span("serve http", carrier=carrier, kind=SpanKind.SERVER):
                await self.app(scope, receive, sending)
        except asyncio.CancelledError:
            # The process ends and could not wait any longer.
            if status == 0:
                await _refuse(problems.of_own(AwayForNow()), scope, receive, sending)
            raise
        except Exception as error:  # noqa: BLE001  the outermost handler of every request
            problem = _problem(error, _noted(error, scope))
            if status == 0:
                await _refuse(problem, scope, receive, sending)
        finally:
            method = scope["method"] if scope["method"] in _METHODS else "other"
            _SECONDS.labels(method, _route(scope), str(status or 499)).observe(loop.time() - began)


async def _refuse(problem: problems.Problem, scope: Scope, receive: Receive, send: Send) -> None:
    answer = answers.refusal(Request(scope, receive), problem)
    await answer(scope, receive, send)


def _problem(error: Exception, number: str) -> problems.Problem:
    return problems.of_own(AwayForNow()) if is_away(error) else problems.internal(number)


def _noted(error: Exception, scope: Scope) -> str:
    """Logs what happened; the address itself may hold a secret and stays out."""
    number = str(uuid.uuid4())
    if is_away(error):
        _log.warning("dependency_away", route=_route(scope), error=type(error).__name__)
    else:
        _log.error("defect", route=_route(scope), number=number, exc_info=error)
    return number


def _route(scope: Scope) -> str:
    """The pattern of the route that answered: a handful of values, without any id."""
    route = scope.get("route")
    return str(getattr(route, "path", "")) or "none"


@dataclass(slots=True)
class _Intake:
    """The body of one request: so much and no more, whole by `ends_at` of the loop's clock.

    What comes after the body, that the peer has gone, may take as long as it likes.
    """

    receive: Receive
    ends_at: float
    received: int = 0
    is_whole: bool = False

    async def __call__(self) -> Message:
        if self.is_whole:
            return await self.receive()
        try:
            async with asyncio.timeout_at(self.ends_at):
                message = await self.receive()
        except TimeoutError as error:
            raise TooSlow from error
        self.received += len(message.get("body", b""))
        if self.received > MAX_BODY_BYTES:
            raise TooLarge
        self.is_whole = not message.get("more_body", False)
        return message


@dataclass(slots=True)
class Limits:
    """How fast one address may ask, how much it may send, and how long that may take."""

    app: ASGIApp
    by_address: Buckets
    receive_seconds: float

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] in OPERATIONS:
            return await self.app(scope, receive, send)
        refused = self._too_fast(scope) or self._too_large(scope)
        if refused is not None:
            return await _refuse(problems.of_own(refused), scope, receive, send)
        ends_at = asyncio.get_running_loop().time() + self.receive_seconds
        await self.app(scope, _Intake(receive, ends_at), send)

    def _too_fast(self, scope: Scope) -> GatewayError | None:
        if scope["path"].startswith(f"{STATIC_PATH}/"):
            return None
        client = scope.get("client")
        wait = self.by_address.take(client[0] if client else "", asyncio.get_running_loop().time())
        return TooManyRequests(wait) if wait else None

    def _too_large(self, scope: Scope) -> GatewayError | None:
        length = Headers(scope=scope).get("content-length", "")
        too_large = length.isdecimal() and (len(length) > 12 or int(length) > MAX_BODY_BYTES)
        return TooLarge() if too_large else None
