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
from smartmate.schedule.v1 import (
    change_pb2,
    schedule_event_pb2,
    schedule_service_pb2,
    task_class_pb2,
    task_pb2,
)

_POOL = change_pb2.TARGET_KIND_TASK_POOL
_ITEM = change_pb2.TARGET_KIND_TASK_ITEM
_COURSE = schedule_event_pb2.SCHEDULE_EVENT_TYPE_COURSE


@dataclass(frozen=True, slots=True)
class EventPage:
    """What the template of one block is given; an id that is 0: there is none."""

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
    links: tuple[tuple[str, str], ...]
    """(address, words) of what it belongs to."""
    made_of: str
    """task, item, or empty for a meeting of a course."""
    has_begun: bool
    task_id: int
    class_id: int
    item_id: int
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


@dataclass(frozen=True, slots=True)
class Source:
    """What a block was made from, where that is there still: a task, or an item of a plan."""

    task: task_pb2.Task | None = None
    plan: task_class_pb2.TaskClass | None = None

    def item_of(self, event: Event) -> task_class_pb2.TaskItem | None:
        """The item, where the plan has it still."""
        if self.plan is None or event.source.kind != _ITEM:
            return None
        return next((one for one in self.plan.items if one.task_item_id == event.source.id), None)


def build(
    locale: Locale,
    answer: schedule_service_pb2.GetWeekResponse,
    event: Event,
    source: Source,
) -> EventPage:
    """The page of a block."""
    calendar, task, item = Calendar([answer.semester]), source.task, source.item_of(event)
    teller = _Teller(locale, calendar, answer, source)
    now = instant(answer.now_time)
    speaker = Speaker(locale, calendar.zone, now)
    is_course = event.type == _COURSE
    is_done = task is not None and task.status == task_pb2.TASK_STATUS_COMPLETED
    return EventPage(
        event_id=event.event_id,
        version=event.placement_version,
        on=teller.date_of(event),
        week=answer.week,
        title=event.name,
        mark=plain_mark(event).value,
        rows=tuple(teller.rows(event)),
        facts=tuple(speaker.facts(task)) if task else (),
        links=tuple(teller.links(event)),
        made_of="" if is_course else "task" if pool_task_of(event) else "item",
        has_begun=event.HasField("start_time") and instant(event.start_time) <= now,
        task_id=task.task_id if task else 0,
        class_id=event.task_class_id if item else 0,
        item_id=item.task_item_id if item else 0,
        is_done=item.done if item else is_done,
        course_id=event.course_id if is_course else 0,
        can_host=event.can_be_embedded,
        hosts_work=bool(teller.guests(event)),
    )


@dataclass(frozen=True, slots=True)
class _Teller:
    locale: Locale
    calendar: Calendar
    answer: schedule_service_pb2.GetWeekResponse
    source: Source

    def rows(self, event: Event) -> Iterable[tuple[str, str]]:
        """When, where, by whom, inside what, from where."""
        yield "", self._when(event)
        if event.location:
            yield self._say("event.place"), event.location
        if event.teacher:
            yield self._say("event.teacher"), event.teacher
        if host := self._host(event):
            yield "", self._say("event.hosted", name=host.name)
        if names := [guest.name for guest in self.guests(event)]:
            joint = ", " if self.locale is Locale.EN else "、"
            yield "", self._say("event.hosts", names=joint.join(names))
        if event.makeup_for_event_id:
            yield "", self._say("event.makeup")
        if event.type != _COURSE:
            yield "", self._origin(event)

    def links(self, event: Event) -> Iterable[tuple[str, str]]:
        """The ways to what it was made from, and to the class around it."""
        if self.source.task:
            yield f"/tasks/{self.source.task.task_id}", self._say("event.open_task")
        if self.source.plan:
            plan = f"/task-classes/{self.source.plan.task_class_id}"
            yield plan, self._say("event.open_class")
        if host := self._host(event):
            around = f"/week/events/{host.event_id}?date={self.date_of(host)}"
            yield around, self._say("event.open_host")

    def guests(self, event: Event) -> Sequence[Event]:
        """The blocks inside a course."""
        return [one for one in self.answer.events if one.host_event_id == event.event_id]

    def date_of(self, event: Event) -> str:
        """The date of a block of this week, ISO 8601."""
        return self.answer.dates[event.place.day_of_week - 1]

    def _host(self, event: Event) -> Event | None:
        return find(self.answer, event.host_event_id) if event.host_event_id else None

    def _origin(self, event: Event) -> str:
        plan, item = self.source.plan, self.source.item_of(event)
        if plan and item:
            return self._say("event.item_of", name=plan.name, n=item.order, m=len(plan.items))
        return self._say("event.from_pool" if pool_task_of(event) else "event.from_class")

    def _when(self, event: Event) -> str:
        spot = self.calendar.spot(event.place)
        # Never the week of `today`: the date is always told.
        where = places.place(self.locale, spot, today=date.min) if spot else ""
        words = (where, self.calendar.time_range(event.place))
        return " · ".join(word for word in words if word)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)
