"""notification_batches: who is first, and who waits for the others.

The row of a user's channel is the lock: whoever asks for a message and whoever closes the batch
take it before they touch any record of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import text

from libs.db.database import Tx
from services.notification.domain.batch import Member
from services.notification.domain.record import RecordState, SkipReason
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.step import Step
from services.notification.domain.stored import Record
from services.notification.store import records
from services.notification.store.channels import Way
from services.notification.store.records import COLUMNS, Held

# An open batch that nothing has joined in its window is as good as none, and is opened anew.
_JOIN = text("""
    INSERT INTO notification_batches AS batch (user_id, id, channel_id, first, ends_at)
    VALUES (:user_id, :id, :channel_id, :record_id,
        clock_timestamp() + make_interval(secs => :length))
    ON CONFLICT (user_id, channel_id) WHERE closed_at IS NULL DO UPDATE SET
        first = CASE WHEN batch.members = 0 AND batch.ends_at <= clock_timestamp()
            THEN excluded.first ELSE batch.first END,
        ends_at = CASE WHEN batch.members = 0 AND batch.ends_at <= clock_timestamp()
            THEN excluded.ends_at ELSE batch.ends_at END
    RETURNING id, first = :record_id AS is_first, ends_at, members
""")
_COUNT = text("""
    UPDATE notification_batches SET members = members + 1 WHERE user_id = :user_id AND id = :id
""")
_WAIT = text("""
    UPDATE notification_records SET batch_id = :id, due_at = NULL, updated_at = clock_timestamp()
    WHERE user_id = :user_id AND id = :record_id AND state = 'pending'
""")
# The record that goes out for all; where it is under way already, it is closed with all of them.
_SCHEDULE = text("""
    INSERT INTO notification_records AS record (user_id, notification_id, channel_id, channel_type,
        trigger_id, preview_id, target_kind, path, valid_until, traceparent, state, due_at)
    VALUES (:user_id, :id, :channel_id, :channel_type, '', '', :kind, :path, :valid_until,
        :traceparent, 'pending', COALESCE(:due_at, clock_timestamp()))
    ON CONFLICT (user_id, notification_id, channel_id) DO UPDATE SET
        valid_until = GREATEST(record.valid_until, excluded.valid_until),
        due_at = LEAST(record.due_at, excluded.due_at), updated_at = clock_timestamp()
    WHERE record.state = 'pending'
""")
_CLOSE = text("""
    UPDATE notification_batches SET closed_at = COALESCE(closed_at, clock_timestamp())
    WHERE user_id = :user_id AND id = :id
""")
_MEMBERS = text("""
    SELECT id, user_id, notification_id, trigger_id, preview_id, target_kind, valid_until, path
    FROM notification_records
    WHERE user_id = :user_id AND batch_id = :id AND state = 'pending' ORDER BY id
""")
_END = text(f"""
    UPDATE notification_records AS record SET state = :state, reason = :reason,
        attempts = :attempts, provider_code = :code, provider_message_id = :message_id,
        settled_at = clock_timestamp(), updated_at = clock_timestamp()
    WHERE record.user_id = :user_id AND record.batch_id = :id AND record.state = 'pending'
    RETURNING {COLUMNS}
""")
_SKIP = text(f"""
    UPDATE notification_records AS record SET state = 'skipped', reason = :reason,
        settled_at = clock_timestamp(), updated_at = clock_timestamp()
    WHERE record.user_id = :user_id AND record.id = :record_id AND record.batch_id = :id
        AND record.state = 'pending'
    RETURNING {COLUMNS}
""")


@dataclass(frozen=True, slots=True)
class Joined:
    """An open batch with its window; `members` wait in it, whoever asked not counted."""

    id: str
    ends_at: datetime
    members: int


async def join(
    tx: Tx, user_id: int, record_id: int, way: Way, *, new_id: str, length: timedelta
) -> Joined | None:
    """The open batch of a user's channel, locked; None: this record is the first of a new one."""
    row = await tx.one(
        _JOIN,
        user_id=user_id,
        id=new_id,
        channel_id=way.id,
        record_id=record_id,
        length=length.total_seconds(),
    )
    return None if row.is_first else Joined(row.id, row.ends_at, row.members)


async def add(tx: Tx, user_id: int, record_id: int, batch: Joined) -> None:
    """Makes a pending record a member of a batch that is locked: it goes out with it alone."""
    await tx.execute(_COUNT, user_id=user_id, id=batch.id)
    await tx.execute(_WAIT, user_id=user_id, id=batch.id, record_id=record_id)


async def schedule(
    tx: Tx, request: Request, way: Way, *, due_at: datetime | None, traceparent: str
) -> None:
    """The batch goes out at `due_at` at the latest, now where it is None.

    `request` is the batch's own; its `valid_until` is a member's.
    """
    await tx.execute(
        _SCHEDULE,
        user_id=request.user_id,
        id=request.notification_id,
        channel_id=way.id,
        channel_type=way.type.value,
        kind=request.target_kind.value,
        path=request.path,
        valid_until=request.valid_until,
        traceparent=traceparent,
        due_at=due_at,
    )


async def close(tx: Tx, held: Held) -> Sequence[Member] | None:
    """Nothing joins any more; gives the members that wait. None: the lease was lost."""
    of = {"user_id": held.request.user_id, "id": held.request.notification_id}
    await tx.execute(_CLOSE, **of)
    if await records.lock_held(tx, held) is None:
        return None
    members = [
        Member(
            row.id,
            Request(
                notification_id=row.notification_id,
                user_id=row.user_id,
                trigger_id=row.trigger_id,
                preview_id=row.preview_id,
                target_kind=TargetKind(row.target_kind),
                valid_until=row.valid_until,
                path=row.path,
            ),
        )
        for row in await tx.all(_MEMBERS, **of)
    ]
    if members:
        latest = max(member.request.valid_until for member in members)
        await records.put_valid_until(tx, held, latest)
    return members


async def end(tx: Tx, batch: Record, step: Step) -> Sequence[Record]:
    """The members end as their batch did; gives them."""
    rows = await tx.all(
        _END,
        user_id=batch.user_id,
        id=batch.notification_id,
        state=step.state.value,
        reason="" if step.state is RecordState.SENT else step.reason,
        attempts=batch.attempts,
        code=step.code,
        message_id=step.message_id,
    )
    return [records.record_of(row) for row in rows]


async def skip(tx: Tx, held: Held, record_id: int, reason: SkipReason) -> Record | None:
    """A member is not worth telling any more; None: it has ended before."""
    row = await tx.first(
        _SKIP,
        user_id=held.request.user_id,
        id=held.request.notification_id,
        record_id=record_id,
        reason=reason.value,
    )
    return None if row is None else records.record_of(row)
