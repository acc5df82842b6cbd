"""Reading records."""

from collections.abc import Sequence

from libs.db.database import Tx
from services.notification.domain import errors
from services.notification.domain.stored import Record
from services.notification.store import records


async def find(tx: Tx, user_id: int, record_id: int) -> Record:
    """A record of this user. Raises RecordNotFound."""
    record = await records.get(tx, user_id, record_id)
    if record is None:
        raise errors.RecordNotFound(record_id)
    return record


async def newest_first(
    tx: Tx, user_id: int, *, notification_id: str, before: int, limit: int
) -> tuple[Sequence[Record], int | None]:
    """A page of records, and where the next one begins."""
    found = await records.newest_first(
        tx, user_id, notification_id=notification_id, before=before, limit=limit + 1
    )
    page = found[:limit]
    return page, page[-1].id if len(found) > limit else None
