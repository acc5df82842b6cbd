"""Conversations with the assistant."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.domain import ids
from services.gateway.domain.idempotency import key_of
from services.gateway.web import answers, openapi, streams, talks
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader, RequiredKey
from services.gateway.web.parameters import LongToken, PageSize
from services.gateway.web.parts import parts_of
from services.gateway.web.streams import Following
from services.gateway.wire.as_json import to_json
from services.gateway.wire.chat_bodies import ChatBody
from smartmate.agent.v1 import agent_service_pb2, chat_pb2

router = APIRouter(prefix="/api/v1/agent", tags=["conversations"])

After = Annotated[
    int, Query(ge=0, le=2**63 - 1, description="Number of the last event that is known; 0 = none")
]
_List = agent_service_pb2.ListConversationsResponse
_Get = agent_service_pb2.GetConversationResponse
_Delete = agent_service_pb2.DeleteConversationResponse
_Run = agent_service_pb2.GetRunStateResponse
_Chat = agent_service_pb2.ChatResponse
_Resume = agent_service_pb2.ResumeResponse
openapi.mentions(chat_pb2.ChatEvent)


@router.post(
    "/chat", response_model=None, dependencies=[streams.COUNTED], responses=streams.DESCRIBED
)
async def chat(
    request: Request, visitor: SignedIn, body: ChatBody, header: KeyHeader = None
) -> Response:
    """Says something, and tells what happens until the run waits or has ended.

    First comes the event `conversation` with the conversation, then an event `chat` with each
    ChatEvent, its id the number within the run, at last `end`. A run goes on without listeners: a
    stream that broke is taken up at `/runs/{run_id}/events`; the same key follows the same run.
    """
    parts = parts_of(request)
    asked = body.message(key_of(header, body.idempotency_key))
    conversation, told = await talks.begun(parts, visitor, asked)
    head = streams.encoded("conversation", to_json(conversation))
    return streams.answer(_events(head, Following(parts, told)))


@router.get(
    "/runs/{run_id}/events",
    response_model=None,
    dependencies=[streams.COUNTED],
    responses=streams.DESCRIBED,
)
async def events(
    request: Request,
    visitor: SignedIn,
    run_id: str,
    after_sequence: After = 0,
    last_event: streams.LastEvent = None,
) -> Response:
    """The events of a run behind one of them, as in `/chat`, until it waits or has ended."""
    parts, run_id = parts_of(request), ids.run_id(run_id)
    after = max(after_sequence, streams.number_of(last_event))
    # That there is such a run is known before the answer begins.
    asked = agent_service_pb2.GetRunStateRequest(run_id=run_id)
    await parts.suite.call(visitor, talks.agent_of(parts).GetRunState, asked)
    told = talks.followed(parts, visitor, run_id, after)
    return streams.answer(_events(streams.RETRY, Following(parts, told)))


@router.get("/runs/{run_id}", **openapi.answers_with(_Run))
async def run(request: Request, visitor: SignedIn, run_id: str) -> Response:
    """Where a run stands."""
    parts = parts_of(request)
    asked = agent_service_pb2.GetRunStateRequest(run_id=ids.run_id(run_id))
    method = talks.agent_of(parts).GetRunState
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.get("/conversations", **openapi.answers_with(_List))
async def conversations(
    request: Request, visitor: SignedIn, page_size: PageSize = 0, page_token: LongToken = ""
) -> Response:
    """The conversations, the one with the newest words first."""
    found = await talks.listed(parts_of(request), visitor, size=page_size, after=page_token)
    return answers.data(found)


@router.get("/conversations/{conversation_id}", **openapi.answers_with(_Get))
async def one(
    request: Request,
    visitor: SignedIn,
    conversation_id: str,
    page_size: PageSize = 0,
    page_token: LongToken = "",
) -> Response:
    """What was said in a conversation, oldest first, and what its run waits for."""
    id_ = ids.conversation_id(conversation_id)
    found = await talks.opened(parts_of(request), visitor, id_, size=page_size, before=page_token)
    return answers.data(found)


@router.delete("/conversations/{conversation_id}", **openapi.answers_with(_Delete))
async def delete(
    request: Request, visitor: SignedIn, conversation_id: str, key: RequiredKey
) -> Response:
    """Deletes a conversation; what it wrote to the schedule stays."""
    id_ = ids.conversation_id(conversation_id)
    await talks.deleted(parts_of(request), visitor, id_, key)
    return answers.data(_Delete())


async def _events(
    head: bytes, following: Following[_Chat] | Following[_Resume]
) -> AsyncIterator[bytes]:
    async with aclosing(following.each()) as changes:
        yield head
        async for change in changes:
            yield _encoded(change.event) if change else streams.ALIVE
    if following.is_over:
        yield streams.encoded("end", {})


def _encoded(event: chat_pb2.ChatEvent) -> bytes:
    return streams.encoded("chat", to_json(event), event.sequence)
