"""The transactions of one attempt: it begins, it ends, it is put aside or held back.

Each is a compare-and-set on the lease: whoever has lost it changes nothing.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from libs.db.database import Tx
from services.notification.domain import record, step
from services.notification.domain.backoff import Pace
from services.notification.domain.batch import Member, Window
from services.notification.domain.outcome import Outcome, Retry
from services.notification.domain.record import RecordState, SkipReason
from services.notification.domain.step import Clockwork, Step
from services.notification.domain.stored import Record
from services.notification.handlers import batches, counters
from services.notification.handlers.ports import Announce
from services.notification.store import batches as batch_store
from services.notification.store import channels, rates, records
from services.notification.store.rates import Limits, Slot
from services.notification.store.records import Begun, Frozen, Held, Now


@dataclass(frozen=True, slots=True)
class Rules:
    """Durations and limits; settings."""

    lease_seconds: float
    min_life: timedelta
    pace: Pace
    rate: Limits
    rate_patience_seconds: float
    window: Window


@dataclass(frozen=True, slots=True)
class Settling:
    """How a record that is held moves on."""

    announce: Announce
    rules: Rules
    wake: Callable[[], None]

    async def end(
        self,
        tx: Tx,
        held: Held,
        result: Outcome,
        *,
        request: Mapping[str, object] | None,
        response: Mapping[str, object] | None,
        bare: bool = False,
    ) -> Step | None:
        """What the attempt's outcome makes of the record. None: the lease was lost.

        `bare`: code and message id, which are the provider's words, are left out.
        """
        now = await records.lock_held(tx, held)
        if now is None:
            return None
        past = replace(now.past, run=_run(result, now))
        done = step.after(result, past, self._clockwork(now))
        if bare:
            done = replace(done, code=None, message_id=None)
        return await self._move(tx, held, done, past.run, request=request, response=response)

    async def put_aside(self, tx: Tx, held: Held, reason: SkipReason) -> Step | None:
        """The message is not worth sending any more."""
        now = await records.lock_held(tx, held)
        if now is None:
            return None
        done = step.put_aside(reason, now.past, last=now.reason)
        return await self._move(tx, held, replace(done, code=now.provider_code), now.past.run)

    async def leave_out(
        self, tx: Tx, held: Held, members: Sequence[tuple[Member, SkipReason]]
    ) -> None:
        """Members of a batch that has not gone out yet are not worth telling any more."""
        if await records.lock_held(tx, held) is None:
            return
        for member, reason in members:
            stored = await batch_store.skip(tx, held, member.record_id, reason)
            if stored is not None:
                channel = held.channel_type.value
                counters.count_step(tx, stored.state, channel=channel, reason=stored.reason)
                await self.announce.settled(tx, stored)

    async def hold_back(self, tx: Tx, held: Held, until: datetime) -> Step | None:
        """The webhook has had its share; again at `until` or a little later."""
        now = await records.lock_held(tx, held)
        if now is None:
            return None
        # Spread, so that those who wait for the same webhook do not all ask at once.
        until += timedelta(seconds=random.uniform(0, self.rules.rate_patience_seconds))
        done = step.held_back("own_rate_limit", until, now.past, self._clockwork(now))
        return await self._move(tx, held, replace(done, code=now.provider_code), now.past.run)

    async def _move(
        self,
        tx: Tx,
        held: Held,
        done: Step,
        run: int,
        *,
        request: Mapping[str, object] | None = None,
        response: Mapping[str, object] | None = None,
    ) -> Step:
        record.check(RecordState.SENDING, done.state)
        stored = await records.write(tx, held, done, run=run, request=request, response=response)
        told = await self._told(tx, held, stored, done)
        # A batch is one message that is sent; what is not sent is so for each that it held.
        is_unsent_batch = held.request.is_batch and done.state is RecordState.SKIPPED
        for _ in range(len(told) if is_unsent_batch else 1):
            counters.count_step(tx, done.state, channel=held.channel_type.value, reason=done.reason)
        for one in told:
            if held.request.is_announced:
                await self.announce.settled(tx, one)
            if done.next_channel:
                await self._hand_on(tx, held, one)
        if done.next_attempt_at is not None:
            tx.after_commit(self.wake)
        return done

    async def _told(self, tx: Tx, held: Held, stored: Record, done: Step) -> tuple[Record, ...]:
        """The records of messages that have ended by this step, for whoever asked for them."""
        if not done.settled or held.request.is_test:
            # A test is of one channel, and nobody but who asked for it wants to know.
            return ()
        return await batches.end_members(tx, stored, done) if held.request.is_batch else (stored,)

    async def _hand_on(self, tx: Tx, held: Held, ended: Record) -> None:
        """The user's next channel gets its turn."""
        alone = held.request.is_sign_in
        way = await channels.untried(tx, ended.user_id, ended.notification_id, sign_in=alone)
        if way is None:
            return
        following = await records.insert_next(
            tx, ended.user_id, ended.id, way, sealed_path=held.sealed_path
        )
        if following is not None:
            if not alone:
                await batches.enroll(tx, self.rules.window, following, way)
            tx.after_commit(self.wake)

    def _clockwork(self, now: Now) -> Clockwork:
        return Clockwork(now.at, now.valid_until, random.random(), self.rules.pace)


def _run(result: Outcome, now: Now) -> int:
    """How many tries in a row have ended with this code, this one included.

    A bounded try that no provider was asked in is told by its reason.
    """
    code = getattr(result, "code", None)
    if code is not None:
        return now.past.run + 1 if code == now.provider_code else 1
    match result:
        case Retry(reason=now.reason, at_most=int()):
            return now.past.run + 1
        case _:
            return 1


async def reserve(tx: Tx, rules: Rules, webhook: bytes | None) -> Slot | datetime:
    """The right to send to a webhook soon, or when to ask again."""
    if webhook is None:
        return Slot(0.0)
    return await rates.reserve(tx, webhook, rules.rate, patience=rules.rate_patience_seconds)


async def begin(tx: Tx, rules: Rules, held: Held, frozen: Frozen | None) -> Begun | None:
    """The attempt begins now, under a lease that outlasts it. None: the lease was lost."""
    return await records.begin(tx, held, frozen, seconds=rules.lease_seconds)
