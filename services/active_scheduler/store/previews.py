"""active_schedule_previews."""

from collections.abc import Sequence

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain.preview import (
    Content,
    NotificationStatus,
    Preview,
    PreviewState,
    RefusalRecord,
)
from services.active_scheduler.domain.trigger import Trigger, TriggerType
from services.active_scheduler.store import codec

_COLUMNS = """
    id, sequence, user_id, trigger_id, trigger_type, target_kind, target_id, is_mock, state,
    version, CAST(content AS text) AS content, generated_at, expires_at, apply_id,
    CAST(last_refusals AS text) AS last_refusals, applied_at, applied_event_ids,
    CAST(applied_changes AS text) AS applied_changes, notification_status, undone_at,
    coalesce(conversation_id, '') AS conversation_id,
    (SELECT CAST(row_to_json(q) AS text) FROM (
        SELECT choice_id, words, answer_trigger_id AS trigger_id, answered_at AS at
        FROM questions WHERE preview_id = id AND answered_at IS NOT NULL) AS q) AS reply,
    clock_timestamp() AS read_at
"""

# now() is the same instant in both columns: the life is exact.
_INSERT = text(f"""
    INSERT INTO active_schedule_previews (id, sequence, user_id, trigger_id, trigger_type,
        target_kind, target_id, is_mock, line, content, generated_at, expires_at,
        notification_status)
    VALUES (:id, :sequence, :user_id, :trigger_id, :trigger_type, :kind, :target_id, :is_mock,
        :line, CAST(:content AS jsonb), now(), now() + make_interval(secs => :life), 'pending')
    RETURNING {_COLUMNS}
""")
_NEWER = text("""
    SELECT 1 FROM active_schedule_previews
    WHERE user_id = :user_id AND target_kind = :kind AND target_id = :target_id
        AND is_mock = :is_mock AND sequence > :sequence LIMIT 1
""")
# `ready` alone: what is being applied is never superseded. A mock one supersedes mocks alone.
_SUPERSEDE = text(f"""
    UPDATE active_schedule_previews SET state = 'superseded', version = version + 1,
        closed_at = clock_timestamp()
    WHERE user_id = :user_id AND target_kind = :kind AND target_id = :target_id
        AND state = 'ready' AND id <> :but AND (is_mock OR NOT :is_mock)
    RETURNING {_COLUMNS}
""")
_NEWER_IN_LINE = text("""
    SELECT 1 FROM active_schedule_previews
    WHERE user_id = :user_id AND line = :line AND sequence > :sequence LIMIT 1
""")
_SUPERSEDE_LINE = text(f"""
    UPDATE active_schedule_previews SET state = 'superseded', version = version + 1,
        closed_at = clock_timestamp()
    WHERE user_id = :user_id AND line = :line AND state = 'ready' AND id <> :but
    RETURNING {_COLUMNS}
""")
_GET = text(
    f"SELECT {_COLUMNS} FROM active_schedule_previews WHERE id = :id AND user_id = :user_id"
)
_LOCK = text(f"""
    SELECT {_COLUMNS} FROM active_schedule_previews
    WHERE id = :id AND user_id = :user_id FOR UPDATE
""")
_LIST = text(f"""
    SELECT {_COLUMNS} FROM active_schedule_previews
    WHERE user_id = :user_id AND sequence < :before
        AND (NOT :open_only OR state = 'applying'
            OR (state = 'ready' AND expires_at > clock_timestamp() AND NOT EXISTS (
                SELECT FROM questions WHERE preview_id = id AND answered_at IS NOT NULL)))
    ORDER BY sequence DESC LIMIT :limit
""")
_BIND = text(f"""
    UPDATE active_schedule_previews SET conversation_id = :conversation_id
    WHERE id = :id AND user_id = :user_id RETURNING {_COLUMNS}
""")
_IGNORE = text(f"""
    UPDATE active_schedule_previews SET state = 'ignored', version = version + 1,
        closed_at = clock_timestamp()
    WHERE id = :id AND state = 'ready' RETURNING {_COLUMNS}
""")
_APPLIED = text(f"""
    UPDATE active_schedule_previews SET state = 'applied', version = version + 1,
        applied_at = :at, applied_event_ids = CAST(:event_ids AS bigint[]),
        applied_changes = (SELECT changes FROM apply_requests r WHERE r.apply_id = :apply_id)
    WHERE id = :id AND state = 'applying' AND apply_id = :apply_id RETURNING {_COLUMNS}
""")
# Ready again, unless a newer one for the same target came meanwhile, which could not supersede it.
_REFUSED = text(f"""
    UPDATE active_schedule_previews SET version = version + 1,
        apply_id = NULL, last_refusals = CAST(:refusals AS jsonb),
        (state, closed_at) = (
            SELECT CASE WHEN count(*) = 0 THEN 'ready' ELSE 'superseded' END,
                CASE WHEN count(*) > 0 THEN clock_timestamp() END
            FROM active_schedule_previews newer
            WHERE newer.user_id = active_schedule_previews.user_id
                AND newer.target_kind = active_schedule_previews.target_kind
                AND newer.target_id = active_schedule_previews.target_id
                AND newer.sequence > active_schedule_previews.sequence
                AND (active_schedule_previews.is_mock OR NOT newer.is_mock))
    WHERE id = :id AND state = 'applying' AND apply_id = :apply_id RETURNING {_COLUMNS}
""")
# A preview that is still applying learns of its verdict later, and stays taken back.
_UNDONE = text(f"""
    UPDATE active_schedule_previews SET undone_at = :at, version = version + 1
    WHERE apply_id = :apply_id AND user_id = :user_id AND undone_at IS NULL RETURNING {_COLUMNS}
""")
_ANSWERED = text(f"""
    UPDATE active_schedule_previews SET version = version + 1 WHERE id = :id RETURNING {_COLUMNS}
""")
# A preview's message may go by several channels: one that was delivered outranks the others.
_NOTIFIED = text("""
    UPDATE active_schedule_previews SET notification_status = :status,
        notified_at = clock_timestamp()
    WHERE id = :id AND user_id = :user_id AND notification_status NOT IN ('sent', :status)
""")


async def insert(
    tx: Tx,
    trigger: Trigger,
    *,
    preview_id: str,
    target: Target | None,
    content: Content,
    life_seconds: float,
) -> Preview:
    """Writes a ready preview of a trigger, which has at most one; feedback stands in its line."""
    is_feedback = trigger.type is TriggerType.UNFINISHED_FEEDBACK
    row = await tx.one(
        _INSERT,
        id=preview_id,
        sequence=trigger.sequence,
        user_id=trigger.user_id,
        trigger_id=trigger.id,
        trigger_type=trigger.type.value,
        kind=target.kind.value if target else None,
        target_id=target.id if target else None,
        is_mock=trigger.is_mock,
        line=trigger.line_id if is_feedback else None,
        content=codec.CONTENT.dump_json(content).decode(),
        life=life_seconds,
    )
    return _preview(row)


async def newer_exists(tx: Tx, trigger: Trigger, target: Target) -> bool:
    """Whether a trigger that was created later has a preview for the same target already."""
    row = await tx.first(
        _NEWER,
        user_id=trigger.user_id,
        kind=target.kind.value,
        target_id=target.id,
        is_mock=trigger.is_mock,
        sequence=trigger.sequence,
    )
    return row is not None


async def supersede_ready(
    tx: Tx, *, user_id: int, target: Target, but: str, is_mock: bool
) -> tuple[Preview, ...]:
    """Supersedes every other ready preview of a target; gives them as they are now."""
    rows = await tx.all(
        _SUPERSEDE,
        user_id=user_id,
        kind=target.kind.value,
        target_id=target.id,
        but=but,
        is_mock=is_mock,
    )
    return tuple(_preview(row) for row in rows)


async def newer_in_line(tx: Tx, trigger: Trigger) -> bool:
    """Whether a later trigger of the same line has led to a preview already."""
    return (
        await tx.scalar(
            _NEWER_IN_LINE,
            user_id=trigger.user_id,
            line=trigger.line_id,
            sequence=trigger.sequence,
        )
        is not None
    )


async def supersede_line(tx: Tx, *, user_id: int, line: str, but: str) -> tuple[Preview, ...]:
    """Supersedes every other ready preview of a line; gives them as they are now."""
    rows = await tx.all(_SUPERSEDE_LINE, user_id=user_id, line=line, but=but)
    return tuple(_preview(row) for row in rows)


async def get(tx: Tx, user_id: int, preview_id: str) -> Preview | None:
    """A preview of this user."""
    row = await tx.first(_GET, id=preview_id, user_id=user_id)
    return _preview(row) if row else None


async def lock(tx: Tx, user_id: int, preview_id: str) -> Preview | None:
    """The same, locked until the end of the transaction."""
    row = await tx.first(_LOCK, id=preview_id, user_id=user_id)
    return _preview(row) if row else None


async def newest_first(
    tx: Tx, user_id: int, *, before: int, open_only: bool, limit: int
) -> Sequence[Preview]:
    """Previews with a sequence below `before`."""
    rows = await tx.all(_LIST, user_id=user_id, before=before, open_only=open_only, limit=limit)
    return [_preview(row) for row in rows]


async def ignore(tx: Tx, preview_id: str) -> Preview | None:
    """ready → ignored; None: it is not ready."""
    row = await tx.first(_IGNORE, id=preview_id)
    return _preview(row) if row else None


async def bind(tx: Tx, user_id: int, preview_id: str, conversation_id: str) -> Preview | None:
    """Notes the conversation; None: this user has no such preview."""
    row = await tx.first(_BIND, id=preview_id, user_id=user_id, conversation_id=conversation_id)
    return _preview(row) if row else None


async def end_applied(
    tx: Tx, preview_id: str, *, apply_id: str, at: object, event_ids: Sequence[int]
) -> Preview | None:
    """applying → applied, for its own apply alone."""
    row = await tx.first(
        _APPLIED, id=preview_id, apply_id=apply_id, at=at, event_ids=list(event_ids)
    )
    return _preview(row) if row else None


async def end_refused(
    tx: Tx, preview_id: str, *, apply_id: str, refusals: tuple[RefusalRecord, ...]
) -> Preview | None:
    """applying → ready again, with the reasons, for its own apply alone; superseded where a newer
    one for its target is there."""
    row = await tx.first(
        _REFUSED,
        id=preview_id,
        apply_id=apply_id,
        refusals=codec.REFUSALS.dump_json(refusals).decode(),
    )
    return _preview(row) if row else None


async def set_undone(tx: Tx, *, user_id: int, apply_id: str, at: object) -> Preview | None:
    """What an apply wrote was taken back; None where it is no preview's, or is known."""
    row = await tx.first(_UNDONE, user_id=user_id, apply_id=apply_id, at=at)
    return _preview(row) if row else None


async def touch(tx: Tx, preview_id: str) -> Preview:
    """A locked preview with a higher version, after something beside it was written."""
    return _preview(await tx.one(_ANSWERED, id=preview_id))


async def set_notified(tx: Tx, user_id: int, preview_id: str, status: NotificationStatus) -> None:
    """Keeps how the message to the person ended."""
    await tx.execute(_NOTIFIED, id=preview_id, user_id=user_id, status=status.value)


def _preview(row: Row) -> Preview:
    return Preview(
        id=row.id,
        sequence=row.sequence,
        user_id=row.user_id,
        trigger_id=row.trigger_id,
        trigger_type=TriggerType(row.trigger_type),
        target=Target(TargetKind(row.target_kind), row.target_id) if row.target_kind else None,
        is_mock=row.is_mock,
        stored_state=PreviewState(row.state),
        version=row.version,
        content=codec.CONTENT.validate_json(row.content),
        generated_at=row.generated_at,
        expires_at=row.expires_at,
        apply_id=row.apply_id,
        last_refusals=codec.REFUSALS.validate_json(row.last_refusals),
        applied_at=row.applied_at,
        applied_event_ids=tuple(row.applied_event_ids),
        applied_changes=codec.CHANGES.validate_json(row.applied_changes),
        notification_status=NotificationStatus(row.notification_status),
        read_at=row.read_at,
        undone_at=row.undone_at,
        conversation_id=row.conversation_id,
        reply=codec.REPLY.validate_json(row.reply) if row.reply else None,
    )
