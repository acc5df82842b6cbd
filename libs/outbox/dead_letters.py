"""Dead letters: messages that could not be handled, stored before they are terminated."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row, text

from libs.db.database import Tx
from libs.events.consumer import Parked

DEAD_LETTERS_V1 = """
CREATE TABLE dead_letters (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    consumer text NOT NULL,
    event_id text NOT NULL,
    subject text NOT NULL,
    payload bytea NOT NULL,
    headers jsonb NOT NULL,
    reason text NOT NULL,
    error text NOT NULL,
    delivered int NOT NULL,
    parked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    replayed_at timestamptz,
    UNIQUE (consumer, event_id)
);
"""

_STORE = text("""
    INSERT INTO dead_letters (consumer, event_id, subject, payload, headers, reason, error,
        delivered)
    VALUES (:consumer, :event_id, :subject, :payload, CAST(:headers AS jsonb), :reason, :error,
        :delivered)
    ON CONFLICT (consumer, event_id) DO UPDATE SET reason = excluded.reason,
        error = excluded.error, delivered = excluded.delivered, parked_at = clock_timestamp(),
        replayed_at = NULL
""")
_COLUMNS = """
    id, consumer, event_id, subject, payload, headers, reason, error, delivered, parked_at,
    replayed_at
"""
_GET = text(f"SELECT {_COLUMNS} FROM dead_letters WHERE id = :id")
_WAITING = text(f"""
    SELECT {_COLUMNS} FROM dead_letters WHERE replayed_at IS NULL AND id > :after
    ORDER BY id LIMIT :limit
""")
_REPLAYED = text("""
    UPDATE dead_letters SET replayed_at = clock_timestamp() WHERE id = :id AND replayed_at IS NULL
""")


@dataclass(frozen=True, slots=True)
class Letter:
    """A stored message; `replayed_at` is when its handler took it after all."""

    id: int
    consumer: str
    event_id: str
    subject: str
    payload: bytes
    headers: Mapping[str, str]
    reason: str
    error: str
    delivered: int
    parked_at: datetime
    replayed_at: datetime | None


async def store(tx: Tx, parked: Parked) -> None:
    """Keeps a message that is about to be terminated; keeping it twice keeps one row.

    A message that does not say its id is named by its place in the stream and by what it holds:
    a stream that was made anew counts from the beginning.
    """
    headers = {_storable(key): _storable(value) for key, value in parked.headers.items()}
    await tx.execute(
        _STORE,
        consumer=parked.consumer,
        event_id=headers.get("ce-id") or _place(parked),
        subject=_storable(parked.subject),
        payload=parked.data,
        headers=json.dumps(headers),
        reason=parked.reason,
        error=_storable(parked.error),
        delivered=parked.delivered,
    )


async def get(tx: Tx, id_: int) -> Letter | None:
    """One letter."""
    row = await tx.first(_GET, id=id_)
    return _letter(row) if row else None


async def waiting(tx: Tx, *, after: int = 0, limit: int = 100) -> Sequence[Letter]:
    """Letters that were not replayed, the oldest first, with an id above `after`."""
    return [_letter(row) for row in await tx.all(_WAITING, after=after, limit=limit)]


async def mark_replayed(tx: Tx, id_: int) -> bool:
    """Its handler has taken it. False: that is known already."""
    return bool(await tx.execute(_REPLAYED, id=id_))


def _letter(row: Row[Any]) -> Letter:
    return Letter(**{**row._mapping, "payload": bytes(row.payload)})


def _place(parked: Parked) -> str:
    return f"#{parked.sequence}-{hashlib.sha256(parked.data).hexdigest()[:12]}"


def _storable(said: str) -> str:
    """The text without what PostgreSQL refuses: NUL, and halves of characters."""
    return said.replace("\0", "\ufffd").encode(errors="replace").decode()
