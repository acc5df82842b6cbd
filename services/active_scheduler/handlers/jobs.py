"""Jobs: kept as tasks change, fired when they are due."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from libs.db.database import Tx
from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain import job as domain
from services.active_scheduler.domain.job import (
    DueTask,
    End,
    Fire,
    JobState,
    Rearm,
    TaskState,
)
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
from services.active_scheduler.store.jobs import Claimed, Settled

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
    held = await jobs.lock_claimed(tx, [one.job for one in due], lease=lease)
    judged = [
        (one.job, domain.judge_due(one.task, now))
        for one in due
        if (one.job.user_id, one.job.task_id) in held
    ]
    firing = [job for job, decision in judged if isinstance(decision, Fire)]
    fired = await _fire(tx, announce, rules, firing)
    others = [
        _settled(job, decision) for job, decision in judged if isinstance(decision, End | Rearm)
    ]
    await jobs.settle(tx, [*fired, *others], lease=lease)
    return sum(one.state is JobState.TRIGGERED for one in fired)


async def _fire(
    tx: Tx, announce: Announce, rules: TriggerRules, firing: Sequence[Claimed]
) -> Sequence[Settled]:
    if not firing:
        return ()
    wanted = [_trigger(job) for job in firing]
    # The schedule service has just said that none of them is scheduled.
    raised = await triggers.raise_triggers(tx, announce, rules, wanted, unscheduled=True)
    return [
        # Never ended by somebody else's window: it fires after it.
        Settled(job, JobState.PENDING, "deduplicated", due_at=one.until)
        if one.deduplicated
        else Settled(job, JobState.TRIGGERED, "", trigger_id=one.trigger_id)
        for job, one in zip(firing, raised, strict=True)
    ]


def _settled(job: Claimed, decision: End | Rearm) -> Settled:
    if isinstance(decision, End):
        return Settled(job, decision.state, decision.reason)
    return Settled(job, JobState.PENDING, decision.reason, due_at=decision.at)


async def after_failure(tx: Tx, trigger: Trigger) -> None:
    """The job whose trigger came to nothing looks again, once that is not likely to fail too."""
    if trigger.source is TriggerSource.WORKER_DUE_JOB and trigger.target is not None:
        await jobs.rearm_failed(
            tx,
            user_id=trigger.user_id,
            task_id=trigger.target.id,
            trigger_id=trigger.id,
            after_seconds=_LONGEST_RETRY.total_seconds(),
        )


async def give_up(tx: Tx, trigger_id: str, *, reason: str) -> None:
    """Fails a trigger that is still open, whoever holds it; its job looks again later."""
    trigger = await trigger_store.fail_open(tx, trigger_id, reason=reason)
    if trigger is not None:
        counters.count_trigger(tx, TriggerState.FAILED)
        await after_failure(tx, trigger)


async def postpone(tx: Tx, claimed: Sequence[Claimed], *, lease: uuid.UUID, reason: str) -> None:
    """After a failure: each job waits for its own growing delay."""
    held = await jobs.lock_claimed(tx, claimed, lease=lease)
    waiting = [
        Settled(
            job,
            JobState.PENDING,
            reason,
            after_seconds=retry_delay(job.attempts).total_seconds(),
            failed=True,
        )
        for job in claimed
        if (job.user_id, job.task_id) in held
    ]
    await jobs.settle(tx, waiting, lease=lease)


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
