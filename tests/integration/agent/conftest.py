"""The agent service in this process, on a real PostgreSQL; its model is the stand-in."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial

import pytest

from libs.clock import SystemClock
from libs.db.database import Database
from libs.rpc.identity import Issuer
from services.standalone.suite import Suite
from tests.integration import llm_standin
from tests.integration.agent import soundness, talking
from tests.integration.agent.asking import Keys
from tests.integration.agent.talking import Town
from tests.integration.llm_standin import StandIn


@pytest.fixture(scope="session")
async def db(shared_servers: Suite) -> AsyncIterator[Database]:
    """The agent database, as the service itself sees it."""
    database = Database(shared_servers.database_url("agent"), application="agent", pool_size=5)
    yield database
    found = await soundness.violations(database)
    await database.close()
    assert found == []


@pytest.fixture(scope="session")
def keys(shared_servers: Suite) -> Keys:
    """Everybody's keys."""
    clock = SystemClock()
    services = ("gateway", "active_scheduler", "schedule", "agent")
    return Keys(
        public=shared_servers.public_keys,
        issuers={name: Issuer.load(shared_servers.private_key(name), clock) for name in services},
    )


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    """A model stand-in of the test's own."""
    async with llm_standin.running() as found:
        yield found


@pytest.fixture(scope="session")
async def schedule_db(shared_servers: Suite) -> AsyncIterator[Database]:
    """The schedule database, as its service sees it."""
    url = shared_servers.database_url("schedule")
    database = Database(url, application="schedule", pool_size=10)
    yield database
    await database.close()


@pytest.fixture(scope="session")
async def schedule(schedule_db: Database, keys: Keys) -> AsyncIterator[str]:
    """Where the schedule service is."""
    async with talking.schedule_served(schedule_db, keys.public) as address:
        yield address


Open = Callable[..., AbstractAsyncContextManager[Town]]


@pytest.fixture
def open_town(db: Database, schedule: str, keys: Keys) -> Open:
    """Opens an agent beside the schedule service; arguments as for `talking.town`."""
    return partial(talking.town, db, schedule, keys.public, keys.issuers)
