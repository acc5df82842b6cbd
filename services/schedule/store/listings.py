"""Live blocks of many days, in order of time, from a given one on."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.grid import BlockKind
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.views import ListingKey, Span
from services.schedule.store import blocks, rows

_PAGE = text(f"""
    SELECT {blocks.SEEN}
    FROM unnest(CAST(:semester_ids AS bigint[]), CAST(:first_weeks AS int[]),
            CAST(:first_days AS int[]), CAST(:last_weeks AS int[]), CAST(:last_days AS int[]))
        AS s (semester_id, first_week, first_day, last_week, last_day)
    JOIN schedule_events e ON e.user_id = :user_id AND e.semester_id = s.semester_id
        AND (e.week, e.day_of_week) >= (s.first_week, s.first_day)
        AND (e.week, e.day_of_week) <= (s.last_week, s.last_day) AND e.live
    WHERE (CAST(:type AS text) IS NULL OR e.type = :type)
      AND (e.start_time, e.host_event_id IS NOT NULL, e.id)
        > (CAST(:after_time AS timestamptz), CAST(:after_guest AS boolean),
           CAST(:after_id AS bigint))
    ORDER BY e.start_time, e.host_event_id IS NOT NULL, e.id LIMIT :limit
""")

_BEFORE_ALL = ListingKey(datetime(1900, 1, 1, tzinfo=UTC), False, 0)


async def page(
    tx: Tx,
    user_id: int,
    spans: Sequence[Span],
    *,
    kind: BlockKind | None,
    after: ListingKey | None,
    limit: int,
) -> tuple[ScheduledBlock, ...]:
    """At most `limit` blocks behind `after`, in order of their keys."""
    if not spans:
        return ()
    asked: dict[str, Any] = {
        "semester_ids": [span.semester_id for span in spans],
        "first_weeks": [span.first[0] for span in spans],
        "first_days": [span.first[1] for span in spans],
        "last_weeks": [span.last[0] for span in spans],
        "last_days": [span.last[1] for span in spans],
        "type": kind.value if kind else None,
    }
    key = after or _BEFORE_ALL
    found = await tx.all(
        _PAGE,
        user_id=user_id,
        after_time=key.starts_at,
        after_guest=key.is_guest,
        after_id=key.id,
        limit=limit,
        **asked,
    )
    return tuple(rows.scheduled(row._mapping) for row in found)
