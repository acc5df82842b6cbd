"""Which rows have to be read to judge changes on a base."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from libs.planning.calendar import DAYS_PER_WEEK, MAX_WEEKS
from libs.planning.changes import Change
from libs.planning.grid import Place, TargetKind
from services.schedule.domain.block import Day

_MAX_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Touched:
    """Days, tasks, items, classes, blocks, semesters and dates that changes or their base name.

    Each may not exist. The dates of `days` are no part of `dates`.
    """

    days: tuple[Day, ...]
    task_ids: tuple[int, ...]
    event_ids: tuple[int, ...]
    semester_ids: tuple[int, ...]
    dates: tuple[date, ...] = ()
    item_ids: tuple[int, ...] = ()
    class_ids: tuple[int, ...] = ()

    @property
    def is_pool_alone(self) -> bool:
        """Whether neither blocks nor items nor classes are named, as for most applies."""
        return not (self.event_ids or self.item_ids or self.class_ids)


def touched(changes: Iterable[Change], base: Mapping[str, str]) -> Touched:
    """Everything that `judge` and `base_map` may look at for these changes and this base."""
    changes = tuple(changes)
    days = {place.on_day for place in _places(changes) if _is_day(place.on_day)}
    days |= set(_base_days(base))
    named = {(change.target.kind.value, change.target.id) for change in changes}
    named |= {("semester", place.semester_id) for place in _places(changes)}
    named |= set(_base_rows(base))
    hosts = {change.host_id for change in changes if change.host_id is not None}
    semesters = {day[0] for day in days} | _ids(named, "semester")
    return Touched(
        days=tuple(sorted(days)),
        task_ids=tuple(sorted(_ids(named, TargetKind.TASK_POOL.value))),
        event_ids=tuple(sorted(hosts | _ids(named, TargetKind.SCHEDULE_EVENT.value))),
        semester_ids=tuple(sorted(semesters)),
        dates=tuple(sorted(set(_base_dates(base)))),
        item_ids=tuple(sorted(_ids(named, TargetKind.TASK_ITEM.value))),
        class_ids=tuple(sorted(_ids(named, "task_class"))),
    )


def _places(changes: Iterable[Change]) -> Iterator[Place]:
    for change in changes:
        for place in (change.to, change.from_):
            if place is not None:
                yield place


def _base_days(base: Mapping[str, str]) -> Iterator[Day]:
    for key in base:
        room, _, rest = key.partition(":")
        numbers = _numbers(rest)
        if room == "cell" and len(numbers) == 4 and _is_day(numbers[:3]):
            yield numbers[0], numbers[1], numbers[2]


def _base_rows(base: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    for key in base:
        room, _, number = key.removeprefix("target_events:").partition(":")
        numbers = _numbers(number)
        if len(numbers) == 1:
            yield room, numbers[0]


def _base_dates(base: Mapping[str, str]) -> Iterator[date]:
    for key in base:
        room, _, rest = key.partition(":")
        if room == "override":
            try:
                yield date.fromisoformat(rest)
            except ValueError:
                continue


def _ids(named: Iterable[tuple[str, int]], room: str) -> set[int]:
    return {number for name, number in named if name == room and 1 <= number <= _MAX_ID}


def _is_day(numbers: tuple[int, ...]) -> bool:
    semester_id, week, day = numbers
    return 1 <= semester_id <= _MAX_ID and 1 <= week <= MAX_WEEKS and 1 <= day <= DAYS_PER_WEEK


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(":"))
    except ValueError:
        return ()
