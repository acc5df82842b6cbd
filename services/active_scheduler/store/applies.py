"""apply_requests: what was confirmed, until the schedule service's verdict is recorded."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import text

from libs.db.database import Tx
from libs.db.driver import Row
from services.active_scheduler.domain.apply import ApplyRequest, ApplyState, Verdict
from services.active_scheduler.domain.confirm import Request
from services.active_scheduler.domain.preview import Preview, PreviewState
from services.active_scheduler.store import codec

_COLUMNS = """
    apply_id, user_id, preview_id, hash, CAST(changes AS text) AS changes,
    CAST(base AS text) AS base, not_after, state, attempts
"""

_FIND = text(f"""
    SELECT {_COLUMNS} FROM apply_requests
    WHERE preview_id = :preview_id AND request_id = :request_id AND user_id = :user_id
""")
# ready and not expired → applying, with its apply. Expiry is judged here alone, by this clock.
_BEGIN = text("""
    WITH applying AS (
        UPDATE active_schedule_previews SET state = 'applying', version = version + 1,
            apply_id = :apply_id, last_refusals = '[]'
        WHERE id = :preview_id AND state = 'ready' AND expires_at > clock_timestamp()
        RETURNING id, user_id, version)
    INSERT INTO apply_requests (apply_id, user_id, preview_id, request_id, candidate_id, hash,
        changes, base, not_after, due_at)
    SELECT :apply_id, user_id, id, :request_id, :candidate_id, :hash, CAST(:changes AS jsonb),
        CAST(:base AS jsonb), clock_timestamp() + make_interval(secs => :life),
        clock_timestamp() + make_interval(secs => :first)
    FROM applying
    RETURNING not_after, (SELECT version FROM applying) AS version
""")
_CLAIM = text(f"""
    WITH due AS MATERIALIZED (
        SELECT apply_id AS due_id FROM apply_requests
        WHERE state = 'applying' AND due_at <= statement_timestamp()
        ORDER BY due_at LIMIT :limit FOR UPDATE SKIP LOCKED)
    UPDATE apply_requests SET attempts = attempts + 1,
        due_at = clock_timestamp() + make_interval(secs => :delay * power(2, least(attempts, 6)))
    FROM due WHERE apply_id = due_id
    RETURNING {_COLUMNS}
""")
_COUNT_WAITING = text("""
    SELECT count(*) FROM (SELECT 1 FROM apply_requests WHERE state = 'applying' LIMIT :most) AS open
""")
_RECORD = text("""
    UPDATE apply_requests SET state = :state, refusals = CAST(:refusals AS jsonb),
        event_ids = CAST(:event_ids AS bigint[]), judged_at = :judged_at
    WHERE apply_id = :apply_id AND user_id = :user_id AND state = 'applying'
    RETURNING preview_id
""")

MOST_COUNTED = 10_000


async def find(tx: Tx, *, user_id: int, preview_id: str, request_id: str) -> ApplyRequest | None:
    """The apply of an earlier confirmation with this request_id."""
    row = await tx.first(_FIND, user_id=user_id, preview_id=preview_id, request_id=request_id)
    return _apply(row) if row else None


async def begin(
    tx: Tx,
    preview: Preview,
    *,
    apply_id: str,
    request_id: str,
    wanted: Request,
    life_seconds: float,
    first_sweep_seconds: float,
) -> tuple[ApplyRequest, Preview] | None:
    """ready and not expired → applying, with the apply; None: it is neither.

    Gives both as they are now. A preview has one apply that is alive.
    """
    row = await tx.first(
        _BEGIN,
        apply_id=apply_id,
        preview_id=preview.id,
        request_id=request_id,
        candidate_id=wanted.candidate_id,
        hash=wanted.hash,
        changes=codec.CHANGES.dump_json(wanted.changes).decode(),
        base=codec.BASE.dump_json(wanted.base).decode(),
        life=life_seconds,
        first=first_sweep_seconds,
    )
    if row is None:
        return None
    begun = ApplyRequest(
        apply_id=apply_id,
        user_id=preview.user_id,
        preview_id=preview.id,
        hash=wanted.hash,
        changes=wanted.changes,
        base=wanted.base,
        not_after=row.not_after,
        state=ApplyState.APPLYING,
        attempts=0,
    )
    applying = replace(
        preview,
        stored_state=PreviewState.APPLYING,
        version=row.version,
        apply_id=apply_id,
        last_refusals=(),
    )
    return begun, applying


async def claim_waiting(tx: Tx, *, delay: float, limit: int) -> Sequence[ApplyRequest]:
    """Applies whose verdict is overdue; each is asked for again after a growing delay."""
    return [_apply(row) for row in await tx.all(_CLAIM, delay=delay, limit=limit)]


async def count_waiting(tx: Tx) -> int:
    """How many applies have no verdict yet, at most MOST_COUNTED."""
    count: int = await tx.scalar(_COUNT_WAITING, most=MOST_COUNTED)
    return count


async def record(tx: Tx, verdict: Verdict) -> str | None:
    """Stores a verdict once; gives the preview's id, or None where it was known already."""
    preview_id: str | None = await tx.scalar(
        _RECORD,
        apply_id=verdict.apply_id,
        user_id=verdict.user_id,
        state=(ApplyState.APPLIED if verdict.applied else ApplyState.REFUSED).value,
        refusals=codec.REFUSALS.dump_json(verdict.refusals).decode(),
        event_ids=list(verdict.event_ids),
        judged_at=verdict.judged_at,
    )
    return preview_id


def _apply(row: Row) -> ApplyRequest:
    return ApplyRequest(
        apply_id=row.apply_id,
        user_id=row.user_id,
        preview_id=row.preview_id,
        hash=bytes(row.hash),
        changes=codec.CHANGES.validate_json(row.changes),
        base=codec.BASE.validate_json(row.base),
        not_after=row.not_after,
        state=ApplyState(row.state),
        attempts=row.attempts,
    )
