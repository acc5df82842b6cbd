"""Everything that the week page shows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from services.gateway.domain import grid
from services.gateway.domain.grid import Block, Day, Grid, Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month, weekday_letter
from services.gateway.wire.blocks import Event, Painter, drawn, plain_mark
from services.gateway.wire.calendar import Calendar, instant
from smartmate.schedule.v1 import schedule_event_pb2, schedule_service_pb2

DAYS = 7
ON_A_PHONE = 3
"""How many days a narrow screen shows at once."""
_DOTS = 4


@dataclass(frozen=True, slots=True)
class StripDay:
    """One day in the strip of a narrow screen; `dots` 0..4 tell how full it is."""

    day: int
    letter: str
    number: int
    today: bool
    shown: bool
    dots: int
    load: str


@dataclass(frozen=True, slots=True)
class WeekPage:
    """What the template of the week page is given."""

    week: int
    title: str
    range: str
    grid: Grid
    strip: tuple[StripDay, ...]
    from_day: int
    previous: int | None
    next: int | None
    is_this_week: bool
    weeks: int
    """How many the semester has."""
    monday: str
    """ISO 8601 date on which the week begins."""


def build(
    locale: Locale, answer: schedule_service_pb2.GetWeekResponse, *, day: int | None = None
) -> WeekPage:
    """The page of a week; `day` is the first day that a narrow screen shows."""
    calendar, now = Calendar([answer.semester]), instant(answer.now_time)
    semester = answer.semester
    home = calendar.week_of(date.fromisoformat(answer.dates[0]))
    if home is None:
        raise ValueError("a week outside its own semester")
    days = [Day(home[2], answer.week, number) for number in range(1, DAYS + 1)]
    painter = Painter.of(locale, calendar, days)
    dates = [date.fromisoformat(one) for one in answer.dates]
    today = date.fromisoformat(answer.today)
    first = _first_day(dates, today, day)
    blocks = drawn([_block(painter, event, dates) for event in answer.events])
    return WeekPage(
        week=answer.week,
        title=say(locale, "week.title", week=answer.week),
        range=say(
            locale,
            "week.range",
            first=day_of_month(locale, dates[0]),
            last=day_of_month(locale, dates[-1]),
        ),
        grid=grid.empty(locale, days, now).with_blocks(blocks),
        strip=tuple(_strip(locale, dates, today, first, answer.events)),
        from_day=first,
        previous=answer.week - 1 if answer.week > 1 else None,
        next=answer.week + 1 if answer.week < semester.week_count else None,
        is_this_week=today in dates,
        weeks=semester.week_count,
        monday=dates[0].isoformat(),
    )


def _first_day(dates: Sequence[date], today: date, asked: int | None) -> int:
    wanted = asked or (dates.index(today) + 1 if today in dates else 1)
    return min(max(wanted, 1), DAYS - ON_A_PHONE + 1)


def _block(painter: Painter, event: Event, dates: Sequence[date]) -> Block | None:
    """Courses tell where they are, tasks tell when; each leads to its details."""
    is_course = event.type == schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE
    hosts = plain_mark(event) is Mark.HOST
    detail = event.location if is_course and (event.location or hosts) else None
    block = painter.plain(event, detail=detail)
    if block is None:
        return None
    on = dates[event.place.day_of_week - 1].isoformat()
    return replace(block, href=f"/week/events/{event.event_id}?date={on}")


def _strip(
    locale: Locale,
    dates: Sequence[date],
    today: date,
    first: int,
    events: Sequence[Event],
) -> list[StripDay]:
    loads = [0] * DAYS
    for event in events:
        if not event.host_event_id:
            loads[event.place.day_of_week - 1] += (
                event.place.last_section - event.place.first_section + 1
            )
    return [
        StripDay(
            day=number,
            letter=weekday_letter(locale, number),
            number=on.day,
            today=on == today,
            shown=first <= number < first + ON_A_PHONE,
            dots=min(_DOTS, (load + 1) // 2),
            load=say(locale, "week.load", n=load),
        )
        for number, (on, load) in enumerate(zip(dates, loads, strict=True), start=1)
    ]
