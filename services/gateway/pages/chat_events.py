"""What happens in a run, as parts of the page that shows it."""

from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.domain import ids
from services.gateway.domain.locale import Locale
from services.gateway.web import chats, streams, talks
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.web.streams import Following
from services.gateway.wire.calendar import Calendar
from services.gateway.wire.chat_page import CHAT
from services.gateway.wire.chat_turns import Run
from services.gateway.wire.chat_words import Speaker
from smartmate.agent.v1 import agent_service_pb2, chat_pb2

router = APIRouter(include_in_schema=False)

_STREAMED = ("lead", "steps", "tail", "diff", "works")
"""The parts that change while a run works."""
_Resume = agent_service_pb2.ResumeResponse


@router.get(f"{CHAT}/{{conversation_id}}/events", dependencies=[streams.COUNTED])
async def events(
    request: Request,
    visitor: SignedIn,
    conversation_id: str,
    run: Token,
    after: Annotated[int, Query(ge=0, le=2**63 - 1)] = 0,
    last_event: streams.LastEvent = None,
) -> Response:
    """Parts of the page that have changed since an event, as they change, until the run waits.

    Event `parts` holds the id of the part of the conversation and its slots as HTML; `again` says
    that the page is to be looked at anew, `end` that nothing more comes.
    """
    ids.conversation_id(conversation_id)
    parts = parts_of(request)
    told = talks.followed(parts, visitor, ids.run_id(run), 0)
    first = await streams.first(told, parts.suite.call_seconds)
    calendar = await chats.calendar_of(parts, visitor, ())
    known = max(after, streams.number_of(last_event))
    view = _View(parts, locale_of(request), calendar, Run(run), known)
    return streams.answer(_parts(view, first, Following(parts, told)))


@dataclass(slots=True)
class _View:
    """The newest part of a run as the page has it, and what it lacks."""

    parts: Parts
    locale: Locale
    calendar: Calendar
    run: Run
    after: int
    """The last event that the page has."""
    sent: Mapping[str, str] = field(default_factory=dict)
    segment: int = 0

    def take(self, event: chat_pb2.ChatEvent) -> bytes:
        """What the page is to be told of an event; nothing for one that alters nothing."""
        if event.sequence <= self.after:
            self.run.take(event)
            return b""
        if not self.segment:
            self.segment, self.sent = self.run.last.number, self._slots()
        self.run.take(event)
        if self.run.last.number != self.segment:
            return streams.encoded("again", {}, event.sequence)
        # What it comes to is shown with the whole page.
        if not self.run.last.works:
            return b""
        slots = self._slots()
        new = {name: text for name, text in slots.items() if self.sent.get(name) != text}
        self.sent = slots
        if not new:
            return b""
        id_ = f"{self.run.run_id}-{self.segment}"
        return streams.encoded("parts", {"id": id_, "slots": new}, event.sequence)

    def _slots(self) -> dict[str, str]:
        speaker = Speaker(self.locale, self.calendar, self.parts.clock.now())
        one = speaker.segment(self.run, self.run.last, is_live=True)
        return {
            slot: self.parts.renderer.render("chat_slot.html", self.locale, slot=slot, one=one)
            for slot in _STREAMED
        }


async def _parts(
    view: _View, first: _Resume, following: Following[_Resume]
) -> AsyncIterator[bytes]:
    async with aclosing(following.each()) as changes:
        yield streams.RETRY + view.take(first.event)
        async for change in changes:
            told = view.take(change.event) if change else streams.ALIVE
            if told:
                yield told
    if following.is_over:
        yield streams.encoded("end", {})
