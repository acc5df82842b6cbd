"""Whether a request comes from a browser or from a program, and in which language."""

from urllib.parse import urlsplit

from starlette.requests import Request

from services.gateway.domain import local_path, locale
from services.gateway.domain.locale import Locale

API = "/api/"
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
LANGUAGE_COOKIE = "smartmate_lang"
LANGUAGE_PARAMETER = "lang"
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def wants_page(request: Request) -> bool:
    """Whether the answer is to be a page: a browser asks for HTML by name, a program does not."""
    if request.url.path.startswith(API):
        return False
    weights = accepted(request.headers.get("accept", ""))
    html = weights.get("text/html", 0.0)
    return html > 0 and html >= weights.get(JSON, 0.0)


def accepted(header: str) -> dict[str, float]:
    """Media types of an Accept header with their weights."""
    found = {}
    for part in header[:1024].split(","):
        kind, *parameters = (piece.strip() for piece in part.split(";"))
        found[kind.lower()] = _weight(parameters)
    return found


def content_type(request: Request) -> str:
    """Media type of the body, without its parameters."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def is_form(request: Request) -> bool:
    """Whether the body is that of a form of ours."""
    return content_type(request) == FORM


def locale_of(request: Request) -> Locale:
    """The language of the answer."""
    return locale.choose(
        asked_language(request),
        remembered=request.cookies.get(LANGUAGE_COOKIE),
        accept_language=request.headers.get("accept-language"),
    )


def asked_language(request: Request) -> str | None:
    """What `?lang=` says."""
    return request.query_params.get(LANGUAGE_PARAMETER)


def path_of(request: Request) -> str:
    """The path and query of the request; of the page before it where the request is a change."""
    if request.method in SAFE_METHODS:
        query = f"?{request.url.query}" if request.url.query else ""
        return local_path.after_sign_in(request.url.path + query)
    try:
        came_from = urlsplit(request.headers.get("referer", ""))
    except ValueError:
        return local_path.HOME
    return local_path.after_sign_in(came_from.path)


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0
    return 1.0
