"""The relay: takes rows out of the outbox and publishes them, any number of replicas.

Source: spec architecture.md, Outbox. Rows are leased with SKIP LOCKED, published outside that
transaction and marked after the ack. A row that is refused for itself gets its own growing
delay and blocks no other.
"""

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import nats.errors
import nats.js.errors
from nats.js.api import PubAck
from prometheus_client import Counter
from sqlalchemy import Row, text

from libs.db.database import Database, is_away
from libs.events.connection import Bus
from libs.telemetry import logs

_log = logs.get("outbox.relay")
_PUBLISHED = Counter("smartmate_outbox_published_total", "Rows published", ["outcome"])

# The lease is next_attempt_at itself: a row that was taken is not due again until it lapses.
_TAKE = text("""
    UPDATE outbox SET lease = :lease, attempts = attempts + 1,
        next_attempt_at = clock_timestamp() + make_interval(secs => :lease_seconds)
    WHERE id IN (
        SELECT id FROM outbox
        WHERE published_at IS NULL AND next_attempt_at <= clock_timestamp()
        ORDER BY next_attempt_at LIMIT :batch FOR UPDATE SKIP LOCKED)
    RETURNING id, subject, payload, headers, attempts
""")
_MARK = text("""
    UPDATE outbox SET published_at = clock_timestamp(), stream_sequence = acked.sequence,
        lease = NULL
    FROM unnest(CAST(:ids AS uuid[]), CAST(:sequences AS bigint[])) AS acked (id, sequence)
    WHERE outbox.id = acked.id AND published_at IS NULL
""")
_DELAY = text("""
    UPDATE outbox SET lease = NULL,
        next_attempt_at = clock_timestamp() + make_interval(secs => late.seconds)
    FROM unnest(CAST(:ids AS uuid[]), CAST(:seconds AS float8[])) AS late (id, seconds)
    WHERE outbox.id = late.id AND lease = :lease AND published_at IS NULL
""")
# The broker acknowledges before it syncs to disk: what was published is kept for 24 hours.
_PRUNE = text("""
    DELETE FROM outbox WHERE id IN (
        SELECT id FROM outbox WHERE published_at < clock_timestamp() - interval '24 hours'
        LIMIT 1000)
""")


@dataclass(frozen=True, slots=True)
class Limits:
    """How the relay behaves; settings, so that tests can shorten them."""

    batch: int = 500
    poll_seconds: float = 1.0
    lease_seconds: float = 15.0
    ack_seconds: float = 5.0
    refused_most_seconds: float = 60.0
    prune_every_rounds: int = 600


@dataclass(slots=True)
class Relay:
    """Publishes one service's outbox; `wake` shortens the wait for the next round."""

    db: Database
    bus: Bus
    limits: Limits = Limits()
    _work: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        """There is something to publish. Called from this process' loop, after a commit."""
        self._work.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Publishes until `stop`, then once more what is there."""
        rounds = 0
        while not stop.is_set():
            self._work.clear()
            full = await self._round()
            rounds += 1
            if rounds % self.limits.prune_every_rounds == 0:
                await self._prune()
            if not full:
                await self._wait(stop)
        await self._round()

    async def _round(self) -> bool:
        """One round; True when there is probably more. An absent part ends it quietly."""
        if not self.bus.connected:
            return False
        try:
            return await self.run_once() == self.limits.batch
        except Exception as error:
            if not is_away(error):
                raise
            _log.warning("relay_waits", error=repr(error))
            return False

    async def run_once(self) -> int:
        """Takes one batch and publishes it; gives the number of rows taken."""
        lease = uuid.uuid4()
        async with self.db.transaction() as tx:
            rows = await tx.all(
                _TAKE,
                lease=lease,
                lease_seconds=self.limits.lease_seconds,
                batch=self.limits.batch,
            )
        if rows:
            answers = await asyncio.gather(
                *(self._publish(row) for row in rows), return_exceptions=True
            )
            await self._record(lease, rows, answers)
        return len(rows)

    async def _publish(self, row: Row[Any]) -> PubAck:
        # A fresh dict: the client writes into the one that it is given.
        return await self.bus.jetstream.publish(
            row.subject,
            bytes(row.payload),
            timeout=self.limits.ack_seconds,
            headers=dict(row.headers),
        )

    async def _record(
        self, lease: uuid.UUID, rows: Sequence[Row[Any]], answers: Sequence[PubAck | BaseException]
    ) -> None:
        acked: list[tuple[uuid.UUID, int]] = []
        late: list[tuple[uuid.UUID, float]] = []
        for row, answer in zip(rows, answers, strict=True):
            if isinstance(answer, PubAck):
                acked.append((row.id, answer.seq))
            elif isinstance(answer, (nats.errors.Error, nats.js.errors.Error, OSError)):
                delay = min(0.25 * 2.0 ** min(row.attempts, 20), self.limits.refused_most_seconds)
                late.append((row.id, delay))
                _log.warning("publish_refused", event_id=str(row.id), error=repr(answer))
            else:
                raise answer
        async with self.db.transaction() as tx:
            if acked:
                await tx.execute(
                    _MARK, ids=[id_ for id_, _ in acked], sequences=[seq for _, seq in acked]
                )
            if late:
                await tx.execute(
                    _DELAY,
                    lease=lease,
                    ids=[id_ for id_, _ in late],
                    seconds=[seconds for _, seconds in late],
                )
        _PUBLISHED.labels(outcome="acked").inc(len(acked))
        _PUBLISHED.labels(outcome="late").inc(len(late))

    async def _prune(self) -> None:
        try:
            async with self.db.transaction() as tx:
                await tx.execute(_PRUNE)
        except Exception as error:
            if not is_away(error):
                raise
            _log.warning("prune_waits", error=repr(error))

    async def _wait(self, stop: asyncio.Event) -> None:
        waits = {
            asyncio.ensure_future(self._work.wait()),
            asyncio.ensure_future(stop.wait()),
        }
        await asyncio.wait(
            waits, timeout=self.limits.poll_seconds, return_when=asyncio.FIRST_COMPLETED
        )
        for wait in waits:
            wait.cancel()
