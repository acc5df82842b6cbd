"""The least that lies between a cause and its effect in another service, one event long.

A row of an outbox wakes a listener on another connection, which publishes; a waiting pull brings
the message to a third, which ends with one transaction.
"""

import asyncio
from dataclasses import dataclass, field
from typing import Self

import asyncpg
import nats
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.api import StreamConfig

from bench.floors.transaction import Applies

_CHANNEL = "bench_hops"
_STREAM, _SUBJECT = "BENCH_HOPS", "bench.hops"
_TABLE = "CREATE TABLE IF NOT EXISTS hops (id bigint GENERATED ALWAYS AS IDENTITY, body text)"
_INSERT = f"""
    WITH written AS (INSERT INTO hops (body) VALUES ('x') RETURNING id)
    SELECT pg_notify('{_CHANNEL}', '') FROM written
"""
_BODY = b"x" * 256


@dataclass(slots=True)
class Hops:
    """Connections of all parties, in one process."""

    dsn: str
    broker: str
    applies: Applies = field(default_factory=Applies)
    _databases: list[asyncpg.Connection] = field(default_factory=list)
    _clients: list[Client] = field(default_factory=list)
    _woken: asyncio.Event = field(default_factory=asyncio.Event)
    _publishing: JetStreamContext = field(init=False)
    _pulled: JetStreamContext.PullSubscription = field(init=False)

    async def __aenter__(self) -> Self:
        self._databases = [await asyncpg.connect(self.dsn) for _ in range(2)]
        self._clients = [await nats.connect(self.broker) for _ in range(2)]
        await self.applies.open(self.dsn, 1)
        writing, listening = self._databases
        await writing.execute(_TABLE)
        await listening.add_listener(_CHANNEL, lambda *_: self._woken.set())
        publishing, pulling = (one.jetstream() for one in self._clients)
        await publishing.add_stream(StreamConfig(name=_STREAM, subjects=[_SUBJECT]))
        self._publishing = publishing
        self._pulled = await pulling.pull_subscribe(_SUBJECT, durable="hops")
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._pulled.unsubscribe()
        await self.applies.close()
        for client in self._clients:
            await client.close()
        for connection in self._databases:
            await connection.close()

    async def one(self) -> None:
        """One hop, from the insert to the end of the transaction."""
        fetch = asyncio.ensure_future(self._pulled.fetch(1, timeout=5))
        self._woken.clear()
        await self._databases[0].fetch(_INSERT)
        await self._woken.wait()
        await self._publishing.publish(_SUBJECT, _BODY)
        (message,) = await fetch
        await self.applies.apply(0)
        await message.ack()
