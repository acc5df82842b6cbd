"""What runs remember and recall, out of this service's own database."""

from dataclasses import dataclass

from libs.db import requests
from libs.db.database import Database, Tx
from libs.db.requests import RequestKey
from services.agent.domain import memory as domain
from services.agent.domain.memory import MemoryType, NewItem
from services.agent.handlers import memory

_RECALLED = 8
_OF_EVERY_PLAN = (MemoryType.CONSTRAINT, MemoryType.PREFERENCE)


@dataclass(frozen=True, slots=True)
class Keeper:
    """Serves the runs of every user."""

    db: Database

    async def remember(self, user_id: int, request_id: str, item: NewItem) -> None:
        """Once for each request_id. Raises TooManyMemoryItems."""
        key = RequestKey.of(
            user_id=user_id, rpc="run", request_id=request_id, content=repr(item).encode()
        )

        async def work(tx: Tx) -> bytes:
            await memory.put(tx, user_id, 0, item)
            return b""

        await requests.once(self.db, key, work)

    async def recall(self, user_id: int, query: str) -> tuple[str, ...]:
        """What bears on some words, best match first; then what is wanted of every plan."""
        async with self.db.transaction() as tx:
            named = await memory.recall(tx, user_id, query, (), include_timed=True, limit=_RECALLED)
            wanted = await memory.recall(
                tx, user_id, "", _OF_EVERY_PLAN, include_timed=True, limit=_RECALLED
            )
        return tuple(dict.fromkeys(one.text for one in (*named, *wanted)))[:_RECALLED]

    async def kept_free(self, user_id: int) -> tuple[tuple[int, int, int], ...]:
        """Sections (day, first, last) that constraints keep free."""
        async with self.db.transaction() as tx:
            found = await memory.recall(
                tx,
                user_id,
                "",
                (MemoryType.CONSTRAINT,),
                include_timed=True,
                limit=domain.MAX_ITEMS,
            )
        return domain.kept_free(found)
