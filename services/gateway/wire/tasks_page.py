"""Everything that the task pages show."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.gateway.domain import moments, places
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.calendar import instant, spot_of
from smartmate.schedule.v1 import change_pb2, schedule_event_pb2, task_pb2

BY_AXES = (2, 1, 4, 3)
"""Important above, urgent at the right."""
_OPEN = task_pb2.TASK_STATUS_OPEN


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a task stands on the schedule, or last stood."""

    words: str
    href: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One task."""

    task_id: int
    title: str
    facts: tuple[str, ...]
    placed: Placed | None
    is_done: bool

    @property
    def needs_time(self) -> bool:
        """Whether it has never had a place."""
        return self.placed is None and not self.is_done


@dataclass(frozen=True, slots=True)
class Quadrant:
    """One of the four, `number` is its priority."""

    number: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TasksPage:
    """What the template of the list is given."""

    summary: str
    quadrants: tuple[Quadrant, ...]
    completed: tuple[Line, ...]
    more_completed: str
    """Page token of those that were completed before; empty where there are none."""
    zone: str


@dataclass(frozen=True, slots=True)
class Pool:
    """What the services answered. `is_cut`: there are more open tasks than these."""

    open: Sequence[task_pb2.Task]
    completed: Sequence[task_pb2.Task]
    events: Sequence[schedule_event_pb2.ScheduleEvent]
    more_completed: str = ""
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Speaker:
    """Tells of tasks at one instant, in one zone."""

    locale: Locale
    zone: ZoneInfo
    now: datetime

    def build(self, pool: Pool) -> TasksPage:
        """The list."""
        placed = self.placed(pool.events)
        ordered = sorted(pool.open, key=_soonest)
        lines = [self.line(task, placed) for task in ordered]
        by_number: dict[int, list[Line]] = {number: [] for number in BY_AXES}
        for task, line in zip(ordered, lines, strict=True):
            by_number[task.effective_quadrant or task_pb2.QUADRANT_NEITHER].append(line)
        done = sorted(pool.completed, key=lambda task: -task.complete_time.seconds)
        return TasksPage(
            summary=self._summary(lines, is_cut=pool.is_cut),
            quadrants=tuple(Quadrant(number, tuple(by_number[number])) for number in BY_AXES),
            completed=tuple(self.line(task, placed) for task in done),
            more_completed=pool.more_completed,
            zone=self.zone.key,
        )

    def line(self, task: task_pb2.Task, placed: Mapping[int, Placed]) -> Line:
        """One task with its facts."""
        return Line(
            task_id=task.task_id,
            title=task.title,
            facts=tuple(self.facts(task)),
            placed=placed.get(task.task_id),
            is_done=task.status != _OPEN,
        )

    def facts(self, task: task_pb2.Task) -> Iterable[str]:
        """Deadline, urgency and length; of a completed one when that was."""
        if task.status != _OPEN:
            yield self._say("task.completed_at", time=self._moment(instant(task.complete_time)))
            return
        yield self._deadline(task)
        if task.HasField("urgency_threshold_time"):
            at = instant(task.urgency_threshold_time)
            key = "task.became_urgent" if at <= self.now else "task.becomes_urgent"
            yield self._say(key, time=self._moment(at))
        if task.HasField("estimated_sections"):
            n = task.estimated_sections
            yield self._say("task.estimate_1" if n == 1 else "task.estimate", n=n)

    def placed(self, events: Sequence[schedule_event_pb2.ScheduleEvent]) -> Mapping[int, Placed]:
        """By task: the block that runs or comes next, else the one that was last."""
        found: dict[int, Placed] = {}
        for event in events:
            if event.source.kind != change_pb2.TARGET_KIND_TASK_POOL:
                continue
            kept = found.get(event.source.id)
            if kept is None or kept.is_over:
                found[event.source.id] = self._placed(event)
        return found

    def _placed(self, event: schedule_event_pb2.ScheduleEvent) -> Placed:
        spot = spot_of(event, self.zone)
        words = places.place(self.locale, spot, today=self.now.astimezone(self.zone).date())
        is_over = instant(event.end_time) <= self.now
        if is_over:
            words = self._say("task.was_at", place=words)
        return Placed(words, f"/week?date={spot.on.isoformat()}", is_over)

    def _deadline(self, task: task_pb2.Task) -> str:
        if not task.HasField("deadline_time"):
            return self._say("task.no_deadline")
        at = instant(task.deadline_time)
        key = "task.due_passed" if at <= self.now else "task.due"
        return self._say(key, time=self._moment(at))

    def _summary(self, lines: Sequence[Line], *, is_cut: bool) -> str:
        without = sum(line.needs_time for line in lines)
        if is_cut:
            return self._say("tasks.count_more", n=len(lines))
        if not lines:
            return self._say("tasks.count_none")
        if not without:
            return self._say("tasks.count_placed", n=len(lines))
        return self._say("tasks.count", n=len(lines), m=without)

    def _moment(self, at: datetime) -> str:
        return moments.moment(self.locale, at, self.zone, now=self.now)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _soonest(task: task_pb2.Task) -> tuple[float, float, int]:
    """What is due first stands first, what has no deadline last."""
    due = task.deadline_time.seconds if task.HasField("deadline_time") else math.inf
    urgent = (
        task.urgency_threshold_time.seconds if task.urgency_threshold_time.seconds else math.inf
    )
    return due, urgent, task.task_id
