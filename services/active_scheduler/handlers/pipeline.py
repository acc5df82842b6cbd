"""Taking up a trigger: lease, facts, look, preview. Any replica may do it, one does.

No call to another service happens inside a transaction; the result is written by
compare-and-set on the lease.
"""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from libs.db.database import Database, Tx
from libs.telemetry import logs
from services.active_scheduler.domain.errors import Busy, TargetNotFound
from services.active_scheduler.domain.preview import Content, Preview
from services.active_scheduler.domain.trigger import FINAL, Trigger, TriggerState, TriggerType
from services.active_scheduler.handlers import counters, jobs
from services.active_scheduler.handlers.looking import Looked, Looking
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.handlers.triggers import new_id
from services.active_scheduler.store import misses, previews, questions, triggers, windows

_log = logs.get("pipeline")

Claim = Callable[[Tx], Awaitable[bool]]
"""Claims the event that led here, in the transaction of the result; False: seen before."""


async def unconditional(_tx: Tx) -> bool:
    """The claim of a caller that has no event."""
    return True


async def _finish(
    tx: Tx,
    trigger: Trigger,
    *,
    lease: uuid.UUID,
    state: TriggerState,
    reason: str,
    looked: Looked | None = None,
    preview_id: str | None = None,
) -> bool:
    """Writes and counts the final state of a trigger; False where the lease was lost."""
    done = await triggers.finish(
        tx,
        trigger,
        lease=lease,
        state=state,
        reason=reason,
        preview_id=preview_id,
        priority=looked.priority if looked else None,
        target=looked.target if looked else None,
        located=looked.located if looked else "",
    )
    if done:
        counters.count_trigger(tx, state)
    return done


async def _keep_miss(tx: Tx, trigger: Trigger, looked: Looked) -> None:
    """Feedback counts as a miss of its block; a mock one does not, and no follow-up anew."""
    if looked.missed is not None and not trigger.is_mock:
        is_news = trigger.linked_trigger_id is None
        await misses.put(tx, trigger.user_id, looked.missed, at=trigger.created_at, is_news=is_news)


async def _newer_exists(tx: Tx, trigger: Trigger, looked: Looked) -> bool:
    """Whether a later trigger has led to a preview about the same, or along the same line."""
    if looked.target is not None and await previews.newer_exists(tx, trigger, looked.target):
        return True
    is_feedback = trigger.type is TriggerType.UNFINISHED_FEEDBACK
    return is_feedback and await previews.newer_in_line(tx, trigger)


async def _supersede(
    tx: Tx, trigger: Trigger, looked: Looked, preview_id: str
) -> tuple[Preview, ...]:
    """Takes what a new preview stands in for out of the way; gives it as it is now."""
    older: tuple[Preview, ...] = ()
    if looked.target is not None:
        older = await previews.supersede_ready(
            tx,
            user_id=trigger.user_id,
            target=looked.target,
            but=preview_id,
            is_mock=trigger.is_mock,
        )
    if trigger.linked_trigger_id is None or trigger.type is not TriggerType.UNFINISHED_FEEDBACK:
        return older
    line = await previews.supersede_line(
        tx, user_id=trigger.user_id, line=trigger.line_id, but=preview_id
    )
    return (*older, *line)


@dataclass(slots=True)
class Pipeline:
    """Runs the pipeline for stored triggers."""

    db: Database
    looking: Looking
    announce: Announce
    lease_seconds: float
    preview_life_seconds: float
    is_away: Callable[[BaseException], bool]
    max_tries: int
    _retry_seconds: float = field(default=1.0)

    async def take_up(self, trigger_id: str, claim: Claim = unconditional) -> None:
        """Brings a trigger to its final state. Raises Busy while another process holds it."""
        lease = uuid.uuid4()
        async with self.db.transaction() as tx:
            claimed = await triggers.claim(tx, trigger_id, lease=lease, seconds=self.lease_seconds)
        if claimed is None:
            await self._not_free(trigger_id, claim)
            return
        trigger, attempt = claimed
        if attempt > self.max_tries:
            # Earlier attempts ended without a word: the process died each time.
            await self._write(trigger, lease, claim, lambda tx: self._fail(tx, trigger, lease))
            return
        try:
            await self._work(trigger, lease, claim)
        except Exception as error:
            await self._give_back(trigger, lease, attempt, counted=not self.is_away(error))
            raise

    async def _not_free(self, trigger_id: str, claim: Claim) -> None:
        async with self.db.transaction() as tx:
            trigger = await triggers.get(tx, trigger_id)
            if trigger is not None and trigger.state not in FINAL:
                raise Busy(trigger_id)
            # Done by someone else, or never there: the event has nothing more to say.
            await claim(tx)
        _log.info("trigger_done_before", trigger_id=trigger_id)

    async def _work(self, trigger: Trigger, lease: uuid.UUID, claim: Claim) -> None:
        try:
            looked = await self.looking.look(
                trigger.user_id,
                trigger.subject,
                user_id=trigger.user_id,
                told_at=trigger.created_at,
                mock_now=trigger.mock_now,
            )
        except TargetNotFound as absent:
            why = absent.reason
            await self._write(
                trigger,
                lease,
                claim,
                lambda tx: _finish(
                    tx, trigger, lease=lease, state=TriggerState.REJECTED, reason=why
                ),
            )
            return
        content = await self._select(trigger, lease, looked)
        await self._write(
            trigger, lease, claim, lambda tx: self._conclude(tx, trigger, lease, looked, content)
        )

    async def _select(self, trigger: Trigger, lease: uuid.UUID, looked: Looked) -> Content:
        """What the look shows, with choice and words, for which the lease is held longer."""
        longest = self.looking.longest_seconds
        if longest and looked.content.decision.writes_preview:
            async with self.db.transaction() as tx:
                seconds = longest + self.lease_seconds
                if not await triggers.renew(tx, trigger.id, lease=lease, seconds=seconds):
                    raise Busy(trigger.id)
        return await self.looking.select(trigger.user_id, looked)

    async def _write(
        self,
        trigger: Trigger,
        lease: uuid.UUID,
        claim: Claim,
        conclude: Callable[[Tx], Awaitable[bool]],
    ) -> None:
        async def work(tx: Tx) -> bool:
            if not await conclude(tx):
                return False
            await claim(tx)
            return True

        if not await self.db.run(work):
            _log.warning("lease_lost", trigger_id=trigger.id)
            raise Busy(trigger.id)

    async def _conclude(
        self, tx: Tx, trigger: Trigger, lease: uuid.UUID, looked: Looked, content: Content
    ) -> bool:
        """Writes what the look led to; False where the lease was lost, and nothing is kept."""
        await windows.lock_target(tx, trigger, looked.target)
        decision = content.decision
        # Newer means the order of creation, not the time of writing.
        superseded = decision.writes_preview and await _newer_exists(tx, trigger, looked)
        shows = decision.writes_preview and not superseded
        preview_id = new_id("asp") if shows else None
        if not await _finish(
            tx,
            trigger,
            lease=lease,
            state=TriggerState.PREVIEW_GENERATED if shows else TriggerState.CLOSED,
            reason="superseded" if superseded else decision.reason,
            looked=looked,
            preview_id=preview_id,
        ):
            return False
        await _keep_miss(tx, trigger, looked)
        if preview_id is not None:
            await self._show(tx, trigger, preview_id, looked, content)
        return True

    async def _show(
        self, tx: Tx, trigger: Trigger, preview_id: str, looked: Looked, content: Content
    ) -> None:
        """Writes the preview in the place of older ones, and tells it."""
        older = await _supersede(tx, trigger, looked, preview_id)
        counters.count_preview(tx, content.decision.action)
        preview = await previews.insert(
            tx,
            trigger,
            preview_id=preview_id,
            target=looked.target,
            content=content,
            life_seconds=self.preview_life_seconds,
        )
        if content.question is not None:
            kind = content.question.kind
            await questions.ask(tx, user_id=trigger.user_id, preview_id=preview_id, kind=kind)
        await self.announce.preview_changed(tx, *older, preview)
        await self.announce.preview_generated(tx, preview)
        _log.info("preview_generated", preview_id=preview_id, trigger_id=trigger.id)

    async def _fail(self, tx: Tx, trigger: Trigger, lease: uuid.UUID) -> bool:
        """Gives a trigger up after too many attempts; its job looks again later."""
        failed = await _finish(
            tx, trigger, lease=lease, state=TriggerState.FAILED, reason="pipeline_failed"
        )
        if failed:
            await jobs.after_failure(tx, trigger)
        return failed

    async def _give_back(
        self, trigger: Trigger, lease: uuid.UUID, attempt: int, *, counted: bool
    ) -> None:
        """After a failure: the lease for the next attempt, or the end after too many."""
        try:
            async with self.db.transaction() as tx:
                if counted and attempt >= self.max_tries:
                    await self._fail(tx, trigger, lease)
                    return
                await triggers.release(
                    tx, trigger.id, lease=lease, delay=self._retry_seconds, counted=counted
                )
        except Exception as error:
            # The lease lapses by itself; the first error is the one to be told.
            if not self.is_away(error):
                raise
            _log.warning("lease_kept", trigger_id=trigger.id, error=repr(error))
