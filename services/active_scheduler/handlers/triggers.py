"""Raising triggers."""

import base64
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from libs.db.database import Tx
from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain.errors import (
    PreviewNotFound,
    TriggerNotFound,
    UnsupportedTarget,
)
from services.active_scheduler.domain.preview import FORBIDS, PreviewState
from services.active_scheduler.domain.trigger import (
    NewTrigger,
    Trigger,
    TriggerSource,
    TriggerType,
)
from services.active_scheduler.handlers import counters
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.store import previews, triggers
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


def checked(target: Target) -> Target:
    """A target that the first kind of trigger can look at. Raises UnsupportedTarget."""
    if target.kind is not TargetKind.TASK_POOL:
        raise UnsupportedTarget(target.kind.value)
    return target


async def raise_trigger(
    tx: Tx, announce: Announce, rules: TriggerRules, trigger: NewTrigger
) -> Raised:
    """Writes a trigger and tells it, or finds the one that holds the target's window."""
    (raised,) = await raise_triggers(tx, announce, rules, [trigger])
    return raised


async def raise_triggers(
    tx: Tx, announce: Announce, rules: TriggerRules, wanted: Sequence[NewTrigger]
) -> Sequence[Raised]:
    """The same for many with distinct targets, in their order, by a statement per purpose."""
    written = await triggers.insert(
        tx, wanted, dedupe_seconds=rules.dedupe_seconds, grace_seconds=rules.grace_seconds
    )
    late = [one for one in wanted if one.id not in written]
    holders = await triggers.holders(tx, late) if late else {}
    for _ in late:
        counters.count_deduplicated(tx)
    await announce.triggered(tx, *(one for one in wanted if one.id in written))
    return [
        Raised(holders[one.id].holder, True, holders[one.id].until)
        if one.id in holders
        else Raised(one.id, False)
        for one in wanted
    ]


async def raise_by_call(
    tx: Tx,
    announce: Announce,
    rules: TriggerRules,
    *,
    user_id: int,
    type_: TriggerType,
    target: Target,
    request_id: str,
    mock_now: datetime | None,
    payload: Mapping[str, object],
) -> tuple[Trigger, bool]:
    """A trigger for the Trigger call, and whether an earlier one answers for it."""
    wanted = NewTrigger(
        id=new_id("ast"),
        user_id=user_id,
        type=type_,
        source=TriggerSource.API_TRIGGER,
        target=checked(target),
        request_id=request_id,
        mock_now=mock_now,
        payload=payload,
    )
    raised = await raise_trigger(tx, announce, rules, wanted)
    return await find(tx, user_id, raised.trigger_id), raised.deduplicated


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
    preview = await previews.lock(tx, user_id, preview_id)
    if preview is None:
        raise PreviewNotFound(preview_id)
    forbidden = FORBIDS.get(preview.stored_state)
    if forbidden and preview.stored_state is not PreviewState.IGNORED:
        raise forbidden
    earlier = await find(tx, user_id, preview.trigger_id)
    wanted = NewTrigger(
        id=new_id("ast"),
        user_id=user_id,
        type=earlier.type,
        source=TriggerSource.REGENERATE,
        target=earlier.target,
        request_id=request_id,
        mock_now=earlier.mock_now,
        linked_trigger_id=earlier.id,
        payload={"preview_id": preview_id},
    )
    await raise_trigger(tx, announce, rules, wanted)
    return await find(tx, user_id, wanted.id)


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
