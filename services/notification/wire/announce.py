"""Facts that this service tells, written into the outbox of the given transaction."""

from dataclasses import dataclass

from libs.db.database import Tx
from libs.outbox.outbox import Outbox
from services.notification.domain.stored import Record
from services.notification.wire.record import STATES
from smartmate.events.v1 import events_pb2


@dataclass(frozen=True, slots=True)
class Announcer:
    """Handlers say what happened; this knows how it is told."""

    outbox: Outbox

    async def settled(self, tx: Tx, record: Record) -> None:
        """A record has ended."""
        await self.outbox.add(
            tx,
            events_pb2.NotificationSettled(
                user_id=record.user_id,
                notification_id=record.notification_id,
                state=STATES[record.state],
                reason=record.reason,
                preview_id=record.preview_id,
            ),
        )
