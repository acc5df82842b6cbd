"""A gRPC server of an existing contract with a toy behind it, and callers of every kind."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from libs.clock import SystemClock
from libs.db.database import is_away
from libs.rpc.client import Client, channel
from libs.rpc.errors import StatusTable
from libs.rpc.identity import SERVICE_HEADER, USER_HEADER, Access, Issuer, Verifier
from libs.rpc.server import Context, Rules, Server
from services.standalone import keys
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2_grpc as stubs

NAME = "smartmate.active_scheduler.v1.ActiveSchedulerService"
DOMAIN = "smartmate.active_scheduler"
SERVICES = ("gateway", "schedule", "active_scheduler", "notification")
USER = 7

ACCESS = {
    "IgnorePreview": Access(),
    "GetPreview": Access(delegates=frozenset({"notification"})),
    "GetTrigger": Access(users=False, services=frozenset({"schedule"})),
    "DryRun": Access(role="operator"),
    "WatchPreview": Access(),
    # ConfirmPreview is missing: whatever is not listed is refused.
}


class Taken(Exception):
    reason = "slot_taken"

    @property
    def metadata(self) -> dict[str, str]:
        return {"event_id": "12"}


STATUSES: StatusTable = {Taken: grpc.StatusCode.ABORTED}

Serve = Callable[[Any, Context], Awaitable[None]]


class Toy(stubs.ActiveSchedulerServiceServicer):
    """Answers every call; `serve` runs before the answer, `watch` gives what a watch yields."""

    def __init__(self) -> None:
        self.serve: Serve | None = None
        self.calls = 0
        self.watch: Callable[[], AsyncIterator[pb.WatchPreviewResponse]] | None = None

    async def _answer(self, request: Any, context: Context) -> None:
        self.calls += 1
        if self.serve:
            await self.serve(request, context)

    async def IgnorePreview(self, request: Any, context: Any) -> pb.IgnorePreviewResponse:
        await self._answer(request, context)
        return pb.IgnorePreviewResponse()

    async def ConfirmPreview(self, request: Any, context: Any) -> pb.ConfirmPreviewResponse:
        await self._answer(request, context)
        return pb.ConfirmPreviewResponse()

    async def GetPreview(self, request: Any, context: Any) -> pb.GetPreviewResponse:
        await self._answer(request, context)
        return pb.GetPreviewResponse()

    async def GetTrigger(self, request: Any, context: Any) -> pb.GetTriggerResponse:
        await self._answer(request, context)
        return pb.GetTriggerResponse()

    async def DryRun(self, request: Any, context: Any) -> pb.DryRunResponse:
        await self._answer(request, context)
        return pb.DryRunResponse(reason_code="x" * int(request.mock_now_time.seconds))

    async def Trigger(self, request: Any, context: Any) -> pb.TriggerResponse:
        await self._answer(request, context)
        return pb.TriggerResponse()

    async def ListPreviews(self, request: Any, context: Any) -> pb.ListPreviewsResponse:
        await self._answer(request, context)
        return pb.ListPreviewsResponse()

    async def WatchPreview(
        self, request: Any, context: Any
    ) -> AsyncIterator[pb.WatchPreviewResponse]:
        await self._answer(request, context)
        if self.watch:
            async for answer in self.watch():
                yield answer


@dataclass(slots=True)
class Rig:
    """One server, and what it takes to call it."""

    toy: Toy
    server: Server
    verifier: Verifier
    issuers: dict[str, Issuer]
    channel: grpc.aio.Channel
    others: list[Server] = field(default_factory=list)

    @property
    def stub(self) -> Any:
        return stubs.ActiveSchedulerServiceStub(self.channel)

    @property
    def client(self) -> Client:
        """Calls in the name of the gateway."""
        return Client(self.issuers["gateway"])

    def user_metadata(self, user_id: int = USER, *roles: str) -> list[tuple[str, str]]:
        """What the gateway sends along for a signed-in user."""
        gateway = self.issuers["gateway"]
        return [
            (SERVICE_HEADER, gateway.service_token()),
            (USER_HEADER, gateway.user_token(user_id, frozenset(roles))),
        ]

    async def as_user(
        self, method: str = "IgnorePreview", request: Any = None, **options: Any
    ) -> Any:
        """One plain call for a signed-in user, without the client of the kit."""
        asked = pb.IgnorePreviewRequest() if request is None else request
        return await getattr(self.stub, method)(
            asked, metadata=self.user_metadata(), **({"timeout": 20} | options)
        )

    def another(self, toy: Toy, *, listen: str = "127.0.0.1:0", **bounds: int) -> Server:
        """Another server of the same kind, not started; stopped at the end."""
        made = serving(toy, self.verifier, listen, **bounds)
        self.others.append(made)
        return made


def serving(toy: Toy, verifier: Verifier, listen: str, **bounds: int) -> Server:
    return Server(
        rules=Rules(domain=DOMAIN, access=ACCESS, statuses=STATUSES, is_away=is_away),
        verifier=verifier,
        listen=listen,
        names=(NAME,),
        add=lambda into: stubs.add_ActiveSchedulerServiceServicer_to_server(toy, into),
        **bounds,
    )


@asynccontextmanager
async def made(directory: Path) -> AsyncIterator[Rig]:
    """A started server on a free port, with keys in `directory`."""
    keys.ensure(directory, SERVICES)
    clock = SystemClock()
    verifier = Verifier.load(keys.public_path(directory), clock)
    toy = Toy()
    server = serving(toy, verifier, "127.0.0.1:0")
    await server.start()
    issuers = {name: Issuer.load(keys.private_path(directory, name), clock) for name in SERVICES}
    async with channel(f"127.0.0.1:{server.port}") as wire:
        rig = Rig(toy, server, verifier, issuers, wire)
        try:
            yield rig
        finally:
            await asyncio.gather(*(one.stop(0) for one in (server, *rig.others)))


def written(error: grpc.aio.AioRpcError) -> str:
    """All that a failed call carried, as text."""
    trailers = [(key, value) for key, value in error.trailing_metadata() or ()]
    return json.dumps([error.details(), error.debug_error_string(), repr(trailers)])
