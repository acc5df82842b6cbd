"""Real servers, shared by the tests of the notification service."""

from collections.abc import AsyncIterator

import pytest

from services.standalone import home
from services.standalone.suite import Suite
from tests.integration import feishu_standin
from tests.integration.feishu_standin import StandIn
from tests.integration.notification import processes
from tests.integration.notification import rig as rigs
from tests.integration.notification.processes import World
from tests.integration.notification.rig import Rig


@pytest.fixture(scope="session")
async def servers() -> AsyncIterator[Suite]:
    """PostgreSQL and NATS with databases, streams and keys, without services."""
    with home.temporary() as place:
        async with Suite(place, services=()) as suite:
            yield suite


@pytest.fixture
async def standin() -> AsyncIterator[StandIn]:
    """A Feishu that asks for the signing secret and has no rate limit."""
    async with feishu_standin.running(secret="s3cr3t") as running:
        yield running


@pytest.fixture
async def rig(servers: Suite, standin: StandIn) -> AsyncIterator[Rig]:
    """The parts of a service on an empty database."""
    async with rigs.rig(servers, standin) as parts:
        yield parts


@pytest.fixture(scope="session")
async def world() -> AsyncIterator[World]:
    """Two replicas, the stand-in, and a scripted active_scheduler."""
    async with processes.running() as running:
        yield running
