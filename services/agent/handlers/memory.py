"""What is remembered: put, recalled, listed, forgotten."""

from collections.abc import Sequence

from libs.db.database import Tx
from services.agent.domain import memory as domain
from services.agent.domain.errors import MemoryNotFound, TooManyMemoryItems
from services.agent.domain.memory import Item, MemoryType, NewItem
from services.agent.store import memory


async def put(tx: Tx, user_id: int, item_id: int, item: NewItem) -> Item:
    """Remembers something new (id 0), or changes an item of this user.

    Raises MemoryNotFound, TooManyMemoryItems.
    """
    if item_id:
        changed = await memory.update(tx, user_id, item_id, item)
        if changed is None:
            raise MemoryNotFound(str(item_id))
        return changed
    # Two at once would both see room for one.
    await memory.lock(tx, user_id)
    if await memory.count(tx, user_id) >= domain.MAX_ITEMS:
        raise TooManyMemoryItems(domain.MAX_ITEMS)
    return await memory.insert(tx, user_id, item)


async def recall(
    tx: Tx,
    user_id: int,
    query: str,
    types: Sequence[MemoryType],
    *,
    include_timed: bool,
    limit: int,
) -> Sequence[Item]:
    """What bears on the query, best match first."""
    items = await memory.every(tx, user_id, types, limit=domain.MAX_ITEMS)
    return domain.recalled(items, query, include_timed=include_timed, limit=limit)


async def newest_first(
    tx: Tx, user_id: int, types: Sequence[MemoryType], *, before: int, limit: int
) -> tuple[Sequence[Item], int | None]:
    """A page, and the id that the next one begins below; None on the last page."""
    found = await memory.page(tx, user_id, types, before=before, limit=limit + 1)
    page = found[:limit]
    return page, page[-1].id if len(found) > limit else None


async def forget(tx: Tx, user_id: int, item_id: int) -> None:
    """Deletes an item; one that is not there is no error."""
    await memory.delete(tx, user_id, item_id)
