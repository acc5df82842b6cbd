"""Channels and stubs of the services, and the one way to call them for a visitor."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Self, TypeVar

import grpc
from google.protobuf.message import Message

from libs.rpc.client import Client, channel
from libs.rpc.identity import GATEWAY, Caller, Issuer
from services.gateway.domain.visitor import Visitor
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2_grpc as active_scheduler
from smartmate.agent.v1 import agent_service_pb2_grpc as agent
from smartmate.notification.v1 import notification_service_pb2_grpc as notification
from smartmate.schedule.v1 import schedule_service_pb2_grpc as schedule

Req = TypeVar("Req", bound=Message)
Res = TypeVar("Res", bound=Message)


@dataclass(frozen=True, slots=True)
class Addresses:
    """gRPC targets. Without an agent nobody can be talked with; everything else is as ever."""

    schedule: str
    active_scheduler: str
    notification: str
    agent: str = ""


@dataclass(slots=True)
class Suite:
    """The services, open for the life of the process. Calls raise RemoteError."""

    schedule: "schedule.ScheduleServiceAsyncStub"
    active_scheduler: "active_scheduler.ActiveSchedulerServiceAsyncStub"
    notification: "notification.NotificationServiceAsyncStub"
    agent: "agent.AgentServiceAsyncStub | None"
    """None where there is none."""
    issuer: Issuer
    call_seconds: float
    _client: Client
    _channels: tuple[grpc.aio.Channel, ...]

    @classmethod
    def open(cls, addresses: Addresses, issuer: Issuer, *, call_seconds: float) -> Self:
        """Opens one channel per service; nothing is dialled before the first call."""
        channels = [
            channel(addresses.schedule),
            channel(addresses.active_scheduler),
            channel(addresses.notification),
        ]
        to_agent = None
        if addresses.agent:
            channels.append(channel(addresses.agent))
            to_agent = agent.AgentServiceStub(channels[-1])
        return cls(
            schedule=schedule.ScheduleServiceStub(channels[0]),
            active_scheduler=active_scheduler.ActiveSchedulerServiceStub(channels[1]),
            notification=notification.NotificationServiceStub(channels[2]),
            agent=to_agent,
            issuer=issuer,
            call_seconds=call_seconds,
            _client=Client(issuer),
            _channels=tuple(channels),
        )

    async def call(
        self, visitor: Visitor, method: grpc.aio.UnaryUnaryMultiCallable[Req, Res], request: Req
    ) -> Res:
        """One call for a visitor, with a token that says who that is."""
        return await self._client.call(
            method, request, on_behalf_of=self._caller(visitor), seconds=self.call_seconds
        )

    async def call_alone(
        self, method: grpc.aio.UnaryUnaryMultiCallable[Req, Res], request: Req
    ) -> Res:
        """One call of the gateway's own, in the name of nobody."""
        return await self._client.call(
            method, request, on_behalf_of=None, seconds=self.call_seconds
        )

    def watch(
        self, visitor: Visitor, method: grpc.aio.UnaryStreamMultiCallable[Req, Res], request: Req
    ) -> AsyncIterator[Res]:
        """A stream for a visitor, until either side ends it."""
        return self._client.stream(method, request, on_behalf_of=self._caller(visitor))

    async def close(self) -> None:
        """Closes the channels, last of all."""
        for one in self._channels:
            await one.close()

    def _caller(self, visitor: Visitor) -> Caller:
        token = self.issuer.user_token(visitor.user_id, visitor.roles)
        return Caller(GATEWAY, visitor.user_id, visitor.roles, token)
