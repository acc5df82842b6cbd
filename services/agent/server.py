"""The gRPC service: decode, call the use case, encode."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import Message

from libs.db import requests
from libs.db.database import Database, Tx, is_away
from libs.db.requests import IdempotencyConflict, RequestKey
from libs.rpc.errors import StatusTable
from libs.rpc.identity import Access
from libs.rpc.server import Rules, caller, user_id
from services.agent.domain import errors
from services.agent.handlers import conversations, memory
from services.agent.handlers.locating import Locator
from services.agent.handlers.selection import Selector
from services.agent.handlers.talking import Talk
from services.agent.wire import conversations as wire
from services.agent.wire import happening, values
from services.agent.wire import locating as locating_wire
from services.agent.wire import memory as memory_wire
from services.agent.wire import selection as selection_wire
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceServicer

NAME = pb.DESCRIPTOR.services_by_name["AgentService"].full_name

Context = grpc.aio.ServicerContext[Any, Any]

STATUSES: StatusTable = {
    errors.Absent: grpc.StatusCode.NOT_FOUND,
    errors.ConversationBusy: grpc.StatusCode.FAILED_PRECONDITION,
    errors.AnswerNotOffered: grpc.StatusCode.FAILED_PRECONDITION,
    errors.TooMany: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.ShuttingDown: grpc.StatusCode.UNAVAILABLE,
    errors.ServiceAway: grpc.StatusCode.UNAVAILABLE,
    errors.ServiceRefused: grpc.StatusCode.FAILED_PRECONDITION,
    IdempotencyConflict: grpc.StatusCode.ALREADY_EXISTS,
}

_USERS = Access()
_SCHEDULER = frozenset({"active_scheduler"})
ACCESS = {
    # Steps of a pipeline that an event led to; no person calls them.
    "SelectCandidate": Access(users=False, delegates=_SCHEDULER),
    "LocateFeedback": Access(users=False, delegates=_SCHEDULER),
    "RecallMemory": Access(delegates=_SCHEDULER),
    "Chat": _USERS,
    "Resume": _USERS,
    "GetRunState": _USERS,
    "ListConversations": _USERS,
    "GetConversation": _USERS,
    "DeleteConversation": _USERS,
    "PutMemory": _USERS,
    "ListMemory": _USERS,
    "DeleteMemory": _USERS,
}

RULES = Rules(domain="smartmate.agent", access=ACCESS, statuses=STATUSES, is_away=is_away)


@dataclass(frozen=True, slots=True)
class Servicer(AgentServiceServicer):
    """Every RPC of the contract."""

    db: Database
    selector: Selector
    locator: Locator
    talk: Talk

    async def Chat(
        self, request: pb.ChatRequest, context: Context
    ) -> AsyncIterator[pb.ChatResponse]:
        request_id = values.checked_id(request.request_id, "request_id")
        given = wire.checked_input(request)
        key = RequestKey.of(
            user_id=user_id(), rpc="Chat", request_id=request_id, content=_content(request)
        )
        begun = await self.talk.begin(caller(), key, given)
        async with self.db.snapshot() as tx:
            opened = await conversations.opened(
                tx, user_id(), begun.conversation_id, before=1, limit=1
            )
        yield pb.ChatResponse(conversation=wire.conversation_message(opened.conversation))
        async for told in self.talk.follow(caller(), begun.run_id, begun.after_sequence):
            yield pb.ChatResponse(event=happening.event_message(told))

    async def Resume(
        self, request: pb.ResumeRequest, context: Context
    ) -> AsyncIterator[pb.ResumeResponse]:
        run_id = wire.checked_id(request.run_id, "run_id", "run_")
        after = wire.checked_sequence(request.after_sequence)
        async for told in self.talk.follow(caller(), run_id, after):
            yield pb.ResumeResponse(event=happening.event_message(told))

    async def GetRunState(
        self, request: pb.GetRunStateRequest, context: Context
    ) -> pb.GetRunStateResponse:
        run_id = wire.checked_id(request.run_id, "run_id", "run_")
        async with self.db.transaction() as tx:
            held = await conversations.state(tx, user_id(), run_id)
        return pb.GetRunStateResponse(run=wire.run_message(held, self.talk.model))

    async def ListConversations(
        self, request: pb.ListConversationsRequest, context: Context
    ) -> pb.ListConversationsResponse:
        size = values.page_size(request.page_size)
        before = wire.page_before(request.page_token)
        async with self.db.transaction() as tx:
            page, following = await conversations.newest_first(tx, user_id(), before, limit=size)
        return pb.ListConversationsResponse(
            conversations=[wire.conversation_message(one) for one in page],
            next_page_token=wire.page_token(following),
        )

    async def GetConversation(
        self, request: pb.GetConversationRequest, context: Context
    ) -> pb.GetConversationResponse:
        id_ = wire.checked_id(request.conversation_id, "conversation_id", "cnv_")
        size = values.page_size(request.page_size)
        before = values.page_before(request.page_token)
        async with self.db.snapshot() as tx:
            opened = await conversations.opened(tx, user_id(), id_, before=before, limit=size)
        return wire.opened_message(opened)

    async def DeleteConversation(
        self, request: pb.DeleteConversationRequest, context: Context
    ) -> pb.DeleteConversationResponse:
        id_ = wire.checked_id(request.conversation_id, "conversation_id", "cnv_")
        user = user_id()

        async def work(tx: Tx) -> bytes:
            await conversations.delete(tx, user, id_)
            return pb.DeleteConversationResponse().SerializeToString()

        await self._once("DeleteConversation", request, work)
        return pb.DeleteConversationResponse()

    async def SelectCandidate(
        self, request: pb.SelectCandidateRequest, context: Context
    ) -> pb.SelectCandidateResponse:
        selection = await self.selector.select(selection_wire.situation(request))
        return selection_wire.response(selection)

    async def LocateFeedback(
        self, request: pb.LocateFeedbackRequest, context: Context
    ) -> pb.LocateFeedbackResponse:
        found = await self.locator.locate(
            locating_wire.words(request),
            locating_wire.blocks(request),
            locating_wire.standpoint(request),
        )
        return locating_wire.response(found)

    async def RecallMemory(
        self, request: pb.RecallMemoryRequest, context: Context
    ) -> pb.RecallMemoryResponse:
        query = memory_wire.checked_query(request.query)
        types = memory_wire.checked_types(request.types)
        limit = memory_wire.checked_limit(request.limit)
        async with self.db.transaction() as tx:
            found = await memory.recall(
                tx, user_id(), query, types, include_timed=request.include_timed, limit=limit
            )
        return pb.RecallMemoryResponse(items=[memory_wire.item_message(one) for one in found])

    async def PutMemory(
        self, request: pb.PutMemoryRequest, context: Context
    ) -> pb.PutMemoryResponse:
        item_id = memory_wire.checked_item_id(request.memory_id, new=True)
        wanted = memory_wire.checked_item(request)
        user = user_id()

        async def work(tx: Tx) -> bytes:
            item = await memory.put(tx, user, item_id, wanted)
            return pb.PutMemoryResponse(item=memory_wire.item_message(item)).SerializeToString()

        return pb.PutMemoryResponse.FromString(await self._once("PutMemory", request, work))

    async def ListMemory(
        self, request: pb.ListMemoryRequest, context: Context
    ) -> pb.ListMemoryResponse:
        size = values.page_size(request.page_size)
        before = values.page_before(request.page_token)
        types = memory_wire.checked_types(request.types)
        async with self.db.transaction() as tx:
            page, following = await memory.newest_first(
                tx, user_id(), types, before=before, limit=size
            )
        return pb.ListMemoryResponse(
            items=[memory_wire.item_message(one) for one in page],
            next_page_token="" if following is None else str(following),
        )

    async def DeleteMemory(
        self, request: pb.DeleteMemoryRequest, context: Context
    ) -> pb.DeleteMemoryResponse:
        item_id = memory_wire.checked_item_id(request.memory_id)
        user = user_id()

        async def work(tx: Tx) -> bytes:
            await memory.forget(tx, user, item_id)
            return pb.DeleteMemoryResponse().SerializeToString()

        await self._once("DeleteMemory", request, work)
        return pb.DeleteMemoryResponse()

    async def _once(
        self,
        rpc: str,
        request: pb.PutMemoryRequest | pb.DeleteMemoryRequest | pb.DeleteConversationRequest,
        work: Callable[[Tx], Awaitable[bytes]],
    ) -> bytes:
        key = RequestKey.of(
            user_id=user_id(),
            rpc=rpc,
            request_id=values.checked_id(request.request_id, "request_id"),
            content=_content(request),
        )
        return await requests.once(self.db, key, work)


def _content(request: Message) -> bytes:
    return request.SerializeToString(deterministic=True)
