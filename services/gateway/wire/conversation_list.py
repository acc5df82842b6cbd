"""Conversations as lines of a list."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.moments import moment
from services.gateway.wire.calendar import instant
from services.gateway.wire.chat_page import path_of
from smartmate.agent.v1 import chat_pb2, conversation_pb2

_WAITS = {
    conversation_pb2.RUN_WAIT_QUESTION: "chats.asks",
    conversation_pb2.RUN_WAIT_CONFIRM: "chats.confirms",
}


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """One conversation; `waits` says what is expected of the person, empty: nothing."""

    conversation_id: str
    href: str
    title: str
    when: str
    waits: str
    is_about: str


def build(
    locale: Locale,
    found: Iterable[conversation_pb2.Conversation],
    now: datetime,
    zone: ZoneInfo,
) -> tuple[ConversationLine, ...]:
    """The lines, in the order in which they came."""
    return tuple(
        ConversationLine(
            conversation_id=one.conversation_id,
            href=path_of(one.conversation_id),
            title=one.title,
            when=moment(locale, instant(one.update_time), zone, now=now),
            waits=_waits(locale, one),
            is_about=say(locale, "chats.about") if one.preview_id else "",
        )
        for one in found
    )


def _waits(locale: Locale, one: conversation_pb2.Conversation) -> str:
    key = _WAITS.get(one.waits_for, "")
    if not key and one.phase != chat_pb2.RUN_PHASE_DONE:
        key = "chats.works"
    return say(locale, key) if key else ""
