"""Which rows have to be read to judge changes on a base."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from libs.planning.calendar import DAYS_PER_WEEK, MAX_WEEKS
from libs.planning.changes import Change
from libs.planning.grid import Place, TargetKind
from services.schedule.domain.block import Day

_MAX_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Touched:
    """Days, tasks, blocks and semesters that changes or their base name; each may not exist."""

    days: tuple[Day, ...]
    task_ids: tuple[int, ...]
    event_ids: tuple[int, ...]
    semester_ids: tuple[int, ...]


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
