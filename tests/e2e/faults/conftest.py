"""A suite of its own for faults: two replicas of everything, its servers may be stopped."""

import asyncio
import signal
from collections.abc import AsyncIterator

import pytest

from services.standalone import home, settings, topology
from services.standalone.suite import Suite
from tests.shortened import ACK_WAIT_SECONDS, SHORTENED
from tests.world import World, reached

REPLICAS = {"schedule": 2, "active_scheduler": 2, "notification": 2, "gateway": 1}
SERVERS = ("postgres", "nats")


@pytest.fixture(scope="session")
async def world() -> AsyncIterator[World]:
    """The suite, started once: files of this folder and of others take turns at random."""
    with home.temporary() as path:
        suite = Suite(
            path,
            services=REPLICAS,
            replicas=REPLICAS,
            feishu_standin=True,
            overrides=SHORTENED,
            configuration=settings.read({"SMARTMATE_HOME": str(path)}),
        )
        async with suite:
            await topology.declare(
                suite.nats_admin, limits=topology.Limits(ack_wait=ACK_WAIT_SECONDS)
            )
            async with reached(suite) as found:
                yield found


@pytest.fixture(autouse=True)
async def mended(world: World, audited: None) -> AsyncIterator[None]:
    """After each test every process runs again, so that the audit finds what is wrong for good."""
    yield
    for name in (*SERVERS, *REPLICAS):
        for index in range(REPLICAS.get(name, 1)):
            world.suite.send(name, signal.SIGCONT, index)
    await asyncio.gather(*(world.suite.start(name) for name in SERVERS))
    await asyncio.gather(*(world.suite.start(name) for name in REPLICAS))
