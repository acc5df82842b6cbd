"""Jobs: kept as tasks change, fired when they are due."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from libs.db.database import Tx
from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain import job as domain
from services.active_scheduler.domain.job import DueTask, End, JobState, Rearm, TaskState
from services.active_scheduler.domain.trigger import (
    NewTrigger,
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
)
from services.active_scheduler.handlers import counters, triggers
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.store import jobs
from services.active_scheduler.store import triggers as trigger_store
from services.active_scheduler.store.jobs import Claimed

_FIRST_RETRY = timedelta(seconds=2)
_LONGEST_RETRY = timedelta(minutes=5)


async def keep(tx: Tx, task: TaskState) -> bool:
    """Brings the job of a task up to date; False where something newer is known."""
    return await jobs.put(tx, task, domain.wanted(task))


def retry_delay(attempts: int) -> timedelta:
    """How long a job that could not be judged waits, by the number of attempts so far."""
    doublings = min(max(attempts - 1, 0), 20)
    return min(_FIRST_RETRY * float(2**doublings), _LONGEST_RETRY)


@dataclass(frozen=True, slots=True)
class Due:
    """A claimed job with the truth about its task."""

    job: Claimed
    task: DueTask


async def settle(
    tx: Tx,
    announce: Announce,
    rules: TriggerRules,
    *,
    lease: uuid.UUID,
    due: Sequence[Due],
    now: datetime,
) -> int:
    """Fires, ends or re-arms claimed jobs in one transaction; gives how many fired.

    A job whose lease was lost, or whose task has changed since, is left to its next judge.
    """
    fired = 0
    # One order for all replicas: rows are locked without meeting head-on.
    for one in sorted(due, key=lambda item: (item.job.user_id, item.job.task_id)):
        if await jobs.lock_claimed(tx, one.job, lease=lease):
            fired += await _settle_one(tx, announce, rules, lease, one, now)
    return fired


async def _settle_one(
    tx: Tx, announce: Announce, rules: TriggerRules, lease: uuid.UUID, due: Due, now: datetime
) -> bool:
    decision = domain.judge_due(due.task, now)
    if isinstance(decision, End):
        await jobs.settle(tx, due.job, lease=lease, state=decision.state, reason=decision.reason)
        return False
    if isinstance(decision, Rearm):
        await _rearm(tx, due.job, lease, decision.reason, at=decision.at)
        return False
    raised = await triggers.raise_trigger(tx, announce, rules, _trigger(due.job))
    if raised.deduplicated:
        # Never ended by somebody else's window: it fires after it.
        await _rearm(tx, due.job, lease, "deduplicated", at=raised.until)
        return False
    await jobs.settle(
        tx,
        due.job,
        lease=lease,
        state=JobState.TRIGGERED,
        reason="",
        trigger_id=raised.trigger_id,
    )
    return True


async def after_failure(tx: Tx, trigger: Trigger) -> None:
    """The job whose trigger came to nothing looks again, once that is not likely to fail too."""
    if trigger.source is TriggerSource.WORKER_DUE_JOB:
        await jobs.rearm_failed(
            tx,
            user_id=trigger.user_id,
            task_id=trigger.target.id,
            trigger_id=trigger.id,
            after_seconds=_LONGEST_RETRY.total_seconds(),
        )


async def give_up(tx: Tx, trigger_id: str, *, reason: str) -> None:
    """Fails a trigger that is still open, whoever holds it; its job looks again later."""
    if await trigger_store.fail_open(tx, trigger_id, reason=reason):
        counters.count_trigger(tx, TriggerState.FAILED)
        trigger = await trigger_store.get(tx, trigger_id)
        if trigger is not None:
            await after_failure(tx, trigger)


async def postpone(tx: Tx, claimed: Sequence[Claimed], *, lease: uuid.UUID, reason: str) -> None:
    """After a failure: each job waits for its own growing delay."""
    for job in sorted(claimed, key=lambda item: (item.user_id, item.task_id)):
        if await jobs.lock_claimed(tx, job, lease=lease):
            after = retry_delay(job.attempts).total_seconds()
            await _rearm(tx, job, lease, reason, after=after, failed=True)


async def _rearm(
    tx: Tx,
    job: Claimed,
    lease: uuid.UUID,
    reason: str,
    *,
    at: datetime | None = None,
    after: float = 1.0,
    failed: bool = False,
) -> None:
    await jobs.settle(
        tx,
        job,
        lease=lease,
        state=JobState.PENDING,
        reason=reason,
        due_at=at,
        after_seconds=after,
        failed=failed,
    )


def _trigger(job: Claimed) -> NewTrigger:
    return NewTrigger(
        id=triggers.new_id("ast"),
        user_id=job.user_id,
        type=TriggerType.IMPORTANT_URGENT_TASK,
        source=TriggerSource.WORKER_DUE_JOB,
        target=Target(TargetKind.TASK_POOL, job.task_id),
        request_id=f"job:{job.task_id}:{job.task_version}",
        payload={"task_version": job.task_version},
    )
