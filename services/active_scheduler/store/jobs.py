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
# Only what was claimed, and only as it was when it was claimed; in one order for all replicas, so
# that rows are locked without meeting head-on.
_LOCK_CLAIMED = text("""
    SELECT job.user_id, job.task_id FROM active_schedule_jobs job
    JOIN unnest(CAST(:user_ids AS bigint[]), CAST(:task_ids AS bigint[]),
            CAST(:versions AS bigint[])) AS claimed (user_id, task_id, version)
        ON job.user_id = claimed.user_id AND job.task_id = claimed.task_id
    WHERE job.lease = :lease AND job.task_version = claimed.version AND job.state = 'pending'
    ORDER BY job.user_id, job.task_id FOR UPDATE OF job
""")
# A job that is looked at again is due a moment from now at the earliest, whatever other clocks say.
# What most jobs of a batch have in common is told once.
_SETTLE = text("""
    WITH settled AS (
        UPDATE active_schedule_jobs job SET state = :state, reason = :reason, lease = NULL,
            due_at = greatest(s.due_at, clock_timestamp() + make_interval(secs => :after)),
            trigger_id = COALESCE(s.trigger_id, job.trigger_id),
            attempts = CASE WHEN :failed THEN attempts ELSE 0 END, updated_at = clock_timestamp()
        FROM unnest(CAST(:user_ids AS bigint[]), CAST(:task_ids AS bigint[]),
                CAST(:due AS timestamptz[]), CAST(:trigger_ids AS text[]))
            AS s (user_id, task_id, due_at, trigger_id)
        WHERE job.user_id = s.user_id AND job.task_id = s.task_id AND job.lease = :lease
        RETURNING job.user_id, job.task_id, job.task_version, job.state, job.reason,
            job.trigger_at, job.trigger_id)
    INSERT INTO active_schedule_job_history
        (user_id, task_id, task_version, state, reason, trigger_at, trigger_id)
    SELECT user_id, task_id, task_version, state, reason, trigger_at, trigger_id FROM settled
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


@dataclass(frozen=True, slots=True)
class Settled:
    """What becomes of a job.

    One that is re-armed is due at `due_at` or `after_seconds` from now, whichever is later; its
    attempts go on being counted only where it `failed`.
    """

    job: Claimed
    state: JobState
    reason: str
    due_at: datetime | None = None
    after_seconds: float = _SOONEST_SECONDS
    trigger_id: str | None = None
    failed: bool = False


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


async def lock_claimed(
    tx: Tx, claimed: Sequence[Claimed], *, lease: uuid.UUID
) -> frozenset[tuple[int, int]]:
    """(user, task) of those that are still this process' with their tasks unchanged, now locked."""
    found = await tx.all(
        _LOCK_CLAIMED,
        lease=lease,
        user_ids=[job.user_id for job in claimed],
        task_ids=[job.task_id for job in claimed],
        versions=[job.task_version for job in claimed],
    )
    return frozenset((row.user_id, row.task_id) for row in found)


async def settle(tx: Tx, settled: Sequence[Settled], *, lease: uuid.UUID) -> None:
    """Ends or re-arms jobs that `lock_claimed` gave, each with a line of history."""
    alike: dict[tuple[JobState, str, float, bool], list[Settled]] = {}
    for one in settled:
        alike.setdefault((one.state, one.reason, one.after_seconds, one.failed), []).append(one)
    for (state, reason, after_seconds, failed), some in alike.items():
        await tx.execute(
            _SETTLE,
            lease=lease,
            state=state.value,
            reason=reason,
            after=after_seconds,
            failed=failed,
            user_ids=[one.job.user_id for one in some],
            task_ids=[one.job.task_id for one in some],
            due=[one.due_at for one in some],
            trigger_ids=[one.trigger_id for one in some],
        )


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
