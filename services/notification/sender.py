"""The sender: claims due records and has them carried. Any number of replicas."""

import asyncio
import uuid
from dataclasses import dataclass, field

from libs.db.database import Database, is_away
from libs.telemetry import logs, traces
from services.notification.handlers.courier import Courier
from services.notification.store import records
from services.notification.store.records import Held

_log = logs.get("sender")


@dataclass(slots=True)
class Sender:
    """At most `concurrency` records are under way at once; `wake` shortens the wait for more.

    Its claim is a lease of `lease_seconds`: it outlasts the question to active_scheduler, the
    wait for the webhook's turn and the provider's deadline.
    """

    db: Database
    courier: Courier
    lease_seconds: float
    poll_seconds: float
    concurrency: int
    work: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is something to send, or room to send it."""
    _under_way: int = 0

    def wake(self) -> None:
        """Called from this process' loop, after a commit."""
        self.work.set()

    async def run(self, stop: asyncio.Event) -> None:
        """Claims until `stop`, then waits for what is under way."""
        async with asyncio.TaskGroup() as group:
            while not stop.is_set():
                self.work.clear()
                for held in await self._claim():
                    self._under_way += 1
                    group.create_task(self._carry(held))
                await self._wait(stop)

    async def _claim(self) -> tuple[Held, ...]:
        """What is due and fits; an absent database ends the round quietly."""
        room = self.concurrency - self._under_way
        if room <= 0:
            return ()
        try:
            async with self.db.transaction() as tx:
                claimed = await records.claim_due(
                    tx, lease=uuid.uuid4(), seconds=self.lease_seconds, limit=room
                )
        except Exception as error:
            if not is_away(error):
                raise
            _log.warning("claim_waits", error=repr(error))
            return ()
        return tuple(claimed)

    async def _carry(self, held: Held) -> None:
        """One record; what goes wrong with it stops no other one."""
        carrier = {traces.TRACEPARENT: held.traceparent} if held.traceparent else None
        try:
            with traces.span("send notification", carrier=carrier):
                await self.courier.carry(held)
        except Exception as error:  # noqa: BLE001  the row stays, and is due when its lease lapses
            _log.error("record_waits", record_id=held.id, exc_info=error)
        finally:
            self._under_way -= 1
            self.wake()

    async def _wait(self, stop: asyncio.Event) -> None:
        waits = {asyncio.ensure_future(self.work.wait()), asyncio.ensure_future(stop.wait())}
        try:
            await asyncio.wait(
                waits, timeout=self.poll_seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for wait in waits:
                wait.cancel()
