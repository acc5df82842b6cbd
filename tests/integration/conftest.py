"""Real servers for whoever wants them; a directory with servers of its own need not take these."""

from collections.abc import AsyncIterator

import pytest

from services.standalone import home, settings
from services.standalone.suite import Suite


@pytest.fixture(scope="session")
async def shared_servers() -> AsyncIterator[Suite]:
    """PostgreSQL and NATS with streams and keys, without services: embedded, or the named ones.

    For tests that stop nothing and tidy up after themselves.
    """
    with home.temporary() as root:
        async with Suite(root, services=()) as suite:
            yield suite


@pytest.fixture(scope="session")
async def mortal_servers() -> AsyncIterator[Suite]:
    """The same, always embedded, for tests that stop a server; they start it again."""
    with home.temporary() as root:
        embedded = settings.read({"SMARTMATE_HOME": str(root)})
        async with Suite(services=(), configuration=embedded) as suite:
            yield suite
