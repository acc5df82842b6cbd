"""webhook_rates: when messages may go to a webhook, agreed upon by all replicas.

A slot is an instant that one message may use. Slots keep an even distance, so that a message that
arrives late does not crowd the next ones, and no minute holds more than the limit.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from libs.db.database import Tx

_NEXT = """
    GREATEST(clock_timestamp(),
        rate.slots[cardinality(rate.slots)] + make_interval(secs => :spacing),
        rate.slots[cardinality(rate.slots) - CAST(:per_minute AS int) + 1] + interval '1 minute')
"""
_RESERVE = text(f"""
    INSERT INTO webhook_rates AS rate (webhook, slots)
    VALUES (:webhook, ARRAY[clock_timestamp()])
    ON CONFLICT (webhook) DO UPDATE SET slots =
        rate.slots[GREATEST(cardinality(rate.slots) - CAST(:per_minute AS int) + 2, 1):] || {_NEXT}
    WHERE {_NEXT} <= clock_timestamp() + make_interval(secs => :patience)
    RETURNING GREATEST(slots[cardinality(slots)] - clock_timestamp(), interval '0') AS wait
""")
_WHEN = text(f"SELECT {_NEXT} FROM webhook_rates AS rate WHERE webhook = :webhook")

_PRUNE = text("""
    DELETE FROM webhook_rates WHERE webhook IN (
        SELECT webhook FROM webhook_rates
        WHERE slots[cardinality(slots)] < clock_timestamp() - interval '1 day' LIMIT :limit)
""")


@dataclass(frozen=True, slots=True)
class Limits:
    """Messages to one webhook, by all replicas together."""

    per_second: float = 4.0
    per_minute: int = 90


@dataclass(frozen=True, slots=True)
class Slot:
    """This process' to use, after so many seconds."""

    seconds: float


async def reserve(tx: Tx, webhook: bytes, limits: Limits, *, patience: float) -> Slot | datetime:
    """A slot within `patience` seconds, or else the instant at which to ask again.

    The webhook's row stays locked until the end of the transaction.
    """
    of = {
        "webhook": webhook,
        "spacing": 1 / limits.per_second,
        "per_minute": limits.per_minute,
    }
    row = await tx.first(_RESERVE, patience=patience, **of)
    if row is not None:
        return Slot(row.wait.total_seconds())
    at: datetime = await tx.scalar(_WHEN, **of)
    return at


async def prune(tx: Tx, *, limit: int = 1000) -> int:
    """Forgets webhooks that nothing was sent to for a day, at most `limit`; gives how many."""
    return await tx.execute(_PRUNE, limit=limit)
