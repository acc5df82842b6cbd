"""An outbox, what became of its rows, and what the stream holds of them."""

import itertools
import json
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from nats.js.api import StreamInfo
from sqlalchemy import Row, text

from libs.db.database import Database
from libs.events.connection import Bus
from libs.outbox.outbox import Outbox
from libs.outbox.relay import Limits, Relay
from smartmate.events.v1 import events_pb2
from tests.waiting import until

STREAM = "SCHEDULE"
SUBJECT = "smartmate.task.changed.v1"

_ROWS = text("SELECT *, next_attempt_at > clock_timestamp() AS is_later FROM outbox ORDER BY id")
_RAW = text("""
    INSERT INTO outbox (id, subject, user_id, payload, headers)
    VALUES (:id, :subject, 1, :payload, CAST(:headers AS jsonb))
""")
_LAPSE = text("UPDATE outbox SET next_attempt_at = clock_timestamp() WHERE published_at IS NULL")
_WAITERS = text("SELECT pid FROM pg_locks WHERE NOT granted AND locktype = 'advisory'")
_LOCK = 42

tasks = itertools.count(1)


def changed(user_id: int = 1) -> events_pb2.TaskChanged:
    """An event that no other is equal to."""
    return events_pb2.TaskChanged(user_id=user_id, task_id=next(tasks), version=1)


@dataclass(slots=True)
class Rig:
    """One outbox and the stream of its service."""

    db: Database
    bus: Bus
    start: int
    """The last sequence of the stream before this test."""

    @classmethod
    async def of(cls, db: Database, bus: Bus) -> "Rig":
        async with db.transaction() as tx:
            await tx.execute(text("DELETE FROM outbox"))
        return cls(db, bus, (await _stream(bus)).state.last_seq)

    def relay(self, **limits: Any) -> Relay:
        """A relay that waits for nobody."""
        quick = {"poll_seconds": 0.02, "ack_seconds": 2.0, "refused_most_seconds": 0.2}
        return Relay(self.db, self.bus, Limits(**(quick | limits)))

    async def add(self, count: int = 1, *, outbox: Outbox | None = None) -> None:
        """Commits so many events."""
        async with self.db.transaction() as tx:
            await (outbox or Outbox()).add(tx, *(changed() for _ in range(count)))

    async def add_raw(
        self,
        *,
        subject: str = SUBJECT,
        payload: bytes = b"x",
        headers: dict[str, Any] | None = None,
    ) -> uuid.UUID:
        """Commits a row as no service of ours writes it."""
        id_ = uuid.uuid4()
        said = {"Nats-Msg-Id": str(id_)} | (headers or {})
        async with self.db.transaction() as tx:
            await tx.execute(
                _RAW, id=id_, subject=subject, payload=payload, headers=json.dumps(said)
            )
        return id_

    async def rows(self) -> dict[uuid.UUID, Row[Any]]:
        async with self.db.transaction() as tx:
            return {row.id: row for row in await tx.all(_ROWS)}

    async def lapse(self) -> None:
        """The leases and delays of all rows are over."""
        async with self.db.transaction() as tx:
            await tx.execute(_LAPSE)

    async def all_published(self) -> bool:
        return all(row.published_at for row in (await self.rows()).values())

    async def in_stream(self) -> Counter[str]:
        """Message ids since the beginning of the test, with how often each is there."""
        last = (await _stream(self.bus)).state.last_seq
        messages = [
            await self.bus.jetstream.get_msg(STREAM, sequence)
            for sequence in range(self.start + 1, last + 1)
        ]
        return Counter(str((message.headers or {})["Nats-Msg-Id"]) for message in messages)

    async def each_once(self) -> bool:
        """Whether the stream holds every row once, and nothing else."""
        return await self.in_stream() == {str(id_): 1 for id_ in await self.rows()}

    @asynccontextmanager
    async def held(self, when: str) -> AsyncIterator[AsyncIterator[int]]:
        """Holds every update of a row for which `when` is true, before it is made.

        Gives the process ids of the database connections that are held.
        """
        async with self.db.transaction() as tx:
            await tx.execute(
                text(f"""
                    CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        PERFORM pg_advisory_xact_lock({_LOCK});
                        RETURN NEW;
                    END $$
                """)
            )
            await tx.execute(
                text(f"""
                    CREATE TRIGGER hold BEFORE UPDATE ON outbox FOR EACH ROW WHEN ({when})
                    EXECUTE FUNCTION hold()
                """)
            )
        try:
            async with self.db.transaction() as tx:
                await tx.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
                yield self._waiters()
        finally:
            async with self.db.transaction() as tx:
                await tx.execute(text("DROP FUNCTION hold CASCADE"))

    async def _waiters(self) -> AsyncIterator[int]:
        async def found() -> int:
            async with self.db.transaction() as tx:
                row = await tx.first(_WAITERS)
                return int(row.pid) if row else 0

        while True:
            yield await until(found, what="a held connection")

    async def cut(self, pid: int) -> None:
        """Ends one connection, as the death of its process would."""
        async with self.db.transaction() as tx:
            await tx.execute(text("SELECT pg_terminate_backend(:pid)"), pid=pid)


async def _stream(bus: Bus) -> StreamInfo:
    return await bus.jetstream.stream_info(STREAM)
