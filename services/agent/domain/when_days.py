"""From what names a day to the days it may be: this week's or the next, this year's or the next.

Nothing here reads text. Days beyond the years that the suite knows are no such days.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

from libs.planning.calendar import CalendarError
from services.agent.domain.when import (
    FIRST_YEAR,
    LAST_YEAR,
    DayReading,
    Days,
    Doubt,
    Edge,
    Looking,
    Standpoint,
    Unit,
    days_of,
)

_HALF_A_YEAR = 183
NO_SUCH_DAY = DayReading((), doubt=Doubt.NO_SUCH_DAY)
UNKNOWN_EVENT = DayReading((), Unit.SPAN, Doubt.EVENT_UNKNOWN)
VAGUE = DayReading((), doubt=Doubt.VAGUE)


def made(year: int, month: int, day: int) -> date | None:
    """The date, None where there is none."""
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None


def shifted(on: date, days: int) -> date | None:
    """So many days later, None beyond the years that are known."""
    if abs(days) > 366 * 50:
        return None
    found = on + timedelta(days=days)
    return found if FIRST_YEAR <= found.year <= LAST_YEAR else None


def one(on: date | None) -> DayReading:
    """A single day that is certain."""
    return NO_SUCH_DAY if on is None else DayReading((days_of(on),))


def from_today(at: Standpoint, days: int, looking: Looking) -> DayReading:
    """明天, 三天后, 昨天. A day that is over has no next one."""
    found = one(shifted(at.today, days))
    if looking is Looking.AHEAD and days < 0 and found.options:
        return DayReading((), doubt=Doubt.PAST)
    return found


def within(at: Standpoint, days: int) -> DayReading:
    """三天内: up to that day."""
    last = shifted(at.today, days)
    if last is None:
        return NO_SUCH_DAY
    return DayReading((Days(at.today, last),), Unit.SPAN, edge=Edge.BY)


def weekday(at: Standpoint, looking: Looking, day: int, weeks: int | None) -> DayReading:
    """Day 1 Monday to 7 Sunday, of the week so many weeks from this one, or of any."""
    this = at.monday + timedelta(days=day - 1)
    if weeks is not None:
        found = this + timedelta(days=7 * weeks)
        if looking is Looking.AHEAD and found < at.today:
            following = this + timedelta(days=7 if this < at.today else 0)
            return DayReading((days_of(following),), doubt=Doubt.PAST)
        return one(found)
    if looking is Looking.AROUND:
        return replace(one(this), any_week=True)
    near = [this + timedelta(days=7 * n) for n in (-1, 0, 1)]
    return replace(_nearest(near, at, looking), any_week=True)


def month_day(
    at: Standpoint, looking: Looking, month: int, day: int, year: int | None = None
) -> DayReading:
    """A month and day, of a year or of the next one that fits."""
    if year is not None:
        found = made(year, month, day)
        if found is not None and looking is Looking.AHEAD and found < at.today:
            return DayReading((), doubt=Doubt.PAST)
        return one(found)
    years = (at.today.year + n for n in (-1, 0, 1))
    known = [found for one_ in years if (found := made(one_, month, day)) is not None]
    if not known:
        return NO_SUCH_DAY
    if looking is not Looking.AHEAD:
        return one(min(known, key=lambda found: abs(found - at.today)))
    ahead = [found for found in known if found >= at.today]
    if not ahead:
        return DayReading((), doubt=Doubt.PAST)
    if (ahead[0] - at.today).days > _HALF_A_YEAR:
        # 5 November, said at the end of that month, is rather a slip than a year away.
        return DayReading((days_of(ahead[0]),), doubt=Doubt.PAST)
    return one(ahead[0])


def day_of_month(at: Standpoint, looking: Looking, day: int, months: int | None) -> DayReading:
    """15号, 下个月5号: of the month so many months from this one, or of any that has it."""
    if months is not None:
        found = _in_month(at, months, day)
        if found is not None and looking is Looking.AHEAD and found < at.today:
            following = _in_month(at, months + 1, day)
            return DayReading((days_of(following),) if following else (), doubt=Doubt.PAST)
        return one(found)
    known = [found for n in (-1, 0, 1, 2) if (found := _in_month(at, n, day)) is not None]
    if not known:
        return NO_SUCH_DAY
    if looking is Looking.AROUND:
        return one(min(known, key=lambda found: abs(found - at.today)))
    return _nearest(known, at, looking)


def week(at: Standpoint, weeks: int) -> DayReading:
    """A week, Monday to Sunday."""
    return _stretch(at.monday + timedelta(days=7 * weeks), 7, Unit.SPAN)


def weekend(at: Standpoint, weeks: int) -> DayReading:
    """Saturday and Sunday of a week."""
    return _stretch(at.monday + timedelta(days=7 * weeks + 5), 2, Unit.WEEKEND)


def month(at: Standpoint, looking: Looking, number: int, year: int | None = None) -> DayReading:
    """A month of a year, or of the next year that it is not over in."""
    if not 1 <= number <= 12:
        return NO_SUCH_DAY
    if year is None:
        over = number < at.today.month and looking is Looking.AHEAD
        year = at.today.year + (1 if over else 0)
    return _month(year, number)


def month_from_now(at: Standpoint, months: int) -> DayReading:
    """This month, the next one."""
    return _month(*_month_after(at, months))


def month_end(reading: DayReading, at: Standpoint, looking: Looking) -> DayReading:
    """The last day of a month that was read: a day, so that 前 lets it in."""
    if not reading.options:
        return reading
    last = reading.options[0].last
    if looking is Looking.AHEAD and last < at.today:
        return DayReading((), doubt=Doubt.PAST)
    return one(last)


def after_months(at: Standpoint, months: int) -> DayReading:
    """一个月后: the same day of that month, or its last."""
    year, number = _month_after(at, months)
    for day in range(at.today.day, 27, -1):
        if (found := made(year, number, day)) is not None:
            return one(found)
    return one(made(year, number, min(at.today.day, 28)))


def festival(at: Standpoint, looking: Looking, number: int, day: int) -> DayReading:
    """元旦, 国庆: what is before it ends before it."""
    found = month_day(at, looking, number, day)
    if found.doubt is Doubt.PAST and found.options:
        # Nobody means the one that is over by its name.
        return DayReading(found.options, Unit.SPAN)
    return DayReading(found.options, Unit.SPAN, found.doubt)


def semester_week(at: Standpoint, looking: Looking, number: int, day: int | None) -> DayReading:
    """第15周, 第15周周三: of the semester."""
    if at.semester is None:
        return UNKNOWN_EVENT
    try:
        first = at.semester.date_of(number, day or 1)
    except CalendarError:
        return NO_SUCH_DAY
    found = one(first) if day else _stretch(first, 7, Unit.SPAN)
    over = not found.options or found.options[0].last < at.today
    return DayReading((), doubt=Doubt.PAST) if looking is Looking.AHEAD and over else found


def term_end(at: Standpoint) -> DayReading:
    """期末: no date is known, the semester's last day is the nearest to one."""
    if at.semester is None:
        return UNKNOWN_EVENT
    return DayReading((days_of(at.semester.last_day),), doubt=Doubt.EVENT_UNKNOWN)


def either(*readings: DayReading) -> DayReading:
    """Words that mean one or the other."""
    options = tuple(dict.fromkeys(option for found in readings for option in found.options))
    doubt = Doubt.TWO_READINGS if len(options) > 1 else None
    return DayReading(options, doubt=doubt)


def _nearest(known: Iterable[date], at: Standpoint, looking: Looking) -> DayReading:
    """Of days that come again: the last one, or the next; today and the next where it is today."""
    days = sorted(known)
    if looking is not Looking.AHEAD:
        over = [found for found in days if found <= at.today]
        return one(over[-1] if over else days[0])
    ahead = [found for found in days if found > at.today]
    if at.today in days:
        options = tuple(days_of(found) for found in (at.today, *ahead[:1]))
        return DayReading(options, doubt=Doubt.TODAY_OR_NEXT)
    return one(ahead[0] if ahead else None)


def _stretch(first: date, length: int, unit: Unit) -> DayReading:
    last = shifted(first, length - 1)
    return NO_SUCH_DAY if last is None else DayReading((Days(first, last),), unit)


def _month(year: int, number: int) -> DayReading:
    first = made(year, number, 1)
    following = made(year + number // 12, number % 12 + 1, 1)
    if first is None or following is None:
        return NO_SUCH_DAY
    return DayReading((Days(first, following - timedelta(days=1)),), Unit.SPAN)


def _month_after(at: Standpoint, months: int) -> tuple[int, int]:
    count = at.today.year * 12 + at.today.month - 1 + months
    return count // 12, count % 12 + 1


def _in_month(at: Standpoint, months: int, day: int) -> date | None:
    return made(*_month_after(at, months), day)
