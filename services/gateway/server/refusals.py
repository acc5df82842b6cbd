"""Which exception becomes which answer."""

from collections.abc import Awaitable, Callable
from typing import cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from libs.rpc.errors import InvalidRequest, RemoteError
from libs.telemetry import logs
from services.gateway.domain.errors import GatewayError, NotSignedIn
from services.gateway.web import answers, bodies, negotiation
from services.gateway.web.signing import to_sign_in
from services.gateway.wire import problems

_log = logs.get("gateway.server")

_CLIENT_GONE = 499
"""Of a request whose client hung up while it sent; nobody reads it but the figures."""

Handler = Callable[[Request, Exception], Awaitable[Response]]


def register(app: FastAPI) -> None:
    """Adds the handlers of every anticipated exception."""
    app.add_exception_handler(GatewayError, cast("Handler", _own))
    app.add_exception_handler(InvalidRequest, cast("Handler", _invalid))
    app.add_exception_handler(RemoteError, cast("Handler", _remote))
    app.add_exception_handler(RequestValidationError, cast("Handler", _unreadable))
    app.add_exception_handler(HTTPException, cast("Handler", _http))
    app.add_exception_handler(ClientDisconnect, _gone)


async def _own(request: Request, error: GatewayError) -> Response:
    is_program = request.url.path.startswith(negotiation.API)
    if isinstance(error, NotSignedIn) and (
        negotiation.wants_page(request) or (negotiation.is_form(request) and not is_program)
    ):
        return to_sign_in(request)
    return answers.refusal(request, problems.of_own(error))


async def _invalid(request: Request, error: InvalidRequest) -> Response:
    return answers.refusal(request, problems.of_invalid(error))


async def _remote(request: Request, error: RemoteError) -> Response:
    problem = problems.of_remote(error)
    if problem.status >= 500:
        _log.warning("call_failed", code=error.code.name, reason=error.reason, domain=error.domain)
    return answers.refusal(request, problem)


async def _unreadable(request: Request, error: RequestValidationError) -> Response:
    found = InvalidRequest(*bodies.violations(error.errors()))
    return answers.refusal(request, problems.of_invalid(found))


async def _http(request: Request, error: HTTPException) -> Response:
    # The framework reads JSON bodies by itself and calls whatever stops it a bad request.
    match error.__cause__:
        case GatewayError() as cause:
            return await _own(request, cause)
        case ClientDisconnect() as cause:
            return await _gone(request, cause)
    problem = problems.of_status(error.status_code)
    answer = answers.refusal(request, problem)
    if error.headers:
        answer.headers.update(error.headers)
    return answer


async def _gone(_: Request, __: Exception) -> Response:
    return Response(status_code=_CLIENT_GONE)
