"""The way to sign-in, and back to where somebody wanted to go."""

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse

from services.gateway.web.negotiation import path_of

SIGN_IN = "/sign-in"


def to_sign_in(request: Request) -> RedirectResponse:
    """To sign-in, which leads back to this page, or to the page that a form was sent from."""
    return RedirectResponse(f"{SIGN_IN}?{urlencode({'next': path_of(request)})}", 303)
