"""The schedule service as a process: `python -m services.schedule`."""

import asyncio
from datetime import timedelta

from libs.clock import SystemClock
from libs.db.database import Database
from libs.events import connection
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from libs.outbox.retention import Retention
from libs.process import runtime
from libs.rpc.identity import Verifier
from libs.rpc.server import Server
from services.schedule import consumers, server
from services.schedule.settings import ScheduleSettings
from services.schedule.wire.outlet import EventOutlet
from smartmate.schedule.v1 import schedule_service_pb2_grpc


async def serve(settings: ScheduleSettings) -> None:
    """Joins the parts and serves until SIGTERM."""
    clock = SystemClock(timedelta(seconds=settings.clock_offset_seconds))
    db = Database(
        settings.database_url,
        application=consumers.SERVICE,
        pool_size=settings.database_pool,
        lock_timeout_ms=settings.lock_timeout_ms,
    )
    await db.wait_until_there()
    bus = await connection.connect(settings.nats_url, service=consumers.SERVICE)
    relay = Relay(db, bus)
    outlet = EventOutlet(Outbox(wake=relay.wake))
    servicer = server.ScheduleServicer(db, outlet)
    edge = Server(
        rules=server.RULES,
        verifier=Verifier.load(settings.public_keys, clock),
        listen=settings.listen,
        names=(server.NAME,),
        add=lambda into: schedule_service_pb2_grpc.add_ScheduleServiceServicer_to_server(
            servicer, into
        ),
    )
    parts = runtime.Parts(
        database=db,
        bus=bus,
        edge=edge,
        claimers=(Retention(db, settings.retention_seconds).run,),
        consumers=(consumers.apply_requests(bus, db, outlet).run,),
        relays=(relay.run,),
    )
    await runtime.run(parts, settings)


def main() -> None:
    """Reads the settings and serves."""
    settings = ScheduleSettings()
    runtime.configure(settings, consumers.SERVICE)
    asyncio.run(serve(settings))


if __name__ == "__main__":
    main()
