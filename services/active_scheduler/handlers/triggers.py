"""Raising triggers."""

import base64
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from libs.db.database import Tx
from libs.planning.grid import Target
from services.active_scheduler.domain.errors import PreviewNotFound, TriggerNotFound
from services.active_scheduler.domain.preview import FORBIDS, Preview, PreviewState
from services.active_scheduler.domain.trigger import (
    NewTrigger,
    Subject,
    Trigger,
    TriggerSource,
    TriggerState,
    TriggerType,
    checked,
)
from services.active_scheduler.handlers import counters
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.store import previews, triggers, windows
from services.active_scheduler.store import trace as traces
from services.active_scheduler.store.trace import Step

# The 32 signs of base32, told without those that are easily taken for one another.
_SIGNS = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", b"23456789abcdefghijkmnpqrstuvwxyz")
_RANDOM_BYTES = 15


def new_id(prefix: str) -> str:
    """An id that goes into links: 120 random bits, told in 24 letters and digits."""
    told = base64.b32encode(secrets.token_bytes(_RANDOM_BYTES)).translate(_SIGNS)
    return f"{prefix}_{told.decode()}"


@dataclass(frozen=True, slots=True)
class Raised:
    """The trigger that answers, and whether it had been there before."""

    trigger_id: str
    deduplicated: bool
    until: datetime | None = None
    """End of the holder's window, where this one met it."""


@dataclass(frozen=True, slots=True)
class TriggerRules:
    """Durations; settings."""

    dedupe_seconds: float
    grace_seconds: float
    """How long the sweeper leaves a pending trigger to the event."""


class MeetsApplied(Exception):
    """A window whose holder led to an apply: whether that still stands has to be asked for."""


async def raise_triggers(
    tx: Tx,
    announce: Announce,
    rules: TriggerRules,
    wanted: Sequence[NewTrigger],
    *,
    unscheduled: bool,
) -> Sequence[Raised]:
    """Writes triggers with distinct targets and tells them, or finds the ones that hold the
    windows of those; in their order, by a statement per purpose.

    `unscheduled` says that none of the targets is known to be in the schedule.
    """
    written = await triggers.insert(
        tx,
        wanted,
        dedupe_seconds=rules.dedupe_seconds,
        grace_seconds=rules.grace_seconds,
        unscheduled=unscheduled,
    )
    late = [one for one in wanted if one.id not in written]
    holders = await windows.holders(tx, late) if late else {}
    for _ in late:
        counters.count_deduplicated(tx)
    await announce.triggered(tx, *(one for one in wanted if one.id in written))
    return [
        Raised(holders[one.id].holder, True, holders[one.id].until)
        if one.id in holders
        else Raised(one.id, False)
        for one in wanted
    ]


async def raise_exempt(tx: Tx, announce: Announce, rules: TriggerRules, wanted: NewTrigger) -> bool:
    """Writes a trigger that needs no window and tells it; False where its feedback_id is known."""
    written = await triggers.insert_exempt(tx, wanted, grace_seconds=rules.grace_seconds)
    if written:
        await announce.triggered(tx, wanted)
    return written


@dataclass(frozen=True, slots=True)
class Call:
    """What the Trigger call asks for."""

    user_id: int
    type: TriggerType
    target: Target
    request_id: str
    mock_now: datetime | None
    payload: Mapping[str, object]

    def trigger(self) -> NewTrigger:
        """Raises UnsupportedTarget."""
        return NewTrigger(
            id=new_id("ast"),
            user_id=self.user_id,
            type=self.type,
            source=TriggerSource.API_TRIGGER,
            target=checked(self.type, self.target),
            request_id=self.request_id,
            mock_now=self.mock_now,
            payload=self.payload,
        )


async def raise_by_call(
    tx: Tx, announce: Announce, rules: TriggerRules, call: Call, *, unscheduled: bool | None
) -> tuple[Trigger, bool]:
    """A trigger for the Trigger call, and whether an earlier one answers for it.

    Raises MeetsApplied where that depends on whether the target is still scheduled, and nobody
    has asked for it yet (None).
    """
    wanted = call.trigger()
    if call.type is not TriggerType.IMPORTANT_URGENT_TASK:
        await raise_exempt(tx, announce, rules, wanted)
        return await find(tx, call.user_id, wanted.id), False
    (raised,) = await raise_triggers(
        tx, announce, rules, [wanted], unscheduled=unscheduled or False
    )
    is_open = unscheduled is None and raised.deduplicated
    if is_open and await windows.holds_applied(tx, wanted):
        raise MeetsApplied
    return await find(tx, call.user_id, raised.trigger_id), raised.deduplicated


async def regenerate(
    tx: Tx,
    announce: Announce,
    rules: TriggerRules,
    *,
    user_id: int,
    preview_id: str,
    request_id: str,
) -> Trigger:
    """A new look in the place of a preview. Raises PreviewNotFound, StateForbids."""
    await previews.lock(tx, user_id, preview_id)
    # What stands beside the row is as old as the statement that locked it: it is read again.
    preview = await previews.get(tx, user_id, preview_id)
    if preview is None:
        raise PreviewNotFound(preview_id)
    forbidden = FORBIDS.get(preview.stored_state)
    if forbidden and preview.stored_state is not PreviewState.IGNORED:
        raise forbidden
    earlier, subject = await _subject_of(tx, preview)
    wanted = following(
        earlier,
        subject,
        source=TriggerSource.REGENERATE,
        request_id=request_id,
        payload={"preview_id": preview_id},
    )
    await raise_exempt(tx, announce, rules, wanted)
    return await find(tx, user_id, wanted.id)


def following(
    earlier: Trigger,
    subject: Subject,
    *,
    source: TriggerSource,
    request_id: str,
    payload: Mapping[str, object],
) -> NewTrigger:
    """A trigger that follows up an earlier one, in its line and by its clock."""
    return NewTrigger(
        id=new_id("ast"),
        user_id=earlier.user_id,
        type=subject.type,
        source=source,
        target=subject.target,
        request_id=request_id,
        mock_now=earlier.mock_now,
        linked_trigger_id=earlier.id,
        line=earlier.line_id,
        words=subject.words,
        answers=subject.answers,
        payload=payload,
    )


async def _subject_of(tx: Tx, preview: Preview) -> tuple[Trigger, Subject]:
    """What a new look in the place of a preview is about, and the trigger that it follows up.

    A question that was answered is not asked again, unless the answer named what is gone.
    """
    if preview.reply is not None:
        answer = await find(tx, preview.user_id, preview.reply.trigger_id)
        if answer.state is not TriggerState.REJECTED:
            return answer, answer.subject
    earlier = await find(tx, preview.user_id, preview.trigger_id)
    target, answers = preview.target or earlier.target, preview.content.answers
    return earlier, replace(earlier.subject, target=target, answers=answers)


async def newest_first(
    tx: Tx, *, user_id: int | None, states: Sequence[TriggerState], before: int, limit: int
) -> tuple[Sequence[Trigger], int | None]:
    """A page of triggers, and where the next one begins."""
    found = await triggers.newest_first(
        tx, user_id=user_id, states=states, before=before, limit=limit + 1
    )
    page = found[:limit]
    return page, page[-1].sequence if len(found) > limit else None


async def find(tx: Tx, user_id: int, trigger_id: str) -> Trigger:
    """A trigger of this user. Raises TriggerNotFound."""
    trigger = await triggers.get_of_user(tx, user_id, trigger_id)
    if trigger is None:
        raise TriggerNotFound(trigger_id)
    return trigger


async def trace(tx: Tx, trigger_id: str) -> tuple[Trigger, Sequence[Step]]:
    """The whole way of a trigger of any user. Raises TriggerNotFound."""
    trigger = await triggers.get(tx, trigger_id)
    if trigger is None:
        raise TriggerNotFound(trigger_id)
    return trigger, await traces.steps(tx, user_id=trigger.user_id, trigger_id=trigger_id)


async def trace_of(tx: Tx, user_id: int, target: Target) -> Sequence[Step]:
    """The job and the triggers of a target, whether or not it ever fired."""
    return await traces.steps_of(tx, user_id=user_id, target=target)
