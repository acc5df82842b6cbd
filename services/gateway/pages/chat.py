"""The page of a conversation: a new one, or one that goes on, with a suggestion or without."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.domain import ids
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, chats, forms, suggestions, talks
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import LongToken
from services.gateway.web.parts import parts_of
from services.gateway.wire import conversation_list
from services.gateway.wire.chat_bodies import LONGEST_TEXT
from services.gateway.wire.chat_page import CHAT, ChatPage, path_of
from services.gateway.wire.chat_shown import SLOTS
from services.gateway.wire.told import told as told_words

router = APIRouter(include_in_schema=False)

Draft = Annotated[str, Query(max_length=LONGEST_TEXT)]
_RECENT = 4


@router.get(CHAT)
async def new(
    request: Request,
    visitor: SignedIn,
    active_preview_id: LongToken = "",
    candidate: LongToken = "",
    met: LongToken = "",
    told: LongToken = "",
    draft: Draft = "",
) -> Response:
    """A conversation that nothing was said in yet.

    With a suggestion: the conversation about it where there is one, else the suggestion itself;
    it is bound to a conversation only when something is said.
    """
    if active_preview_id:
        preview_id = ids.preview_id(active_preview_id)
        talk = await talks.about(parts_of(request), visitor, preview_id)
        if talk:
            query = {"active_preview_id": preview_id, "candidate": candidate, "met": met}
            return forms.led_to(path_of(talk), {**query, "told": told, "draft": draft})
    return await begin(
        request,
        visitor,
        preview_id=active_preview_id,
        candidate=candidate,
        met=met,
        told=told,
        draft=draft,
    )


@router.get(f"{CHAT}/{{conversation_id}}")
async def one(
    request: Request,
    visitor: SignedIn,
    conversation_id: str,
    before: LongToken = "",
    active_preview_id: LongToken = "",
    candidate: LongToken = "",
    met: LongToken = "",
    told: LongToken = "",
    draft: Draft = "",
) -> Response:
    """A conversation, its newest words last, with the suggestion that it is about."""
    return await go_on(
        request,
        visitor,
        ids.conversation_id(conversation_id),
        before=before,
        preview_id=ids.preview_id(active_preview_id) if active_preview_id else "",
        candidate=candidate,
        met=met,
        told=told,
        draft=draft,
    )


async def begin(
    request: Request,
    visitor: Visitor,
    *,
    preview_id: str = "",
    candidate: str = "",
    met: str = "",
    told: str = "",
    draft: str = "",
    status: int = 200,
) -> Response:
    """The page on which a conversation begins."""
    parts, spoken = parts_of(request), locale_of(request)
    shown = None
    if preview_id:
        shown = await suggestions.beside(
            parts, visitor, spoken, preview_id, candidate=candidate, told=met
        )
    recent = await talks.listed(parts, visitor, size=_RECENT)
    zone = (await chats.calendar_of(parts, visitor, ())).zone
    return answers.page(
        request,
        "chat.html",
        visitor=visitor,
        status=status,
        page=None,
        preview=shown,
        preview_id=preview_id,
        here=CHAT,
        recent=conversation_list.build(spoken, recent.conversations, parts.clock.now(), zone),
        told=told_words(spoken, "chat", told),
        draft=draft,
        slots=SLOTS,
    )


async def go_on(
    request: Request,
    visitor: Visitor,
    conversation_id: str,
    *,
    before: str = "",
    preview_id: str = "",
    candidate: str = "",
    met: str = "",
    told: str = "",
    draft: str = "",
    status: int = 200,
) -> Response:
    """The page of a conversation. Raises RemoteError where there is none of that id."""
    parts, spoken = parts_of(request), locale_of(request)
    page: ChatPage = await chats.page_of(
        parts, visitor, spoken, conversation_id, before=before, draft=draft
    )
    shown, about = None, preview_id or page.preview_id
    if about:
        shown = await suggestions.beside(
            parts, visitor, spoken, about, candidate=candidate, told=met
        )
    return answers.page(
        request,
        "chat.html",
        visitor=visitor,
        status=status,
        page=page,
        preview=shown,
        preview_id=about,
        here=page.path,
        recent=(),
        told=told_words(spoken, "chat", told),
        draft=draft,
        slots=SLOTS,
    )
