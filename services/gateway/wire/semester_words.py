"""What follows from a semester, in words."""

from collections.abc import Iterable
from datetime import date, datetime

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month, weekday
from services.gateway.wire.calendar import semester as read_semester
from smartmate.schedule.v1 import calendar_pb2


def facts(locale: Locale, message: calendar_pb2.Semester, now: datetime) -> Iterable[str]:
    """Where today stands in it, from when to when it lasts, how long a day is."""
    semester = read_semester(message)
    today = now.astimezone(semester.zone).date()
    if today < semester.first_day:
        yield say(locale, "semester.to_come", date=_dated(locale, semester.first_day, today))
    elif today > semester.last_day:
        yield say(locale, "semester.over")
    else:
        week, day = semester.week_day_of(today)
        yield say(locale, "semester.now", week=week, day=weekday(locale, day))
        left = semester.weeks - week
        key = f"semester.left_{left}" if left < 2 else "semester.left"
        yield say(locale, key, n=left)
    yield say(
        locale,
        "semester.range",
        first=_dated(locale, semester.first_day, today),
        last=_dated(locale, semester.last_day, today),
    )
    sections = semester.clock.sections
    yield say(
        locale,
        "semester.sections",
        n=len(sections),
        first=f"{sections[0].start:%H:%M}",
        last=f"{sections[-1].end:%H:%M}",
    )


def _dated(locale: Locale, on: date, today: date) -> str:
    words = day_of_month(locale, on)
    if on.year == today.year:
        return words
    return f"{words} {on.year}" if locale is Locale.EN else f"{on.year}年{words}"
