"""The whole way of one trigger, out of the tables that it left traces in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from libs.db.database import Tx

_STEPS = text("""
    SELECT name, at, id, reason FROM (
        SELECT 'job.' || state AS name, at, CAST(task_id AS text) AS id, reason
        FROM active_schedule_job_history
        WHERE user_id = :user_id AND trigger_id = :trigger_id
        UNION ALL
        SELECT 'trigger.pending', created_at, id, source
        FROM active_schedule_triggers WHERE id = :trigger_id
        UNION ALL
        SELECT 'trigger.' || state, finished_at, id, reason
        FROM active_schedule_triggers WHERE id = :trigger_id AND finished_at IS NOT NULL
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
