"""Hints wake who waits; lost ones cost time and nothing else."""

import asyncio
import itertools
from collections.abc import AsyncIterator

import pytest
from google.protobuf.message import Message

from libs.events import connection
from libs.events.connection import Bus
from libs.events.contract import contract
from libs.events.hints import Hints
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from tests.waiting import until, wait_until

KINDS = (events_pb2.SchedulePreviewGenerated, events_pb2.PreviewChanged)
FOR_EVER = 60.0

numbers = itertools.count(1)


@pytest.fixture
def preview() -> str:
    return f"asp_{next(numbers)}"


@pytest.fixture
async def hints(admin_bus: Bus) -> AsyncIterator[Hints]:
    hearing = Hints(admin_bus)
    await hearing.hear(KINDS, key_field="preview_id")
    await admin_bus.client.flush()
    yield hearing
    await hearing.close()


async def say(bus: Bus, message: Message) -> None:
    await bus.client.publish(contract(message).subject, message.SerializeToString())
    await bus.client.flush()


@pytest.mark.parametrize("kind", KINDS)
async def test_a_hint_of_any_kind_wakes_who_waits_for_its_key(
    hints: Hints, admin_bus: Bus, preview: str, kind: type[Message]
) -> None:
    async with hints.waiting(preview) as waiter, hints.waiting(preview) as other:
        await say(admin_bus, kind(preview_id=preview))
        assert await waiter.wait(FOR_EVER)
        assert await other.wait(FOR_EVER)


async def test_a_hint_that_came_before_the_wait_counts_once(hints: Hints, preview: str) -> None:
    async with hints.waiting(preview) as waiter:
        hints.wake(preview)
        hints.wake(preview)
        assert await waiter.wait(FOR_EVER)
        assert not await waiter.wait(0.01)


async def test_a_hint_about_another_wakes_nobody_here(
    hints: Hints, admin_bus: Bus, preview: str
) -> None:
    other = f"{preview}-other"
    async with hints.waiting(preview) as waiter, hints.waiting(other) as others:
        await say(admin_bus, events_pb2.PreviewChanged(preview_id=other))
        assert await others.wait(FOR_EVER)
        assert not await waiter.wait(0.01)


async def test_without_a_hint_the_time_is_up(hints: Hints, preview: str) -> None:
    async with hints.waiting(preview) as waiter:
        assert not await waiter.wait(0.01)


async def test_a_hint_that_cannot_be_read_is_passed_over(
    hints: Hints, admin_bus: Bus, preview: str
) -> None:
    async with hints.waiting(preview) as waiter:
        await admin_bus.client.publish(contract(KINDS[1]).subject, b"\xff")
        await say(admin_bus, events_pb2.PreviewChanged(preview_id=preview))
        assert await waiter.wait(FOR_EVER)


async def test_nobody_is_remembered_who_waits_no_more(hints: Hints, preview: str) -> None:
    async with hints.waiting(preview):
        async with hints.waiting(preview):
            pass
        hints.wake(preview)
    with pytest.raises(ValueError, match="no"):
        async with hints.waiting(preview):
            raise ValueError("no")
    hints.wake(preview)
    assert not hints._waiters


async def test_after_the_close_nothing_is_heard(admin_bus: Bus, preview: str) -> None:
    closed = Hints(admin_bus)
    before = len(admin_bus.client._subs)
    await closed.hear(KINDS, key_field="preview_id")
    await closed.close()
    await closed.close()
    assert len(admin_bus.client._subs) == before
    async with closed.waiting(preview) as waiter:
        await say(admin_bus, events_pb2.PreviewChanged(preview_id=preview))
        assert not await waiter.wait(0.01)


async def test_who_waits_while_the_broker_is_away_is_not_held_up_and_hears_again(
    mortal_servers: Suite, mortal_bus: Bus, preview: str
) -> None:
    hints = Hints(mortal_bus)
    await hints.hear(KINDS, key_field="preview_id")
    async with hints.waiting(preview) as waiter:
        await mortal_servers.stop("nats")
        await wait_until(lambda: not mortal_bus.connected)
        assert not await waiter.wait(0.01)
        reconnects = mortal_bus.reconnects
        await mortal_servers.start("nats")
        await wait_until(lambda: mortal_bus.reconnects > reconnects)

        async def is_hinted() -> bool:
            await say(mortal_bus, events_pb2.PreviewChanged(preview_id=preview))
            return await waiter.wait(0.1)

        await until(is_hinted)
    await hints.close()


async def test_closing_after_the_connection_is_gone_is_quiet(shared_servers: Suite) -> None:
    bus = await connection.connect(shared_servers.nats_admin, service="gateway")
    hints = Hints(bus)
    await hints.hear(KINDS, key_field="preview_id")
    await bus.close()
    await hints.close()


async def test_a_connection_is_closed_though_its_broker_is_away(mortal_servers: Suite) -> None:
    bus = await connection.connect(mortal_servers.nats_admin, service="gateway")
    await Hints(bus).hear(KINDS, key_field="preview_id")
    await mortal_servers.stop("nats")
    await wait_until(lambda: not bus.connected)
    async with asyncio.timeout(20):
        await bus.close()
    assert bus.client.is_closed
    await mortal_servers.start("nats")


async def test_a_connection_is_made_when_the_broker_comes(mortal_servers: Suite) -> None:
    await mortal_servers.stop("nats")
    connecting = asyncio.ensure_future(
        connection.connect(mortal_servers.nats_admin, service="gateway")
    )
    done, _ = await asyncio.wait({connecting}, timeout=0.2)
    assert not done
    await mortal_servers.start("nats")
    bus = await connecting
    assert bus.connected
    assert not bus.fatal.is_set()
    await bus.close()


async def test_of_several_servers_one_is_enough(shared_servers: Suite) -> None:
    nowhere = "nats://127.0.0.1:1"
    bus = await connection.connect(f"{nowhere},{shared_servers.nats_admin}", service="gateway")
    assert bus.connected
    assert bus.service == "gateway"
    await bus.close()


async def test_a_connection_that_is_closed_for_good_is_fatal(shared_servers: Suite) -> None:
    bus = await connection.connect(shared_servers.nats_admin, service="gateway")
    assert not bus.fatal.is_set()
    await bus.client.close()
    await wait_until(bus.fatal.is_set)
    await bus.close()


async def test_nothing_is_buffered_for_a_broker_that_is_away(
    mortal_servers: Suite, mortal_bus: Bus
) -> None:
    import nats.errors

    await mortal_servers.stop("nats")
    await wait_until(lambda: not mortal_bus.connected)
    with pytest.raises(nats.errors.OutboundBufferLimitError):
        await mortal_bus.client.publish("smartmate.task.changed.v1", b"x")
    reconnects = mortal_bus.reconnects
    await mortal_servers.start("nats")
    await wait_until(lambda: mortal_bus.reconnects > reconnects)
