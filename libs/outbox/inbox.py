"""The inbox: the effect of an event happens once, however often it is delivered."""

from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.events.envelope import Delivery

INBOX_V1 = """
CREATE TABLE inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_by_age ON inbox (received_at);
"""

_CLAIM = text("""
    INSERT INTO inbox (consumer, event_id) VALUES (:consumer, :event_id)
    ON CONFLICT DO NOTHING RETURNING true
""")
# Longer than the streams (7 d) and the outbox (24 h) can bring an event again. The statement's
# instant can be looked up in an index; the clock's would read the whole table.
_PRUNE = text("""
    DELETE FROM inbox WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM inbox WHERE received_at < statement_timestamp() - interval '9 days'
        LIMIT :limit))
""")


async def first_time(tx: Tx, delivery: Delivery[Any]) -> bool:
    """Claims the event for its consumer in the transaction of the effect; False: seen before."""
    claimed = await tx.scalar(_CLAIM, consumer=delivery.consumer, event_id=delivery.event_id)
    return claimed is not None


async def prune(tx: Tx, *, limit: int = 1000) -> int:
    """Deletes rows older than 9 days, at most `limit`; gives how many."""
    return await tx.execute(_PRUNE, limit=limit)
