"""The task pool of a visitor, and where its tasks stand on the schedule."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from services.gateway.wire.tasks_page import Pool
from smartmate.schedule.v1 import schedule_event_pb2, schedule_service_pb2, task_pb2

MOST_OPEN = 600
"""Open tasks that are shown; nobody looks through more."""
_PAGE = 200
_COMPLETED = 20
_EVENTS_PAGE = 500
_MOST_EVENTS = 2000
_DAYS_BEHIND, _DAYS_AHEAD = 15, 250
"""Blocks of work that are looked for: a semester has at most 210 days."""

Event = schedule_event_pb2.ScheduleEvent


async def load(parts: Parts, visitor: Visitor, *, before: str = "") -> Pool:
    """Open tasks, the last completed ones (those before `before`), and all their blocks."""
    (found, is_cut), completed, events = await asyncio.gather(
        _open(parts, visitor), _completed(parts, visitor, before), blocks_of(parts, visitor)
    )
    return Pool(
        open=found,
        completed=completed.tasks,
        events=events,
        more_completed=completed.next_page_token,
        is_cut=is_cut,
    )


async def blocks_of(parts: Parts, visitor: Visitor) -> Sequence[Event]:
    """Blocks of work from two weeks ago to the end of any semester, in order of time."""
    today = parts.clock.now().date()
    asked = schedule_service_pb2.ListEventsRequest(
        first_date=(today - timedelta(days=_DAYS_BEHIND)).isoformat(),
        last_date=(today + timedelta(days=_DAYS_AHEAD)).isoformat(),
        type=schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK,
        page_size=_EVENTS_PAGE,
    )
    found: list[Event] = []
    while True:
        answer = await parts.suite.call(visitor, parts.suite.schedule.ListEvents, asked)
        found.extend(answer.events)
        if not answer.next_page_token or len(found) >= _MOST_EVENTS:
            return found
        asked.page_token = answer.next_page_token


async def _open(parts: Parts, visitor: Visitor) -> tuple[Sequence[task_pb2.Task], bool]:
    asked = schedule_service_pb2.ListTasksRequest(status=task_pb2.TASK_STATUS_OPEN, page_size=_PAGE)
    found: list[task_pb2.Task] = []
    while True:
        answer = await parts.suite.call(visitor, parts.suite.schedule.ListTasks, asked)
        found.extend(answer.tasks)
        if not answer.next_page_token or len(found) >= MOST_OPEN:
            return found, bool(answer.next_page_token)
        asked.page_token = answer.next_page_token


async def _completed(
    parts: Parts, visitor: Visitor, before: str
) -> schedule_service_pb2.ListTasksResponse:
    asked = schedule_service_pb2.ListTasksRequest(
        status=task_pb2.TASK_STATUS_COMPLETED, page_size=_COMPLETED, page_token=before
    )
    return await parts.suite.call(visitor, parts.suite.schedule.ListTasks, asked)
