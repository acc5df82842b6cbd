"""The scanner: claims due jobs, asks for the truth, raises triggers. Any number of replicas."""

import asyncio
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from libs.db.database import Database
from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from libs.telemetry.measuring import Every
from services.active_scheduler.handlers import counters, jobs
from services.active_scheduler.handlers.jobs import Due
from services.active_scheduler.handlers.ports import Announce, Schedule
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.store import jobs as store
from services.active_scheduler.store.jobs import Claimed

_log = logs.get("scanner")

_LANES = 2


@dataclass(slots=True)
class Scanner:
    """`run` is a thin timer around `run_once` and `catch_up`, which tests may call."""

    db: Database
    schedule: Schedule
    announce: Announce
    rules: TriggerRules
    is_away: Callable[[BaseException], bool]
    every_seconds: float
    batch: int
    lease_seconds: float
    measuring: Every = field(default_factory=Every)

    async def run(self, stop: asyncio.Event) -> None:
        """Scans until `stop`; an absent database or service is waited for."""
        while not stop.is_set():
            try:
                if self.measuring.is_due():
                    await self.db.run(counters.measure_jobs)
                if await self.run_once() == self.batch:
                    await self.catch_up(stop)
            except Exception as error:
                if not self.is_away(error):
                    raise
                _log.warning("scan_waits", error=repr(error))
            await _pause(stop, self.every_seconds)

    async def run_once(self) -> int:
        """Claims one batch and settles it; gives the number of jobs claimed."""
        lease = uuid.uuid4()
        # A lease that a crash of the server undid frees its jobs, as if it had lapsed.
        async with self.db.light_transaction() as tx:
            claimed = await store.claim_due(
                tx, lease=lease, seconds=self.lease_seconds, limit=self.batch
            )
        if claimed:
            await self._settle(lease, claimed)
        return len(claimed)

    async def catch_up(self, stop: asyncio.Event) -> int:
        """Batch after batch until one is not full; gives the number of jobs claimed.

        Two side by side: while one is with this service's database, the schedule service is asked
        about the other.
        """
        lanes = [self._lane(stop) for _ in range(_LANES)]
        counts = await asyncio.gather(*lanes, return_exceptions=True)
        for count in counts:
            if isinstance(count, BaseException):
                raise count
        return sum(count for count in counts if isinstance(count, int))

    async def _lane(self, stop: asyncio.Event) -> int:
        total, count = 0, self.batch
        while count == self.batch and not stop.is_set():
            count = await self.run_once()
            total += count
        return total

    async def _settle(self, lease: uuid.UUID, claimed: Sequence[Claimed]) -> None:
        try:
            tasks, now = await self.schedule.check_due(
                [(job.user_id, job.task_id) for job in claimed]
            )
        except RemoteError as error:
            # Whatever the other side says: each job waits its own delay, none is lost.
            _log.warning("truth_waits", claimed=len(claimed), error=str(error))
            await self._postpone(lease, claimed)
            return
        due = [Due(job, task) for job, task in zip(claimed, tasks, strict=True)]
        fired = await self.db.run(
            lambda tx: jobs.settle(tx, self.announce, self.rules, lease=lease, due=due, now=now)
        )
        _log.info("scanned", claimed=len(claimed), fired=fired)

    async def _postpone(self, lease: uuid.UUID, claimed: Sequence[Claimed]) -> None:
        await self.db.run(
            lambda tx: jobs.postpone(tx, claimed, lease=lease, reason="schedule_unavailable")
        )


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
