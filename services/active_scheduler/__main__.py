"""The composition root of active_scheduler: joins the parts and runs them."""

import asyncio
from datetime import timedelta
from functools import partial

from libs.clock import SystemClock
from libs.db.database import Database
from libs.events import connection
from libs.events.connection import Bus
from libs.events.hints import Hints
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from libs.outbox.retention import Retention
from libs.process import runtime
from libs.process.runtime import Parts
from libs.rpc.client import Client, channel
from libs.rpc.identity import Issuer, Verifier
from libs.rpc.server import Server
from services.active_scheduler import server
from services.active_scheduler.clients.schedule import ScheduleClient, is_away
from services.active_scheduler.consumers import SERVICE, Consumers
from services.active_scheduler.handlers.confirm import Confirmer
from services.active_scheduler.handlers.pipeline import Pipeline
from services.active_scheduler.handlers.previews import ConfirmRules
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.handlers.watch import Watcher
from services.active_scheduler.scanner import Scanner
from services.active_scheduler.settings import Settings
from services.active_scheduler.sweeper import Sweeper
from services.active_scheduler.wire.announce import Announcer
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    add_ActiveSchedulerServiceServicer_to_server,
)
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub


async def serve(settings: Settings) -> None:
    """Joins the parts and serves until a signal."""
    clock = SystemClock(timedelta(seconds=settings.clock_offset_seconds))
    db = Database(settings.database_url, application=SERVICE, pool_size=settings.database_pool)
    await db.wait_until_there()
    bus = await connection.connect(settings.nats_url, service=SERVICE)
    to_schedule = channel(settings.schedule_address)
    schedule = ScheduleClient(
        Client(Issuer.load(settings.private_key, clock)), ScheduleServiceStub(to_schedule)
    )
    parts = await _join(settings, db, bus, schedule, Verifier.load(settings.public_keys, clock))
    parts.closers = (to_schedule.close,)
    await runtime.run(parts, settings)


async def _join(
    settings: Settings, db: Database, bus: Bus, schedule: ScheduleClient, verifier: Verifier
) -> Parts:
    relay = Relay(db, bus)
    announce = Announcer(Outbox(relay.wake))
    hints = Hints(bus)
    await hints.hear([events_pb2.PreviewChanged], key_field="preview_id")
    waits = asyncio.Event()
    pipeline = Pipeline(
        db,
        schedule,
        announce,
        lease_seconds=settings.trigger_lease_seconds,
        preview_life_seconds=settings.preview_life_seconds,
        is_away=is_away,
        max_tries=settings.trigger_tries,
    )
    servicer = _servicer(settings, db, schedule, announce, hints, waits)
    return Parts(
        database=db,
        bus=bus,
        edge=Server(
            server.RULES,
            verifier,
            settings.listen,
            [server.NAME],
            partial(add_ActiveSchedulerServiceServicer_to_server, servicer),
        ),
        waits=waits,
        hints=hints,
        claimers=_claimers(settings, db, schedule, announce, pipeline),
        consumers=Consumers(db, bus, announce, pipeline).loops(),
        relays=(relay.run,),
    )


def _servicer(
    settings: Settings,
    db: Database,
    schedule: ScheduleClient,
    announce: Announcer,
    hints: Hints,
    waits: asyncio.Event,
) -> server.Servicer:
    confirmer = Confirmer(
        db,
        schedule,
        announce,
        hints,
        ConfirmRules(settings.apply_life_seconds, settings.sweep_first_seconds),
        settings.confirm_wait_seconds,
        is_away,
        waits,
    )
    watcher = Watcher(db, hints, waits)
    return server.Servicer(db, schedule, announce, _trigger_rules(settings), confirmer, watcher)


def _claimers(
    settings: Settings,
    db: Database,
    schedule: ScheduleClient,
    announce: Announcer,
    pipeline: Pipeline,
) -> tuple[runtime.Loop, ...]:
    scanner = Scanner(
        db,
        schedule,
        announce,
        _trigger_rules(settings),
        is_away,
        every_seconds=settings.scan_seconds,
        batch=settings.scan_batch,
        lease_seconds=settings.job_lease_seconds,
    )
    sweeper = Sweeper(
        db,
        schedule,
        announce,
        pipeline,
        is_away,
        every_seconds=settings.sweep_seconds,
        first_seconds=settings.sweep_first_seconds,
    )
    retention = Retention(db, settings.retention_seconds)
    return (scanner.run, sweeper.run, retention.run)


def _trigger_rules(settings: Settings) -> TriggerRules:
    return TriggerRules(settings.dedupe_seconds, settings.trigger_lease_seconds)


def main() -> None:
    """`python -m services.active_scheduler`."""
    settings = Settings()
    runtime.configure(settings, SERVICE)
    asyncio.run(serve(settings))


if __name__ == "__main__":
    main()
