"""The relay: takes rows out of the outbox and publishes them, any number of replicas.

Source: spec architecture.md, Outbox. Rows are leased with SKIP LOCKED, published outside that
transaction and marked after the ack. A row that is refused for itself gets its own growing
delay and blocks no other. After each connect the stream is compared with what it acknowledged.
"""

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import nats.errors
from nats.js.api import StreamInfo
from prometheus_client import Counter
from sqlalchemy import text

from libs.db.database import Database, is_away
from libs.db.driver import Row
from libs.events.connection import Bus
from libs.events.contract import stream_of
from libs.outbox import backlog, lost
from libs.outbox.pipeline import Answer, Outgoing, Pipeline
from libs.telemetry import logs
from libs.telemetry.measuring import Every

_log = logs.get("outbox.relay")
_PUBLISHED = Counter("smartmate_outbox_published_total", "Rows published", ["outcome"])

# The lease is next_attempt_at itself: a row that was taken is not due again until it lapses. The
# ids are gathered first: whatever is known of the table, its rows are then reached by their key.
_TAKE = text("""
    UPDATE outbox SET lease = :lease, attempts = attempts + 1,
        next_attempt_at = clock_timestamp() + make_interval(secs => :lease_seconds)
    WHERE id = ANY(ARRAY(
        SELECT id FROM outbox
        WHERE published_at IS NULL AND next_attempt_at <= statement_timestamp()
        ORDER BY next_attempt_at LIMIT :batch FOR UPDATE SKIP LOCKED))
    RETURNING id, subject, payload, headers, attempts
""")
# The ids are named twice: once for the index, once for what belongs to each.
_MARK = text("""
    UPDATE outbox SET published_at = clock_timestamp(), stream_sequence = acked.sequence,
        lease = NULL
    FROM unnest(CAST(:ids AS uuid[]), CAST(:sequences AS bigint[])) AS acked (id, sequence)
    WHERE outbox.id = ANY(:ids) AND outbox.id = acked.id AND published_at IS NULL
""")
_DELAY = text("""
    UPDATE outbox SET lease = NULL,
        next_attempt_at = clock_timestamp() + make_interval(secs => late.seconds)
    FROM unnest(CAST(:ids AS uuid[]), CAST(:seconds AS float8[])) AS late (id, seconds)
    WHERE outbox.id = ANY(:ids) AND outbox.id = late.id AND lease = :lease
        AND published_at IS NULL
""")
# The broker acknowledges before it syncs to disk: what was published is kept for 24 hours.
_PRUNE = text("""
    DELETE FROM outbox WHERE id = ANY(ARRAY(
        SELECT id FROM outbox WHERE published_at < statement_timestamp() - interval '24 hours'
        LIMIT :limit))
""")
_REFUSALS = (nats.errors.Error, OSError)
# More than any headers of ours take: their size is only counted where it may matter.
_HEADER_ROOM = 64 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """How the relay behaves; settings, so that tests can shorten them."""

    batch: int = 500
    batches: int = 8
    """Batches in a row, where there are so many, before anything else is looked after."""
    poll_seconds: float = 1.0
    crowd: int = 8
    """Rows of a round after which more are about to come."""
    gather_seconds: float = 0.025
    """How long they are let come together: a round costs as much as many rows do."""
    lease_seconds: float = 15.0
    ack_seconds: float = 5.0
    refused_most_seconds: float = 60.0
    drain_seconds: float = 5.0
    """How long it goes on publishing what is there after it was told to stop."""
    prune_seconds: float = 60.0
    """Between two looks for rows that have outlived their use."""
    prune_batch: int = 1000


@dataclass(frozen=True, slots=True)
class _Taken:
    """Rows under a lease."""

    lease: uuid.UUID
    rows: Sequence[Row]


_NOTHING = _Taken(uuid.UUID(int=0), ())


@dataclass(slots=True)
class Relay:
    """Publishes one service's outbox; `wake` shortens the wait for the next round."""

    db: Database
    bus: Bus
    limits: Limits = Limits()
    measuring: Every = field(default_factory=Every)
    _work: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _compared: int = field(default=-1, init=False)
    """The connection on which the stream was last compared with the outbox."""
    _prune_at: float = field(default=0.0, init=False)
    _found: int = field(default=0, init=False)
    """Rows of the last round."""
    _pipeline: Pipeline = field(init=False)

    def __post_init__(self) -> None:
        self._pipeline = Pipeline(self.bus.client)

    def wake(self) -> None:
        """There is something to publish. Called from this process' loop, after a commit."""
        self._work.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Publishes until `stop`, then what is still there, for a short while."""
        while not stop.is_set():
            self._work.clear()
            await self._quietly(self._measure)
            full = await self._quietly(self._publish_some)
            # A batch a round, so that neither ever waits long for the other.
            full |= await self._quietly(self._prune)
            if not full:
                if self._found >= self.limits.crowd:
                    await _pause(stop, self.limits.gather_seconds)
                await self._wait(stop)
        ends_at = asyncio.get_running_loop().time() + self.limits.drain_seconds
        while await self._quietly(self._publish_some):
            if asyncio.get_running_loop().time() >= ends_at:
                break

    async def _quietly(self, part: Callable[[], Awaitable[bool]]) -> bool:
        """Runs a part of a round; an absent database or broker ends it, and is waited for."""
        try:
            return await part()
        except Exception as error:
            if not (is_away(error) or isinstance(error, _REFUSALS)):
                raise
            _log.warning("relay_waits", error=repr(error))
            return False

    async def _publish_some(self) -> bool:
        """True when there is probably more."""
        most = self.limits.batch * self.limits.batches
        self._found = await self.run_once(self.limits.batches) if self.bus.connected else 0
        return self._found == most

    async def run_once(self, batches: int = 1) -> int:
        """Takes a batch and publishes it, and further ones while they are full; gives the rows.

        The next batch is taken out of the database while the one before is with the broker.
        """
        await self._compare()
        total, taken = 0, await self._take()
        while taken.rows:
            total += len(taken.rows)
            batches -= 1
            publishing = asyncio.ensure_future(self._publish(taken))
            try:
                full = len(taken.rows) == self.limits.batch
                taken = await self._take() if full and batches else _NOTHING
            finally:
                await publishing
        return total

    async def _take(self) -> "_Taken":
        lease = uuid.uuid4()
        # A lease that a crash undid frees its rows; a mark, and they are published once more.
        async with self.db.light_transaction() as tx:
            rows = await tx.all(
                _TAKE,
                lease=lease,
                lease_seconds=self.limits.lease_seconds,
                batch=self.limits.batch,
            )
        return _Taken(lease, rows)

    async def _publish(self, taken: "_Taken") -> None:
        answers = await self._pipeline.publish(
            taken.rows, self._outgoing, seconds=self.limits.ack_seconds
        )
        await self._record(taken.lease, taken.rows, answers)

    async def _compare(self) -> None:
        """Before the first publish on a connection: what the stream has lost is due again."""
        connection = self.bus.reconnects
        if connection == self._compared:
            return
        stream = await self.bus.jetstream.stream_info(stream_of(self.bus.service))
        found = again = await self._requeue(stream)
        while again:
            again = await self._requeue(stream)
            found += again
        if found:
            _log.warning("stream_lost_rows", stream=stream.config.name, rows=found)
        self._compared = connection

    async def _requeue(self, stream: StreamInfo) -> int:
        async with self.db.transaction() as tx:
            return await lost.requeue(
                tx,
                last_sequence=stream.state.last_seq,
                created_at=stream.created or datetime.fromtimestamp(0, UTC),
            )

    def _outgoing(self, row: Row) -> Outgoing:
        if self.bus.reconnects != self._compared:
            raise nats.errors.ConnectionReconnectingError
        # The broker ends the connection for what the client would let through.
        headers, payload, most = row["headers"], row["payload"], self.bus.client.max_payload
        if len(payload) > most - _HEADER_ROOM and _wire_size(headers, payload) > most:
            raise nats.errors.MaxPayloadError
        return Outgoing(row["subject"], payload, headers)

    async def _record(
        self, lease: uuid.UUID, rows: Sequence[Row], answers: Sequence[Answer]
    ) -> None:
        acked: list[tuple[uuid.UUID, int]] = []
        late: list[tuple[uuid.UUID, float]] = []
        for row, answer in zip(rows, answers, strict=True):
            if isinstance(answer, int):
                acked.append((row["id"], answer))
                continue
            delay = min(0.25 * 2.0 ** min(row.attempts, 20), self.limits.refused_most_seconds)
            late.append((row.id, delay))
            defect = None if isinstance(answer, _REFUSALS) else answer
            _log.warning(
                "publish_refused", event_id=str(row.id), error=repr(answer), exc_info=defect
            )
        async with self.db.light_transaction() as tx:
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

    async def _measure(self) -> bool:
        """Tells how much waits, when it is time; the broker need not be there."""
        if self.measuring.is_due():
            await self.db.run(backlog.measure)
        return False

    async def _prune(self) -> bool:
        """Deletes a batch of old rows when it is time; True when there are probably more."""
        loop = asyncio.get_running_loop()
        if loop.time() < self._prune_at:
            return False
        async with self.db.transaction() as tx:
            more = (
                await tx.execute(_PRUNE, limit=self.limits.prune_batch) == self.limits.prune_batch
            )
        if not more:
            self._prune_at = loop.time() + self.limits.prune_seconds
        return more

    async def _wait(self, stop: asyncio.Event) -> None:
        waits = {
            asyncio.ensure_future(self._work.wait()),
            asyncio.ensure_future(stop.wait()),
        }
        try:
            await asyncio.wait(
                waits, timeout=self.limits.poll_seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for wait in waits:
                wait.cancel()


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)


def _wire_size(headers: Mapping[str, str], payload: bytes) -> int:
    """What the broker holds against its max_payload: headers and payload."""
    lines = sum(len(f"{key}: {value}\r\n".encode()) for key, value in headers.items())
    return len("NATS/1.0\r\n\r\n") + lines + len(payload)
