"""The observer: a program from outside hears every event, and says and changes nothing."""

import nats.errors
import pytest
from nats.js import api

from libs.events.contract import Contract, contracts_in
from services.standalone import topology
from services.standalone.permissions import OBSERVER
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from tests.integration.standalone.broker_user import connected

EVENTS = tuple(contracts_in(events_pb2.DESCRIPTOR))
STREAM, SUBJECT = "SCHEDULE", "smartmate.schedule.changed.v1"
DURABLE = "active_scheduler__task_changed"
MANY = 200
LARGE = 20_000
"""200 messages of 20 kB are more than a push consumer sends before it wants an answer."""


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.type)
async def test_the_observer_hears_every_event_as_it_is_said(
    servers: Suite, event: Contract
) -> None:
    async with connected(servers, OBSERVER) as observer, connected(servers, event.said_by) as sayer:
        jetstream = observer.client.jetstream()
        news = api.ConsumerConfig(deliver_policy=api.DeliverPolicy.NEW)
        events = await jetstream.subscribe(
            event.subject, stream=event.stream, ordered_consumer=True, config=news
        )
        await sayer.client.jetstream().publish(event.subject, b"said")
        assert (await events.next_msg(timeout=5)).data == b"said"
    assert observer.refusals == []


async def test_the_observer_reads_a_long_past_in_order(servers: Suite) -> None:
    async with connected(servers, "schedule") as sayer:
        for number in range(MANY):
            data = str(number).encode().ljust(LARGE)
            await sayer.client.jetstream().publish(SUBJECT, data)
    async with connected(servers, OBSERVER) as observer:
        jetstream = observer.client.jetstream()
        kept = (await jetstream.stream_info(STREAM, subjects_filter=SUBJECT)).state.subjects
        assert kept is not None
        events = await jetstream.subscribe(SUBJECT, stream=STREAM, ordered_consumer=True)
        found = [(await events.next_msg(timeout=10)).data for _ in range(kept[SUBJECT])]
    assert [int(data) for data in found[-MANY:]] == list(range(MANY))
    assert observer.refusals == []


async def test_the_observer_fetches_by_a_consumer_of_its_own(servers: Suite) -> None:
    async with connected(servers, "schedule") as sayer:
        await sayer.client.jetstream().publish(SUBJECT, b"fetched")
    async with connected(servers, OBSERVER) as observer:
        config = api.ConsumerConfig(
            ack_policy=api.AckPolicy.NONE, deliver_policy=api.DeliverPolicy.LAST
        )
        jetstream = observer.client.jetstream()
        events = await jetstream.pull_subscribe(SUBJECT, stream=STREAM, config=config)
        assert (await events.fetch(1, timeout=5))[0].data == b"fetched"
    assert observer.refusals == []


async def test_the_observer_may_not_publish(servers: Suite) -> None:
    subjects = [event.subject for event in EVENTS]
    async with topology.administrator(servers.nats_admin) as administrator:
        before = [
            (await administrator.stream_info(stream)).state.messages
            for stream in dict.fromkeys(event.stream for event in EVENTS)
        ]
        async with connected(servers, OBSERVER) as observer:
            for subject in (*subjects, "anything", "_INBOX_gateway.x", "$JS.API.INFO"):
                await observer.client.publish(subject, b"forged")
            assert await observer.refused_times(len(subjects) + 3)
        after = [
            (await administrator.stream_info(stream)).state.messages
            for stream in dict.fromkeys(event.stream for event in EVENTS)
        ]
    assert after == before


async def test_the_observer_leaves_streams_and_the_services_consumers_alone(
    servers: Suite,
) -> None:
    named = api.ConsumerConfig(name=DURABLE, filter_subject=SUBJECT)
    async with connected(servers, OBSERVER) as observer:
        jetstream = observer.client.jetstream(timeout=0.2)
        for attempt in (
            jetstream.add_stream(name="MINE", subjects=["mine"]),
            jetstream.purge_stream(STREAM),
            jetstream.delete_stream(STREAM),
            jetstream.delete_consumer(STREAM, DURABLE),
            jetstream.add_consumer(STREAM, named),
            jetstream.add_consumer(STREAM, api.ConsumerConfig(name=DURABLE)),
            jetstream.add_consumer(STREAM, api.ConsumerConfig(durable_name="mine")),
        ):
            with pytest.raises(nats.errors.TimeoutError):
                await attempt
        taken = await jetstream.pull_subscribe_bind(durable=DURABLE, stream=STREAM)
        with pytest.raises(nats.errors.TimeoutError):
            await taken.fetch(1, timeout=0.2)
        await observer.client.publish(f"$JS.ACK.{STREAM}.{DURABLE}.1.1.1.1.0", b"+ACK")
        await observer.client.publish(f"$JS.API.STREAM.MSG.DELETE.{STREAM}", b'{"seq": 1}')
        assert await observer.refused_times(10)
    # What was declared still stands, and what listens from outside is no news to a migration.
    report = await topology.declare(servers.nats_admin)
    assert report == topology.Report((), (), ())
