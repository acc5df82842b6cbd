"""The gRPC server of the schedule service, inside the test's own process."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from libs.clock import Clock
from libs.db.database import Database
from libs.rpc.client import channel
from libs.rpc.identity import Verifier
from libs.rpc.server import Server
from services.schedule import server
from services.schedule.handlers.outlet import Outlet
from smartmate.schedule.v1 import schedule_service_pb2_grpc


@asynccontextmanager
async def served(
    db: Database, outlet: Outlet, public_keys: Path, clock: Clock
) -> AsyncIterator[grpc.aio.Channel]:
    """Serves on a free port and lends a channel to it."""
    servicer = server.ScheduleServicer(db, outlet)
    edge = Server(
        rules=server.RULES,
        verifier=Verifier.load(public_keys, clock),
        listen="127.0.0.1:0",
        names=(server.NAME,),
        add=lambda into: schedule_service_pb2_grpc.add_ScheduleServiceServicer_to_server(
            servicer, into
        ),
    )
    await edge.start()
    await edge.ready()
    try:
        async with channel(f"127.0.0.1:{edge.port}") as wire:
            yield wire
    finally:
        await edge.stop(1.0)
