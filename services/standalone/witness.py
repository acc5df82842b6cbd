"""Watches the suite from outside: which events were told, and is another on its way?

A count of events is final only once nothing that leads to one is on its way any more.
"""

import asyncio
from collections.abc import Iterable
from typing import TypeVar

from google.protobuf.message import Message
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig

from libs.events.contract import Contract, contract
from services.standalone import databases, topology
from services.standalone.suite import Suite
from services.standalone.visitor import Unexpected

M = TypeVar("M", bound=Message)

LOOK_AGAIN_SECONDS = 0.1
FETCH = 100
FETCH_SECONDS = 10.0
UNPUBLISHED = "SELECT EXISTS (SELECT 1 FROM outbox WHERE published_at IS NULL)"


async def quiet(suite: Suite, kind: type[Message], *, within: float = 60.0) -> None:
    """Return once every event of a kind was published and heard, and what it led to is told.

    Raises Unexpected when time is up.
    """
    event = contract(kind)
    try:
        async with asyncio.timeout(within), topology.administrator(suite.nats_admin) as broker:
            while True:
                # In the order of their way: what is not here any more has to be there.
                if not (
                    await _unpublished(suite, event.said_by)
                    or await _unheard(broker, event)
                    or await _any_unpublished(suite, event.heard_by)
                ):
                    return
                await asyncio.sleep(LOOK_AGAIN_SECONDS)
    except TimeoutError as error:
        raise Unexpected(f"{event.type} was still on its way after {within:g} s") from error


async def told(suite: Suite, kind: type[M]) -> list[M]:
    """Every event of a kind that its stream keeps, read as the administrator."""
    async with topology.administrator(suite.nats_admin) as broker:
        return [kind.FromString(data) for data in await _kept(broker, contract(kind))]


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


async def _any_unpublished(suite: Suite, services: Iterable[str]) -> bool:
    for service in services:
        if await _unpublished(suite, service):
            return True
    return False


async def _unpublished(suite: Suite, service: str) -> bool:
    connection = await databases.connect(suite.dsn(service))
    try:
        return bool(await connection.fetchval(UNPUBLISHED))
    finally:
        await connection.close()


async def _unheard(broker: JetStreamContext, event: Contract) -> bool:
    for service in event.heard_by:
        info = await broker.consumer_info(event.stream, event.durable(service))
        if info.num_pending or info.num_ack_pending:
            return True
    return False
