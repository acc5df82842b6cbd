"""A database of its own for each test module, and connections to the broker."""

from collections.abc import AsyncIterator

import pytest

from libs.db.database import Database
from libs.db.requests import REQUESTS_V1
from libs.events import connection
from libs.events.connection import Bus
from libs.outbox.dead_letters import DEAD_LETTERS_V1
from libs.outbox.inbox import INBOX_V1
from libs.outbox.outbox import OUTBOX_V1
from services.standalone.suite import Suite
from tests.integration import fresh

SCHEMA = f"""
{REQUESTS_V1} {OUTBOX_V1} {INBOX_V1} {DEAD_LETTERS_V1}
CREATE TABLE users (id bigint PRIMARY KEY);
CREATE TABLE effects (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id bigint NOT NULL,
    name text NOT NULL
);
CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL);
"""


@pytest.fixture(scope="module")
async def database_url(shared_servers: Suite) -> AsyncIterator[str]:
    """The address of an empty database with the tables of the kit."""
    async with fresh.database(shared_servers.postgres_admin, SCHEMA) as url:
        yield url


@pytest.fixture(scope="module")
async def db(database_url: str) -> AsyncIterator[Database]:
    database = Database(database_url, application="kit", pool_size=25)
    yield database
    await database.close()


@pytest.fixture(scope="module")
async def mortal_url(mortal_servers: Suite) -> AsyncIterator[str]:
    """The same on a server that tests may stop."""
    async with fresh.database(mortal_servers.postgres_admin, SCHEMA) as url:
        yield url


@pytest.fixture
async def mortal_db(mortal_url: str) -> AsyncIterator[Database]:
    database = Database(mortal_url, application="kit", pool_size=5)
    yield database
    await database.close()


@pytest.fixture(scope="module")
async def admin_bus(shared_servers: Suite) -> AsyncIterator[Bus]:
    """A connection that may say everything, in the name of the schedule service."""
    bus = await connection.connect(shared_servers.nats_admin, service="schedule")
    yield bus
    await bus.close()


@pytest.fixture
async def mortal_bus(mortal_servers: Suite) -> AsyncIterator[Bus]:
    """The same at a broker that tests may stop."""
    bus = await connection.connect(mortal_servers.nats_admin, service="schedule")
    yield bus
    await bus.close()
