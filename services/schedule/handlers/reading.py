"""Questions about the schedule; each is answered from one snapshot."""

from datetime import date, datetime, timedelta

from libs.db.database import Tx
from libs.planning.calendar import Semester
from services.schedule.domain import semesters as rules
from services.schedule.domain import views
from services.schedule.domain.errors import (
    RangeUnusable,
    SemesterNotFound,
    WeekOutOfSemester,
)
from services.schedule.store import blocks, listings, overrides, semesters, task_classes

_DAY = timedelta(days=1)
_MOST_DAYS = 366
# More than 30 weeks of 14 sections a day, each with a guest, can hold.
_MOST_ENTRIES = 6000


async def week(tx: Tx, user_id: int, asked: views.WeekAsked) -> views.WeekView:
    """One week. Raises SemesterNotFound, NotStarted, Ended, WeekOutOfSemester."""
    now = await semesters.now(tx)
    if isinstance(asked, views.WeekByNumber):
        semester, number = await _numbered(tx, user_id, asked.semester_id, now), asked.week
        if not 1 <= number <= semester.weeks:
            raise WeekOutOfSemester(number, semester.weeks)
    else:
        found = await _locate(tx, user_id, asked.on, now)
        semester, number = found.semester, found.week
    placed = await blocks.of_week(tx, user_id, semester.id, number)
    return views.WeekView(
        semester=semester,
        week=number,
        blocks=placed,
        now=now,
        overrides=await overrides.between(
            tx, user_id, semester.date_of(number, 1), semester.date_of(number, 7)
        ),
    )


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


async def listing(
    tx: Tx, user_id: int, asked: views.DatesAsked, *, after: views.ListingKey | None, size: int
) -> views.Listing:
    """A page of live blocks, and the semesters that the dates touch.

    Raises RangeUnusable, and SemesterNotFound where today is asked for and there is no semester.
    """
    first = asked.first or await _today(tx, user_id)
    last = asked.last or first
    if not 0 <= (last - first).days < _MOST_DAYS:
        raise RangeUnusable(first, last, most=_MOST_DAYS)
    known = await semesters.between(tx, user_id, first, last)
    spans = [views.span_of(semester, first, last) for semester in known]
    found = await listings.page(tx, user_id, spans, kind=asked.kind, after=after, limit=size + 1)
    shown = found[:size]
    following = views.ListingKey.of(shown[-1]) if len(found) > size else None
    of_classes = {one.block.class_id for one in shown if one.block.class_id is not None}
    names = await task_classes.names(tx, user_id, sorted(of_classes))
    return views.Listing(shown, following, tuple(known), names)


async def calendar(
    tx: Tx, user_id: int, semester_id: int, *, first: date | None, last: date | None
) -> views.CalendarView:
    """The live blocks of a semester (the current one for 0), between two dates where given.

    Raises SemesterNotFound, NotStarted, Ended, RangeUnusable.
    """
    now = await semesters.now(tx)
    semester = await _numbered(tx, user_id, semester_id, now)
    first, last = first or semester.first_day, last or semester.last_day
    if last < first:
        raise RangeUnusable(first, last, most=_MOST_DAYS)
    if last < semester.first_day or semester.last_day < first:
        return views.CalendarView(semester, ())
    span = views.span_of(semester, first, last)
    placed = await listings.page(tx, user_id, [span], kind=None, after=None, limit=_MOST_ENTRIES)
    return views.CalendarView(semester, placed)


async def _locate(tx: Tx, user_id: int, on: date | None, now: datetime) -> rules.Found:
    known = await semesters.around(tx, user_id, on or now.date())
    date_in = rules.at_instant(now) if on is None else rules.on_date(on)
    return rules.locate(known, date_in)


async def _today(tx: Tx, user_id: int) -> date:
    now = await semesters.now(tx)
    known = await semesters.around(tx, user_id, now.date())
    return rules.nearest_to(known, rules.at_instant(now)).today(now)


async def _numbered(tx: Tx, user_id: int, semester_id: int, now: datetime) -> Semester:
    if semester_id == 0:
        return (await _locate(tx, user_id, None, now)).semester
    found = await semesters.get(tx, user_id, semester_id)
    if found is None:
        raise SemesterNotFound
    return found
