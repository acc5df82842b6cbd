"""The observer: a program from outside hears every event, and says and changes nothing."""

import pytest
from nats.js import JetStreamContext

from libs.events.contract import Contract, contracts_in
from services.standalone import topology
from services.standalone.permissions import OBSERVER
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from tests.integration.standalone.broker_user import connected, heard

EVENTS = tuple(contracts_in(events_pb2.DESCRIPTOR))
STREAM, SUBJECT = "SCHEDULE", "smartmate.schedule.changed.v1"
DURABLE = "active_scheduler__task_changed"
FORGED = (
    *(event.subject for event in EVENTS),
    "anything",
    "_INBOX_gateway.x",
    f"_INBOX_{OBSERVER}.x",
    "$JS.API.INFO",
    "$JS.API.STREAM.NAMES",
    "$JS.API.STREAM.CREATE.MINE",
    f"$JS.API.STREAM.INFO.{STREAM}",
    f"$JS.API.STREAM.PURGE.{STREAM}",
    f"$JS.API.STREAM.DELETE.{STREAM}",
    f"$JS.API.STREAM.MSG.GET.{STREAM}",
    f"$JS.API.STREAM.MSG.DELETE.{STREAM}",
    f"$JS.API.DIRECT.GET.{STREAM}",
    f"$JS.API.CONSUMER.CREATE.{STREAM}",
    f"$JS.API.CONSUMER.CREATE.{STREAM}.mine",
    f"$JS.API.CONSUMER.CREATE.{STREAM}.{DURABLE}.{SUBJECT}",
    f"$JS.API.CONSUMER.DURABLE.CREATE.{STREAM}.{DURABLE}",
    f"$JS.API.CONSUMER.DELETE.{STREAM}.{DURABLE}",
    f"$JS.API.CONSUMER.INFO.{STREAM}.{DURABLE}",
    f"$JS.API.CONSUMER.MSG.NEXT.{STREAM}.{DURABLE}",
    f"$JS.ACK.{STREAM}.{DURABLE}.1.1.1.1.0",
    f"$JS.FC.{STREAM}.x",
)


async def state(broker: JetStreamContext) -> list[tuple[int, list[str]]]:
    """How many messages each stream keeps, and its consumers."""
    return [
        (
            (await broker.stream_info(stream)).state.messages,
            sorted(consumer.name for consumer in await broker.consumers_info(stream)),
        )
        for stream in dict.fromkeys(event.stream for event in EVENTS)
    ]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
async def test_the_observer_hears_every_event_as_it_is_said(
    servers: Suite, event: Contract
) -> None:
    async with connected(servers, OBSERVER) as observer, connected(servers, event.said_by) as sayer:
        of_this = await observer.client.subscribe(event.subject)
        of_all = await observer.client.subscribe("smartmate.>")
        assert await heard(sayer, event.subject, b"said", of_this, of_all) == [b"said"] * 2
    assert observer.refusals == []


async def test_the_observer_may_publish_nothing_at_all(servers: Suite) -> None:
    async with topology.administrator(servers.nats_admin) as administrator:
        before = await state(administrator)
        async with connected(servers, OBSERVER) as observer:
            for subject in FORGED:
                await observer.client.publish(subject, b"{}")
            assert await observer.refused_times(len(FORGED))
        assert await state(administrator) == before
    assert await topology.declare(servers.nats_admin) == topology.Report((), (), ())


@pytest.mark.parametrize("subject", [">", "_INBOX.>", "_INBOX_gateway.>", "$JS.>", "$SYS.>"])
async def test_the_observer_hears_events_alone(servers: Suite, subject: str) -> None:
    async with connected(servers, OBSERVER) as observer:
        await observer.client.subscribe(subject)
        assert await observer.refused_times(1)
