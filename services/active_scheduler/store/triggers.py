"""active_schedule_triggers and trigger_dedupe."""

import json
import uuid
from collections.abc import Mapping, Sequence

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
from services.active_scheduler.store import codec, windows

_COLUMNS = """
    id, sequence, user_id, type, source, target_kind, target_id, state, reason, preview_id,
    created_at, finished_at, mock_now, linked_trigger_id, line, feedback_id, words,
    CAST(answers AS text) AS answers, priority
"""

# A trigger is written where it takes its target's window: no row comes back while another holder's
# lasts, and it is taken over when it has passed, or when what its holder led to was applied and is
# known to stand no more.
_INSERT = text(f"""
    WITH new AS MATERIALIZED (
        SELECT * FROM unnest(CAST(:ids AS text[]), CAST(:user_ids AS bigint[]),
                CAST(:types AS text[]), CAST(:sources AS text[]), CAST(:kinds AS text[]),
                CAST(:target_ids AS bigint[]), CAST(:request_ids AS text[]),
                CAST(:mock_nows AS timestamptz[]), CAST(:payloads AS jsonb[]))
            AS new (id, user_id, type, source, kind, target_id, request_id, mock_now, payload)
    ), taken AS (
        INSERT INTO trigger_dedupe (user_id, trigger_type, target_kind, target_id, is_mock,
            holder, until)
        SELECT user_id, type, kind, target_id, mock_now IS NOT NULL, id,
            clock_timestamp() + make_interval(secs => :seconds)
        FROM new ORDER BY user_id, target_id
        ON CONFLICT (user_id, trigger_type, target_kind, target_id, is_mock) DO UPDATE
            SET holder = excluded.holder, until = excluded.until
            WHERE trigger_dedupe.until <= clock_timestamp()
                OR (:unscheduled AND {windows.LED_TO_APPLY})
        RETURNING holder)
    INSERT INTO active_schedule_triggers (id, user_id, type, source, target_kind, target_id,
        request_id, mock_now, payload, due_at)
    SELECT id, user_id, type, source, kind, target_id, request_id, mock_now, payload,
        clock_timestamp() + make_interval(secs => :grace)
    FROM new WHERE id IN (SELECT holder FROM taken)
    RETURNING id
""")
# What needs no window: feedback, answers, regenerations.
_INSERT_ONE = text("""
    INSERT INTO active_schedule_triggers (id, user_id, type, source, target_kind, target_id,
        request_id, mock_now, linked_trigger_id, line, feedback_id, words, answers, payload, due_at)
    VALUES (:id, :user_id, :type, :source, :kind, :target_id, :request_id, :mock_now, :linked,
        :line, :feedback_id, :words, CAST(:answers AS jsonb), CAST(:payload AS jsonb),
        clock_timestamp() + make_interval(secs => :grace))
    ON CONFLICT (user_id, feedback_id) WHERE feedback_id IS NOT NULL DO NOTHING
    RETURNING id
""")
_OF_FEEDBACK = text(f"""
    SELECT {_COLUMNS} FROM active_schedule_triggers
    WHERE user_id = :user_id AND feedback_id = :feedback_id
""")
_NEWEST_FIRST = """
    sequence < :before AND (:in_any OR state = ANY(CAST(:states AS text[])))
    ORDER BY sequence DESC LIMIT :limit
"""
_LIST = text(f"SELECT {_COLUMNS} FROM active_schedule_triggers WHERE {_NEWEST_FIRST}")
_LIST_OF_USER = text(f"""
    SELECT {_COLUMNS} FROM active_schedule_triggers WHERE user_id = :user_id AND {_NEWEST_FIRST}
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
        target_kind = COALESCE(target_kind, :kind), target_id = COALESCE(target_id, :target_id),
        located = :located, finished_at = clock_timestamp()
    WHERE id = :id AND lease = :lease AND state = 'processing'
""")

_FAIL_OPEN = text(f"""
    UPDATE active_schedule_triggers SET state = 'failed', reason = :reason, lease = NULL,
        finished_at = clock_timestamp()
    WHERE id = :id AND state IN ('pending', 'processing')
    RETURNING {_COLUMNS}
""")


async def insert(
    tx: Tx,
    triggers: Sequence[NewTrigger],
    *,
    dedupe_seconds: float,
    grace_seconds: float,
    unscheduled: bool,
) -> frozenset[str]:
    """Writes pending triggers, but none whose target's window another one holds.

    Gives the ids of those that were written; they hold their windows now. Their targets are
    distinct. The sweeper leaves them alone for `grace_seconds`. `unscheduled` says that no target
    is in the schedule: a holder whose proposal was applied holds nothing any more.
    """
    written = await tx.all(
        _INSERT,
        ids=[one.id for one in triggers],
        user_ids=[one.user_id for one in triggers],
        types=[one.type.value for one in triggers],
        sources=[one.source.value for one in triggers],
        **windows.targets(triggers),
        request_ids=[one.request_id for one in triggers],
        mock_nows=[one.mock_now for one in triggers],
        payloads=[_json(one.payload) for one in triggers],
        seconds=dedupe_seconds,
        grace=grace_seconds,
        unscheduled=unscheduled,
    )
    return frozenset(row.id for row in written)


async def insert_exempt(tx: Tx, trigger: NewTrigger, *, grace_seconds: float) -> bool:
    """Writes a pending trigger that needs no window; False where its feedback_id is known."""
    written = await tx.scalar(
        _INSERT_ONE,
        id=trigger.id,
        user_id=trigger.user_id,
        type=trigger.type.value,
        source=trigger.source.value,
        kind=trigger.target.kind.value if trigger.target else None,
        target_id=trigger.target.id if trigger.target else None,
        request_id=trigger.request_id,
        mock_now=trigger.mock_now,
        linked=trigger.linked_trigger_id,
        line=trigger.line,
        feedback_id=trigger.feedback_id,
        words=trigger.words,
        answers=codec.ANSWERS.dump_json(trigger.answers).decode(),
        payload=_json(trigger.payload),
        grace=grace_seconds,
    )
    return written is not None


async def of_feedback(tx: Tx, user_id: int, feedback_id: str) -> Trigger | None:
    """The trigger of an act of telling."""
    row = await tx.first(_OF_FEEDBACK, user_id=user_id, feedback_id=feedback_id)
    return _trigger(row) if row else None


async def newest_first(
    tx: Tx, *, user_id: int | None, states: Sequence[TriggerState], before: int, limit: int
) -> Sequence[Trigger]:
    """Triggers of one user, or of all, in one of the states, or in any."""
    of_user = {} if user_id is None else {"user_id": user_id}
    rows = await tx.all(
        _LIST if user_id is None else _LIST_OF_USER,
        in_any=not states,
        states=[state.value for state in states],
        before=before,
        limit=limit,
        **of_user,
    )
    return [_trigger(row) for row in rows]


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
    target: Target | None = None,
    located: str = "",
) -> bool:
    """Writes the final state by compare-and-set on the lease; False when the lease was lost.

    `priority` is the target's quadrant as it read at the look, `target` what words were found to
    be about, `located` how they were understood.
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
        kind=target.kind.value if target else None,
        target_id=target.id if target else None,
        located=located,
    )
    if done and state in RELEASES_DEDUPE:
        await windows.release(tx, trigger)
    return bool(done)


async def fail_open(tx: Tx, trigger_id: str, *, reason: str) -> Trigger | None:
    """Fails a trigger that is not final yet, whoever holds it, and frees its target's window;
    gives it where it did."""
    row = await tx.first(_FAIL_OPEN, id=trigger_id, reason=reason)
    if row is None:
        return None
    trigger = _trigger(row)
    await windows.release(tx, trigger)
    return trigger


def _trigger(row: Row) -> Trigger:
    return Trigger(
        id=row.id,
        sequence=row.sequence,
        user_id=row.user_id,
        type=TriggerType(row.type),
        source=TriggerSource(row.source),
        target=Target(TargetKind(row.target_kind), row.target_id) if row.target_kind else None,
        state=TriggerState(row.state),
        reason=row.reason,
        preview_id=row.preview_id,
        created_at=row.created_at,
        finished_at=row.finished_at,
        mock_now=row.mock_now,
        linked_trigger_id=row.linked_trigger_id,
        line=row.line,
        feedback_id=row.feedback_id,
        words=row.words,
        answers=codec.ANSWERS.validate_json(row.answers),
        priority=row.priority,
    )


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False)
