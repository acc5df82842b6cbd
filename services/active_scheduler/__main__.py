"""The composition root of active_scheduler: joins the parts and runs them."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from libs.clock import Clock, SystemClock
from libs.db.database import Database
from libs.events import connection
from libs.events.connection import Bus
from libs.events.hints import Hints
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from libs.outbox.replay import Replay
from libs.outbox.retention import Retention
from libs.process import commands, runtime
from libs.process.runtime import Parts
from libs.rpc.client import Client, channel
from libs.rpc.identity import Issuer, Verifier
from libs.rpc.server import Server
from services.active_scheduler import server
from services.active_scheduler.clients.agent import AgentClient
from services.active_scheduler.clients.schedule import ScheduleClient, is_away
from services.active_scheduler.consumers import SERVICE, Consumers
from services.active_scheduler.handlers.confirm import Confirmer
from services.active_scheduler.handlers.edits import EditChecker
from services.active_scheduler.handlers.looking import Looking, Patience
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
from smartmate.agent.v1.agent_service_pb2_grpc import AgentServiceStub
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1.schedule_service_pb2_grpc import ScheduleServiceStub


async def serve(settings: Settings) -> None:
    """Joins the parts and serves until a signal."""
    clock = SystemClock(timedelta(seconds=settings.clock_offset_seconds))
    db = Database(settings.database_url, application=SERVICE, pool_size=settings.database_pool)
    await db.wait_until_there()
    bus = await connection.connect(settings.nats_url, service=SERVICE)
    others = Others.open(settings, db, clock)
    parts = await _join(settings, db, bus, others, Verifier.load(settings.public_keys, clock))
    parts.closers = others.closers
    await runtime.run(parts, settings)


@dataclass(frozen=True, slots=True)
class Others:
    """The services that this one asks."""

    schedule: ScheduleClient
    looking: Looking
    closers: tuple[Callable[[], Awaitable[None]], ...]

    @classmethod
    def open(cls, settings: Settings, db: Database, clock: Clock) -> "Others":
        """A channel to each; they connect when they are used."""
        client = Client(Issuer.load(settings.private_key, clock))
        to_schedule = channel(settings.schedule_address)
        schedule = ScheduleClient(client, ScheduleServiceStub(to_schedule))
        if not settings.agent_address:
            return cls(schedule, Looking(db, schedule), (to_schedule.close,))
        to_agent = channel(settings.agent_address)
        agent = AgentClient(client, AgentServiceStub(to_agent))
        patience = Patience(
            settings.recall_seconds, settings.locate_seconds, settings.assistant_seconds
        )
        closers = (to_schedule.close, to_agent.close)
        return cls(schedule, Looking(db, schedule, agent, patience), closers)


async def _join(
    settings: Settings, db: Database, bus: Bus, others: Others, verifier: Verifier
) -> Parts:
    relay = Relay(db, bus, settings.relay_limits)
    announce = Announcer(Outbox(relay.wake))
    hints = Hints(bus)
    await hints.hear([events_pb2.PreviewChanged], key_field="preview_id")
    waits = asyncio.Event()
    pipeline = _pipeline(settings, db, others, announce)
    servicer = _servicer(settings, db, others, announce, hints, waits)
    consumers = Consumers(db, announce, pipeline, settings.trigger_workers)
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
        claimers=_claimers(settings, db, others.schedule, announce, pipeline),
        consumers=consumers.loops(bus, settings.consumer_limits),
        relays=(relay.run,),
    )


def _pipeline(settings: Settings, db: Database, others: Others, announce: Announcer) -> Pipeline:
    return Pipeline(
        db,
        others.looking,
        announce,
        lease_seconds=settings.trigger_lease_seconds,
        preview_life_seconds=settings.preview_life_seconds,
        is_away=is_away,
        max_tries=settings.trigger_tries,
    )


@asynccontextmanager
async def hearing(settings: Settings) -> AsyncIterator[Replay]:
    """The handlers of this service's events without a broker, for its dead letters."""
    clock = SystemClock(timedelta(seconds=settings.clock_offset_seconds))
    async with AsyncExitStack() as stack:
        db = Database(settings.database_url, application=SERVICE, pool_size=2)
        stack.push_async_callback(db.close)
        others = Others.open(settings, db, clock)
        for close in others.closers:
            stack.push_async_callback(close)
        announce = Announcer(Outbox())
        consumers = Consumers(db, announce, _pipeline(settings, db, others, announce))
        yield Replay(db, SERVICE, consumers.hearers(), is_away)


def _servicer(
    settings: Settings,
    db: Database,
    others: Others,
    announce: Announcer,
    hints: Hints,
    waits: asyncio.Event,
) -> server.Servicer:
    confirmer = Confirmer(
        db,
        others.schedule,
        announce,
        hints,
        ConfirmRules(settings.apply_life_seconds, settings.sweep_first_seconds),
        settings.confirm_wait_seconds,
        is_away,
        waits,
    )
    watcher = Watcher(db, hints, waits)
    rules = _trigger_rules(settings)
    edits = EditChecker(db, others.schedule)
    return server.Servicer(db, others.looking, announce, rules, confirmer, watcher, edits)


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
    """`python -m services.active_scheduler`, and its one-shot commands."""
    commands.main(commands.Service(SERVICE, Settings, serve, hearing))


if __name__ == "__main__":
    main()
