"""What is remembered of a visitor."""

from collections.abc import Sequence

from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from services.gateway.web.talks import agent_of
from smartmate.agent.v1 import agent_service_pb2, memory_pb2

MOST = 200
"""As many as one may have."""

Item = memory_pb2.MemoryItem


async def listed(
    parts: Parts, visitor: Visitor, asked: agent_service_pb2.ListMemoryRequest
) -> agent_service_pb2.ListMemoryResponse:
    """A page of it, newest first. Raises RemoteError."""
    return await parts.suite.call(visitor, agent_of(parts).ListMemory, asked)


async def every(parts: Parts, visitor: Visitor) -> Sequence[Item]:
    """All of it, newest first. Raises RemoteError."""
    asked = agent_service_pb2.ListMemoryRequest(page_size=MOST)
    return (await listed(parts, visitor, asked)).items


async def one(parts: Parts, visitor: Visitor, memory_id: int) -> Item | None:
    """An item; None where this person has none of that id."""
    found = await every(parts, visitor)
    return next((item for item in found if item.memory_id == memory_id), None)


async def recalled(
    parts: Parts, visitor: Visitor, asked: agent_service_pb2.RecallMemoryRequest
) -> agent_service_pb2.RecallMemoryResponse:
    """What bears on something, best match first. Raises RemoteError."""
    return await parts.suite.call(visitor, agent_of(parts).RecallMemory, asked)


async def put(
    parts: Parts, visitor: Visitor, asked: agent_service_pb2.PutMemoryRequest
) -> agent_service_pb2.PutMemoryResponse:
    """Remembers something, or changes an item. Raises RemoteError."""
    return await parts.suite.call(visitor, agent_of(parts).PutMemory, asked)


async def forget(parts: Parts, visitor: Visitor, memory_id: int, key: str) -> None:
    """Forgets an item; one that is not there is no error. Raises RemoteError."""
    asked = agent_service_pb2.DeleteMemoryRequest(request_id=key, memory_id=memory_id)
    await parts.suite.call(visitor, agent_of(parts).DeleteMemory, asked)
