"""Who goes out at once and who waits for the others."""

import secrets
from functools import partial

from libs.db.database import Tx
from libs.telemetry import traces
from services.notification.domain import record as states
from services.notification.domain.batch import Window
from services.notification.domain.record import RecordState
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.step import Step
from services.notification.domain.stored import Record
from services.notification.handlers import counters
from services.notification.store import batches
from services.notification.store.channels import Way

PATH = "/active-schedule/previews"
"""Where the button of a batch leads: the list of open previews."""


async def enroll(tx: Tx, window: Window, record: Record, way: Way) -> None:
    """A new pending record goes out at once, or waits in the open batch of its channel."""
    if not window.length:
        return
    batch = await batches.join(
        tx,
        record.user_id,
        record.id,
        way,
        new_id=f"bat_{secrets.token_hex(12)}",
        length=window.length,
    )
    if batch is None:
        return
    await batches.add(tx, record.user_id, record.id, batch)
    request = Request(
        notification_id=batch.id,
        user_id=record.user_id,
        trigger_id="",
        preview_id="",
        target_kind=TargetKind.BATCH,
        valid_until=record.valid_until,
        path=PATH,
    )
    await batches.schedule(
        tx,
        request,
        way,
        due_at=window.due(
            ends_at=batch.ends_at, valid_until=record.valid_until, members=batch.members + 1
        ),
        traceparent=traces.outgoing().get(traces.TRACEPARENT, ""),
    )
    tx.after_commit(partial(counters.BATCHED.inc))


async def end_members(tx: Tx, batch: Record, step: Step) -> tuple[Record, ...]:
    """The members of a batch that has ended, ended like it."""
    states.check(RecordState.PENDING, step.state)
    return tuple(await batches.end(tx, batch, step))
