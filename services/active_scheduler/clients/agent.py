"""The agent service, as active_scheduler uses it: soft, every failure has an answer of ours."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import grpc
from google.protobuf.message import Message

from libs.rpc.client import Client
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller
from libs.telemetry import logs
from services.active_scheduler.domain import preferences
from services.active_scheduler.domain.errors import AssistantFailed
from services.active_scheduler.domain.preferences import Preferences
from services.active_scheduler.domain.preview import Content
from services.active_scheduler.domain.selection import Chosen
from services.active_scheduler.domain.snapshot import Surroundings
from services.active_scheduler.wire import agent as wire

if TYPE_CHECKING:
    from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceAsyncStub

Req = TypeVar("Req", bound=Message)
Res = TypeVar("Res", bound=Message)

_log = logs.get("clients.agent")

_REASONS = {
    grpc.StatusCode.UNAVAILABLE: "assistant_unavailable",
    grpc.StatusCode.DEADLINE_EXCEEDED: "assistant_timeout",
}


@dataclass(slots=True)
class AgentClient:
    """Calls to the agent service, never inside a transaction."""

    client: Client
    stub: "AgentServiceAsyncStub"

    async def recall(
        self, on_behalf_of: Caller | int, title: str, *, seconds: float
    ) -> Preferences:
        """What is remembered and bears on a title. Never raises for want of an answer."""
        try:
            answer = await self.client.call(
                self.stub.RecallMemory,
                wire.recall_call(title),
                on_behalf_of=on_behalf_of,
                seconds=seconds,
            )
        except RemoteError as error:
            _log.warning("no_memory", error=str(error))
            return preferences.UNAVAILABLE
        return wire.preferences(answer)

    async def locate(
        self, user_id: int, words: str, around: Surroundings, *, seconds: float
    ) -> Collection[int]:
        """The ids of the blocks that words fit. Raises AssistantFailed."""
        asked = wire.locate_call(words, around)
        answer = await self._asked(
            self.stub.LocateFeedback, asked, user_id=user_id, seconds=seconds
        )
        return frozenset(answer.event_ids)

    async def select(
        self, user_id: int, content: Content, texts: tuple[str, ...], *, seconds: float
    ) -> Chosen:
        """A choice and its words. Raises AssistantFailed."""
        asked = wire.select_call(content, texts)
        answer = await self._asked(
            self.stub.SelectCandidate, asked, user_id=user_id, seconds=seconds
        )
        return wire.chosen(answer)

    async def _asked(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Req, Res],
        asked: Req,
        *,
        user_id: int,
        seconds: float,
    ) -> Res:
        """Raises AssistantFailed."""
        try:
            return await self.client.call(method, asked, on_behalf_of=user_id, seconds=seconds)
        except RemoteError as error:
            reason = _REASONS.get(error.code, "assistant_failed")
            raise AssistantFailed(reason, str(error)) from error
