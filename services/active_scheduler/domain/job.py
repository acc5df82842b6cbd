"""Jobs: one row per (user, task), which fires the task at its urgency threshold.

Source: spec active-scheduling.md, Jobs. States: pending → triggered | canceled | skipped; a
failure stays pending with a growing delay.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from services.active_scheduler.domain import quiet
from services.active_scheduler.domain.quiet import QuietHours

IMPORTANT = frozenset({1, 2})
"""Quadrants that the suite looks at by itself: urgent and important, important."""


class JobState(StrEnum):
    PENDING = "pending"
    TRIGGERED = "triggered"
    CANCELED = "canceled"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class TaskState:
    """A task as task.changed tells it, as far as its job depends on it."""

    user_id: int
    task_id: int
    version: int
    urgency_version: int
    """Rises with everything that arms a job anew; not with the title."""
    deleted: bool
    done: bool
    threshold: datetime | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a job shall be after a change of its task."""

    state: JobState
    trigger_at: datetime | None
    reason: str


def wanted(task: TaskState) -> Wanted:
    """The job of a task as it is now."""
    if task.deleted:
        return Wanted(JobState.CANCELED, task.threshold, "task_deleted")
    if task.done:
        return Wanted(JobState.CANCELED, task.threshold, "task_completed")
    if task.threshold is None:
        return Wanted(JobState.CANCELED, None, "no_threshold")
    return Wanted(JobState.PENDING, task.threshold, "")


@dataclass(frozen=True, slots=True)
class DueTask:
    """The truth about a due job's task, asked of the schedule service."""

    user_id: int
    task_id: int
    exists: bool
    done: bool
    quadrant: int
    threshold: datetime | None
    version: int
    scheduled: bool
    deadline: datetime | None = None
    quiet: QuietHours | None = None
    """Those of its owner; None = off."""


@dataclass(frozen=True, slots=True)
class Fire:
    """Raise a trigger."""


@dataclass(frozen=True, slots=True)
class End:
    """End the job without a trigger."""

    state: JobState
    reason: str


@dataclass(frozen=True, slots=True)
class Rearm:
    """Look again at a later instant."""

    at: datetime
    reason: str


DueDecision = Fire | End | Rearm


def judge_due(task: DueTask, now: datetime) -> DueDecision:
    """What becomes of a due job, by the truth about its task."""
    if not task.exists:
        return End(JobState.CANCELED, "task_deleted")
    if task.done:
        return End(JobState.CANCELED, "task_completed")
    if task.threshold is None:
        return End(JobState.CANCELED, "no_threshold")
    if task.threshold > now:
        return Rearm(task.threshold, "threshold_moved")
    if task.quadrant not in IMPORTANT:
        return End(JobState.SKIPPED, "not_important")
    if task.scheduled:
        return End(JobState.SKIPPED, "already_scheduled")
    waits_until = quiet.postponed(task.quiet, now=now, deadline=task.deadline)
    return Fire() if waits_until is None else Rearm(waits_until, "quiet_hours")
