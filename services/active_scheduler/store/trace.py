"""The whole way of one trigger, or of the job of a task, out of the tables with their traces."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.grid import Target

# Of its job what came after the trigger before, up to this one, and what came of a failure.
_STEPS = text("""
    WITH fired AS (
        SELECT h.task_id, h.id FROM active_schedule_triggers t
        JOIN active_schedule_job_history h ON h.user_id = t.user_id AND h.task_id = t.target_id
            AND h.trigger_id = t.id AND h.state = 'triggered'
        WHERE t.id = :trigger_id AND t.source = 'worker_due_job' ORDER BY h.id LIMIT 1
    ), led_here AS (
        SELECT h.* FROM fired JOIN active_schedule_job_history h
            ON h.user_id = :user_id AND h.task_id = fired.task_id
        WHERE h.id <= fired.id AND h.id > COALESCE((
                SELECT max(b.id) FROM active_schedule_job_history b
                WHERE b.user_id = :user_id AND b.task_id = fired.task_id AND b.id < fired.id
                    AND b.state = 'triggered'), 0)
            OR h.trigger_id = :trigger_id AND h.reason = 'trigger_failed'
    )
    SELECT name, at, id, reason FROM (
        SELECT 'job.' || state AS name, at, CAST(task_id AS text) AS id, reason FROM led_here
        UNION ALL
        SELECT 'trigger.pending', created_at, id, source
        FROM active_schedule_triggers WHERE id = :trigger_id
        UNION ALL
        SELECT 'feedback.told', created_at, COALESCE(feedback_id, id), source
        FROM active_schedule_triggers
        WHERE id = :trigger_id AND source = 'user_feedback'
        UNION ALL
        SELECT CASE located WHEN 'located' THEN 'feedback.located' ELSE 'feedback.asked' END,
            finished_at, id, located
        FROM active_schedule_triggers
        WHERE id = :trigger_id AND located <> '' AND finished_at IS NOT NULL
        UNION ALL
        SELECT 'trigger.' || state, finished_at, id, reason
        FROM active_schedule_triggers WHERE id = :trigger_id AND finished_at IS NOT NULL
        UNION ALL
        SELECT 'question.asked', q.asked_at, q.preview_id, q.kind
        FROM questions q JOIN active_schedule_previews p ON p.id = q.preview_id
        WHERE p.trigger_id = :trigger_id
        UNION ALL
        SELECT 'question.answered', q.answered_at, q.answer_trigger_id, q.choice_id
        FROM questions q JOIN active_schedule_previews p ON p.id = q.preview_id
        WHERE p.trigger_id = :trigger_id AND q.answered_at IS NOT NULL
        UNION ALL
        SELECT 'preview.undone', undone_at, id, '' FROM active_schedule_previews
        WHERE trigger_id = :trigger_id AND undone_at IS NOT NULL
        UNION ALL
        SELECT 'preview.ready', generated_at, id, '' FROM active_schedule_previews
        WHERE trigger_id = :trigger_id
        UNION ALL
        SELECT 'notification.' || notification_status, notified_at, id, ''
        FROM active_schedule_previews
        WHERE trigger_id = :trigger_id AND notified_at IS NOT NULL
        UNION ALL
        SELECT 'preview.' || state, COALESCE(applied_at, closed_at), id, ''
        FROM active_schedule_previews
        WHERE trigger_id = :trigger_id AND COALESCE(applied_at, closed_at) IS NOT NULL
        UNION ALL
        SELECT 'preview.expired', expires_at, id, '' FROM active_schedule_previews
        WHERE trigger_id = :trigger_id AND state = 'ready' AND expires_at <= clock_timestamp()
        UNION ALL
        SELECT 'apply.applying', a.created_at, a.apply_id, a.candidate_id
        FROM apply_requests a JOIN active_schedule_previews p ON p.id = a.preview_id
        WHERE p.trigger_id = :trigger_id
        UNION ALL
        SELECT 'apply.' || a.state, a.judged_at, a.apply_id,
            COALESCE(a.refusals -> 0 ->> 'code', '')
        FROM apply_requests a JOIN active_schedule_previews p ON p.id = a.preview_id
        WHERE p.trigger_id = :trigger_id AND a.judged_at IS NOT NULL
        UNION ALL
        SELECT 'trigger.followed', created_at, id, source FROM active_schedule_triggers
        WHERE user_id = :user_id AND linked_trigger_id = :trigger_id
    ) steps ORDER BY at, name
""")

_OF_TARGET = text("""
    SELECT name, at, id, reason FROM (
        SELECT 'job.' || state AS name, at, CAST(task_id AS text) AS id, reason, 0 AS rank
        FROM active_schedule_job_history
        WHERE user_id = :user_id AND task_id = :target_id AND :kind = 'task_pool'
        UNION ALL
        SELECT 'trigger.pending', created_at, id, source, 1 FROM active_schedule_triggers
        WHERE user_id = :user_id AND target_kind = :kind AND target_id = :target_id
        UNION ALL
        SELECT 'trigger.' || state, finished_at, id, reason, 2 FROM active_schedule_triggers
        WHERE user_id = :user_id AND target_kind = :kind AND target_id = :target_id
            AND finished_at IS NOT NULL
    ) steps ORDER BY at, rank LIMIT :most
""")

_MOST = 1000


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened: what it was and came to, when, to what, why."""

    name: str
    at: datetime
    id: str
    reason: str


async def steps(tx: Tx, *, user_id: int, trigger_id: str) -> Sequence[Step]:
    """Everything that is known of a trigger's way, in order of time."""
    rows = await tx.all(_STEPS, user_id=user_id, trigger_id=trigger_id)
    return [Step(row.name, row.at, row.id, row.reason) for row in rows]


async def steps_of(tx: Tx, *, user_id: int, target: Target) -> Sequence[Step]:
    """What is known of the job and the triggers of a target, in order of time, the first 1,000."""
    rows = await tx.all(
        _OF_TARGET, user_id=user_id, kind=target.kind.value, target_id=target.id, most=_MOST
    )
    return [Step(row.name, row.at, row.id, row.reason) for row in rows]
