"""Calls to the services as the gateway makes them, for users that the figures make up."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from libs.clock import SystemClock
from libs.rpc.client import channel
from libs.rpc.identity import Caller, Issuer, outgoing
from services.standalone.suite import Suite
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceStub,
)
from smartmate.notification.v1.notification_service_pb2_grpc import NotificationServiceStub
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub

CALL_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Line:
    """A channel to each service, and the gateway's key."""

    issuer: Issuer
    schedule: Any
    active: Any
    notification: Any

    def signed_in(self, user_id: int) -> list[tuple[str, str]]:
        """Metadata of calls for a user; lives for minutes, as at the gateway."""
        token = self.issuer.user_token(user_id)
        return outgoing(self.issuer, Caller("gateway", user_id, user_token=token))

    async def call(self, method: Any, request: Message, metadata: list[tuple[str, str]]) -> Any:
        """One call."""
        return await method(request, metadata=metadata, timeout=CALL_SECONDS)


@asynccontextmanager
async def line_to(suite: Suite) -> AsyncIterator[Line]:
    """Channels to the services of a suite, of those that do not run as well."""
    names = ("schedule", "active_scheduler", "notification")
    channels = [channel(suite.target(name)) for name in names]
    schedule, active, notification = channels
    try:
        yield Line(
            Issuer.load(suite.private_key("gateway"), SystemClock()),
            ScheduleServiceStub(schedule),
            ActiveSchedulerServiceStub(active),
            NotificationServiceStub(notification),
        )
    finally:
        for one in channels:
            await one.close()
