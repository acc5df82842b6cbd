"""active_schedule_triggers and trigger_dedupe."""

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from libs.planning.grid import Target, TargetKind
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

_HOLDERS = text("""
    SELECT wanted.id, holder, until
    FROM unnest(CAST(:user_ids AS bigint[]), CAST(:types AS text[]), CAST(:kinds AS text[]),
            CAST(:target_ids AS bigint[]), CAST(:are_mock AS boolean[]), CAST(:ids AS text[]))
        AS wanted (user_id, trigger_type, target_kind, target_id, is_mock, id)
    JOIN trigger_dedupe USING (user_id, trigger_type, target_kind, target_id, is_mock)
""")
_LOCK_TARGET = text("""
    SELECT holder FROM trigger_dedupe
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock
    FOR UPDATE
""")
_LOCK_TARGET_OF_PREVIEW = text("""
    SELECT holder FROM trigger_dedupe d
    JOIN active_schedule_previews p ON d.user_id = p.user_id
        AND d.trigger_type = p.trigger_type AND d.target_kind = p.target_kind
        AND d.target_id = p.target_id AND d.is_mock = p.is_mock
    WHERE p.id = :preview_id AND p.user_id = :user_id
    FOR UPDATE OF d
""")
_RELEASE_DEDUPE = text("""
    UPDATE trigger_dedupe SET until = clock_timestamp()
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock AND holder = :holder
""")
# A follow-up needs no window. Another trigger is written where it takes its target's: no row comes
# back while another holder's lasts, and it is taken over when it has passed.
_INSERT = text("""
    WITH new AS MATERIALIZED (
        SELECT * FROM unnest(CAST(:ids AS text[]), CAST(:user_ids AS bigint[]),
                CAST(:types AS text[]), CAST(:sources AS text[]), CAST(:kinds AS text[]),
                CAST(:target_ids AS bigint[]), CAST(:request_ids AS text[]),
                CAST(:mock_nows AS timestamptz[]), CAST(:linked AS text[]),
                CAST(:payloads AS jsonb[]))
            AS new (id, user_id, type, source, kind, target_id, request_id, mock_now,
                linked_trigger_id, payload)
    ), taken AS (
        INSERT INTO trigger_dedupe (user_id, trigger_type, target_kind, target_id, is_mock,
            holder, until)
        SELECT user_id, type, kind, target_id, mock_now IS NOT NULL, id,
            clock_timestamp() + make_interval(secs => :seconds)
        FROM new WHERE linked_trigger_id IS NULL ORDER BY user_id, target_id
        ON CONFLICT (user_id, trigger_type, target_kind, target_id, is_mock) DO UPDATE
            SET holder = excluded.holder, until = excluded.until
            WHERE trigger_dedupe.until <= clock_timestamp()
        RETURNING holder)
    INSERT INTO active_schedule_triggers (id, user_id, type, source, target_kind, target_id,
        request_id, mock_now, linked_trigger_id, payload, due_at)
    SELECT id, user_id, type, source, kind, target_id, request_id, mock_now, linked_trigger_id,
        payload, clock_timestamp() + make_interval(secs => :grace)
    FROM new WHERE linked_trigger_id IS NOT NULL OR id IN (SELECT holder FROM taken)
    RETURNING id
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


def _key(trigger: Trigger) -> dict[str, Any]:
    return {
        "user_id": trigger.user_id,
        "type": trigger.type.value,
        "kind": trigger.target.kind.value,
        "target_id": trigger.target.id,
        "is_mock": trigger.is_mock,
    }


async def holders(tx: Tx, triggers: Sequence[NewTrigger]) -> Mapping[str, Row]:
    """`holder` and `until` of the windows that triggers met, by the ids of those."""
    met = await tx.all(
        _HOLDERS,
        user_ids=[one.user_id for one in triggers],
        types=[one.type.value for one in triggers],
        kinds=[one.target.kind.value for one in triggers],
        target_ids=[one.target.id for one in triggers],
        are_mock=[one.is_mock for one in triggers],
        ids=[one.id for one in triggers],
    )
    return {row.id: row for row in met}


async def lock_target(tx: Tx, trigger: Trigger) -> None:
    """Serialises the writes of previews for one target."""
    await tx.execute(_LOCK_TARGET, **_key(trigger))


async def lock_target_of(tx: Tx, user_id: int, preview_id: str) -> None:
    """The same for the target of a preview."""
    await tx.execute(_LOCK_TARGET_OF_PREVIEW, user_id=user_id, preview_id=preview_id)


async def insert(
    tx: Tx, triggers: Sequence[NewTrigger], *, dedupe_seconds: float, grace_seconds: float
) -> frozenset[str]:
    """Writes pending triggers, but none whose target's window another one holds.

    Gives the ids of those that were written; they hold their windows now. Their targets are
    distinct. The sweeper leaves them alone for `grace_seconds`.
    """
    written = await tx.all(
        _INSERT,
        ids=[one.id for one in triggers],
        user_ids=[one.user_id for one in triggers],
        types=[one.type.value for one in triggers],
        sources=[one.source.value for one in triggers],
        kinds=[one.target.kind.value for one in triggers],
        target_ids=[one.target.id for one in triggers],
        request_ids=[one.request_id for one in triggers],
        mock_nows=[one.mock_now for one in triggers],
        linked=[one.linked_trigger_id for one in triggers],
        payloads=[json.dumps(one.payload, ensure_ascii=False) for one in triggers],
        seconds=dedupe_seconds,
        grace=grace_seconds,
    )
    return frozenset(row.id for row in written)


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
