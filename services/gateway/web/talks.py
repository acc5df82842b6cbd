"""Conversations of a visitor with the agent."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from grpc import StatusCode

from libs.rpc.errors import RemoteError
from services.gateway.domain.errors import AwayForNow
from services.gateway.domain.visitor import Visitor
from services.gateway.web import streams
from services.gateway.web.parts import Parts
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2
from smartmate.agent.v1 import agent_service_pb2, chat_pb2, conversation_pb2

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceAsyncStub

Conversation = conversation_pb2.Conversation
Event = chat_pb2.ChatEvent
Opened = agent_service_pb2.GetConversationResponse

_MOST_EVENTS = 5000
"""More than any run tells."""


def agent_of(parts: Parts) -> "AgentServiceAsyncStub":
    """The agent. Raises AwayForNow where this suite has none."""
    if parts.suite.agent is None:
        raise AwayForNow
    return parts.suite.agent


async def begun(
    parts: Parts, visitor: Visitor, asked: agent_service_pb2.ChatRequest
) -> tuple[Conversation, AsyncIterator[agent_service_pb2.ChatResponse]]:
    """Says something: the conversation that it is part of, and what happens from there on.

    Raises RemoteError, AwayForNow. Whoever stops listening stops nothing.
    """
    told = parts.suite.watch(visitor, agent_of(parts).Chat, asked)
    answer = await streams.first(told, parts.suite.call_seconds)
    return answer.conversation, told


def followed(
    parts: Parts, visitor: Visitor, run_id: str, after: int
) -> AsyncIterator[agent_service_pb2.ResumeResponse]:
    """What happens in a run behind one of its events, until it waits or has ended."""
    asked = agent_service_pb2.ResumeRequest(run_id=run_id, after_sequence=after)
    return parts.suite.watch(visitor, agent_of(parts).Resume, asked)


async def told(
    parts: Parts, visitor: Visitor, run_id: str, *, last: int | None = None
) -> tuple[Event, ...]:
    """What has happened in a run: all of one that waits or has ended, else up to number `last`.

    Raises RemoteError, and AwayForNow where that takes long.
    """
    found: list[Event] = []
    if last == 0:
        return ()
    changes = cast(
        "AsyncGenerator[agent_service_pb2.ResumeResponse]", followed(parts, visitor, run_id, 0)
    )
    try:
        async with asyncio.timeout(parts.suite.call_seconds), aclosing(changes):
            async for change in changes:
                found.append(change.event)
                if len(found) >= _MOST_EVENTS or change.event.sequence == last:
                    break
    except TimeoutError as error:
        raise AwayForNow from error
    return tuple(found)


async def opened(
    parts: Parts, visitor: Visitor, conversation_id: str, *, size: int = 0, before: str = ""
) -> Opened:
    """A conversation with its newest words, or those before. Raises RemoteError."""
    asked = agent_service_pb2.GetConversationRequest(
        conversation_id=conversation_id, page_size=size, page_token=before
    )
    return await parts.suite.call(visitor, agent_of(parts).GetConversation, asked)


async def listed(
    parts: Parts, visitor: Visitor, *, size: int = 0, after: str = ""
) -> agent_service_pb2.ListConversationsResponse:
    """The conversations, the one with the newest words first. Raises RemoteError."""
    asked = agent_service_pb2.ListConversationsRequest(page_size=size, page_token=after)
    return await parts.suite.call(visitor, agent_of(parts).ListConversations, asked)


async def about(parts: Parts, visitor: Visitor, preview_id: str) -> str:
    """The conversation that a suggestion was last talked about in; empty where it is gone, or there
    never was one. Raises RemoteError."""
    asked = active_scheduler_service_pb2.GetPreviewRequest(preview_id=preview_id)
    try:
        found = await parts.suite.call(visitor, parts.suite.active_scheduler.GetPreview, asked)
        if found.preview.conversation_id:
            await opened(parts, visitor, found.preview.conversation_id, size=1)
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return ""
        raise
    return str(found.preview.conversation_id)


async def deleted(parts: Parts, visitor: Visitor, conversation_id: str, key: str) -> None:
    """Deletes a conversation; one that is not there is no error. Raises RemoteError."""
    asked = agent_service_pb2.DeleteConversationRequest(
        request_id=key, conversation_id=conversation_id
    )
    await parts.suite.call(visitor, agent_of(parts).DeleteConversation, asked)
