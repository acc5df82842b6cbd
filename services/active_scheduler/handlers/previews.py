"""Reading, ignoring and confirming previews, and recording the verdict on an apply."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from libs.db.database import Database, Tx
from libs.db.requests import IdempotencyConflict
from libs.planning.grid import Place
from libs.telemetry import logs
from services.active_scheduler.domain import confirm, errors
from services.active_scheduler.domain.apply import ApplyRequest, Verdict
from services.active_scheduler.domain.confirm import Edit
from services.active_scheduler.domain.observation import Action
from services.active_scheduler.domain.preview import (
    FORBIDS,
    NotificationStatus,
    Preview,
    PreviewState,
)
from services.active_scheduler.handlers import counters
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.handlers.triggers import new_id
from services.active_scheduler.store import applies, previews, windows

_log = logs.get("previews")


async def find(tx: Tx, user_id: int, preview_id: str) -> Preview:
    """A preview of this user. Raises PreviewNotFound."""
    preview = await previews.get(tx, user_id, preview_id)
    if preview is None:
        raise errors.PreviewNotFound(preview_id)
    return preview


async def newest_first(
    tx: Tx, user_id: int, *, before: int, open_only: bool, limit: int
) -> tuple[Sequence[Preview], int | None]:
    """A page of previews, and where the next one begins."""
    found = await previews.newest_first(
        tx, user_id, before=before, open_only=open_only, limit=limit + 1
    )
    page = found[:limit]
    return page, page[-1].sequence if len(found) > limit else None


async def ignore(tx: Tx, announce: Announce, user_id: int, preview_id: str) -> Preview:
    """Puts a ready preview aside; one that is ignored already stays so."""
    preview = await previews.lock(tx, user_id, preview_id)
    if preview is None:
        raise errors.PreviewNotFound(preview_id)
    if preview.stored_state is PreviewState.IGNORED:
        return preview
    ignored = await previews.ignore(tx, preview_id)
    if ignored is None:
        raise FORBIDS[preview.stored_state]
    await announce.preview_changed(tx, ignored)
    return ignored


async def bind(tx: Tx, user_id: int, preview_id: str, conversation_id: str) -> Preview:
    """Notes the conversation that a preview is talked about in. Raises PreviewNotFound."""
    preview = await previews.bind(tx, user_id, preview_id, conversation_id)
    if preview is None:
        raise errors.PreviewNotFound(preview_id)
    return preview


@dataclass(frozen=True, slots=True)
class ConfirmRules:
    """Durations; settings."""

    apply_life_seconds: float
    first_sweep_seconds: float


@dataclass(frozen=True, slots=True)
class Confirmed:
    """An attempt, and whether this call began it."""

    apply: ApplyRequest | None
    preview: Preview
    begun: bool


async def begin_confirm(
    tx: Tx,
    announce: Announce,
    rules: ConfirmRules,
    *,
    user_id: int,
    preview_id: str,
    candidate_id: str,
    edits: tuple[Edit, ...],
    request_id: str,
) -> Confirmed:
    """ready → applying, with the apply request and its event, in the given transaction.

    The same request_id gets its apply again; another one while applying or after success gets
    the state that is.
    """
    preview = await previews.lock(tx, user_id, preview_id)
    if preview is None:
        raise errors.PreviewNotFound(preview_id)
    # A repeat is compared by its content first, before any state may refuse it.
    request = _wanted(preview, candidate_id, edits)
    earlier = await applies.find(tx, user_id=user_id, preview_id=preview_id, request_id=request_id)
    if earlier is not None:
        if isinstance(request, Exception) or request.hash != earlier.hash:
            raise IdempotencyConflict(request_id)
        return Confirmed(earlier, preview, begun=False)
    if preview.stored_state in (PreviewState.APPLYING, PreviewState.APPLIED):
        return Confirmed(None, preview, begun=False)
    if preview.state is not PreviewState.READY:
        raise FORBIDS[preview.state]
    if isinstance(request, Exception):
        raise request
    _refuse_mock_past(preview, request)
    return await _begin(tx, announce, rules, preview, request, request_id)


def _wanted(
    preview: Preview, candidate_id: str, edits: tuple[Edit, ...]
) -> confirm.Request | errors.ActiveSchedulerError:
    """What is asked for, or why it cannot be; told only once the state is known to allow it."""
    content = preview.content
    try:
        if content.decision.action is not Action.SELECT_CANDIDATE:
            raise errors.NothingToConfirm(preview.id)
        candidate = content.candidate(candidate_id)
        return confirm.request(content, candidate, edits, preview.read_at)
    except errors.ActiveSchedulerError as error:
        return error


def _refuse_mock_past(preview: Preview, request: confirm.Request) -> None:
    """A preview of a mock clock whose place lies in the real past cannot be confirmed."""
    if preview.is_mock and any(
        _starts_at(preview, change_place) < preview.read_at
        for change_place in (change.to for change in request.changes)
        if change_place is not None
    ):
        raise errors.MockTimeInThePast(preview.id)


def _starts_at(preview: Preview, place: Place) -> datetime:
    semester = preview.content.semester(place.semester_id)
    if semester is None:
        raise AssertionError("a confirmed place lies in a semester of its preview")
    return semester.starts_at(place.week, place.day, place.first)


async def _begin(
    tx: Tx,
    announce: Announce,
    rules: ConfirmRules,
    preview: Preview,
    request: confirm.Request,
    request_id: str,
) -> Confirmed:
    begun = await applies.begin(
        tx,
        preview,
        apply_id=new_id("asa"),
        request_id=request_id,
        wanted=request,
        life_seconds=rules.apply_life_seconds,
        first_sweep_seconds=rules.first_sweep_seconds,
    )
    if begun is None:
        raise errors.PreviewExpired(preview.id)
    apply, applying = begun
    await announce.apply_requested(tx, apply)
    await announce.preview_changed(tx, applying)
    return Confirmed(apply, applying, begun=True)


async def record_verdict(tx: Tx, announce: Announce, verdict: Verdict) -> Preview | None:
    """Ends an apply; answer, event and sweeper come through here.

    Gives its preview as it is now, None where the apply had ended before.
    """
    preview_id = await applies.record(tx, verdict)
    if preview_id is None:
        return None
    counters.count_verdict(tx, verdict)
    # No preview for the same target is written while this one is compared with the others.
    await windows.lock_target_of(tx, verdict.user_id, preview_id)
    if not verdict.applied:
        refused = await previews.end_refused(
            tx, preview_id, apply_id=verdict.apply_id, refusals=verdict.refusals
        )
        await announce.preview_changed(tx, *_present(refused))
        return refused
    applied = await previews.end_applied(
        tx,
        preview_id,
        apply_id=verdict.apply_id,
        at=verdict.judged_at,
        event_ids=verdict.event_ids,
    )
    if applied is not None and applied.target is not None:
        others = await previews.supersede_ready(
            tx,
            user_id=applied.user_id,
            target=applied.target,
            but=applied.id,
            is_mock=False,
        )
        await announce.preview_changed(tx, applied, *others)
    return applied


async def record_undone(
    tx: Tx, announce: Announce, *, user_id: int, apply_id: str, at: datetime
) -> None:
    """Keeps that what an apply wrote was taken back; its preview stays applied."""
    undone = await previews.set_undone(tx, user_id=user_id, apply_id=apply_id, at=at)
    await announce.preview_changed(tx, *_present(undone))


def _present(preview: Preview | None) -> tuple[Preview, ...]:
    return () if preview is None else (preview,)


async def record_and_log(db: Database, announce: Announce, verdict: Verdict) -> Preview | None:
    """The same in a transaction of its own."""
    ended = await db.run(lambda tx: record_verdict(tx, announce, verdict))
    _log.info(
        "verdict_recorded" if ended else "verdict_known",
        apply_id=verdict.apply_id,
        applied=verdict.applied,
    )
    return ended


async def record_notified(
    tx: Tx, *, user_id: int, preview_id: str, status: NotificationStatus
) -> None:
    """Keeps how the message to the person ended."""
    await previews.set_notified(tx, user_id, preview_id, status)
