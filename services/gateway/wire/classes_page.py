"""Everything that the pages of study plans show, the rough build aside."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from libs.planning.calendar import DEFAULT_CLOCK
from libs.planning.rough_input import item_length
from services.gateway.domain import moments, places
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.calendar import instant, spot_of
from services.gateway.wire.calendar import semester as read_semester
from services.gateway.wire.tasks_page import Placed
from smartmate.schedule.v1 import calendar_pb2, schedule_event_pb2, task_class_pb2

_MANUAL = task_class_pb2.TASK_CLASS_MODE_MANUAL
_RAPID = task_class_pb2.PLANNING_STRATEGY_RAPID

TaskClass = task_class_pb2.TaskClass
Event = schedule_event_pb2.ScheduleEvent


@dataclass(frozen=True, slots=True)
class ClassLine:
    """One plan of the list. `can_build`: a trial run would place something."""

    class_id: int
    name: str
    facts: tuple[str, ...]
    counts: tuple[str, ...]
    can_build: bool


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One item. `placed` is None while it waits; without a link where its block is long over."""

    item_id: int
    content: str
    is_done: bool
    placed: Placed | None


@dataclass(frozen=True, slots=True)
class Speaker:
    """Tells of plans at one instant, in one zone."""

    locale: Locale
    zone: ZoneInfo
    now: datetime

    def line(self, found: TaskClass) -> ClassLine:
        """A plan in the list."""
        return ClassLine(
            class_id=found.task_class_id,
            name=found.name,
            facts=tuple(self.facts(found)),
            counts=tuple(self._counts(found)),
            can_build=found.mode != _MANUAL and has_dates(found) and bool(_pending(found)),
        )

    def facts(self, found: TaskClass) -> Iterable[str]:
        """When, how, how much."""
        yield self._range(found)
        if found.mode == _MANUAL:
            yield self._say("class.manual")
        else:
            yield self._say("class.rapid" if found.strategy == _RAPID else "class.steady")
        yield self._counted("class.items", len(found.items))
        yield self._counted("class.each", sections_of(found))

    def items(self, found: TaskClass, events: Sequence[Event]) -> tuple[ItemLine, ...]:
        """The items in their order, each with the block that runs or comes next."""
        by_id = {event.event_id: event for event in events}
        return tuple(
            ItemLine(
                item_id=item.task_item_id,
                content=item.content,
                is_done=item.done,
                placed=self._placed(item.event_ids, by_id),
            )
            for item in found.items
        )

    def _placed(self, event_ids: Sequence[int], by_id: Mapping[int, Event]) -> Placed | None:
        known = [by_id[id_] for id_ in event_ids if id_ in by_id]
        if not known:
            words = self._say("class.placed_long_ago")
            return Placed(words, "", is_over=True) if event_ids else None
        ahead = [one for one in known if instant(one.end_time) > self.now]
        event = min(ahead, key=_starts) if ahead else max(known, key=_starts)
        spot = spot_of(event, self.zone)
        words = places.place(self.locale, spot, today=self._today)
        if not ahead:
            words = self._say("class.was_at", place=words)
        href = f"/week/events/{event.event_id}?date={spot.on.isoformat()}"
        return Placed(words, href, is_over=not ahead)

    def _range(self, found: TaskClass) -> str:
        if not has_dates(found):
            return self._say("class.no_dates")
        first, last = (
            moments.day(self.locale, date.fromisoformat(text), today=self._today)
            for text in (found.start_date, found.end_date)
        )
        if found.start_date == found.end_date:
            return first
        return self._say("class.range", first=first, last=last)

    def _counts(self, found: TaskClass) -> Iterable[str]:
        """How many items have a place, wait, are done; what is none is not told."""
        done = sum(item.done for item in found.items)
        placed = sum(not item.done and bool(item.event_ids) for item in found.items)
        for key, count in (("placed", placed), ("pending", len(_pending(found))), ("done", done)):
            if count:
                yield self._say(f"class.{key}", n=count)

    @property
    def _today(self) -> date:
        return self.now.astimezone(self.zone).date()

    def _counted(self, key: str, count: int) -> str:
        return self._say(f"{key}_1" if count == 1 else key, n=count)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def has_dates(found: TaskClass) -> bool:
    """Whether first and last day are set."""
    return bool(found.start_date and found.end_date)


def sections_of(found: TaskClass) -> int:
    """Sections of one item."""
    return item_length(found.total_sections, len(found.items)).sections


def pairs_of(
    locale: Locale, semester: calendar_pb2.Semester | None, chosen: Collection[int]
) -> tuple[tuple[int, str], ...]:
    """(number, words) of the pairs that a day has, and of chosen ones that it does not have."""
    clock = read_semester(semester).clock if semester else DEFAULT_CLOCK
    known = {
        number: say(locale, "class.pair", first=first, last=last)
        for number, (first, last) in enumerate(clock.standard_pairs, start=1)
    }
    others = {n: say(locale, "class.pair_n", n=n) for n in chosen if n not in known}
    return tuple(sorted({**known, **others}.items()))


def _pending(found: TaskClass) -> Sequence[task_class_pb2.TaskItem]:
    return [item for item in found.items if not item.done and not item.event_ids]


def _starts(event: Event) -> int:
    return int(event.start_time.seconds)
