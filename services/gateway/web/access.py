"""Who calls: a browser with a session cookie, or a program with a bearer token.

A change that comes with a cookie has to prove that one of our own pages sent it: by the CSRF
token, and by what the browser says about where the request comes from.
"""

import asyncio
from typing import Annotated

from fastapi import Depends
from starlette.requests import Request

from libs.rpc.identity import GATEWAY, InvalidToken, TokenKind
from services.gateway.domain import tokens
from services.gateway.domain.buckets import Buckets
from services.gateway.domain.errors import (
    ForgedPost,
    InvalidBearer,
    NotSignedIn,
    TooManyRequests,
)
from services.gateway.domain.visitor import Visitor
from services.gateway.web.bodies import CSRF_FIELD, read_form
from services.gateway.web.negotiation import SAFE_METHODS, is_form
from services.gateway.web.parts import Parts, parts_of
from services.gateway.web.uploads import is_upload, read_upload

CSRF_HEADER = "x-csrf-token"
_OUR_OWN = frozenset({"same-origin", "none"})


def session_cookie(parts: Parts) -> str:
    """Name of the session's cookie; behind https bound to this very host."""
    return "__Host-smartmate_session" if parts.policy.is_https else "smartmate_session"


async def signed_in(request: Request) -> Visitor:
    """The visitor of a request. Raises NotSignedIn, InvalidBearer, ForgedPost, TooManyRequests."""
    parts = parts_of(request)
    visitor = await visitor_of(request)
    if visitor is None:
        raise NotSignedIn
    spend(parts.by_user, str(visitor.user_id))
    if visitor.csrf is not None and request.method not in SAFE_METHODS:
        check_origin(request)
        await _check_token(request, visitor.csrf)
    return visitor


SignedIn = Annotated[Visitor, Depends(signed_in)]


async def visitor_of(request: Request) -> Visitor | None:
    """Who is signed in, or None. Raises InvalidBearer for a token that proves nothing."""
    parts = parts_of(request)
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return _bearer(parts, token.strip())
    cookie = request.cookies.get(session_cookie(parts))
    return await parts.sign_in.visitor(cookie) if cookie else None


def _bearer(parts: Parts, token: str) -> Visitor:
    try:
        claims = parts.verifier.verify(token)
    except InvalidToken as error:
        raise InvalidBearer from error
    if claims.kind is not TokenKind.USER or claims.issuer != GATEWAY or claims.user_id is None:
        raise InvalidBearer
    return Visitor(claims.user_id, "", claims.roles)


def spend(buckets: Buckets, key: str) -> None:
    """Takes a token of a bucket. Raises TooManyRequests."""
    wait = buckets.take(key, asyncio.get_running_loop().time())
    if wait:
        raise TooManyRequests(wait)


def address_of(request: Request) -> str:
    """Where the request comes from, as far as it can be known."""
    return request.client.host if request.client else ""


def check_origin(request: Request) -> None:
    """Raises ForgedPost where the browser says that another site sent the request."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site not in _OUR_OWN:
            raise ForgedPost
        return
    origin = request.headers.get("origin")
    if origin is None:
        return
    ours = {parts_of(request).policy.origin, f"{request.url.scheme}://{request.url.netloc}"}
    if origin not in ours:
        raise ForgedPost


async def _check_token(request: Request, wanted: str) -> None:
    given = request.headers.get(CSRF_HEADER)
    if given is None and is_form(request):
        given = (await read_form(request)).get(CSRF_FIELD)
    elif given is None and is_upload(request):
        given = (await read_upload(request)).fields.get(CSRF_FIELD)
    if given is None or not tokens.same(given, wanted):
        raise ForgedPost
