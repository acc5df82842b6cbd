"""The schedule service as a process: `python -m services.schedule`."""

import argparse
import uuid
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
from services.schedule.domain.errors import ScheduleError
from services.schedule.handlers import undo
from services.schedule.settings import ScheduleSettings
from services.schedule.wire import changes
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


def _undo_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--user", required=True, type=int, metavar="ID")
    parser.add_argument("--apply", default="", metavar="ID", help="the latest one by default")
    parser.add_argument("--attempt", default="", metavar="ID", help="name of this attempt")


async def take_back(settings: ScheduleSettings, arguments: argparse.Namespace) -> bool:
    """Takes an apply of a user back, as the UndoApply call does."""
    db = Database(
        settings.database_url,
        application=consumers.SERVICE,
        pool_size=2,
        lock_timeout_ms=settings.lock_timeout_ms,
    )
    try:
        verdict = await undo.undo(
            db,
            arguments.user,
            EventOutlet(Outbox()),
            apply_id=arguments.attempt or f"asa_{uuid.uuid4().hex}",
            undone_apply_id=arguments.apply,
        )
    except ScheduleError as error:
        raise commands.NotDone(f"{error.reason}: {dict(error.metadata)}") from error
    finally:
        await db.close()
    commands.say(changes.told(verdict))
    return verdict.applied


UNDO = commands.OwnCommand("undo", "take an apply of a user back", _undo_arguments, take_back)


def main() -> None:
    """Serves, or runs one of the one-shot commands."""
    service = commands.Service(consumers.SERVICE, ScheduleSettings, serve, hearing, (UNDO,))
    commands.main(service)


if __name__ == "__main__":
    main()
