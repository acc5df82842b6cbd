"""Following a run: its stored events as they come, from any replica.

Who follows a run that nobody drives has it driven.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

from libs.db.database import Database
from libs.rpc.identity import Caller
from services.agent.domain.conversation import Told
from services.agent.domain.errors import RunNotFound, ShuttingDown
from services.agent.handlers.driving import Driver
from services.agent.store import runs

_PAGE = 200
# A run of this process wakes who follows it; one of another is looked at.
_DRIVEN_HERE_SECONDS = 2.0
_DRIVEN_ELSEWHERE_SECONDS = 0.25


@dataclass(slots=True)
class Follower:
    """Serves Chat and Resume."""

    db: Database
    driver: Driver
    ending: asyncio.Event

    async def follow(self, caller: Caller, run_id: str, after: int) -> AsyncIterator[Told]:
        """Events behind number `after`, until the run waits or has ended.

        Raises RunNotFound at once, ShuttingDown at the end of this process.
        """
        user_id = caller.user_id
        assert user_id is not None
        with self.driver.wakes.listening(run_id) as woken:
            while not self.ending.is_set():
                woken.clear()
                async with self.db.snapshot() as tx:
                    standing = await runs.standing(tx, user_id, run_id)
                    found = await runs.told(tx, user_id, run_id, after=after, limit=_PAGE)
                if standing is None:
                    raise RunNotFound(run_id)
                for one in found:
                    after = one.sequence
                    yield one
                if len(found) == _PAGE:
                    continue
                if not standing.works:
                    return
                if standing.lapsed:
                    self.driver.start(caller, run_id)
                await self._wait(woken, run_id)
        raise ShuttingDown

    async def _wait(self, woken: asyncio.Event, run_id: str) -> None:
        here = self.driver.drives(run_id)
        seconds = _DRIVEN_HERE_SECONDS if here else _DRIVEN_ELSEWHERE_SECONDS
        waits = [asyncio.ensure_future(one.wait()) for one in (woken, self.ending)]
        try:
            await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
