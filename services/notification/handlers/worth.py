"""What a message is to tell: asked of active_scheduler before each attempt."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from libs.db.database import Database, Tx
from libs.telemetry import logs
from services.notification.domain import answer
from services.notification.domain.answer import Matter, Silence
from services.notification.domain.batch import Member
from services.notification.domain.record import SkipReason
from services.notification.domain.request import Request
from services.notification.handlers.attempt import Settling
from services.notification.handlers.ports import Previews
from services.notification.store import batches
from services.notification.store.records import Held

_log = logs.get("courier")


@dataclass(frozen=True, slots=True)
class Judge:
    """Asks outside of any transaction, and writes down what is not worth telling any more."""

    db: Database
    previews: Previews
    settling: Settling

    async def matters(self, held: Held) -> Sequence[Matter]:
        """What the message tells. Empty: it was put aside, or the lease was lost."""
        if held.request.is_batch:
            return await self._of_batch(held)
        matter = await self._ask(held.request, held.now)
        reason = self._not_worth_it(matter, held.now)
        if reason is None:
            return (matter,)
        await self._put_aside(held, (), reason)
        return ()

    async def _of_batch(self, held: Held) -> Sequence[Matter]:
        """Closes the batch: what comes from now on belongs to the next one."""
        members = await self.db.run(lambda tx: batches.close(tx, held))
        if members is None:
            _log.warning("lease_lost", record_id=held.id)
            return ()
        # All at once: together they take no longer than one, and a batch is bounded.
        asked = await asyncio.gather(*(self._ask(one.request, held.now) for one in members))
        reasons = [self._not_worth_it(matter, held.now) for matter in asked]
        worth = [one for one, reason in zip(asked, reasons, strict=True) if reason is None]
        if worth and held.is_frozen:
            return asked
        left_out = [
            (member, reason)
            for member, reason in zip(members, reasons, strict=True)
            if reason is not None
        ]
        if not worth:
            last = left_out[-1][1] if left_out else SkipReason.PREVIEW_EXPIRED
            # What an earlier attempt told of shares its fate.
            await self._put_aside(held, () if held.is_frozen else left_out, last)
        elif left_out:
            await self.db.run(lambda tx: self.settling.leave_out(tx, held, left_out))
        return worth

    async def _put_aside(
        self, held: Held, members: Sequence[tuple[Member, SkipReason]], reason: SkipReason
    ) -> None:
        async def work(tx: Tx) -> None:
            await self.settling.leave_out(tx, held, members)
            await self.settling.put_aside(tx, held, reason)

        await self.db.run(work)
        _log.info("put_aside", record_id=held.id, reason=reason.value)

    async def _ask(self, request: Request, now: datetime) -> Matter:
        if not request.preview_id or now >= request.valid_until:
            return Matter(request, Silence())
        return Matter(request, await self.previews.preview(request.user_id, request.preview_id))

    def _not_worth_it(self, matter: Matter, now: datetime) -> SkipReason | None:
        return answer.not_worth_it(
            matter.answer,
            now=now,
            valid_until=matter.request.valid_until,
            min_life=self.settling.rules.min_life,
        )
