"""The list of conversations."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, chats, talks
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import LongToken
from services.gateway.web.parts import parts_of
from services.gateway.wire import conversation_list
from services.gateway.wire.told import told as told_words

router = APIRouter(include_in_schema=False)


@router.get("/agent/conversations")
async def conversations(
    request: Request, visitor: SignedIn, told: LongToken = "", after: LongToken = ""
) -> Response:
    """The conversations, the one with the newest words first."""
    parts, spoken = parts_of(request), locale_of(request)
    found = await talks.listed(parts, visitor, after=after)
    zone = (await chats.calendar_of(parts, visitor, ())).zone
    return answers.page(
        request,
        "conversations.html",
        visitor=visitor,
        lines=conversation_list.build(spoken, found.conversations, parts.clock.now(), zone),
        more=found.next_page_token,
        told=told_words(spoken, "chats", told),
    )
