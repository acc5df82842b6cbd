"""Taking an apply back, through the same door and with a verdict of its own.

Source: spec active-scheduling.md, UndoApply. The RPC and the command of operators both end here.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from libs.db.database import Database, Tx
from libs.planning.calendar import Semester
from libs.planning.grid import Block, Place, TargetKind
from libs.planning.steps import Steps
from libs.planning.validation import RefusalCode, judge
from services.schedule.domain import undo as plans
from services.schedule.domain.effects import Effect
from services.schedule.domain.errors import (
    ApplyAlreadyUndone,
    ApplyIdReused,
    ApplyNotFound,
    ApplyNotUndoable,
)
from services.schedule.domain.touched import Touched, touched
from services.schedule.domain.undo import HasBegun, UndoPlan
from services.schedule.domain.verdict import Kept, KeptReason, Verdict, VerdictRefusal
from services.schedule.handlers import applies as door
from services.schedule.handlers import writing
from services.schedule.handlers.outlet import Outlet
from services.schedule.handlers.writing import Accepted
from services.schedule.store import applies, moves, semesters, world
from services.schedule.store.world import Reading


@dataclass(frozen=True, slots=True)
class _Undo:
    user_id: int
    apply_id: str
    undone: str
    hash: bytes


async def undo(
    db: Database, user_id: int, outlet: Outlet, *, apply_id: str, undone_apply_id: str = ""
) -> Verdict:
    """Takes an apply back, the latest one for no id; gives the stored verdict of the undo.

    Raises ApplyNotFound, ApplyNotUndoable, ApplyAlreadyUndone, ApplyIdReused.
    """
    hash_ = hashlib.sha256(f"undo:{undone_apply_id}".encode()).digest()

    async def attempt(tx: Tx, concede: bool) -> Verdict:
        known = await applies.get(tx, user_id, apply_id)
        if known is not None:
            if known.hash != hash_:
                raise ApplyIdReused(apply_id)
            return known.verdict
        undone, effects = await _undoable(tx, user_id, undone_apply_id)
        asked = _Undo(user_id, apply_id, undone, hash_)
        return await _decide(tx, asked, effects, outlet, concede=concede)

    return await door.until_written(db, user_id, attempt)


async def _undoable(tx: Tx, user_id: int, apply_id: str) -> tuple[str, tuple[Effect, ...]]:
    found = await applies.undoable(tx, user_id, apply_id)
    if found is None:
        raise ApplyNotFound
    if found.is_undo or found.effects is None:
        raise ApplyNotUndoable(found.apply_id)
    earlier = await applies.undo_of(tx, user_id, found.apply_id)
    if earlier is not None:
        raise ApplyAlreadyUndone(earlier)
    return found.apply_id, found.effects


async def _decide(
    tx: Tx, asked: _Undo, effects: Sequence[Effect], outlet: Outlet, *, concede: bool
) -> Verdict:
    now = await semesters.now(tx)
    plan = await _plan(tx, asked.user_id, effects, now)
    if not plan.changes:
        return await _refuse(tx, asked, plan, _left_alone(plan.kept), now, outlet)
    reading = await _read(tx, asked.user_id, plan)
    refusals = tuple(
        VerdictRefusal.of(one) for one in judge(plan.changes, reading.world, now=reading.now)
    )
    if concede and not refusals:
        refusals = door.GUARDED
    if refusals:
        return await _refuse(tx, asked, plan, refusals, reading.now, outlet)
    accepted = Accepted(
        user_id=asked.user_id,
        apply_id=asked.apply_id,
        hash=asked.hash,
        steps=Steps(plan.changes, reading.world, reading.now),
        new_ids=(),
        undoes=asked.undone,
        kept=plan.kept,
    )
    return await writing.write(tx, accepted, outlet)


async def _plan(tx: Tx, user_id: int, effects: Sequence[Effect], now: datetime) -> UndoPlan:
    standing = [one for effect in effects for one in (effect.before, effect.after) if one]
    ids = sorted({one.place.semester_id for one in standing})
    known = {one.id: one for one in await semesters.some(tx, user_id, ids)}
    blocks = await applies.blocks_now(tx, user_id, [effect.event_id for effect in effects])
    return plans.plan(effects, blocks, _has_begun(known, now))


def _has_begun(known: dict[int, Semester], now: datetime) -> HasBegun:
    def has_begun(place: Place) -> bool:
        semester = known.get(place.semester_id)
        # A place that no semester holds any more is refused by the validator.
        if semester is None or not semester.contains(place):
            return False
        return semester.starts_at(place.week, place.day, place.first) <= now

    return has_begun


async def _read(tx: Tx, user_id: int, plan: UndoPlan) -> Reading:
    """The world around the blocks that are to go back, those that have left included."""
    ids = [change.target.id for change in plan.changes]
    gone = await moves.gone(tx, user_id, ids)
    reading = await world.read(tx, user_id, _with_sources(touched(plan.changes, {}), gone))
    return replace(reading, world=replace(reading.world, gone=gone))


def _with_sources(found: Touched, gone: Sequence[Block]) -> Touched:
    sources = {block.source for block in gone if block.source is not None}
    tasks = {one.id for one in sources if one.kind is TargetKind.TASK_POOL}
    items = {one.id for one in sources if one.kind is TargetKind.TASK_ITEM}
    return replace(
        found,
        task_ids=tuple(sorted(tasks.union(found.task_ids))),
        item_ids=tuple(sorted(items.union(found.item_ids))),
    )


def _left_alone(kept: Sequence[Kept]) -> tuple[VerdictRefusal, ...]:
    """Why nothing is put back: a reason for each block."""
    return tuple(
        VerdictRefusal(
            code=RefusalCode.IN_THE_PAST
            if one.reason is KeptReason.HAS_BEGUN
            else RefusalCode.BASE_VERSION_CHANGED,
            change_id=str(one.event_id),
            event_id=one.event_id,
            event_name=one.name,
            detail=one.reason.value,
        )
        for one in kept
    )


async def _refuse(
    tx: Tx,
    asked: _Undo,
    plan: UndoPlan,
    refusals: tuple[VerdictRefusal, ...],
    now: datetime,
    outlet: Outlet,
) -> Verdict:
    verdict = Verdict(asked.apply_id, (), refusals, now, undoes=asked.undone, kept=plan.kept)
    return await door.refuse(tx, asked.user_id, verdict, outlet, hash_=asked.hash)
