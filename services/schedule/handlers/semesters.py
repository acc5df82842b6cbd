"""Semesters: put one, find one."""

from collections.abc import Sequence
from datetime import date

from libs.db.database import Tx
from libs.planning.calendar import Semester
from services.schedule.domain import semesters as rules
from services.schedule.domain.block import BlockState, Cause, ScheduledBlock, instants
from services.schedule.domain.errors import SemesterInUse, SemesterNotFound, SemesterOverlap
from services.schedule.handlers import edits, expansion
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import blocks, overrides, semesters


async def put(tx: Tx, user_id: int, asked: Semester, outlet: Outlet) -> Semester:
    """Creates a semester (id 0), or changes the one named; gives it as stored.

    Week, day and sections of its blocks are the truth: where first day, zone or clock change,
    the blocks' instants are rewritten. Raises SemesterNotFound, SemesterOverlap, SemesterInUse,
    CalendarCollision.
    """
    before = await _named(tx, user_id, asked)
    await _refuse_overlap(tx, user_id, asked)
    if before is None:
        return await semesters.put(tx, user_id, asked)
    if rules.same_plan(before, asked):
        return before
    placed = await blocks.of_semester(tx, user_id, asked.id)
    _refuse_stranded(placed, asked)
    stored = await semesters.put(tx, user_id, asked)
    lost, rewritten = await _move_overrides(tx, user_id, placed, before, stored)
    gone = {one.id for one in rewritten}
    retimed = await blocks.retime(
        tx,
        user_id,
        [
            (one.block.id, *times)
            for one in placed
            if one.block.id not in gone
            and (times := instants(stored, one.block.place)) != (one.starts_at, one.ends_at)
        ],
    )
    await outlet.schedule_changed(tx, user_id, Cause.SEMESTER, (*rewritten, *retimed))
    await edits.look_again(tx, user_id, lost, outlet)
    return stored


async def _move_overrides(
    tx: Tx,
    user_id: int,
    placed: Sequence[ScheduledBlock],
    before: Semester,
    after: Semester,
) -> tuple[tuple[ScheduledBlock, ...], tuple[BlockState, ...]]:
    """An override keeps its date, which may now be another day of the semester.

    Gives the guests that lost their host, and every block that was written.
    """
    was = await overrides.taught_days(tx, user_id, before)
    now = await overrides.taught_days(tx, user_id, after)
    if was.is_plain and now.is_plain:
        return (), ()
    plan = await expansion.replan(tx, user_id, placed, before=was, after=now)
    return plan.unhosted, await expansion.carry_out(tx, user_id, after, plan)


async def find(tx: Tx, user_id: int, on: date | None) -> Semester:
    """The semester that holds a date (today where None), else the next, else the last one.

    Raises SemesterNotFound.
    """
    now = await semesters.now(tx)
    known = await semesters.around(tx, user_id, on or now.date())
    date_in = rules.at_instant(now) if on is None else rules.on_date(on)
    return rules.nearest_to(known, date_in)


async def _named(tx: Tx, user_id: int, asked: Semester) -> Semester | None:
    if asked.id == 0:
        return None
    found = await semesters.get(tx, user_id, asked.id)
    if found is None:
        raise SemesterNotFound
    return found


async def _refuse_overlap(tx: Tx, user_id: int, asked: Semester) -> None:
    for other in await semesters.between(tx, user_id, asked.first_day, asked.last_day):
        if other.id != asked.id:
            raise SemesterOverlap(other.id)


def _refuse_stranded(placed: tuple[ScheduledBlock, ...], asked: Semester) -> None:
    for one in placed:
        if not asked.contains(one.block.place):
            raise SemesterInUse(one.block.id)
