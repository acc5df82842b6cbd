"""Everything that the page of changed days (调休) shows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from libs.planning.calendar import Semester
from services.gateway.domain import places
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month, weekday
from services.gateway.wire.calendar import semester as read_semester
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2

MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class OverrideLine:
    """One changed day."""

    date: str
    title: str
    which: str
    words: str


@dataclass(frozen=True, slots=True)
class OverridesPage:
    """What the template is given. `weeks` and `days` are what can be chosen."""

    first: str
    last: str
    weeks: tuple[tuple[str, str], ...]
    days: tuple[tuple[str, str], ...]
    lines: tuple[OverrideLine, ...]
    more: str
    this_week: str
    """The week of today, the first or the last one outside the semester."""


@dataclass(frozen=True, slots=True)
class InTheWay:
    """A block that stands where classes would be held; without a link what nobody can name."""

    name: str
    words: str
    href: str


@dataclass(frozen=True, slots=True)
class Speaker:
    """Tells of the changed days of one semester."""

    locale: Locale
    semester: Semester
    now: datetime

    @classmethod
    def of(cls, locale: Locale, found: calendar_pb2.Semester, now: datetime) -> "Speaker":
        """For a semester as the service tells it."""
        return cls(locale, read_semester(found), now)

    def build(self, found: schedule_service_pb2.ListCalendarOverridesResponse) -> OverridesPage:
        """The page."""
        weeks = range(1, self.semester.weeks + 1)
        return OverridesPage(
            first=self.semester.first_day.isoformat(),
            last=self.semester.last_day.isoformat(),
            weeks=tuple((str(week), self._say("week.title", week=week)) for week in weeks),
            days=tuple((str(day), weekday(self.locale, day)) for day in range(1, 8)),
            lines=tuple(self._line(one) for one in found.overrides),
            more=found.next_page_token,
            this_week=str(self._this_week()),
        )

    def _this_week(self) -> int:
        today = self.semester.today(self.now)
        inside = min(max(today, self.semester.first_day), self.semester.last_day)
        return self.semester.week_day_of(inside)[0]

    def _line(self, one: calendar_pb2.CalendarOverride) -> OverrideLine:
        on = date.fromisoformat(one.date)
        return OverrideLine(
            date=one.date,
            title=day_of_month(self.locale, on),
            which=self._which(on),
            words=self._runs(one.runs) if one.HasField("runs") else self._say("overrides.off"),
        )

    def _which(self, on: date) -> str:
        if not self.semester.first_day <= on <= self.semester.last_day:
            return weekday(self.locale, on.isoweekday())
        week, day = self.semester.week_day_of(on)
        return self._say("overrides.which", week=week, day=weekday(self.locale, day))

    def _runs(self, day: calendar_pb2.TimetableDay) -> str:
        of = self.semester.date_of(day.week, day.day_of_week)
        return self._say(
            "overrides.runs",
            week=day.week,
            day=weekday(self.locale, day.day_of_week),
            date=day_of_month(self.locale, of),
        )

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def in_the_way(
    locale: Locale,
    on: str,
    ids: Sequence[int],
    count: int,
    week: schedule_service_pb2.GetWeekResponse | None,
) -> Iterable[InTheWay]:
    """The blocks that a refusal names, by time, and how many there are besides."""
    known = [one for one in (week.events if week else ()) if one.event_id in frozenset(ids)]
    for event in known[:MOST_NAMED]:
        place = event.place
        words = places.sections(locale, place.first_section, place.last_section)
        yield InTheWay(event.name, words, f"/week/events/{event.event_id}?date={on}")
    left = max(count, len(ids)) - len(known[:MOST_NAMED])
    if left > 0:
        yield InTheWay("", say(locale, "overrides.collision_unnamed", n=left), "")
