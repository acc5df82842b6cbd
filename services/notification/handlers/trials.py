"""Trying out a channel: a test message by the way of every message, and how it ended.

The record is committed before the sender takes it up, by this process or a replica; whoever asked
waits outside of any transaction and reads.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from libs.db.database import Database, Tx
from libs.rpc import deadline
from libs.telemetry import traces
from services.notification.domain import errors
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.stored import Record
from services.notification.handlers import counters
from services.notification.store import channels, records
from services.notification.store.channels import Way

PATH = "/week"
"""Where the button of a test message leads: there is no page about it."""

_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 0.5
_LEFT_FOR_THE_ANSWER_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class Trials:
    """Serves TestChannel. `wake` tells the sender; `ending` is set when this process ends."""

    db: Database
    wake: Callable[[], None]
    ending: asyncio.Event
    life: timedelta
    wait_seconds: float

    async def begin(self, tx: Tx, user_id: int, channel_id: int) -> Record:
        """A pending record on this channel. Raises ChannelNotFound."""
        channel = await channels.get(tx, user_id, channel_id)
        if channel is None:
            raise errors.ChannelNotFound(channel_id)
        request = Request(
            notification_id=f"test_{secrets.token_hex(12)}",
            user_id=user_id,
            trigger_id="",
            preview_id="",
            target_kind=TargetKind.CHANNEL,
            valid_until=await records.now(tx) + self.life,
            path=PATH,
        )
        record = await records.insert_first(
            tx,
            request,
            Way(channel.id, channel.type),
            reason="",
            traceparent=traces.outgoing().get(traces.TRACEPARENT, ""),
        )
        if record is None:
            raise AssertionError("a new notification_id has no record yet")
        tx.after_commit(counters.REQUESTED.inc)
        tx.after_commit(self.wake)
        return record

    async def answered(self, user_id: int, record_id: int) -> Record:
        """The record, once an attempt is over or the time is up. Raises RecordNotFound."""
        # What the caller waits for besides is the way of the answer.
        patience = deadline.remaining(self.wait_seconds + _LEFT_FOR_THE_ANSWER_SECONDS)
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + patience - _LEFT_FOR_THE_ANSWER_SECONDS
        pause = _FIRST_PAUSE_SECONDS
        while True:
            record, is_over = await self._look(user_id, record_id)
            left = ends_at - loop.time()
            if is_over or left <= 0 or self.ending.is_set():
                return record
            await _wait(self.ending, min(pause, left))
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    async def _look(self, user_id: int, record_id: int) -> tuple[Record, bool]:
        async with self.db.transaction() as tx:
            record = await records.get(tx, user_id, record_id)
            if record is None:
                raise errors.RecordNotFound(record_id)
            return record, record.is_answered(await records.now(tx))


async def _wait(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return
