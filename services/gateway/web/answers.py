"""Answers: JSON for programs, pages for people, refusals in the shape that was asked for."""

from collections.abc import Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from services.gateway.domain import local_path, locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web.negotiation import (
    LANGUAGE_COOKIE,
    LANGUAGE_PARAMETER,
    asked_language,
    is_form,
    locale_of,
    wants_page,
)
from services.gateway.web.parts import parts_of
from services.gateway.wire.as_json import to_json
from services.gateway.wire.problems import MEDIA_TYPE, Problem

M = TypeVar("M", bound=Message)

_YEAR_SECONDS = 365 * 24 * 3600


def data(message: M, status: int = 200) -> JSONResponse:
    """A message as JSON."""
    return JSONResponse(to_json(message), status)


def page(
    request: Request,
    template: str,
    *,
    visitor: Visitor | None = None,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """A rendered page in the visitor's language."""
    parts, spoken = parts_of(request), locale_of(request)
    other = locale.Locale.ZH if spoken is locale.Locale.EN else locale.Locale.EN
    text = parts.renderer.render(
        template,
        spoken,
        visitor=visitor,
        talks=parts.suite.agent is not None,
        other_language=other.value,
        other_language_href=_in_language(request, other),
        **values,
    )
    answer = HTMLResponse(text, status, dict(headers or {}))
    if locale.parse(asked_language(request)):
        answer.set_cookie(
            LANGUAGE_COOKIE,
            spoken.value,
            max_age=_YEAR_SECONDS,
            samesite="lax",
            httponly=True,
            secure=parts.policy.is_https,
        )
    return answer


def see_other(path: str) -> RedirectResponse:
    """After a form: go and look at a page of this site."""
    return RedirectResponse(path if local_path.is_local(path) else local_path.HOME, 303)


def refusal(request: Request, problem: Problem) -> Response:
    """A refusal, as a page for a browser and as problem+json for a program."""
    spoken, here = locale_of(request), request.url.path
    if wants_page(request) or (is_form(request) and not here.startswith("/api/")):
        return page(
            request,
            "error.html",
            status=problem.status,
            headers=problem.headers,
            words=problem.words(spoken),
            number=problem.number,
            can_try_again=problem.status in (429, 503, 504) and request.method == "GET",
            # A path that begins with two slashes would lead to another site.
            here=here if local_path.is_local(here) else local_path.HOME,
        )
    return JSONResponse(
        problem.document(spoken), problem.status, problem.headers, media_type=MEDIA_TYPE
    )


def _in_language(request: Request, other: locale.Locale) -> str:
    """The same page in the other language; a page that a form led to is gone, so its start."""
    if request.method != "GET":
        return f"{local_path.HOME}?{LANGUAGE_PARAMETER}={other.value}"
    kept = [item for item in request.query_params.multi_items() if item[0] != LANGUAGE_PARAMETER]
    return f"?{urlencode([*kept, (LANGUAGE_PARAMETER, other.value)])}"
