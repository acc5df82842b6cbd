"""What the page of a conversation is made of."""

import asyncio
from collections.abc import Iterable, Sequence
from datetime import date

from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.gateway.domain.errors import AwayForNow
from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web import talks, zones
from services.gateway.web.parts import Parts
from services.gateway.web.talks import Event, Opened
from services.gateway.wire import chat_page
from services.gateway.wire.calendar import Calendar
from services.gateway.wire.chat_page import Builder, ChatPage
from services.gateway.wire.chat_words import Speaker
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2

MESSAGES = 40
"""Words of one page."""
_MOST_SEMESTERS = 3

_log = logs.get("gateway.chats")


async def page_of(
    parts: Parts,
    visitor: Visitor,
    spoken: Locale,
    conversation_id: str,
    *,
    before: str = "",
    draft: str = "",
) -> ChatPage:
    """The newest words of a conversation, or those before. Raises RemoteError, AwayForNow."""
    opened = await talks.opened(parts, visitor, conversation_id, size=MESSAGES, before=before)
    events = await _events(parts, visitor, opened)
    calendar = await calendar_of(parts, visitor, chat_page.dates_of(events))
    speaker = Speaker(spoken, calendar, parts.clock.now())
    return Builder(spoken, speaker, opened, events, draft, is_newest=not before).page()


async def calendar_of(parts: Parts, visitor: Visitor, dates: Iterable[date]) -> Calendar:
    """The semester of today, and those of some days; without any while nobody can tell."""
    found: dict[int, calendar_pb2.Semester] = {}
    try:
        now = await zones.semester_of(parts, visitor)
        if now is not None:
            found[now.semester_id] = now
        for on in dates:
            if len(found) < _MOST_SEMESTERS and Calendar(found.values()).week_of(on) is None:
                other = await _semester(parts, visitor, on)
                found[other.semester_id] = other
    except RemoteError as error:
        _log.warning("semester_unknown", reason=error.reason)
    return Calendar(found.values())


async def _semester(parts: Parts, visitor: Visitor, on: date) -> calendar_pb2.Semester:
    asked = schedule_service_pb2.GetSemesterRequest(date=on.isoformat())
    return (await parts.suite.call(visitor, parts.suite.schedule.GetSemester, asked)).semester


async def _events(parts: Parts, visitor: Visitor, opened: Opened) -> dict[str, Sequence[Event]]:
    """What happened in the runs that begin on the page; without those that nobody can tell of."""
    runs = chat_page.whole_runs(opened)
    told = await asyncio.gather(*(_told(parts, visitor, opened, run_id) for run_id in runs))
    return {run_id: events for run_id, events in zip(runs, told, strict=True) if events}


async def _told(parts: Parts, visitor: Visitor, opened: Opened, run_id: str) -> tuple[Event, ...]:
    is_latest = run_id == opened.conversation.run_id
    last = opened.last_sequence if is_latest else None
    try:
        return await talks.told(parts, visitor, run_id, last=last)
    except (RemoteError, AwayForNow) as error:
        _log.warning("run_unknown", run_id=run_id, reason=error.reason)
        return ()
