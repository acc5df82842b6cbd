"""The schedule service in this process, on a real PostgreSQL and a real NATS server."""

import asyncio
from collections.abc import AsyncIterator

import asyncpg
import pytest

from libs.clock import SystemClock
from libs.db.database import Database
from libs.events import connection
from libs.events.connection import Bus
from libs.events.consumer import Limits
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Relay
from libs.rpc.identity import Issuer
from services.schedule import consumers
from services.schedule.wire.outlet import EventOutlet
from services.standalone import home
from services.standalone.suite import Suite
from smartmate.schedule.v1 import schedule_service_pb2_grpc
from tests.audit import violations_in
from tests.integration.schedule.people import Backend, Person
from tests.integration.schedule.serving import served


@pytest.fixture(scope="session")
async def servers() -> AsyncIterator[Suite]:
    """PostgreSQL, NATS, schema, streams and keys, without any service."""
    with home.temporary() as root:
        async with Suite(root, services=()) as suite:
            yield suite


@pytest.fixture(scope="session")
async def db(servers: Suite) -> AsyncIterator[Database]:
    """The schedule database, as the service itself sees it."""
    database = Database(servers.database_url("schedule"), application="schedule", pool_size=20)
    yield database
    await database.close()


@pytest.fixture(scope="session")
async def bus(servers: Suite) -> AsyncIterator[Bus]:
    """The broker, as the service's own user."""
    found = await connection.connect(servers.nats_url("schedule"), service="schedule")
    yield found
    await found.close()


@pytest.fixture(scope="session")
async def backend(servers: Suite, db: Database, bus: Bus) -> AsyncIterator[Backend]:
    """The service: its gRPC server, relay and consumer, all of them running."""
    clock = SystemClock()
    relay = Relay(db, bus)
    outlet = EventOutlet(Outbox(wake=relay.wake))
    consumer = consumers.apply_requests(bus, db, outlet, limits=Limits())
    stop = asyncio.Event()
    loops = [asyncio.ensure_future(run(stop)) for run in (relay.run, consumer.run)]
    async with served(db, outlet, servers.public_keys, clock) as channel:
        yield Backend(
            stub=schedule_service_pb2_grpc.ScheduleServiceStub(channel),
            channel=channel,
            issuers={
                name: Issuer.load(servers.private_key(name), clock)
                for name in ("gateway", "active_scheduler", "notification")
            },
            db=db,
            outlet=outlet,
            scheduler_nats=servers.nats_url("active_scheduler"),
        )
    stop.set()
    await asyncio.gather(*loops)
    admin = await asyncpg.connect(servers.dsn("schedule"))
    found = await violations_in("schedule", admin)
    await admin.close()
    assert found == []


@pytest.fixture
def person(backend: Backend) -> Person:
    """A student whom nobody has seen before."""
    return backend.someone()


@pytest.fixture
async def student(person: Person) -> Person:
    """A student in the third week of a semester, early in the morning."""
    await person.begin_semester()
    return person
