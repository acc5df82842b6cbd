"""The schedule service as a process: `python -m services.schedule`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

from libs.clock import SystemClock
from libs.db.database import Database, is_away
from libs.events import connection
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from libs.outbox.replay import Replay
from libs.outbox.retention import Retention
from libs.process import commands, runtime
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
        general_plans=True,
    )
    await db.wait_until_there()
    bus = await connection.connect(settings.nats_url, service=consumers.SERVICE)
    relay = Relay(db, bus, settings.relay_limits)
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
        consumers=(consumers.apply_requests(bus, db, outlet, limits=settings.consumer_limits).run,),
        relays=(relay.run,),
    )
    await runtime.run(parts, settings)


@asynccontextmanager
async def hearing(settings: ScheduleSettings) -> AsyncIterator[Replay]:
    """The handlers of this service's events without a broker, for its dead letters."""
    db = Database(
        settings.database_url,
        application=consumers.SERVICE,
        pool_size=2,
        lock_timeout_ms=settings.lock_timeout_ms,
    )
    try:
        heard = consumers.hearer(db, EventOutlet(Outbox()))
        yield Replay(db, consumers.SERVICE, (heard,), is_away)
    finally:
        await db.close()


def main() -> None:
    """Serves, or runs one of the one-shot commands."""
    commands.main(commands.Service(consumers.SERVICE, ScheduleSettings, serve, hearing))


if __name__ == "__main__":
    main()
