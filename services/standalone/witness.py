"""Watches the suite from outside: have all events been heard, and how many were told?

A count of events is final only once nothing is on its way any more.
"""

import asyncio
from typing import TypeVar

import nats
from google.protobuf.message import Message
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig

from libs.events.contract import Contract, contract, contracts_in
from services.standalone import databases, permissions, topology
from services.standalone.suite import Suite
from services.standalone.visitor import Unexpected
from smartmate.events.v1 import events_pb2

M = TypeVar("M", bound=Message)

LOOK_AGAIN_SECONDS = 0.1
FETCH = 100
FETCH_SECONDS = 10.0
UNPUBLISHED = "SELECT count(*) FROM outbox WHERE published_at IS NULL"


async def quiet(suite: Suite, *, within: float = 60.0) -> None:
    """Return once every event was published and heard; raises Unexpected when time is up."""
    events = tuple(contracts_in(events_pb2.DESCRIPTOR))
    sayers = tuple(dict.fromkeys(event.said_by for event in events))
    try:
        async with asyncio.timeout(within), topology.administrator(suite.nats_admin) as broker:
            while True:
                if not (await _unpublished(suite, sayers) or await _unheard(broker, events)):
                    return
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
    except TimeoutError as error:
        raise Unexpected(f"events were still on their way after {within:g} s") from error


async def told(suite: Suite, kind: type[M]) -> list[M]:
    """Every event of a kind that its stream keeps, read as a listener from outside reads."""
    what = contract(kind)
    url = suite.observer_nats_url if suite.embeds_nats else suite.nats_admin
    prefix = permissions.inbox_prefix(permissions.OBSERVER).encode()
    client = await nats.connect(url, inbox_prefix=prefix)
    try:
        return [kind.FromString(data) for data in await _kept(client.jetstream(), what)]
    finally:
        await client.close()


async def _kept(jetstream: JetStreamContext, what: Contract) -> list[bytes]:
    """The messages of a subject; as many as the stream says that it holds."""
    info = await jetstream.stream_info(what.stream, subjects_filter=what.subject)
    wanted = (info.state.subjects or {}).get(what.subject, 0)
    config = ConsumerConfig(ack_policy=AckPolicy.NONE)
    listening = await jetstream.pull_subscribe(what.subject, stream=what.stream, config=config)
    found: list[bytes] = []
    while len(found) < wanted:
        batch = min(FETCH, wanted - len(found))
        found += [message.data for message in await listening.fetch(batch, timeout=FETCH_SECONDS)]
    await listening.unsubscribe()
    return found


async def _unpublished(suite: Suite, sayers: tuple[str, ...]) -> int:
    total = 0
    for service in sayers:
        connection = await databases.connect(suite.dsn(service))
        try:
            total += await connection.fetchval(UNPUBLISHED)
        finally:
            await connection.close()
    return total


async def _unheard(broker: JetStreamContext, events: tuple[Contract, ...]) -> int:
    total = 0
    for event in events:
        for service in event.heard_by:
            info = await broker.consumer_info(event.stream, event.durable(service))
            total += (info.num_pending or 0) + (info.num_ack_pending or 0)
    return total
