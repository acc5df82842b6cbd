"""active_schedule_jobs: one row per (user, task), leased by `due_at`."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from libs.db.database import Tx
from services.active_scheduler.domain.job import JobState, TaskState, Wanted

# A newer version always wins and clears the lease. The job is armed anew only where something
# changed that it looks at; then it makes no difference in which order the versions came.
_UPSERT = text("""
    INSERT INTO active_schedule_jobs AS job
        (user_id, task_id, task_version, urgency_version, state, reason, trigger_at, due_at)
    VALUES (:user_id, :task_id, :version, :urgency_version, :state, :reason, :trigger_at,
        :trigger_at)
    ON CONFLICT (user_id, task_id) DO UPDATE SET
        task_version = excluded.task_version, urgency_version = excluded.urgency_version,
        lease = NULL, attempts = 0, trigger_at = excluded.trigger_at,
        updated_at = clock_timestamp(),
        state = CASE WHEN job.urgency_version = excluded.urgency_version THEN job.state
            ELSE excluded.state END,
        reason = CASE WHEN job.urgency_version = excluded.urgency_version THEN job.reason
            ELSE excluded.reason END,
        due_at = CASE WHEN job.urgency_version = excluded.urgency_version AND job.lease IS NULL
            THEN job.due_at ELSE excluded.due_at END
    WHERE job.task_version < excluded.task_version
    RETURNING user_id, task_id, task_version, state, reason, trigger_at, trigger_id
""")
_CLAIM = text("""
    WITH due AS MATERIALIZED (
        SELECT user_id, task_id FROM active_schedule_jobs
        WHERE state = 'pending' AND due_at <= statement_timestamp()
        ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE active_schedule_jobs job SET lease = :lease, attempts = attempts + 1,
        due_at = clock_timestamp() + make_interval(secs => :seconds)
    FROM due WHERE job.user_id = due.user_id AND job.task_id = due.task_id
    RETURNING job.user_id, job.task_id, job.task_version, job.attempts
""")
# Only what was claimed, and only as it was when it was claimed.
_LOCK_CLAIMED = text("""
    SELECT user_id, task_id FROM active_schedule_jobs
    WHERE user_id = :user_id AND task_id = :task_id AND lease = :lease
        AND task_version = :version AND state = 'pending'
    FOR UPDATE
""")
# A job that is looked at again is due a moment from now at the earliest, whatever other clocks say.
_SETTLE = text("""
    UPDATE active_schedule_jobs SET state = :state, reason = :reason, lease = NULL,
        due_at = greatest(CAST(:due_at AS timestamptz),
            clock_timestamp() + make_interval(secs => :after)),
        trigger_id = COALESCE(:trigger_id, trigger_id),
        attempts = CASE WHEN :failed THEN attempts ELSE 0 END, updated_at = clock_timestamp()
    WHERE user_id = :user_id AND task_id = :task_id AND lease = :lease
        AND task_version = :version
    RETURNING user_id, task_id, task_version, state, reason, trigger_at, trigger_id
""")
_REARM_FAILED = text("""
    UPDATE active_schedule_jobs SET state = 'pending', reason = 'trigger_failed', lease = NULL,
        due_at = clock_timestamp() + make_interval(secs => :after),
        updated_at = clock_timestamp()
    WHERE user_id = :user_id AND task_id = :task_id AND trigger_id = :trigger_id
        AND state = 'triggered'
    RETURNING user_id, task_id, task_version, state, reason, trigger_at, trigger_id
""")
_DUE_LAG = text("""
    SELECT EXTRACT(epoch FROM clock_timestamp() - due_at) AS seconds FROM active_schedule_jobs
    WHERE state = 'pending' AND due_at <= statement_timestamp() ORDER BY due_at LIMIT 1
""")
_HISTORY = text("""
    INSERT INTO active_schedule_job_history
        (user_id, task_id, task_version, state, reason, trigger_at, trigger_id)
    VALUES (:user_id, :task_id, :task_version, :state, :reason, :trigger_at, :trigger_id)
""")

_SOONEST_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Claimed:
    """A due job under this process' lease."""

    user_id: int
    task_id: int
    task_version: int
    attempts: int


async def put(tx: Tx, task: TaskState, wanted: Wanted) -> bool:
    """Writes the job of a task where the task is newer than what is known; False: it is not."""
    row = await tx.first(
        _UPSERT,
        user_id=task.user_id,
        task_id=task.task_id,
        version=task.version,
        urgency_version=task.urgency_version,
        state=wanted.state.value,
        reason=wanted.reason,
        trigger_at=wanted.trigger_at,
    )
    if row is None:
        return False
    await tx.execute(_HISTORY, **row._mapping)
    return True


async def claim_due(tx: Tx, *, lease: uuid.UUID, seconds: float, limit: int) -> Sequence[Claimed]:
    """Leases due jobs; other replicas get others."""
    rows = await tx.all(_CLAIM, lease=lease, seconds=seconds, limit=limit)
    return [Claimed(row.user_id, row.task_id, row.task_version, row.attempts) for row in rows]


async def due_lag(tx: Tx) -> float:
    """For how many seconds the job that is due the longest has been; 0.0 where none is."""
    return float(await tx.scalar(_DUE_LAG) or 0.0)


async def lock_claimed(tx: Tx, job: Claimed, *, lease: uuid.UUID) -> bool:
    """Whether the job is still this process' and its task unchanged; locks it if so."""
    row = await tx.first(
        _LOCK_CLAIMED,
        user_id=job.user_id,
        task_id=job.task_id,
        version=job.task_version,
        lease=lease,
    )
    return row is not None


async def settle(
    tx: Tx,
    job: Claimed,
    *,
    lease: uuid.UUID,
    state: JobState,
    reason: str,
    due_at: datetime | None = None,
    after_seconds: float = _SOONEST_SECONDS,
    trigger_id: str | None = None,
    failed: bool = False,
) -> None:
    """Ends or re-arms a locked job, with a line of history.

    A re-armed one is due at `due_at` or `after_seconds` from now, whichever is later; its
    attempts go on being counted only where it is re-armed because of a failure.
    """
    row = await tx.first(
        _SETTLE,
        user_id=job.user_id,
        task_id=job.task_id,
        version=job.task_version,
        lease=lease,
        state=state.value,
        reason=reason,
        due_at=due_at,
        after=after_seconds,
        trigger_id=trigger_id,
        failed=failed,
    )
    if row is not None:
        await tx.execute(_HISTORY, **row._mapping)


async def rearm_failed(
    tx: Tx, *, user_id: int, task_id: int, trigger_id: str, after_seconds: float
) -> None:
    """The job whose trigger came to nothing looks again later."""
    row = await tx.first(
        _REARM_FAILED,
        user_id=user_id,
        task_id=task_id,
        trigger_id=trigger_id,
        after=after_seconds,
    )
    if row is not None:
        await tx.execute(_HISTORY, **row._mapping)
