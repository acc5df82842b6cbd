"""Questions about the schedule; each is answered from one snapshot."""

from datetime import date, datetime, timedelta

from libs.db.database import Tx
from libs.planning.calendar import Semester
from libs.planning.grid import Target, TargetKind
from services.schedule.domain import semesters as rules
from services.schedule.domain import views
from services.schedule.domain.errors import (
    SemesterNotFound,
    TargetNotFound,
    WeekOutOfSemester,
)
from services.schedule.store import blocks, semesters, tasks

_DAY = timedelta(days=1)


async def week(tx: Tx, user_id: int, asked: views.WeekAsked) -> views.WeekView:
    """One week. Raises SemesterNotFound, NotStarted, Ended, WeekOutOfSemester."""
    now = await semesters.now(tx)
    if isinstance(asked, views.WeekByNumber):
        semester, number = await _numbered(tx, user_id, asked, now), asked.week
        if not 1 <= number <= semester.weeks:
            raise WeekOutOfSemester(number, semester.weeks)
    else:
        found = await _locate(tx, user_id, asked.on, now)
        semester, number = found.semester, found.week
    placed = await blocks.of_week(tx, user_id, semester.id, number)
    return views.WeekView(semester=semester, week=number, blocks=placed, now=now)


async def today(tx: Tx, user_id: int) -> views.DayView:
    """The current date. Raises NotStarted, Ended, SemesterNotFound."""
    now = await semesters.now(tx)
    found = await _locate(tx, user_id, None, now)
    placed = await blocks.of_days(tx, user_id, [(found.semester.id, found.week, found.day)])
    return views.DayView(
        semester=found.semester,
        on=found.on,
        week=found.week,
        day=found.day,
        blocks=placed,
        now=now,
    )


async def facts(
    tx: Tx, user_id: int, target: Target, *, horizon: timedelta, mock_now: datetime | None
) -> views.SchedulingFacts:
    """What is needed to judge where a target may go. Raises TargetNotFound.

    `mock_now` takes the place of the database's clock; nothing is written either way.
    """
    if target.kind is not TargetKind.TASK_POOL:
        raise TargetNotFound
    task = await tasks.get(tx, user_id, target.id)
    if task is None:
        raise TargetNotFound
    now = mock_now or task.seen_at
    end = now + horizon
    # A day of margin on either side: the zones of the semesters are not known yet.
    near = await semesters.between(tx, user_id, (now - _DAY).date(), (end + _DAY).date())
    days = views.days_of_window(near, now, end)
    placed = await blocks.of_days(tx, user_id, days)
    own = await blocks.of_source(tx, user_id, target)
    wanted = {day[0] for day in days} | {one.block.place.semester_id for one in own}
    known = {semester.id: semester for semester in near if semester.id in wanted}
    missing = sorted(wanted - known.keys())
    if missing:
        known |= {one.id: one for one in await semesters.some(tx, user_id, missing)}
    return views.SchedulingFacts(
        now=now,
        target=target,
        task=task,
        semesters=tuple(sorted(known.values(), key=lambda one: one.first_day)),
        blocks=placed,
        target_blocks=own,
        next_task_block_id=views.next_task_block(placed, start=now, end=end),
    )


async def _locate(tx: Tx, user_id: int, on: date | None, now: datetime) -> rules.Found:
    known = await semesters.around(tx, user_id, on or now.date())
    date_in = rules.at_instant(now) if on is None else rules.on_date(on)
    return rules.locate(known, date_in)


async def _numbered(tx: Tx, user_id: int, asked: views.WeekByNumber, now: datetime) -> Semester:
    if asked.semester_id == 0:
        return (await _locate(tx, user_id, None, now)).semester
    found = await semesters.get(tx, user_id, asked.semester_id)
    if found is None:
        raise SemesterNotFound
    return found
