"""The one door through which confirmed changes enter the schedule.

Source: spec active-scheduling.md, Confirm and apply. The RPC, the event and the sweepers of
others all end in `decide`: judged once for each (user, apply_id), under the user's lock.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from libs.db.database import Database, Tx
from libs.db.user_lock import run_locked, turn
from libs.planning import base_map as bases
from libs.planning.changes import Change
from libs.planning.steps import Steps
from libs.planning.validation import RefusalCode, judge, judge_steps
from libs.telemetry import logs
from services.schedule.domain.errors import ApplyIdReused, ApplyNotFound, CellTaken
from services.schedule.domain.touched import touched
from services.schedule.domain.verdict import Ask, Verdict, VerdictRefusal
from services.schedule.handlers import counters, writing
from services.schedule.handlers.outlet import Outlet
from services.schedule.handlers.writing import Accepted
from services.schedule.store import applies, semesters, world
from services.schedule.store.applies import Written
from services.schedule.store.world import Reading

_log = logs.get("schedule.applies")

T = TypeVar("T")

Admit = Callable[[Tx], Awaitable[bool]]
"""Asked under the lock whether there is anything to do; an inbox says no the second time."""

GUARDED = (VerdictRefusal(RefusalCode.SLOT_CONFLICT, detail="guard"),)
"""The database's guard knows of a row that stands outside the rules."""

# Two attempts may lose a cell to a row that stands outside the rules; then that is the verdict.
_ATTEMPTS = 2


async def apply(db: Database, ask: Ask, outlet: Outlet) -> Verdict:
    """Judges and writes in one transaction; gives the stored verdict. Raises ApplyIdReused.

    The caller has the user's turn.
    """

    async def attempt(tx: Tx, concede: bool) -> Verdict:
        return await decide(tx, ask, outlet, concede=concede)

    return await _until_written(db, ask.user_id, attempt)


async def apply_event(db: Database, ask: Ask, outlet: Outlet, admit: Admit) -> Verdict | None:
    """As `apply`, for an event: `admit` is asked in the same transaction.

    None where it says no, and where the apply_id was used for other changes.
    """

    async def attempt(tx: Tx, concede: bool) -> Verdict | None:
        if not await admit(tx):
            return None
        try:
            return await decide(tx, ask, outlet, concede=concede)
        except ApplyIdReused:
            # The verdict under this id stands: there is nobody to tell and nothing to retry.
            _log.warning("apply_id_reused", user_id=ask.user_id, apply_id=ask.apply_id)
            return None

    return await until_written(db, ask.user_id, attempt)


async def until_written(
    db: Database, user_id: int, attempt: Callable[[Tx, bool], Awaitable[T]]
) -> T:
    """Under the user's lock; a cell that is lost to the database's guard is judged again in a
    fresh transaction, in the last one with True: then the guard's no is the verdict."""
    async with turn(db, user_id):
        return await _until_written(db, user_id, attempt)


async def _until_written(
    db: Database, user_id: int, attempt: Callable[[Tx, bool], Awaitable[T]]
) -> T:
    for _ in range(_ATTEMPTS):
        try:
            return await run_locked(db, user_id, lambda tx: attempt(tx, False))
        except CellTaken:
            continue
    return await run_locked(db, user_id, lambda tx: attempt(tx, True))


async def decide(tx: Tx, ask: Ask, outlet: Outlet, *, concede: bool = False) -> Verdict:
    """The verdict on an ask, stored now or before. The caller holds the user's lock.

    Raises ApplyIdReused, and CellTaken where the database's guard is hit: then the transaction
    is lost and the ask is to be judged again in another one. `concede` stores the guard's no
    where the validator still says yes: the guard knows of a row that stands outside the rules.
    """
    reading = await world.read(
        tx,
        ask.user_id,
        touched(ask.changes, ask.base),
        apply_id=ask.apply_id,
        new_ids=len(ask.changes),
    )
    found = judged(ask, reading)
    if isinstance(found, Accepted):
        if not concede:
            return await writing.write(tx, found, outlet)
        found = Verdict(ask.apply_id, (), GUARDED, reading.now)
    if reading.stored is not None:
        return found
    return await refuse(tx, ask.user_id, found, outlet, hash_=ask.fingerprint)


def judged(ask: Ask, reading: Reading) -> Accepted | Verdict:
    """The stored verdict, a refusal, or what is to be written. Raises ApplyIdReused."""
    if reading.stored is not None:
        if reading.stored.hash != ask.fingerprint:
            raise ApplyIdReused(ask.apply_id)
        return reading.stored.verdict
    steps = Steps(ask.changes, reading.world, reading.now)
    if refusals := _refusals(ask, steps):
        return Verdict(ask.apply_id, (), refusals, reading.now)
    return Accepted(ask.user_id, ask.apply_id, ask.fingerprint, steps, reading.new_ids)


async def refuse_unread(
    tx: Tx,
    user_id: int,
    apply_id: str,
    code: RefusalCode,
    outlet: Outlet,
    *,
    hash_: bytes,
    detail: str,
) -> None:
    """Stores a refusal of an ask that could not be judged, where there is no verdict yet.

    The caller holds the user's lock.
    """
    if await applies.get(tx, user_id, apply_id) is not None:
        return
    refusal = VerdictRefusal(code, detail=detail)
    verdict = Verdict(apply_id, (), (refusal,), await semesters.now(tx))
    await refuse(tx, user_id, verdict, outlet, hash_=hash_)


async def refuse(
    tx: Tx, user_id: int, verdict: Verdict, outlet: Outlet, *, hash_: bytes
) -> Verdict:
    """Stores a refusal and says it; nothing else is written."""
    await applies.remember(tx, Written(user_id, verdict, hash_))
    counters.count_verdict(tx, verdict)
    await outlet.judged(tx, user_id, verdict, ())
    return verdict


async def get(tx: Tx, user_id: int, apply_id: str) -> Verdict:
    """The stored verdict. Raises ApplyNotFound while there is none."""
    stored = await applies.get(tx, user_id, apply_id)
    if stored is None:
        raise ApplyNotFound
    return stored.verdict


async def check(
    tx: Tx, user_id: int, changes: Sequence[Change], base: Mapping[str, str]
) -> tuple[tuple[VerdictRefusal, ...], dict[str, str]]:
    """Why changes would be refused now, and their base as things stand. Writes nothing."""
    reading = await world.read(tx, user_id, touched(changes, base))
    found = judge(changes, reading.world, now=reading.now, base=base or None)
    refusals = tuple(VerdictRefusal.of(refusal) for refusal in found)
    return refusals, bases.base_map(changes, reading.world)


def _refusals(ask: Ask, steps: Steps) -> tuple[VerdictRefusal, ...]:
    if ask.not_after is not None and steps.now > ask.not_after:
        return (VerdictRefusal(RefusalCode.EXPIRED),)
    refusals = judge_steps(steps, base=ask.base or None)
    return tuple(VerdictRefusal.of(refusal) for refusal in refusals)
