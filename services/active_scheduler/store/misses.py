"""missed_blocks: which blocks of a task or an item were told as not finished, and when last."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import text

from libs.db.database import Tx
from libs.planning.grid import Target
from services.active_scheduler.domain.snapshot import Missed

_TOLD = text("""
    SELECT event_id, told_at FROM missed_blocks
    WHERE user_id = :user_id AND source_kind = :kind AND source_id = :source_id
""")
_PUT = text("""
    INSERT INTO missed_blocks AS known (user_id, source_kind, source_id, event_id, told_at)
    VALUES (:user_id, :kind, :source_id, :event_id, :told_at)
    ON CONFLICT (user_id, source_kind, source_id, event_id) DO UPDATE
        SET told_at = excluded.told_at
        WHERE :is_news AND known.told_at < excluded.told_at
""")


async def told(tx: Tx, user_id: int, source: Target) -> Sequence[tuple[int, datetime]]:
    """The blocks of a task or an item that were told as not finished, and when last."""
    rows = await tx.all(_TOLD, user_id=user_id, kind=source.kind.value, source_id=source.id)
    return [(row.event_id, row.told_at) for row in rows]


async def put(tx: Tx, user_id: int, missed: Missed, *, at: datetime, is_news: bool) -> None:
    """Keeps a miss. One that is known is told anew only where the person said it again."""
    await tx.execute(
        _PUT,
        user_id=user_id,
        kind=missed.source.kind.value,
        source_id=missed.source.id,
        event_id=missed.block_id,
        told_at=at,
        is_news=is_news,
    )
