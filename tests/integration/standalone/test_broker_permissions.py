"""The embedded NATS server: each service says its own events, hears its own consumers, no more."""

import asyncio
import json

import nats
import nats.errors
import nats.js.errors
import pytest
from nats.js import api

from libs.events import connection
from libs.events.contract import Contract, contracts_in
from services.standalone import errors, topology
from services.standalone.settings import SERVICES
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from tests.integration.standalone.broker_user import connected, heard

EVENTS = tuple(contracts_in(events_pb2.DESCRIPTOR))
HEARD = [(event, service) for event in EVENTS for service in event.heard_by]


def named(value: object) -> str:
    """Name a case of HEARD."""
    return value.type if isinstance(value, Contract) else str(value)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
async def test_an_event_is_published_by_the_service_that_says_it(
    servers: Suite, event: Contract
) -> None:
    async with connected(servers, event.said_by) as user:
        ack = await user.client.jetstream().publish(event.subject, b"said")
    assert ack.stream == event.stream
    assert user.refusals == []


@pytest.mark.parametrize("service", SERVICES)
async def test_no_service_publishes_an_event_of_another(servers: Suite, service: str) -> None:
    async with connected(servers, service) as user:
        foreign = [event for event in EVENTS if event.said_by != service]
        for event in foreign:
            await user.client.publish(event.subject, b"forged")
        assert foreign
        assert await user.refused_times(len(foreign))


@pytest.mark.parametrize(
    ("event", "service"), HEARD, ids=lambda value: getattr(value, "type", value)
)
async def test_an_event_is_fetched_and_acknowledged_by_those_who_hear_it(
    servers: Suite, event: Contract, service: str
) -> None:
    async with connected(servers, event.said_by) as sayer:
        await sayer.client.jetstream().publish(event.subject, b"news")
    async with connected(servers, service) as user:
        jetstream = user.client.jetstream()
        info = await jetstream.consumer_info(event.stream, event.durable(service))
        subscription = await jetstream.pull_subscribe_bind(
            durable=event.durable(service), stream=event.stream
        )
        fetched = await subscription.fetch(100, timeout=2, heartbeat=0.5)
        for message in fetched:
            await message.in_progress()
            await message.ack_sync()
        await subscription.unsubscribe()
        after = await jetstream.consumer_info(event.stream, event.durable(service))
    assert fetched[-1].data == b"news"
    assert info.num_pending == len(fetched)
    assert (after.num_pending, after.num_ack_pending) == (0, 0)
    assert user.refusals == []


async def test_a_consumer_of_another_service_is_out_of_reach(servers: Suite) -> None:
    async with connected(servers, "notification") as user:
        jetstream = user.client.jetstream(timeout=0.3)
        with pytest.raises(nats.errors.TimeoutError):
            await jetstream.consumer_info("SCHEDULE", "active_scheduler__task_changed")
        subscription = await jetstream.pull_subscribe_bind(
            durable="active_scheduler__task_changed", stream="SCHEDULE"
        )
        with pytest.raises(nats.errors.TimeoutError):
            await subscription.fetch(1, timeout=0.3)
        assert await user.refused_times(2)
    assert any("MSG.NEXT.SCHEDULE" in refusal.upper() for refusal in user.refusals)


async def test_no_service_declares_changes_or_deletes_a_stream_or_consumer(servers: Suite) -> None:
    async with connected(servers, "schedule") as user:
        jetstream = user.client.jetstream(timeout=0.2)
        for attempt in (
            jetstream.add_stream(name="MINE", subjects=["mine"]),
            jetstream.delete_stream("SCHEDULE"),
            jetstream.purge_stream("SCHEDULE"),
            jetstream.add_consumer("SCHEDULE", api.ConsumerConfig(durable_name="mine")),
            jetstream.delete_consumer("SCHEDULE", "active_scheduler__task_changed"),
            jetstream.get_msg("ACTIVE_SCHEDULER", 1),
        ):
            with pytest.raises(nats.errors.TimeoutError):
                await attempt
        assert await user.refused_times(6)


@pytest.mark.parametrize(
    ("service", "subject"),
    [
        ("active_scheduler", "smartmate.schedule.apply.succeeded.v1"),
        ("active_scheduler", "smartmate.schedule.apply.failed.v1"),
        ("active_scheduler", "smartmate.preview.changed.v1"),
        ("gateway", "smartmate.schedule.preview.generated.v1"),
        ("gateway", "smartmate.preview.changed.v1"),
        ("gateway", "smartmate.schedule.changed.v1"),
    ],
)
async def test_a_hint_reaches_who_may_hear_it(servers: Suite, service: str, subject: str) -> None:
    (event,) = [event for event in EVENTS if event.subject == subject]
    async with (
        connected(servers, service) as waiter,
        connected(servers, event.said_by) as sayer,
    ):
        subscription = await waiter.client.subscribe(subject)
        assert await heard(sayer, subject, b"hint", subscription) == [b"hint"]
    assert waiter.refusals == []


@pytest.mark.parametrize(
    ("service", "subject"),
    [
        ("gateway", "smartmate.task.changed.v1"),
        ("gateway", ">"),
        ("schedule", "smartmate.preview.changed.v1"),
        ("schedule", "_INBOX_gateway.>"),
        ("notification", "_INBOX.>"),
        ("notification", "$JS.>"),
        ("active_scheduler", "smartmate.>"),
    ],
)
async def test_listening_elsewhere_is_refused(servers: Suite, service: str, subject: str) -> None:
    async with connected(servers, service) as user:
        await user.client.subscribe(subject)
        assert await user.refused_times(1)


async def test_the_gateway_publishes_nothing_at_all(servers: Suite) -> None:
    async with connected(servers, "gateway") as user:
        await user.client.publish("anything", b"")
        await user.client.publish("$JS.API.INFO", b"")
        assert await user.refused_times(2)


@pytest.mark.parametrize(
    "login", [{}, {"user": "schedule", "pass": "guess"}, {"user": "admin"}, {"user": "root"}]
)
async def test_nobody_enters_without_the_right_password(
    servers: Suite, login: dict[str, str]
) -> None:
    host, _, port = servers.nats_admin.rpartition("@")[2].rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    greeting = await reader.readline()
    writer.write(f"CONNECT {json.dumps(login | {'verbose': True})}\r\n".encode())
    answer = await reader.readline()
    writer.close()
    await writer.wait_closed()
    assert greeting.startswith(b"INFO ")
    assert answer.startswith(b"-ERR 'Authorization Violation'")


async def test_the_service_kit_takes_a_refusal_as_fatal(servers: Suite) -> None:
    bus = await connection.connect(servers.nats_url("notification"), service="notification")
    await bus.client.publish("smartmate.task.changed.v1", b"forged")
    await bus.client.flush()
    async with asyncio.timeout(5):
        await bus.fatal.wait()
    await bus.client.close()


async def test_streams_and_consumers_are_as_declared(servers: Suite) -> None:
    async with topology.administrator(servers.nats_admin) as jetstream:
        streams = {info.config.name: info.config for info in await jetstream.streams_info()}
        consumers = {
            info.name: info.config
            for stream in streams
            for info in await jetstream.consumers_info(str(stream))
            if info.config.durable_name
        }
    assert set(streams) == {event.stream for event in EVENTS}
    for name, held in streams.items():
        assert sorted(held.subjects or ()) == sorted(
            event.subject for event in EVENTS if event.stream == name
        )
        assert held.discard == api.DiscardPolicy.NEW
        assert held.storage == api.StorageType.FILE
        assert (held.max_age, held.max_bytes) == (7 * 86_400, 1024**3)
        assert held.duplicate_window == 600
    assert set(consumers) == {event.durable(service) for event, service in HEARD}
    for held in consumers.values():
        assert held.ack_policy == api.AckPolicy.EXPLICIT
        assert (held.ack_wait, held.max_deliver, held.max_ack_pending) == (30, -1, 64)


async def test_declaring_again_changes_nothing_and_new_limits_are_taken_over(
    servers: Suite,
) -> None:
    assert await topology.declare(servers.nats_admin) == topology.Report((), (), ())
    longer = await topology.declare(servers.nats_admin, limits=topology.Limits(ack_wait=45))
    assert longer.created == ()
    assert len(longer.changed) == len(HEARD)
    async with topology.administrator(servers.nats_admin) as jetstream:
        info = await jetstream.consumer_info("SCHEDULE", "active_scheduler__task_changed")
    assert info.config.ack_wait == 45
    larger = await topology.declare(servers.nats_admin, limits=topology.Limits(max_bytes=2**31))
    assert set(larger.changed) >= {event.stream for event in EVENTS}
    await topology.declare(servers.nats_admin)


async def test_an_undeclared_consumer_is_reported_and_kept(servers: Suite) -> None:
    async with topology.administrator(servers.nats_admin) as jetstream:
        await jetstream.add_consumer("SCHEDULE", api.ConsumerConfig(durable_name="archive"))
        report = await topology.declare(servers.nats_admin)
        assert report.unknown == ("SCHEDULE/archive",)
        await jetstream.delete_consumer("SCHEDULE", "archive")


async def test_a_consumer_that_lasts_only_for_a_while_is_not_reported(servers: Suite) -> None:
    async with topology.administrator(servers.nats_admin) as jetstream:
        made = await jetstream.add_consumer("SCHEDULE", api.ConsumerConfig(inactive_threshold=60))
        report = await topology.declare(servers.nats_admin)
        assert report == topology.Report((), (), ())
        assert await jetstream.delete_consumer("SCHEDULE", made.name)


async def test_a_declaration_that_the_broker_refuses_is_named(servers: Suite) -> None:
    limits = topology.Limits(duplicate_window=8 * 86_400.0)
    with pytest.raises(errors.TopologyRefused, match="duplicate"):
        await topology.declare(servers.nats_admin, limits=limits)


async def test_messages_survive_a_killed_broker(servers: Suite) -> None:
    async with connected(servers, "schedule") as user:
        ack = await user.client.jetstream().publish("smartmate.schedule.changed.v1", b"kept")
    await servers.kill("nats")
    await servers.ready("nats")
    async with topology.administrator(servers.nats_admin) as jetstream:
        assert (await jetstream.get_msg("SCHEDULE", ack.seq)).data == b"kept"
