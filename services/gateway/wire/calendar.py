"""Semesters, places and texts of the contracts as the pages reckon with them."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from google.protobuf.timestamp_pb2 import Timestamp

from libs.planning.calendar import DEFAULT_TIME_ZONE, SectionClock, SectionTime, Semester
from services.gateway.domain.grid import Day
from services.gateway.domain.locale import Locale
from services.gateway.domain.places import Spot
from smartmate.schedule.v1 import calendar_pb2, schedule_event_pb2
from smartmate.text.v1 import localized_text_pb2

_LAST_MINUTE = 24 * 60 - 1


def instant(at: Timestamp) -> datetime:
    """An aware instant."""
    return at.ToDatetime(tzinfo=UTC)


def words(locale: Locale, text: localized_text_pb2.LocalizedText) -> str:
    """The text in a language, or in the other one where that is missing."""
    if locale is Locale.EN:
        return text.en_us or text.zh_cn
    return text.zh_cn or text.en_us


def semester(message: calendar_pb2.Semester) -> Semester:
    """A semester as a service tells it."""
    bell = message.clock
    sections = tuple(
        SectionTime(_time(one.start_minute_of_day), _time(one.end_minute_of_day))
        for one in bell.sections
    )
    return Semester(
        id=message.semester_id,
        first_day=date.fromisoformat(message.first_date),
        weeks=message.week_count,
        time_zone=message.time_zone,
        clock=SectionClock(sections, bell.lunch_after_section, bell.dinner_after_section),
        version=message.version,
    )


def spot_of(event: schedule_event_pb2.ScheduleEvent, zone: ZoneInfo) -> Spot:
    """The sections of a block on the date on which it begins in a zone."""
    on = instant(event.start_time).astimezone(zone).date()
    return Spot(on, event.place.first_section, event.place.last_section)


def _time(minutes: int) -> time:
    # The end of a day is told as minute 1440, which no wall clock shows.
    return time(*divmod(min(minutes, _LAST_MINUTE), 60))


class Calendar:
    """The semesters of one answer, by id."""

    def __init__(self, semesters: Iterable[calendar_pb2.Semester]) -> None:
        self._semesters = {one.semester_id: semester(one) for one in semesters}

    @property
    def zone(self) -> ZoneInfo:
        """The zone that instants are told in."""
        for one in self._semesters.values():
            return one.zone
        return ZoneInfo(DEFAULT_TIME_ZONE)

    def today(self, now: datetime) -> date:
        """The date there."""
        return now.astimezone(self.zone).date()

    def day(self, place: calendar_pb2.Place) -> Day | None:
        """The day of a place; None where its semester is not known or does not have it."""
        home = self._semesters.get(place.semester_id)
        if home is None or not 1 <= place.week <= home.weeks or not 1 <= place.day_of_week <= 7:
            return None
        return Day(home, place.week, place.day_of_week)

    def spot(self, place: calendar_pb2.Place) -> Spot | None:
        """The sections of a place on their date, or None as for `day`."""
        day = self.day(place)
        if day is None:
            return None
        on = day.semester.date_of(day.week, day.day)
        return Spot(on, place.first_section, place.last_section)

    def time_range(self, place: calendar_pb2.Place) -> str:
        """10:15–11:55; empty where the bell does not know the sections."""
        home = self._semesters.get(place.semester_id)
        if home is None or not 1 <= place.first_section <= place.last_section <= home.clock.count:
            return ""
        bell = home.clock.sections
        return (
            f"{bell[place.first_section - 1].start:%H:%M}–{bell[place.last_section - 1].end:%H:%M}"
        )

    def week_of(self, on: date) -> tuple[int, int, Semester] | None:
        """(week, day, semester) of a date, where one of the semesters holds it."""
        for one in self._semesters.values():
            if one.first_day <= on <= one.last_day:
                return (*one.week_day_of(on), one)
        return None
