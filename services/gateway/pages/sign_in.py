"""Sign-in by a one-time link. Looking at a link uses nothing up: only the button does.

Whoever asks for a link is answered with the same words, whoever they say they are.
"""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from services.gateway.domain import local_path
from services.gateway.domain.idempotency import key_of
from services.gateway.handlers.link_post import Wish
from services.gateway.web import access, answers, forms
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire.sign_in_form import AskForm
from services.gateway.wire.told import told as told_words

router = APIRouter(include_in_schema=False)

NEXT_COOKIE = "smartmate_next"
_NEXT_SECONDS = 15 * 60
_LONGEST_TOKEN = 100


@router.get("/sign-in")
async def how(request: Request, next: str = "", told: str = "") -> Response:
    """How to sign in; remembers for a while where the visitor wanted to go."""
    if await access.visitor_of(request) is not None:
        return answers.see_other(local_path.after_sign_in(next))
    wanted = local_path.after_sign_in(next)
    notice = told_words(locale_of(request), "sign_in", told)
    answer = answers.page(request, "sign_in.html", comes_back=bool(next), told=notice)
    if next:
        answer.set_cookie(
            NEXT_COOKIE,
            wanted,
            max_age=_NEXT_SECONDS,
            path="/sign-in",
            httponly=True,
            samesite="lax",
            secure=parts_of(request).policy.is_https,
        )
    return answer


@router.post("/sign-in")
async def ask(request: Request) -> Response:
    """Asks for a link to be sent to the person's own channel."""
    access.check_origin(request)
    parts = parts_of(request)
    access.spend(parts.by_asking, access.address_of(request))
    form = await forms.read(request, AskForm)
    wanted = request.cookies.get(NEXT_COOKIE)
    key = key_of(None, form.idempotency_key)
    parts.link_post.take(Wish(form.handle, local_path.after_sign_in(wanted), key))
    return answers.see_other("/sign-in?told=sent")


@router.get("/sign-in/{token}")
async def look(request: Request, token: str) -> Response:
    """One button, or the news that the link is spent."""
    is_open = len(token) <= _LONGEST_TOKEN and await parts_of(request).sign_in.link_is_open(token)
    status = 200 if is_open else 410
    return answers.page(request, "sign_in_link.html", status=status, is_open=is_open)


@router.post("/sign-in/{token}")
async def use(request: Request, token: str) -> Response:
    """Uses the link up and begins a session."""
    access.check_origin(request)
    parts = parts_of(request)
    access.spend(parts.by_sign_in, access.address_of(request))
    opened = await parts.sign_in.use_link(token[:_LONGEST_TOKEN])
    wanted = opened.next_path or request.cookies.get(NEXT_COOKIE)
    answer = answers.see_other(local_path.after_sign_in(wanted))
    _remember(answer, parts, opened.session_token)
    answer.delete_cookie(NEXT_COOKIE, path="/sign-in")
    return answer


@router.post("/sign-out")
async def sign_out(request: Request, visitor: SignedIn) -> Response:
    """Ends the session of this browser."""
    parts = parts_of(request)
    name = access.session_cookie(parts)
    await parts.sign_in.sign_out(request.cookies.get(name, ""))
    answer = answers.see_other("/sign-in")
    answer.delete_cookie(name, path="/", secure=parts.policy.is_https, httponly=True)
    return answer


def _remember(answer: RedirectResponse, parts: Parts, session_token: str) -> None:
    answer.set_cookie(
        access.session_cookie(parts),
        session_token,
        max_age=int(parts.policy.session_life.total_seconds()),
        path="/",
        httponly=True,
        samesite="lax",
        secure=parts.policy.is_https,
    )
