"""The sweeper: applies without a verdict, triggers that nobody works on any more.

It asks the schedule service by call and never publishes a request again.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from libs.db.database import Database
from libs.telemetry import logs
from libs.telemetry.measuring import Every
from services.active_scheduler.domain.apply import ApplyRequest
from services.active_scheduler.domain.errors import Busy
from services.active_scheduler.handlers import counters, previews
from services.active_scheduler.handlers.pipeline import Pipeline
from services.active_scheduler.handlers.ports import Announce, Schedule
from services.active_scheduler.store import applies, triggers

_log = logs.get("sweeper")

_BATCH = 50
_APPLY_SECONDS = 5.0
_SIDE_BY_SIDE = 4


@dataclass(slots=True)
class Sweeper:
    """`run` is a thin timer around one round of each kind, which tests may call.

    The kinds go by themselves: looks that wait for a slow assistant delay no verdict.
    """

    db: Database
    schedule: Schedule
    announce: Announce
    pipeline: Pipeline
    is_away: Callable[[BaseException], bool]
    every_seconds: float
    first_seconds: float
    measuring: Every = field(default_factory=Every)

    async def run(self, stop: asyncio.Event) -> None:
        """Sweeps until `stop`; an absent database or service is waited for."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._sweep(stop, self.applies_once))
            group.create_task(self._sweep(stop, self.triggers_once))

    async def _sweep(self, stop: asyncio.Event, once: Callable[[], Awaitable[bool]]) -> None:
        while not stop.is_set():
            try:
                if await once():
                    continue
            except Exception as error:
                if not self.is_away(error):
                    raise
                _log.warning("sweep_waits", error=repr(error))
            try:
                await asyncio.wait_for(stop.wait(), self.every_seconds)
            except TimeoutError:
                continue

    async def applies_once(self) -> bool:
        """One round over applies without a verdict; True: there is more to do at once."""
        if self.measuring.is_due():
            await self.db.run(counters.measure_applies)
        async with self.db.transaction() as tx:
            waiting = await applies.claim_waiting(tx, delay=self.first_seconds, limit=_BATCH)
        # Side by side, in bounds: one that waits for its answer keeps no other from its own.
        bound = asyncio.Semaphore(_SIDE_BY_SIDE)
        async with asyncio.TaskGroup() as group:
            for apply in waiting:
                group.create_task(_within(bound, self._ask(apply)))
        return False

    async def triggers_once(self) -> bool:
        """One round over lapsed triggers, as many as go side by side; True: there are more."""
        async with self.db.transaction() as tx:
            lapsed = await triggers.lapsed(tx, limit=_SIDE_BY_SIDE)
        done = await asyncio.gather(*(self._take_up(trigger_id) for trigger_id in lapsed))
        return len(lapsed) == _SIDE_BY_SIDE and all(done)

    async def _ask(self, apply: ApplyRequest) -> None:
        """One apply; what goes wrong with it stops no other one."""
        try:
            verdict = await self.schedule.apply(apply.user_id, apply, seconds=_APPLY_SECONDS)
            await previews.record_and_log(self.db, self.announce, verdict)
        except Exception as error:  # noqa: BLE001  the row stays, and is asked for again
            _log.warning("verdict_still_waits", apply_id=apply.apply_id, error=repr(error))

    async def _take_up(self, trigger_id: str) -> bool:
        """Whether the trigger is dealt with, by this process or another."""
        try:
            await self.pipeline.take_up(trigger_id)
        except Busy:
            return True  # another process was quicker, which is as good
        except Exception as error:  # noqa: BLE001  the row stays, and is taken up again
            _log.warning("trigger_still_waits", trigger_id=trigger_id, error=repr(error))
            return False
        return True


async def _within(bound: asyncio.Semaphore, work: Awaitable[None]) -> None:
    async with bound:
        await work
