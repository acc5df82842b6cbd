"""Rows that a stream has acknowledged and then lost: they are due again.

Source: spec architecture.md, Outbox. The broker acknowledges before it syncs to disk. After a
power cut its stream may be shorter than what was acknowledged, or may have been made anew. A row
that is published again though it was not lost is a duplicate for the broker, or for the inbox.
"""

from datetime import datetime

from sqlalchemy import text

from libs.db.database import Tx

# The rows behind the end of the stream, and those older than the stream itself. Where the clocks
# of broker and database differ, the first condition finds the youngest of the second kind, too.
# What was published more than 24 hours ago is about to be pruned.
_REQUEUE = text("""
    UPDATE outbox SET published_at = NULL, stream_sequence = NULL, lease = NULL, attempts = 0,
        next_attempt_at = clock_timestamp()
    WHERE id = ANY(ARRAY(
        SELECT id FROM outbox
        WHERE published_at > statement_timestamp() - interval '24 hours'
            AND (stream_sequence > :last_sequence
                OR published_at < CAST(:created_at AS timestamptz))
        LIMIT :limit FOR UPDATE SKIP LOCKED))
""")


async def requeue(tx: Tx, *, last_sequence: int, created_at: datetime, limit: int = 10_000) -> int:
    """Makes lost rows due again, at most `limit`; gives how many.

    `last_sequence` and `created_at` are those of the stream, read before anything was published
    on the present connection.
    """
    return await tx.execute(
        _REQUEUE, last_sequence=last_sequence, created_at=created_at, limit=limit
    )
