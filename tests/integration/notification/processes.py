"""The service as two processes, with the stand-in and a scripted active_scheduler beside it."""

import asyncio
import socket
import uuid
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx2
import pytest

from libs.clock import SystemClock
from libs.events import connection
from libs.events.connection import Bus
from libs.rpc.client import Client, channel
from libs.rpc.errors import RemoteError
from libs.rpc.identity import Caller, Issuer
from services.standalone import home, settings
from services.standalone.suite import Suite
from smartmate.notification.v1 import channel_pb2, record_pb2
from smartmate.notification.v1 import notification_service_pb2 as pb
from smartmate.notification.v1.notification_service_pb2_grpc import NotificationServiceStub
from tests.integration.feishu_standin import StandIn
from tests.integration.notification import rig as rigs
from tests.integration.notification.rig import ScriptedScheduler, a_request, say

QUICK = {
    "SMARTMATE_DEVELOPMENT": "true",
    "SMARTMATE_ASK_SECONDS": "1",
    "SMARTMATE_PROVIDER_CONNECT_SECONDS": "0.4",
    "SMARTMATE_PROVIDER_TOTAL_SECONDS": "1.5",
    "SMARTMATE_WEBHOOK_PATIENCE_SECONDS": "0.4",
    "SMARTMATE_SEND_LEASE_SECONDS": "3",
    "SMARTMATE_SEND_POLL_SECONDS": "0.1",
    "SMARTMATE_BACKOFF_FIRST_SECONDS": "0.2",
    "SMARTMATE_TEST_WAIT_SECONDS": "3",
    "SMARTMATE_BATCH_WINDOW_SECONDS": "0",
}
"""Durations that a test can wait for."""


@dataclass
class World:
    """The running suite, and how a signed-in user sees it."""

    suite: Suite
    standin: StandIn
    scheduler: ScriptedScheduler
    stub: Any
    issuer: Issuer
    sayer: Bus

    async def call(self, rpc: str, request: Any, user: int) -> Any:
        """One call in the name of a user who is signed in at the gateway."""
        caller = Caller("gateway", user, user_token=self.issuer.user_token(user))
        method = getattr(self.stub, rpc)
        return await Client(self.issuer).call(method, request, on_behalf_of=caller, seconds=5)

    async def bot(self, user: int, token: str, **about: Any) -> channel_pb2.Channel:
        """A bot's channel."""
        request = a_put(self.standin.hook(token), secret=self.suite.feishu_secret)
        request.MergeFrom(pb.PutChannelRequest(**about))
        answer = await self.call("PutChannel", request, user)
        made: channel_pb2.Channel = answer.channel
        return made

    async def ask(self, user: int, *, life: timedelta = timedelta(hours=1)) -> str:
        """Asks for the message of a ready preview, and gives its id."""
        preview_id = f"asp_{uuid.uuid4().hex[:24]}"
        self.scheduler.put(user, preview_id, life=life)
        await say(self.sayer, a_request(user, preview_id, life=life))
        return preview_id

    async def test(
        self, user: int, channel_id: int, *, key: str = ""
    ) -> record_pb2.NotificationRecord:
        """Tries out a channel; gives the record of that."""
        request = pb.TestChannelRequest(request_id=key or uuid.uuid4().hex, channel_id=channel_id)
        record: record_pb2.NotificationRecord
        record = (await self.call("TestChannel", request, user)).record
        return record

    async def records(self, user: int) -> Sequence[record_pb2.NotificationRecord]:
        """A user's records, newest first."""
        answer = await self.call("ListRecords", pb.ListRecordsRequest(), user)
        found: Sequence[record_pb2.NotificationRecord] = answer.records
        return found

    async def ended(self, user: int) -> record_pb2.NotificationRecord:
        """The only record of a user, once it has ended."""
        async with asyncio.timeout(30):
            while True:
                records = await self.records(user)
                if records and all(one.HasField("settle_time") for one in records):
                    (record,) = records
                    return record
                await asyncio.sleep(0.02)

    async def until(self, user: int, *states: record_pb2.RecordState) -> None:
        """Returns once a user's records are in these states."""
        async with asyncio.timeout(20):
            while True:
                if [one.state for one in await self.records(user)] == list(states):
                    return
                await asyncio.sleep(0.02)


@asynccontextmanager
async def running() -> AsyncIterator[World]:
    """Two replicas, the stand-in, and a scripted active_scheduler."""
    port = free_port()
    quick = QUICK | {"SMARTMATE_ACTIVE_SCHEDULER_ADDRESS": f"127.0.0.1:{port}"}
    async with AsyncExitStack() as stack:
        place = stack.enter_context(home.temporary())
        suite = await stack.enter_async_context(
            Suite(
                services=("notification",),
                replicas={"notification": 2},
                feishu_standin=True,
                overrides={"notification": quick},
                configuration=settings.read({"SMARTMATE_HOME": str(place)}),
            )
        )
        scheduler, _ = await stack.enter_async_context(rigs.scheduler(suite, port=port))
        address = suite.feishu_url.removeprefix("http://")
        web = await stack.enter_async_context(
            httpx2.AsyncClient(base_url=suite.feishu_url, trust_env=False)
        )
        to_service = channel(suite.target("notification"))
        stack.push_async_callback(to_service.close)
        sayer = await connection.connect(
            suite.nats_url("active_scheduler"), service="active_scheduler"
        )
        stack.push_async_callback(sayer.close)
        yield World(
            suite,
            StandIn(address, web),
            scheduler,
            NotificationServiceStub(to_service),
            Issuer.load(suite.private_key("gateway"), SystemClock()),
            sayer,
        )


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def a_put(url: str, *, secret: str = "", **about: Any) -> pb.PutChannelRequest:
    """A request for a bot's channel."""
    fields = {
        "request_id": uuid.uuid4().hex,
        "type": channel_pb2.CHANNEL_TYPE_FEISHU_BOT,
        "name": "群",
        "webhook_url": url,
        "secret": secret,
    }
    return pb.PutChannelRequest(**{**fields, **about})


async def refusal(call: Awaitable[Any]) -> RemoteError:
    """How a call is refused."""
    with pytest.raises(RemoteError) as refused:
        await call
    assert refused.value.domain == "smartmate.notification"
    return refused.value
