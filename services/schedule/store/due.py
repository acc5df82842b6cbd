"""The truth about many tasks of many users at once."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import text

from libs.db.database import Tx
from services.schedule.domain.task import Quadrant, TaskStatus
from services.schedule.domain.views import DueFacts
from services.schedule.store import user_settings

# `OFFSET 0` has each pair looked up by its key, however small the tables were at the planning.
_CHECK = text(f"""
    SELECT asked.user_id, asked.task_id, t.id IS NOT NULL AS found, t.status, t.quadrant,
        t.urgency_threshold_at, t.deadline_at, t.version, clock.now,
        EXISTS (
            SELECT FROM schedule_events e
            WHERE e.user_id = asked.user_id AND e.rel_id = asked.task_id AND e.type = 'task'
              AND e.task_source_type = 'task_pool' AND e.live AND e.end_time > clock.now
        ) AS scheduled,
        {user_settings.READ}
    FROM (SELECT clock_timestamp() AS now OFFSET 0) AS clock
    CROSS JOIN unnest(CAST(:user_ids AS bigint[]), CAST(:task_ids AS bigint[]))
        WITH ORDINALITY AS asked (user_id, task_id, place)
    LEFT JOIN LATERAL (
        SELECT id, status, quadrant, urgency_threshold_at, deadline_at, version FROM tasks
        WHERE user_id = asked.user_id AND id = asked.task_id AND deleted_at IS NULL OFFSET 0
    ) AS t ON true
    LEFT JOIN LATERAL (
        SELECT quiet_start, quiet_end, time_zone, default_sections, version FROM user_settings
        WHERE user_id = asked.user_id OFFSET 0
    ) AS s ON true
    ORDER BY asked.place
""")


async def check(
    tx: Tx, pairs: Sequence[tuple[int, int]]
) -> tuple[datetime | None, tuple[DueFacts, ...]]:
    """Facts about (user, task) pairs in their order, and the instant they were read at.

    The instant is None where nothing was asked.
    """
    found = await tx.all(
        _CHECK, user_ids=[user for user, _ in pairs], task_ids=[task for _, task in pairs]
    )
    facts = tuple(
        DueFacts(
            user_id=row.user_id,
            task_id=row.task_id,
            exists=row.found,
            done=row.status == TaskStatus.COMPLETED,
            quadrant=Quadrant(row.quadrant) if row.found else None,
            urgency_threshold_at=row.urgency_threshold_at,
            deadline_at=row.deadline_at,
            version=row.version or 0,
            scheduled=row.scheduled and row.found,
            settings=user_settings.settings(row._mapping),
        )
        for row in found
    )
    return (found[0].now if found else None), facts
