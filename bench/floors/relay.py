"""The least a relay can be: one transaction around a batch that is locked, published and marked.

Rows are taken with SKIP LOCKED; all messages of a batch are written before their acks are counted
on one subscription.
"""

import asyncio
import json
from dataclasses import dataclass, field

import asyncpg
from nats.aio.client import Client
from nats.aio.msg import Msg

TABLE = "outbox_floor"
BATCH = 500
_ACKS_WITHIN = 10.0

_TAKE = f"""
    SELECT id, subject, payload, headers FROM {TABLE} WHERE published_at IS NULL
    ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED
"""
_MARK = f"UPDATE {TABLE} SET published_at = now() WHERE id = ANY($1::uuid[])"


@dataclass(slots=True)
class Relay:
    """One relay on one connection to each server."""

    database: asyncpg.Connection
    broker: Client
    inbox: str = ""
    _missing: int = 0
    _all_acked: asyncio.Event = field(default_factory=asyncio.Event)

    async def open(self) -> None:
        """Listens for acks."""
        self.inbox = self.broker.new_inbox()
        await self.broker.subscribe(f"{self.inbox}.*", cb=self._acked)

    async def run_once(self) -> int:
        """Publishes a batch; gives how many rows that were."""
        async with self.database.transaction():
            rows = await self.database.fetch(_TAKE, BATCH)
            if rows:
                await self._publish(rows)
                await self.database.execute(_MARK, [row["id"] for row in rows])
        return len(rows)

    async def _publish(self, rows: list[asyncpg.Record]) -> None:
        self._missing = len(rows)
        self._all_acked.clear()
        for number, row in enumerate(rows):
            await self.broker.publish(
                row["subject"],
                row["payload"],
                reply=f"{self.inbox}.{number}",
                headers=json.loads(row["headers"]),
            )
        await asyncio.wait_for(self._all_acked.wait(), _ACKS_WITHIN)

    async def _acked(self, message: Msg) -> None:
        if b'"error"' in message.data:
            raise RuntimeError(message.data.decode())
        self._missing -= 1
        if self._missing == 0:
            self._all_acked.set()
