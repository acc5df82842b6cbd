"""What waits in the outbox, measured now and then: all replicas tell the same."""

from prometheus_client import Gauge
from sqlalchemy import text

from libs.db.database import Tx

MOST = 10_000
"""No more rows are counted: to know that there are too many is enough."""

_WAITING = Gauge("smartmate_outbox_waiting", f"Rows not published yet; {MOST:,} at most")
_OLDEST = Gauge(
    "smartmate_outbox_oldest_seconds", "Age of the oldest row not published; 0 for none"
)

# A row that is tried again is due later than one that is new, so the oldest ones come first but
# for those that are refused for themselves, whose delay is a minute at most.
_MEASURE = text("""
    SELECT count(*) AS waiting,
        COALESCE(EXTRACT(epoch FROM clock_timestamp() - min(created_at)), 0) AS oldest
    FROM (SELECT created_at FROM outbox WHERE published_at IS NULL
        ORDER BY next_attempt_at LIMIT :most) AS unpublished
""")


async def measure(tx: Tx) -> None:
    """Looks, by the index of what is unpublished, and sets the gauges."""
    row = await tx.one(_MEASURE, most=MOST)
    _WAITING.set(row.waiting)
    _OLDEST.set(float(row.oldest))
