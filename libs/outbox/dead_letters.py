"""Dead letters: messages that could not be handled, stored before they are terminated."""

import json

from sqlalchemy import text

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
    ON CONFLICT (consumer, event_id) DO UPDATE SET error = excluded.error,
        delivered = excluded.delivered, parked_at = clock_timestamp()
""")


async def store(tx: Tx, parked: Parked) -> None:
    """Keeps a message that is about to be terminated; keeping it twice keeps one row.

    A message that does not say its id is named by its place in the stream.
    """
    headers = {_storable(key): _storable(value) for key, value in parked.headers.items()}
    await tx.execute(
        _STORE,
        consumer=parked.consumer,
        event_id=headers.get("ce-id") or f"#{parked.sequence}",
        subject=_storable(parked.subject),
        payload=parked.data,
        headers=json.dumps(headers),
        reason=parked.reason,
        error=_storable(parked.error),
        delivered=parked.delivered,
    )


def _storable(said: str) -> str:
    """The text without what PostgreSQL refuses: NUL, and halves of characters."""
    return said.replace("\0", "\ufffd").encode(errors="replace").decode()
