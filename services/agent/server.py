"""The gRPC service: decode, call the use case, encode."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import grpc

from libs.db import requests
from libs.db.database import Database, Tx, is_away
from libs.db.requests import IdempotencyConflict, RequestKey
from libs.rpc.errors import StatusTable
from libs.rpc.identity import Access
from libs.rpc.server import Rules, user_id
from services.agent.domain import errors
from services.agent.handlers import memory
from services.agent.handlers.selection import Selector
from services.agent.wire import memory as memory_wire
from services.agent.wire import selection as selection_wire
from services.agent.wire import values
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceServicer

NAME = pb.DESCRIPTOR.services_by_name["AgentService"].full_name

Context = grpc.aio.ServicerContext[Any, Any]

STATUSES: StatusTable = {
    errors.MemoryNotFound: grpc.StatusCode.NOT_FOUND,
    errors.TooManyMemoryItems: grpc.StatusCode.RESOURCE_EXHAUSTED,
    IdempotencyConflict: grpc.StatusCode.ALREADY_EXISTS,
}

_USERS = Access()
_SCHEDULER = frozenset({"active_scheduler"})
ACCESS = {
    # A step of a pipeline that an event led to; no person calls it.
    "SelectCandidate": Access(users=False, delegates=_SCHEDULER),
    "RecallMemory": Access(delegates=_SCHEDULER),
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

    async def SelectCandidate(
        self, request: pb.SelectCandidateRequest, context: Context
    ) -> pb.SelectCandidateResponse:
        selection = await self.selector.select(selection_wire.situation(request))
        return selection_wire.response(selection)

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
        request: pb.PutMemoryRequest | pb.DeleteMemoryRequest,
        work: Callable[[Tx], Awaitable[bytes]],
    ) -> bytes:
        key = RequestKey.of(
            user_id=user_id(),
            rpc=rpc,
            request_id=values.checked_id(request.request_id, "request_id"),
            content=request.SerializeToString(deterministic=True),
        )
        return await requests.once(self.db, key, work)
