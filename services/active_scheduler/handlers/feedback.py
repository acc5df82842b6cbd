"""Feedback: somebody tells that something was not finished."""

from collections.abc import Mapping

from libs.db.database import Tx
from libs.planning.grid import Target
from services.active_scheduler.domain.trigger import (
    NewTrigger,
    Trigger,
    TriggerSource,
    TriggerType,
    checked,
)
from services.active_scheduler.handlers import counters, triggers
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.store import triggers as store


async def submit(
    tx: Tx,
    announce: Announce,
    rules: TriggerRules,
    *,
    user_id: int,
    feedback_id: str,
    target: Target | None,
    words: str,
    request_id: str,
    payload: Mapping[str, object],
) -> tuple[Trigger, bool]:
    """The trigger of an act of telling, and whether it had been told before, however long ago.

    Raises UnsupportedTarget.
    """
    type_ = TriggerType.UNFINISHED_FEEDBACK
    wanted = NewTrigger(
        id=triggers.new_id("ast"),
        user_id=user_id,
        type=type_,
        source=TriggerSource.USER_FEEDBACK,
        target=checked(type_, target) if target is not None else None,
        request_id=request_id,
        feedback_id=feedback_id,
        words=words,
        payload=payload,
    )
    if await triggers.raise_exempt(tx, announce, rules, wanted):
        return await triggers.find(tx, user_id, wanted.id), False
    known = await store.of_feedback(tx, user_id, feedback_id)
    if known is None:
        raise AssertionError("a feedback_id that is taken has its trigger")
    counters.count_deduplicated(tx)
    return known, True
