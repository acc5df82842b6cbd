"""trigger_dedupe: the window of each target, and the row that its previews are serialised by."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from libs.planning.grid import Target
from services.active_scheduler.domain.trigger import NewTrigger, Trigger, TriggerType

_HOLDERS = text("""
    SELECT wanted.id, holder, until
    FROM unnest(CAST(:user_ids AS bigint[]), CAST(:types AS text[]), CAST(:kinds AS text[]),
            CAST(:target_ids AS bigint[]), CAST(:are_mock AS boolean[]), CAST(:ids AS text[]))
        AS wanted (user_id, trigger_type, target_kind, target_id, is_mock, id)
    JOIN trigger_dedupe USING (user_id, trigger_type, target_kind, target_id, is_mock)
""")
_LOCK_TARGET = text("""
    SELECT holder FROM trigger_dedupe
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock
    FOR UPDATE
""")
_LOCK_TARGET_OF_PREVIEW = text("""
    SELECT holder FROM trigger_dedupe d
    JOIN active_schedule_previews p ON d.user_id = p.user_id
        AND d.trigger_type = p.trigger_type AND d.target_kind = p.target_kind
        AND d.target_id = p.target_id AND d.is_mock = p.is_mock
    WHERE p.id = :preview_id AND p.user_id = :user_id
    FOR UPDATE OF d
""")
_RELEASE_DEDUPE = text("""
    UPDATE trigger_dedupe SET until = clock_timestamp()
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock AND holder = :holder
""")
# Feedback has no window; this row is there to be locked alone.
_PUT_ROW = text("""
    INSERT INTO trigger_dedupe (user_id, trigger_type, target_kind, target_id, is_mock, holder,
        until)
    VALUES (:user_id, :type, :kind, :target_id, :is_mock, '', '-infinity')
    ON CONFLICT DO NOTHING
""")
_LOCK_LINE = text("""
    SELECT id FROM active_schedule_triggers WHERE id = :line AND user_id = :user_id
    FOR NO KEY UPDATE
""")
# What a holder led to, by itself or by what followed it up, was applied.
LED_TO_APPLY = """
    EXISTS (SELECT FROM active_schedule_previews p
        JOIN active_schedule_triggers t ON t.id = trigger_dedupe.holder
        WHERE p.user_id = trigger_dedupe.user_id AND p.target_kind = trigger_dedupe.target_kind
            AND p.target_id = trigger_dedupe.target_id AND p.is_mock = trigger_dedupe.is_mock
            AND p.trigger_type = trigger_dedupe.trigger_type AND p.sequence >= t.sequence
            AND p.state = 'applied')
"""
_HOLDS_APPLIED = text(f"""
    SELECT {LED_TO_APPLY} FROM trigger_dedupe
    WHERE user_id = :user_id AND trigger_type = :type AND target_kind = :kind
        AND target_id = :target_id AND is_mock = :is_mock
""")


def _key(trigger: NewTrigger | Trigger, target: Target) -> dict[str, Any]:
    return {
        "user_id": trigger.user_id,
        "type": trigger.type.value,
        "kind": target.kind.value,
        "target_id": target.id,
        "is_mock": trigger.is_mock,
    }


async def holders(tx: Tx, triggers: Sequence[NewTrigger]) -> Mapping[str, Row]:
    """`holder` and `until` of the windows that triggers met, by the ids of those."""
    met = await tx.all(
        _HOLDERS,
        user_ids=[one.user_id for one in triggers],
        types=[one.type.value for one in triggers],
        **targets(triggers),
        are_mock=[one.is_mock for one in triggers],
        ids=[one.id for one in triggers],
    )
    return {row.id: row for row in met}


async def holds_applied(tx: Tx, trigger: NewTrigger) -> bool:
    """Whether what the holder of the window that a trigger met led to was applied."""
    if trigger.target is None:
        return False
    return bool(await tx.scalar(_HOLDS_APPLIED, **_key(trigger, trigger.target)))


async def lock_target(tx: Tx, trigger: Trigger, target: Target | None) -> None:
    """Serialises the writes of previews for one target, of feedback for one line as well."""
    is_feedback = trigger.type is TriggerType.UNFINISHED_FEEDBACK
    if target is not None:
        key = _key(trigger, target)
        if is_feedback:
            await tx.execute(_PUT_ROW, **key)
        await tx.execute(_LOCK_TARGET, **key)
    if is_feedback:
        await tx.execute(_LOCK_LINE, line=trigger.line_id, user_id=trigger.user_id)


async def lock_target_of(tx: Tx, user_id: int, preview_id: str) -> None:
    """The same for the target of a preview."""
    await tx.execute(_LOCK_TARGET_OF_PREVIEW, user_id=user_id, preview_id=preview_id)


async def release(tx: Tx, trigger: Trigger) -> None:
    """Ends the window that a trigger holds, if it does."""
    if trigger.target is not None:
        await tx.execute(_RELEASE_DEDUPE, holder=trigger.id, **_key(trigger, trigger.target))


def targets(triggers: Sequence[NewTrigger]) -> dict[str, list[Any]]:
    """Those of triggers that all have one."""
    found = [one.target for one in triggers if one.target is not None]
    return {
        "kinds": [target.kind.value for target in found],
        "target_ids": [target.id for target in found],
    }
