"""The composition root of notification: joins the parts and runs them."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial

import httpx2

from libs.clock import Clock, SystemClock
from libs.db.database import Database, is_away
from libs.events import connection
from libs.events.connection import Bus
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from libs.outbox.replay import Replay
from libs.outbox.retention import KIT, Retention
from libs.process import commands, runtime
from libs.process.runtime import Parts
from libs.rpc.client import Client, channel
from libs.rpc.identity import Issuer, Verifier
from libs.rpc.server import Server
from services.notification import server
from services.notification.channels.console import Console
from services.notification.channels.feishu_bot import Deadlines, FeishuBot
from services.notification.channels.outlets import Outlets
from services.notification.channels.sealing import Sealer
from services.notification.clients.active_scheduler import ActiveSchedulerClient
from services.notification.consumers import SERVICE, Consumers
from services.notification.domain.backoff import Pace
from services.notification.handlers.attempt import Rules, Settling
from services.notification.handlers.courier import Courier
from services.notification.handlers.ports import Announce, Previews
from services.notification.handlers.trials import Trials
from services.notification.sender import Sender
from services.notification.settings import Settings
from services.notification.store import rates
from services.notification.store.rates import Limits
from services.notification.wire.announce import Announcer
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceStub,
)
from smartmate.notification.v1.notification_service_pb2_grpc import (
    add_NotificationServiceServicer_to_server,
)


async def serve(settings: Settings) -> None:
    """Joins the parts and serves until a signal."""
    clock = SystemClock(timedelta(seconds=settings.clock_offset_seconds))
    sealer = Sealer.from_base64(settings.seal_key.get_secret_value())
    db = Database(settings.database_url, application=SERVICE, pool_size=settings.database_pool)
    await db.wait_until_there()
    bus = await connection.connect(settings.nats_url, service=SERVICE)
    to_scheduler = channel(settings.active_scheduler_address)
    previews = ActiveSchedulerClient(
        Client(Issuer.load(settings.private_key, clock)),
        ActiveSchedulerServiceStub(to_scheduler),
        settings.ask_seconds,
    )
    web = _web(settings)
    outlets = _outlets(settings, web, clock)
    verifier = Verifier.load(settings.public_keys, clock)
    parts = _join(settings, db, bus, previews, outlets, sealer, verifier)
    parts.closers = (web.aclose, to_scheduler.close)
    await runtime.run(parts, settings)


def _join(
    settings: Settings,
    db: Database,
    bus: Bus,
    previews: Previews,
    outlets: Outlets,
    sealer: Sealer,
    verifier: Verifier,
) -> Parts:
    relay = Relay(db, bus, settings.relay_limits)
    announce = Announcer(Outbox(relay.wake))
    sender = _sender(settings, db, previews, outlets, sealer, announce)
    pruning = Retention(db, settings.retention_seconds, (*KIT, rates.prune))
    rules = server.ChannelRules(settings.extra_hosts, console=settings.development)
    waits = asyncio.Event()
    life = timedelta(seconds=settings.test_life_seconds)
    trials = Trials(db, sender.wake, waits, life, settings.test_wait_seconds)
    servicer = server.Servicer(db, sealer, rules, trials)
    return Parts(
        database=db,
        bus=bus,
        edge=Server(
            server.RULES,
            verifier,
            settings.listen,
            [server.NAME],
            partial(add_NotificationServiceServicer_to_server, servicer),
        ),
        waits=waits,
        claimers=(sender.run, pruning.run),
        consumers=Consumers(db, announce, sender.wake, settings.window).loops(
            bus, settings.consumer_limits
        ),
        relays=(relay.run,),
    )


@asynccontextmanager
async def hearing(settings: Settings) -> AsyncIterator[Replay]:
    """The handlers of this service's events without a broker, for its dead letters."""
    db = Database(settings.database_url, application=SERVICE, pool_size=2)
    try:
        # Whoever serves looks for what is due by itself.
        consumers = Consumers(db, Announcer(Outbox()), _nobody, settings.window)
        yield Replay(db, SERVICE, consumers.hearers(), is_away)
    finally:
        await db.close()


def _nobody() -> None:
    return None


def _sender(
    settings: Settings,
    db: Database,
    previews: Previews,
    outlets: Outlets,
    sealer: Sealer,
    announce: Announce,
) -> Sender:
    work = asyncio.Event()
    rules = Rules(
        lease_seconds=settings.send_lease_seconds,
        min_life=timedelta(seconds=settings.min_life_seconds),
        pace=Pace(
            timedelta(seconds=settings.backoff_first_seconds),
            timedelta(seconds=settings.backoff_most_seconds),
        ),
        rate=Limits(settings.webhook_per_second, settings.webhook_per_minute),
        rate_patience_seconds=settings.webhook_patience_seconds,
        window=settings.window,
    )
    courier = Courier(
        db, previews, outlets, sealer, Settling(announce, rules, work.set), settings.public_base_url
    )
    return Sender(
        db,
        courier,
        lease_seconds=settings.send_lease_seconds,
        poll_seconds=settings.send_poll_seconds,
        concurrency=settings.send_concurrency,
        work=work,
    )


def _web(settings: Settings) -> httpx2.AsyncClient:
    """The one client for all providers: no proxy or certificates out of the environment."""
    most = settings.send_concurrency
    return httpx2.AsyncClient(
        trust_env=False,
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=most, max_keepalive_connections=most),
        timeout=settings.provider_total_seconds,
    )


def _outlets(settings: Settings, web: httpx2.AsyncClient, clock: Clock) -> Outlets:
    deadlines = Deadlines(
        timedelta(seconds=settings.provider_connect_seconds),
        timedelta(seconds=settings.provider_total_seconds),
    )
    bot = FeishuBot(web, clock.now, deadlines=deadlines, extra_hosts=settings.extra_hosts)
    return Outlets(bot, Console(_print))


def _print(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def main() -> None:
    """`python -m services.notification`, and its one-shot commands."""
    commands.main(commands.Service(SERVICE, Settings, serve, hearing))


if __name__ == "__main__":
    main()
