"""Facts that this service tells, written into the outbox of the given transaction."""

from dataclasses import dataclass

from libs.db.database import Tx
from libs.outbox.outbox import Outbox
from services.active_scheduler.domain.apply import ApplyRequest
from services.active_scheduler.domain.preview import Preview
from services.active_scheduler.domain.trigger import NewTrigger
from services.active_scheduler.wire import plan, values
from services.active_scheduler.wire.preview import STATES
from services.active_scheduler.wire.trigger import TRIGGER_TYPE_NUMBERS
from smartmate.events.v1 import events_pb2


@dataclass(slots=True)
class Announcer:
    """Handlers say what happened; this knows how it is told."""

    outbox: Outbox

    async def triggered(self, tx: Tx, *triggers: NewTrigger) -> None:
        """There are signals to look."""
        messages = [
            events_pb2.ActiveScheduleTriggered(
                user_id=trigger.user_id,
                trigger_id=trigger.id,
                type=TRIGGER_TYPE_NUMBERS[trigger.type],
                target=values.target_message(trigger.target) if trigger.target else None,
            )
            for trigger in triggers
        ]
        await self.outbox.add(tx, *messages)

    async def preview_generated(self, tx: Tx, preview: Preview) -> None:
        """A preview waits for the person, who is to be told."""
        target = values.target_message(preview.target) if preview.target else None
        trigger_type = TRIGGER_TYPE_NUMBERS[preview.trigger_type]
        await self.outbox.add(
            tx,
            events_pb2.SchedulePreviewGenerated(
                user_id=preview.user_id,
                preview_id=preview.id,
                trigger_id=preview.trigger_id,
                target=target,
                expire_time=values.timestamp(preview.expires_at),
            ),
            events_pb2.NotificationFeishuRequested(
                notification_id=preview.id,
                user_id=preview.user_id,
                trigger_id=preview.trigger_id,
                preview_id=preview.id,
                trigger_type=trigger_type,
                target_kind=target.kind if target else None,
                valid_until_time=values.timestamp(preview.expires_at),
                path=f"/active-schedule/previews/{preview.id}",
            ),
        )

    async def preview_changed(self, tx: Tx, *previews: Preview) -> None:
        """Previews went from one state to another."""
        messages = [
            events_pb2.PreviewChanged(
                user_id=preview.user_id,
                preview_id=preview.id,
                version=preview.version,
                state=STATES[preview.stored_state],
                apply_id=preview.apply_id or "",
            )
            for preview in previews
        ]
        await self.outbox.add(tx, *messages)

    async def apply_requested(self, tx: Tx, request: ApplyRequest) -> None:
        """A person has confirmed."""
        await self.outbox.add(
            tx,
            events_pb2.ScheduleApplyRequested(
                user_id=request.user_id,
                apply_id=request.apply_id,
                preview_id=request.preview_id,
                changes=[plan.change_message(one) for one in request.changes],
                base=dict(request.base),
                not_after_time=values.timestamp(request.not_after),
            ),
        )
