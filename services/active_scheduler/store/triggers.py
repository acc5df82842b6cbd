"""active_schedule_triggers and trigger_dedupe."""

import json
import uuid
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain.preview import Preview
from services.active_scheduler.domain.trigger import (
    FINAL,
    RELEASES_DEDUPE,
    NewTrigger,
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
)

_COLUMNS = """
    id, sequence, user_id, type, source, target_kind, target_id, state, reason, preview_id,
    created_at, finished_at, mock_now, linked_trigger_id
"""

# No row comes back while another holder's window lasts; it is taken over when it has passed.
_TAKE_DEDUPE = text("""
    INSERT INTO trigger_dedupe (user_id, trigger_type, target_kind, target_id, is_mock, holder,
        until)
    VALUES (:user_id, :type, :kind, :target_id, :is_mock, :holder,
        clock_timestamp() + make_interval(secs => :seconds))
    ON CONFLICT (user_id, trigger_type, target_kind, target_id, is_mock) DO UPDATE
        SET holder = excluded.holder, until = excluded.until
        WHERE trigger_dedupe.until <= clock_timestamp()
    RETURNING holder
""")
_HOLDER = text("""
    SELECT holder, until FROM trigger_dedupe
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock
""")
_LOCK_TARGET = text("""
    SELECT holder FROM trigger_dedupe
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock
    FOR UPDATE
""")
_RELEASE_DEDUPE = text("""
    UPDATE trigger_dedupe SET until = clock_timestamp()
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock AND holder = :holder
""")
_INSERT = text("""
    INSERT INTO active_schedule_triggers (id, user_id, type, source, target_kind, target_id,
        request_id, mock_now, linked_trigger_id, payload, due_at)
    VALUES (:id, :user_id, :type, :source, :kind, :target_id, :request_id, :mock_now,
        :linked_trigger_id, CAST(:payload AS jsonb),
        clock_timestamp() + make_interval(secs => :grace))
""")
_GET = text(f"SELECT {_COLUMNS} FROM active_schedule_triggers WHERE id = :id")
_GET_OF_USER = text(
    f"SELECT {_COLUMNS} FROM active_schedule_triggers WHERE id = :id AND user_id = :user_id"
)
_CLAIM = text(f"""
    UPDATE active_schedule_triggers SET state = 'processing', lease = :lease,
        attempts = attempts + 1,
        due_at = clock_timestamp() + make_interval(secs => :seconds)
    WHERE id = :id AND (state = 'pending'
        OR (state = 'processing' AND (lease IS NULL OR due_at <= clock_timestamp())))
    RETURNING attempts, {_COLUMNS}
""")
_LAPSED = text("""
    SELECT id FROM active_schedule_triggers
    WHERE state IN ('pending', 'processing') AND due_at <= statement_timestamp()
    ORDER BY due_at LIMIT :limit
""")
_RENEW = text("""
    UPDATE active_schedule_triggers
    SET due_at = greatest(due_at, clock_timestamp() + make_interval(secs => :seconds))
    WHERE id = :id AND lease = :lease AND state = 'processing'
""")
_RELEASE = text("""
    UPDATE active_schedule_triggers SET lease = NULL, attempts = attempts - :uncounted,
        due_at = clock_timestamp() + make_interval(secs => :delay)
    WHERE id = :id AND lease = :lease AND state = 'processing'
""")
_FINISH = text("""
    UPDATE active_schedule_triggers SET state = :state, reason = :reason,
        preview_id = :preview_id, priority = :priority, lease = NULL,
        finished_at = clock_timestamp()
    WHERE id = :id AND lease = :lease AND state = 'processing'
""")

_FAIL_OPEN = text("""
    UPDATE active_schedule_triggers SET state = 'failed', reason = :reason, lease = NULL,
        finished_at = clock_timestamp()
    WHERE id = :id AND state IN ('pending', 'processing')
    RETURNING user_id, type, target_kind, target_id, mock_now IS NOT NULL AS is_mock
""")


def _key(trigger: NewTrigger | Trigger | Preview) -> dict[str, Any]:
    return {
        "user_id": trigger.user_id,
        "type": _type_of(trigger).value,
        "kind": trigger.target.kind.value,
        "target_id": trigger.target.id,
        "is_mock": trigger.is_mock,
    }


def _type_of(holder: NewTrigger | Trigger | Preview) -> TriggerType:
    return holder.trigger_type if isinstance(holder, Preview) else holder.type


async def take_dedupe(tx: Tx, trigger: NewTrigger, *, seconds: float) -> bool:
    """Makes the trigger the holder of its target's window; False while another one is."""
    taken = await tx.scalar(_TAKE_DEDUPE, holder=trigger.id, seconds=seconds, **_key(trigger))
    return taken is not None


async def holder(tx: Tx, trigger: NewTrigger) -> Row:
    """`holder` and `until` of the target's window."""
    return await tx.one(_HOLDER, **_key(trigger))


async def lock_target(tx: Tx, about: Trigger | Preview) -> None:
    """Serialises the writes of previews for one target."""
    await tx.execute(_LOCK_TARGET, **_key(about))


async def insert(tx: Tx, trigger: NewTrigger, *, grace_seconds: float) -> None:
    """Writes a pending trigger; the sweeper leaves it alone for `grace_seconds`."""
    await tx.execute(
        _INSERT,
        id=trigger.id,
        user_id=trigger.user_id,
        type=trigger.type.value,
        source=trigger.source.value,
        kind=trigger.target.kind.value,
        target_id=trigger.target.id,
        request_id=trigger.request_id,
        mock_now=trigger.mock_now,
        linked_trigger_id=trigger.linked_trigger_id,
        payload=json.dumps(trigger.payload, ensure_ascii=False),
        grace=grace_seconds,
    )


async def get(tx: Tx, trigger_id: str) -> Trigger | None:
    """A trigger of any user; for the service's own loops."""
    row = await tx.first(_GET, id=trigger_id)
    return _trigger(row) if row else None


async def get_of_user(tx: Tx, user_id: int, trigger_id: str) -> Trigger | None:
    """A trigger of this user."""
    row = await tx.first(_GET_OF_USER, id=trigger_id, user_id=user_id)
    return _trigger(row) if row else None


async def claim(
    tx: Tx, trigger_id: str, *, lease: uuid.UUID, seconds: float
) -> tuple[Trigger, int] | None:
    """Takes up a pending or lapsed trigger, with the number of this attempt; None: not free."""
    row = await tx.first(_CLAIM, id=trigger_id, lease=lease, seconds=seconds)
    return (_trigger(row), row.attempts) if row else None


async def lapsed(tx: Tx, *, limit: int) -> tuple[str, ...]:
    """Ids of triggers that nobody works on any more, oldest first."""
    return tuple(row.id for row in await tx.all(_LAPSED, limit=limit))


async def renew(tx: Tx, trigger_id: str, *, lease: uuid.UUID, seconds: float) -> bool:
    """Holds a lease for that long from now; False where it was lost."""
    return await tx.execute(_RENEW, id=trigger_id, lease=lease, seconds=seconds) > 0


async def release(
    tx: Tx, trigger_id: str, *, lease: uuid.UUID, delay: float, counted: bool
) -> None:
    """Gives the lease back, so that the next attempt need not wait for it to lapse.

    An attempt that failed because something was away is not counted.
    """
    await tx.execute(
        _RELEASE, id=trigger_id, lease=lease, delay=delay, uncounted=0 if counted else 1
    )


async def finish(
    tx: Tx,
    trigger: Trigger,
    *,
    lease: uuid.UUID,
    state: TriggerState,
    reason: str,
    preview_id: str | None = None,
    priority: int | None = None,
) -> bool:
    """Writes the final state by compare-and-set on the lease; False when the lease was lost.

    `priority` is the target's quadrant as it read at the look.
    """
    if state not in FINAL:
        raise AssertionError(f"{state} is not final")
    done = await tx.execute(
        _FINISH,
        id=trigger.id,
        lease=lease,
        state=state.value,
        reason=reason,
        preview_id=preview_id,
        priority=priority,
    )
    if done and state in RELEASES_DEDUPE:
        await tx.execute(_RELEASE_DEDUPE, holder=trigger.id, **_key(trigger))
    return bool(done)


async def fail_open(tx: Tx, trigger_id: str, *, reason: str) -> bool:
    """Fails a trigger that is not final yet, whoever holds it, and frees its target's window."""
    row = await tx.first(_FAIL_OPEN, id=trigger_id, reason=reason)
    if row is not None:
        await tx.execute(
            _RELEASE_DEDUPE,
            holder=trigger_id,
            user_id=row.user_id,
            type=row.type,
            kind=row.target_kind,
            target_id=row.target_id,
            is_mock=row.is_mock,
        )
    return row is not None


def _trigger(row: Row) -> Trigger:
    return Trigger(
        id=row.id,
        sequence=row.sequence,
        user_id=row.user_id,
        type=TriggerType(row.type),
        source=TriggerSource(row.source),
        target=Target(TargetKind(row.target_kind), row.target_id),
        state=TriggerState(row.state),
        reason=row.reason,
        preview_id=row.preview_id,
        created_at=row.created_at,
        finished_at=row.finished_at,
        mock_now=row.mock_now,
        linked_trigger_id=row.linked_trigger_id,
    )
