"""One block of the week: what it is, and what can be done with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from services.gateway.domain import places
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.blocks import Event, plain_mark
from services.gateway.wire.calendar import Calendar, instant
from services.gateway.wire.tasks_page import Speaker
from smartmate.schedule.v1 import change_pb2, schedule_event_pb2, schedule_service_pb2, task_pb2

_POOL = change_pb2.TARGET_KIND_TASK_POOL
_COURSE = schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE


@dataclass(frozen=True, slots=True)
class EventPage:
    """What the template of one block is given. `task_id` and `course_id` 0: there is none."""

    event_id: int
    version: int
    on: str
    """ISO 8601 date, by which the week is found again."""
    week: int
    title: str
    mark: str
    rows: tuple[tuple[str, str], ...]
    """(what, words)."""
    facts: tuple[str, ...]
    is_course: bool
    has_begun: bool
    can_revoke: bool
    task_id: int
    is_done: bool
    course_id: int
    can_host: bool
    hosts_work: bool


def find(answer: schedule_service_pb2.GetWeekResponse, event_id: int) -> Event | None:
    """The block of a week with this id."""
    return next((one for one in answer.events if one.event_id == event_id), None)


def pool_task_of(event: Event) -> int:
    """The task of the pool that a block was made from; 0 where it was made from something else."""
    return event.source.id if event.source.kind == _POOL else 0


def build(
    locale: Locale,
    answer: schedule_service_pb2.GetWeekResponse,
    event: Event,
    task: task_pb2.Task | None,
) -> EventPage:
    """The page of a block; `task` is the one it was made from, where that is there still."""
    teller = _Teller(locale, Calendar([answer.semester]), answer.events)
    now = instant(answer.now_time)
    speaker = Speaker(locale, teller.calendar.zone, now)
    is_course = event.type == _COURSE
    return EventPage(
        event_id=event.event_id,
        version=event.placement_version,
        on=answer.dates[event.place.day_of_week - 1],
        week=answer.week,
        title=event.name,
        mark=plain_mark(event).value,
        rows=tuple(teller.rows(event)),
        facts=tuple(speaker.facts(task)) if task else (),
        is_course=is_course,
        has_begun=event.HasField("start_time") and instant(event.start_time) <= now,
        can_revoke=not is_course,
        task_id=task.task_id if task else 0,
        is_done=task is not None and task.status == task_pb2.TASK_STATUS_COMPLETED,
        course_id=event.course_id if is_course else 0,
        can_host=event.can_be_embedded,
        hosts_work=bool(teller.guests(event)),
    )


@dataclass(frozen=True, slots=True)
class _Teller:
    locale: Locale
    calendar: Calendar
    events: Sequence[Event]

    def rows(self, event: Event) -> Iterable[tuple[str, str]]:
        """When, where, by whom, inside what, from where."""
        yield "", self._when(event)
        if event.location:
            yield self._say("event.place"), event.location
        if event.teacher:
            yield self._say("event.teacher"), event.teacher
        if host := next((one for one in self.events if one.event_id == event.host_event_id), None):
            yield "", self._say("event.hosted", name=host.name)
        if names := [guest.name for guest in self.guests(event)]:
            joint = ", " if self.locale is Locale.EN else "、"
            yield "", self._say("event.hosts", names=joint.join(names))
        if event.makeup_for_event_id:
            yield "", self._say("event.makeup")
        if event.type != _COURSE:
            key = "event.from_pool" if pool_task_of(event) else "event.from_class"
            yield "", self._say(key)

    def guests(self, event: Event) -> Sequence[Event]:
        """The blocks inside a course."""
        return [one for one in self.events if one.host_event_id == event.event_id]

    def _when(self, event: Event) -> str:
        spot = self.calendar.spot(event.place)
        # Never the week of `today`: the date is always told.
        where = places.place(self.locale, spot, today=date.min) if spot else ""
        words = (where, self.calendar.time_range(event.place))
        return " · ".join(word for word in words if word)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)
