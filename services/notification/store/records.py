"""notification_records: what waits, under leases by `due_at`, and what has ended."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from services.notification.domain.channel import ChannelType
from services.notification.domain.message import Content, Language
from services.notification.domain.record import RecordState
from services.notification.domain.request import Request, TargetKind
from services.notification.domain.step import Past, Step
from services.notification.domain.stored import Record
from services.notification.store.channels import Way

COLUMNS = """
    record.id, record.user_id, record.notification_id, record.preview_id, record.channel_id,
    record.channel_type, record.state, record.reason, record.attempts, record.provider_code,
    record.valid_until, record.created_at, record.due_at, record.settled_at, record.batch_id
"""
"""What `record_of` reads, of `notification_records AS record`."""

# One message for each notification_id, whatever has become of the user's channels since.
_INSERT_FIRST = text(f"""
    INSERT INTO notification_records AS record (user_id, notification_id, channel_id,
        channel_type, trigger_id, preview_id, target_kind, path, sealed_path, valid_until,
        traceparent, state, reason, due_at, settled_at)
    SELECT :user_id, :notification_id, :channel_id, :channel_type, :trigger_id, :preview_id,
        :target_kind, :path, CAST(:sealed_path AS bytea), :valid_until, :traceparent, :state,
        :reason,
        CASE WHEN :settled THEN NULL ELSE clock_timestamp() END,
        CASE WHEN :settled THEN clock_timestamp() END
    WHERE NOT EXISTS (SELECT 1 FROM notification_records
        WHERE user_id = :user_id AND notification_id = :notification_id)
    ON CONFLICT DO NOTHING RETURNING {COLUMNS}
""")
_INSERT_NEXT = text(f"""
    INSERT INTO notification_records AS record (user_id, notification_id, channel_id, channel_type,
        trigger_id, preview_id, target_kind, path, sealed_path, valid_until, traceparent, state,
        due_at)
    SELECT user_id, notification_id, :channel_id, :channel_type, trigger_id, preview_id,
        target_kind, path, CAST(:sealed_path AS bytea), valid_until, traceparent, 'pending',
        clock_timestamp()
    FROM notification_records WHERE user_id = :user_id AND id = :id
    ON CONFLICT DO NOTHING RETURNING {COLUMNS}
""")
# The instant of the statement, unlike the clock's, can be looked up in the index. A lapsed
# attempt keeps its begun_at: whoever holds it now has to judge it. A planned repeat is counted
# when it is claimed, so that it happens at most once whatever becomes of the claimant.
_CLAIM = text("""
    WITH due AS MATERIALIZED (
        SELECT user_id, id, channel_id, state FROM notification_records
        WHERE due_at <= statement_timestamp()
        ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE notification_records AS record SET state = 'sending', lease = :lease,
        due_at = clock_timestamp() + make_interval(secs => :seconds),
        repeats = record.repeats + CASE WHEN due.state = 'unknown' THEN 1 ELSE 0 END,
        updated_at = clock_timestamp()
    FROM due LEFT JOIN notification_channels AS channel
        ON channel.user_id = due.user_id AND channel.id = due.channel_id
            AND channel.deleted_at IS NULL
    WHERE record.user_id = due.user_id AND record.id = due.id
    RETURNING record.id, record.user_id, record.notification_id, record.trigger_id,
        record.preview_id, record.target_kind, record.path, record.valid_until,
        record.traceparent, record.channel_id, record.channel_type, record.lease,
        record.sealed_path,
        record.begun_at, record.content IS NOT NULL AS is_frozen, channel.id IS NULL AS is_gone,
        channel.language AS channel_language, channel.keyword, channel.sealed,
        clock_timestamp() AS now
""")
_BEGIN = text("""
    UPDATE notification_records SET begun_at = clock_timestamp(), attempts = attempts + 1,
        due_at = clock_timestamp() + make_interval(secs => :seconds),
        language = COALESCE(language, :language),
        content = COALESCE(content, CAST(:content AS jsonb)),
        fallback = CASE WHEN content IS NULL THEN CAST(:fallback AS jsonb) ELSE fallback END,
        updated_at = clock_timestamp()
    WHERE user_id = :user_id AND id = :id AND lease = :lease AND begun_at IS NULL
    RETURNING repeats, sends_fallback, language,
        CASE WHEN sends_fallback THEN fallback ELSE content END AS content
""")
_PUT_VALID_UNTIL = text("""
    UPDATE notification_records SET valid_until = :valid_until
    WHERE user_id = :user_id AND id = :id AND lease = :lease
""")
_LOCK_HELD = text("""
    SELECT attempts, repeats, same_code_run, provider_code, sends_fallback, reason, valid_until,
        clock_timestamp() AS now
    FROM notification_records
    WHERE user_id = :user_id AND id = :id AND lease = :lease FOR UPDATE
""")
_WRITE = text(f"""
    UPDATE notification_records AS record SET state = :state, reason = :reason, lease = NULL,
        begun_at = NULL, due_at = :due_at, provider_code = :code, same_code_run = :run,
        provider_message_id = :message_id, sends_fallback = sends_fallback OR :as_post,
        request = COALESCE(CAST(:request AS jsonb), request),
        response = COALESCE(CAST(:response AS jsonb), response),
        settled_at = CASE WHEN :settled THEN clock_timestamp() END,
        sealed_path = CASE WHEN NOT :settled THEN record.sealed_path END,
        updated_at = clock_timestamp()
    WHERE record.user_id = :user_id AND record.id = :id
    RETURNING {COLUMNS}
""")
_NOW = text("SELECT clock_timestamp()")
_GET = text(f"""
    SELECT {COLUMNS} FROM notification_records AS record
    WHERE record.user_id = :user_id AND record.id = :id
""")
_LIST = text(f"""
    SELECT {COLUMNS} FROM notification_records AS record
    WHERE record.user_id = :user_id AND record.id < :before
    ORDER BY record.id DESC LIMIT :limit
""")
_LIST_OF = text(f"""
    SELECT {COLUMNS} FROM notification_records AS record
    WHERE record.user_id = :user_id AND record.notification_id = :notification_id
        AND record.id < :before
    ORDER BY record.id DESC LIMIT :limit
""")


@dataclass(frozen=True, slots=True)
class Held:
    """A record under this process' lease, with its channel as it is now.

    `begun`: an attempt was under way when the lease before this one lapsed. `is_frozen`: its
    content was written at an earlier attempt. `is_gone`: the channel was deleted.
    """

    id: int
    lease: uuid.UUID
    request: Request
    traceparent: str
    channel_id: int
    channel_type: ChannelType
    begun: bool
    is_frozen: bool
    is_gone: bool
    language: Language
    keyword: str
    sealed: bytes | None = field(repr=False)
    now: datetime
    sealed_path: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Frozen:
    """What goes out at every attempt, and instead of it where the card is refused."""

    language: Language
    content: Content = field(repr=False)
    fallback: Content | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Begun:
    """An attempt that is written down and may go out now."""

    repeats: int
    is_fallback: bool
    language: Language
    content: Content = field(repr=False)


@dataclass(frozen=True, slots=True)
class Now:
    """A held record as it is, with the database's clock."""

    past: Past
    provider_code: int | None
    reason: str
    valid_until: datetime
    at: datetime


async def insert_first(
    tx: Tx,
    request: Request,
    way: Way | None,
    *,
    reason: str,
    traceparent: str,
    sealed_path: bytes | None = None,
) -> Record | None:
    """The record of a message: pending, or skipped where there is no way.

    `sealed_path` is for a path that is a secret. None: there has been one for this
    notification_id.
    """
    row = await tx.first(
        _INSERT_FIRST,
        user_id=request.user_id,
        notification_id=request.notification_id,
        channel_id=way.id if way else 0,
        channel_type=way.type.value if way else None,
        trigger_id=request.trigger_id,
        preview_id=request.preview_id,
        target_kind=request.target_kind.value,
        path=request.path,
        sealed_path=sealed_path if way else None,
        valid_until=request.valid_until,
        traceparent=traceparent,
        state=(RecordState.PENDING if way else RecordState.SKIPPED).value,
        reason=reason,
        settled=way is None,
    )
    return record_of(row) if row else None


async def insert_next(
    tx: Tx, user_id: int, record_id: int, way: Way, *, sealed_path: bytes | None
) -> Record | None:
    """A pending record of the same message on another channel; None: there is one.

    The record before has ended, and with it what it knew of a secret path.
    """
    row = await tx.first(
        _INSERT_NEXT,
        user_id=user_id,
        id=record_id,
        sealed_path=sealed_path,
        channel_id=way.id,
        channel_type=way.type.value,
    )
    return record_of(row) if row else None


async def claim_due(tx: Tx, *, lease: uuid.UUID, seconds: float, limit: int) -> Sequence[Held]:
    """Leases what is due: pending and failed ones, planned repeats, lapsed attempts."""
    rows = await tx.all(_CLAIM, lease=lease, seconds=seconds, limit=limit)
    return [_held(row) for row in rows]


async def begin(tx: Tx, held: Held, frozen: Frozen | None, *, seconds: float) -> Begun | None:
    """Writes down that an attempt begins, and freezes the content at the first one.

    None: the lease was lost, nothing may be sent.
    """
    row = await tx.first(
        _BEGIN,
        user_id=held.request.user_id,
        id=held.id,
        lease=held.lease,
        seconds=seconds,
        language=frozen.language.value if frozen else None,
        content=_json(frozen.content) if frozen else None,
        fallback=_json(frozen.fallback) if frozen else None,
    )
    if row is None:
        return None
    return Begun(row.repeats, row.sends_fallback, Language(row.language), row.content)


async def lock_held(tx: Tx, held: Held) -> Now | None:
    """The record as it is, locked; None: the lease was lost."""
    row = await tx.first(_LOCK_HELD, user_id=held.request.user_id, id=held.id, lease=held.lease)
    if row is None:
        return None
    past = Past(row.attempts, row.same_code_run, row.repeats, row.sends_fallback)
    return Now(past, row.provider_code, row.reason, row.valid_until, row.now)


async def put_valid_until(tx: Tx, held: Held, valid_until: datetime) -> None:
    """What is held is worth telling until then."""
    await tx.execute(
        _PUT_VALID_UNTIL,
        user_id=held.request.user_id,
        id=held.id,
        lease=held.lease,
        valid_until=valid_until,
    )


async def write(
    tx: Tx,
    held: Held,
    step: Step,
    *,
    run: int,
    request: Mapping[str, object] | None,
    response: Mapping[str, object] | None,
) -> Record:
    """Moves a locked record on and gives up the lease."""
    row = await tx.one(
        _WRITE,
        user_id=held.request.user_id,
        id=held.id,
        state=step.state.value,
        # A delivery needs no reason.
        reason="" if step.state is RecordState.SENT else step.reason,
        due_at=step.next_attempt_at,
        code=step.code,
        run=run,
        message_id=step.message_id,
        as_post=step.as_post,
        request=_json(request),
        response=_json(response),
        settled=step.settled,
    )
    return record_of(row)


async def now(tx: Tx) -> datetime:
    """The database's clock, which all instants of records are of."""
    at: datetime = await tx.scalar(_NOW)
    return at


async def get(tx: Tx, user_id: int, record_id: int) -> Record | None:
    """A record of this user."""
    row = await tx.first(_GET, user_id=user_id, id=record_id)
    return record_of(row) if row else None


async def newest_first(
    tx: Tx, user_id: int, *, notification_id: str, before: int, limit: int
) -> Sequence[Record]:
    """Records with an id below `before`; of one message where `notification_id` is given."""
    where: dict[str, Any] = {"user_id": user_id, "before": before, "limit": limit}
    if notification_id:
        rows = await tx.all(_LIST_OF, notification_id=notification_id, **where)
    else:
        rows = await tx.all(_LIST, **where)
    return [record_of(row) for row in rows]


def _json(value: Mapping[str, object] | None) -> str | None:
    return None if value is None else json.dumps(value)


def _held(row: Row) -> Held:
    request = Request(
        notification_id=row.notification_id,
        user_id=row.user_id,
        trigger_id=row.trigger_id,
        preview_id=row.preview_id,
        target_kind=TargetKind(row.target_kind),
        valid_until=row.valid_until,
        path=row.path,
    )
    return Held(
        id=row.id,
        lease=row.lease,
        request=request,
        traceparent=row.traceparent,
        channel_id=row.channel_id,
        channel_type=ChannelType(row.channel_type),
        begun=row.begun_at is not None,
        is_frozen=row.is_frozen,
        is_gone=row.is_gone,
        language=Language(row.channel_language or Language.ZH_CN),
        keyword=row.keyword or "",
        sealed=row.sealed,
        now=row.now,
        sealed_path=row.sealed_path,
    )


def record_of(row: Row) -> Record:
    """A row of COLUMNS."""
    state = RecordState(row.state)
    return Record(
        id=row.id,
        user_id=row.user_id,
        notification_id=row.notification_id,
        preview_id=row.preview_id,
        channel_id=row.channel_id,
        channel_type=ChannelType(row.channel_type) if row.channel_type else None,
        state=state,
        reason=row.reason,
        attempts=row.attempts,
        provider_code=row.provider_code,
        valid_until=row.valid_until,
        created_at=row.created_at,
        # While an attempt is under way the column holds the end of its lease.
        next_attempt_at=None if state is RecordState.SENDING else row.due_at,
        settled_at=row.settled_at,
        batch_id=row.batch_id or "",
    )
