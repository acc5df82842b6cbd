"""What two states of one load differ in: shown before a person confirms, and told afterwards."""

from collections.abc import Iterator
from dataclasses import dataclass

from libs.planning.order import Span
from libs.planning.state import Entry, PlanningState, Status, Task
from services.agent.tools import words


@dataclass(frozen=True, slots=True)
class Shift:
    """One task as it was and as it is."""

    before: Task
    after: Task

    @property
    def state_id(self) -> int:
        """The number of the task."""
        return self.after.state_id


@dataclass(frozen=True, slots=True)
class DayShift:
    """One day as it was and as it is."""

    day: int
    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The tasks with another place, host or status, by number, and the days that they touch."""

    shifts: tuple[Shift, ...]
    days: tuple[DayShift, ...]

    def __bool__(self) -> bool:
        return bool(self.shifts)


def between(before: PlanningState, after: PlanningState) -> Difference:
    """What changed. Raises ValueError for states that do not hold the same tasks."""
    if before.window != after.window or before.tasks.keys() != after.tasks.keys():
        raise ValueError("the states are not of one load")
    shifts = tuple(
        Shift(old, new)
        for state_id, old in before.tasks.items()
        if _standing(old) != _standing(new := after.tasks[state_id])
    )
    touched = {span.day for shift in shifts for span in (*shift.before.slots, *shift.after.slots)}
    days = tuple(
        DayShift(day, before.day(day).entries, after.day(day).entries) for day in sorted(touched)
    )
    return Difference(shifts, days)


def lines(difference: Difference) -> Iterator[str]:
    """[3]复习线代：待安排 → 第5天第1-3节, a line for each shift."""
    for shift in difference.shifts:
        yield f"{words.label(shift.after)}：{_where(shift.before)} → {_where(shift.after)}"


def _standing(task: Task) -> tuple[tuple[Span, ...], int | None, Status]:
    return task.slots, task.embed_host, task.status


def _where(task: Task) -> str:
    if not task.slots:
        return words.STATUS[task.status]
    return words.places(task.slots) + ("（嵌入）" if task.embed_host is not None else "")
