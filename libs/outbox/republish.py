"""Publishing once more what the broker has had: for a stream that lost more than its end.

Source: spec architecture.md, Inbox. A copy has a message id of its own, so that the broker takes
it, and the event's old id, so that every inbox knows it. What is older than the inboxes is never
published again: nobody would know it.
"""

import asyncio
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nats.js.api import PubAck
from sqlalchemy import Row, text

from libs.db.database import Database
from libs.events.connection import Bus
from libs.events.envelope import MSG_ID
from libs.telemetry import logs

_log = logs.get("outbox.republish")

INBOX_LIFE = timedelta(days=9)
REACH_BACK = timedelta(minutes=5)
"""Rows are marked a while after they were published, by clocks that may differ."""
_BATCH = 500
_ACK_SECONDS = 10.0

# An inbox row is at least as young as its event: what was written within the life of the inboxes
# is known to whoever has consumed it.
_ROWS = text("""
    SELECT id, subject, payload, headers, published_at, created_at > :known_since AS is_known
    FROM outbox
    WHERE published_at <= :until AND (published_at, id) > (:after_at, :after_id)
    ORDER BY published_at, id LIMIT :limit
""")
# Where the stream loses its end again, the relay knows the copy as well.
_MOVED = text("""
    UPDATE outbox SET stream_sequence = greatest(stream_sequence, acked.sequence)
    FROM unnest(CAST(:ids AS uuid[]), CAST(:sequences AS bigint[])) AS acked (id, sequence)
    WHERE outbox.id = ANY(:ids) AND outbox.id = acked.id
""")
_NOW = text("SELECT clock_timestamp()")


class OlderThanInbox(Exception):
    """What is asked for begins before the inboxes do; nothing was published."""

    reason = "older_than_inbox"

    def __init__(self, earliest: datetime) -> None:
        super().__init__(f"consumers know events since {earliest.isoformat()}, none before")
        self.earliest = earliest


@dataclass(frozen=True, slots=True)
class Counts:
    """What a run did; `refused`: rows that were written before the inboxes begin."""

    run_id: str
    published: int
    refused: int


async def republish(
    db: Database, bus: Bus, *, since: datetime, until: datetime | None = None
) -> Counts:
    """Publishes what was published after `since` − 5 min and up to `until`, now where not told.

    Rows that wait for the relay are left to it. Raises OlderThanInbox, and what the broker or the
    database says; what was published until then is published, and a new run does no harm.
    """
    async with db.transaction() as tx:
        now: datetime = await tx.scalar(_NOW)
    known_since = now - INBOX_LIFE + REACH_BACK
    begin = since - REACH_BACK
    if begin < known_since:
        raise OlderThanInbox(known_since + REACH_BACK)
    run_id = uuid.uuid4().hex[:8]
    published = refused = 0
    after: tuple[datetime, uuid.UUID] = (begin, uuid.UUID(int=0))
    while rows := await _batch(db, until or now, known_since, after):
        known = [row for row in rows if row.is_known]
        await _publish(db, bus, known, run_id)
        published += len(known)
        refused += len(rows) - len(known)
        after = (rows[-1].published_at, rows[-1].id)
    _log.info("republished", run_id=run_id, published=published, refused=refused)
    return Counts(run_id, published, refused)


async def _batch(
    db: Database, until: datetime, known_since: datetime, after: tuple[datetime, uuid.UUID]
) -> Sequence[Row[Any]]:
    async with db.transaction() as tx:
        return await tx.all(
            _ROWS,
            until=until,
            known_since=known_since,
            after_at=after[0],
            after_id=after[1],
            limit=_BATCH,
        )


async def _publish(db: Database, bus: Bus, rows: Sequence[Row[Any]], run_id: str) -> None:
    answers = await asyncio.gather(
        *(_publish_one(bus, row, run_id) for row in rows), return_exceptions=True
    )
    acked = {
        row.id: answer.seq
        for row, answer in zip(rows, answers, strict=True)
        if isinstance(answer, PubAck)
    }
    async with db.transaction() as tx:
        await tx.execute(_MOVED, ids=list(acked), sequences=list(acked.values()))
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer


async def _publish_one(bus: Bus, row: Row[Any], run_id: str) -> PubAck:
    headers: dict[str, str] = {**row.headers, MSG_ID: f"{row.id}:{run_id}"}
    return await bus.jetstream.publish(
        row.subject, bytes(row.payload), timeout=_ACK_SECONDS, headers=headers
    )
