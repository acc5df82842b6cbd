"""Blocks of the schedule as blocks of a grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from services.gateway.domain.grid import Block, Day, Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import sections, weekday
from services.gateway.wire.calendar import Calendar
from smartmate.schedule.v1 import calendar_pb2, schedule_event_pb2

Event = schedule_event_pb2.ScheduleEvent


@dataclass(frozen=True, slots=True)
class Painter:
    """Draws events of the given days; those of other days are left out."""

    locale: Locale
    calendar: Calendar
    columns: Mapping[tuple[int, int, int], int]
    """(semester, week, day) → column."""

    @classmethod
    def of(cls, locale: Locale, calendar: Calendar, days: Sequence[Day]) -> "Painter":
        """A painter for some days, side by side in that order."""
        keys = ((day.semester.id, day.week, day.day) for day in days)
        return cls(locale, calendar, {key: column for column, key in enumerate(keys, start=1)})

    def plain(self, event: Event, *, detail: str | None = None) -> Block | None:
        """An event as it stands."""
        mark = plain_mark(event)
        if detail is None:
            detail = self.calendar.time_range(event.place)
        if mark is Mark.HOST:
            detail = " · ".join(part for part in (say(self.locale, "mark.host"), detail) if part)
        return self.block(event.place, mark, event.name, detail, guest=event.host_event_id != 0)

    def block(
        self,
        place: calendar_pb2.Place,
        mark: Mark,
        title: str,
        detail: str,
        *,
        chip: str = "",
        guest: bool = False,
    ) -> Block | None:
        """Anything at a place."""
        column = self.columns.get(key_of(place))
        if column is None:
            return None
        return Block(
            column=column,
            first=place.first_section,
            last=place.last_section,
            mark=mark,
            title=title,
            detail=detail,
            chip=chip,
            guest=guest,
            label=self._label(place, mark, guest=guest),
        )

    def _label(self, place: calendar_pb2.Place, mark: Mark, *, guest: bool) -> str:
        kind = "guest" if guest and mark is Mark.TASK else mark.value
        parts = (
            weekday(self.locale, place.day_of_week),
            sections(self.locale, place.first_section, place.last_section),
            self.calendar.time_range(place),
            say(self.locale, f"kind.{kind}"),
        )
        joint = ", " if self.locale is Locale.EN else "，"
        return joint.join(part for part in parts if part) + say(self.locale, "colon")


def plain_mark(event: Event) -> Mark:
    """How an event is drawn when nothing changes."""
    if event.type != schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE:
        return Mark.TASK
    return Mark.HOST if event.can_be_embedded else Mark.COURSE


def key_of(place: calendar_pb2.Place) -> tuple[int, int, int]:
    """The day of a place."""
    return place.semester_id, place.week, place.day_of_week


def drawn(blocks: Sequence[Block | None]) -> tuple[Block, ...]:
    """The blocks that lie on a drawn day."""
    return tuple(block for block in blocks if block is not None)
