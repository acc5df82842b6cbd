"""调休: what happens on single dates instead of their own classes.

The caller of a writing function holds the user's lock.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from libs.db.database import Tx
from libs.planning.calendar import Override, Semester, TaughtDays
from services.schedule.domain import semesters as rules
from services.schedule.domain.block import Cause, ScheduledBlock
from services.schedule.domain.errors import OverrideNotFound, RangeUnusable, WeekOutOfSemester
from services.schedule.handlers import edits, expansion
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import blocks, overrides, semesters

_MOST_DAYS = 366


@dataclass(frozen=True, slots=True)
class Overridden:
    """A date after a change: what stands on it, and what lost its host, as it stood."""

    override: Override | None
    blocks: tuple[ScheduledBlock, ...]
    pending: tuple[ScheduledBlock, ...] = ()


async def put(
    tx: Tx, user_id: int, on: date, runs: tuple[int, int] | None, outlet: Outlet
) -> Overridden:
    """Says what happens on a date: the classes of another (week, day), or none for None.

    Raises SemesterNotFound, NotStarted, Ended, WeekOutOfSemester, CalendarCollision.
    """
    semester = await _holding(tx, user_id, on)
    _refuse_unknown(runs, semester)
    before = await overrides.between(tx, user_id, semester.first_day, semester.last_day)
    standing = next((one for one in before if one.on == on), None)
    if standing is not None and standing.runs == runs:
        return Overridden(standing, await _of_date(tx, user_id, semester, on))
    stored = await overrides.put(tx, user_id, on, runs)
    after = (*(one for one in before if one.on != on), stored)
    pending = await _rewrite(tx, user_id, on, TaughtDays(semester, before), after, outlet)
    return Overridden(stored, await _of_date(tx, user_id, semester, on), pending)


async def delete(tx: Tx, user_id: int, on: date, outlet: Outlet) -> Overridden:
    """Gives a date its own classes back.

    Raises OverrideNotFound and CalendarCollision.
    """
    standing = await overrides.between(tx, user_id, on, on)
    if not standing:
        raise OverrideNotFound
    await overrides.remove(tx, user_id, on)
    known = await semesters.between(tx, user_id, on, on)
    if not known:
        return Overridden(None, ())
    semester = known[0]
    after = await overrides.between(tx, user_id, semester.first_day, semester.last_day)
    before = TaughtDays(semester, (*after, *standing))
    pending = await _rewrite(tx, user_id, on, before, after, outlet)
    return Overridden(None, await _of_date(tx, user_id, semester, on), pending)


async def page(
    tx: Tx,
    user_id: int,
    first: date | None,
    last: date | None,
    *,
    after: date | None,
    size: int,
) -> tuple[tuple[Override, ...], date | None]:
    """The overrides of first..last; of the nearest semester where no date is given.

    By date, those after `after`, and the date that the next page begins behind; None after the
    last one. Raises RangeUnusable, SemesterNotFound.
    """
    if first is None:
        now = await semesters.now(tx)
        known = await semesters.around(tx, user_id, now.date())
        semester = rules.nearest_to(known, rules.at_instant(now))
        first, last = semester.first_day, last or semester.last_day
    last = last or first
    if not 0 <= (last - first).days < _MOST_DAYS:
        raise RangeUnusable(first, last, most=_MOST_DAYS)
    begin = first if after is None else max(first, after + timedelta(days=1))
    found = await overrides.between(tx, user_id, begin, last)
    shown = found[:size]
    return shown, (shown[-1].on if len(found) > size else None)


async def _rewrite(
    tx: Tx,
    user_id: int,
    on: date,
    before: TaughtDays,
    after: tuple[Override, ...],
    outlet: Outlet,
) -> tuple[ScheduledBlock, ...]:
    """Puts the meetings of a date where they are held now; gives the guests that were lost."""
    semester = before.semester
    await overrides.forget_absences(tx, user_id, semester.id, semester.week_day_of(on))
    placed = await blocks.of_semester(tx, user_id, semester.id)
    plan = await expansion.replan(
        tx, user_id, placed, before=before, after=TaughtDays(semester, after)
    )
    states = await expansion.carry_out(tx, user_id, semester, plan)
    await outlet.schedule_changed(tx, user_id, Cause.CALENDAR, states)
    await edits.look_again(tx, user_id, plan.unhosted, outlet)
    return plan.unhosted


async def _holding(tx: Tx, user_id: int, on: date) -> Semester:
    known = await semesters.around(tx, user_id, on)
    return rules.locate(known, rules.on_date(on)).semester


async def _of_date(
    tx: Tx, user_id: int, semester: Semester, on: date
) -> tuple[ScheduledBlock, ...]:
    return await blocks.of_days(tx, user_id, [(semester.id, *semester.week_day_of(on))])


def _refuse_unknown(runs: tuple[int, int] | None, semester: Semester) -> None:
    if runs is not None and runs[0] > semester.weeks:
        raise WeekOutOfSemester(runs[0], semester.weeks)
