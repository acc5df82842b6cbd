"""The agent service in this process, on a real PostgreSQL; its model is the stand-in."""

from collections.abc import AsyncIterator

import pytest

from libs.clock import SystemClock
from libs.db.database import Database
from libs.rpc.identity import Issuer
from services.standalone.suite import Suite
from tests.integration import llm_standin
from tests.integration.agent.asking import Keys
from tests.integration.llm_standin import StandIn


@pytest.fixture(scope="session")
async def db(shared_servers: Suite) -> AsyncIterator[Database]:
    """The agent database, as the service itself sees it."""
    database = Database(shared_servers.database_url("agent"), application="agent", pool_size=5)
    yield database
    await database.close()


@pytest.fixture(scope="session")
def keys(shared_servers: Suite) -> Keys:
    """Everybody's keys."""
    clock = SystemClock()
    services = ("gateway", "active_scheduler", "schedule")
    return Keys(
        public=shared_servers.public_keys,
        issuers={name: Issuer.load(shared_servers.private_key(name), clock) for name in services},
    )


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    """A model stand-in of the test's own."""
    async with llm_standin.running() as found:
        yield found
