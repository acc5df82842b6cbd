"""A message is asked for: its record is written in the transaction that consumes the event."""

from libs.db.database import Tx
from libs.telemetry import traces
from services.notification.domain.batch import Window
from services.notification.domain.record import RecordState, SkipReason
from services.notification.domain.request import Request
from services.notification.handlers import batches, counters
from services.notification.handlers.ports import Announce
from services.notification.store import channels, records


async def take(tx: Tx, announce: Announce, window: Window, request: Request) -> bool:
    """A pending record on the user's first channel, or a skipped one where there is none.

    The first one goes out at once; see `batches.enroll`.

    False: there is a record for this notification_id already, and nothing is done.
    """
    way = await channels.untried(tx, request.user_id, request.notification_id)
    record = await records.insert_first(
        tx,
        request,
        way,
        reason="" if way else SkipReason.NO_CHANNEL.value,
        traceparent=traces.outgoing().get(traces.TRACEPARENT, ""),
    )
    if record is None:
        tx.after_commit(counters.DEDUPLICATED.inc)
        return False
    tx.after_commit(counters.REQUESTED.inc)
    if record.state is RecordState.SKIPPED:
        counters.count_step(tx, record.state, channel="", reason=record.reason)
        await announce.settled(tx, record)
    elif way:
        await batches.enroll(tx, window, record, way)
    return True
