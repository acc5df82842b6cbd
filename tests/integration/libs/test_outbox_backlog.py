"""What waits in the outbox is told, with and without a broker."""

import asyncio

import pytest
from prometheus_client import REGISTRY

from libs.db.database import Database
from libs.events import connection
from libs.events.connection import Bus
from libs.outbox import backlog
from libs.outbox.relay import Relay
from libs.telemetry.measuring import Every
from services.standalone.suite import Suite
from tests.integration.libs.outbox_rig import Rig
from tests.waiting import wait_until


@pytest.fixture
async def rig(db: Database, admin_bus: Bus) -> Rig:
    return await Rig.of(db, admin_bus)


def figure(name: str) -> float:
    """A gauge of this process."""
    value = REGISTRY.get_sample_value(f"smartmate_outbox_{name}")
    assert value is not None
    return value


async def test_what_is_not_published_is_counted_with_the_age_of_the_oldest(rig: Rig) -> None:
    await rig.add(3)
    await rig.db.run(backlog.measure)
    first = figure("oldest_seconds")
    assert figure("waiting") == 3
    assert first > 0
    await rig.db.run(backlog.measure)
    assert figure("oldest_seconds") > first


async def test_nothing_that_waits_is_nothing(rig: Rig) -> None:
    await rig.add(2)
    await rig.relay().run_once()
    await rig.db.run(backlog.measure)
    assert (figure("waiting"), figure("oldest_seconds")) == (0, 0)


async def test_the_relay_tells_it_by_itself_and_again_when_it_is_empty(rig: Rig) -> None:
    relay = rig.relay()
    relay.measuring = Every(0)
    await rig.add(4)
    await rig.db.run(backlog.measure)
    assert figure("waiting") == 4
    stop = asyncio.Event()
    running = asyncio.ensure_future(relay.run(stop))
    try:
        await wait_until(lambda: figure("waiting") == 0)
        assert await rig.all_published()
    finally:
        stop.set()
        await running


async def test_it_is_told_while_the_broker_is_away(rig: Rig, shared_servers: Suite) -> None:
    await rig.db.run(backlog.measure)
    away = await connection.connect(shared_servers.nats_admin, service="schedule")
    await away.close()
    relay = Relay(rig.db, away, measuring=Every(0))
    await rig.add(2)
    stop = asyncio.Event()
    running = asyncio.ensure_future(relay.run(stop))
    try:
        await wait_until(lambda: figure("waiting") == 2)
    finally:
        stop.set()
        await running


def test_it_is_time_to_measure_once_in_so_many_seconds() -> None:
    rare, always = Every(3600), Every(0)
    assert [rare.is_due(), rare.is_due()] == [True, False]
    assert [always.is_due(), always.is_due()] == [True, True]
