"""Where there is room in a planning state, and for which task.

Spec: tools.md (find_first_free); planning.md, Grid, Health.
"""

from dataclasses import dataclass
from math import inf

from libs.planning.allowance import Allowance
from libs.planning.grid import mask_of
from libs.planning.order import AllowedRange, Span
from libs.planning.runs import bounded, run_starts, sections_of
from libs.planning.state import PlanningState, Status, Task

OPEN_RANGE = AllowedRange()


@dataclass(frozen=True, slots=True)
class FreePlace:
    """A place that is free, or inside a free host; the load of its day before and after."""

    span: Span
    host_id: int | None
    load: int
    load_after: int


def free_places(
    state: PlanningState,
    duration: int,
    *,
    day: int | None = None,
    top_k: int = 3,
    exclude_breaks: bool = True,
) -> tuple[FreePlace, ...]:
    """Up to `top_k` candidates, the emptiest day first, then the earliest.

    No place bridges lunch or dinner unless told so. `day` narrows the search to one day.
    """
    days = enumerate(state.days, start=1) if day is None else ((day, state.day(day)),)
    openings = Openings(state)
    ranked = sorted([(view.occupied.bit_count(), number) for number, view in days])
    found: list[FreePlace] = []
    for load, number in ranked:
        for first in sections_of(openings.starts(number, duration, exclude_breaks)):
            span = Span(number, first, first + duration - 1)
            host = openings.host_of(span)
            found.append(FreePlace(span, host, load, load if host else load + duration))
            if len(found) == top_k:
                return tuple(found)
    return tuple(found)


class Openings:
    """The free cells and the free hosts of a state, as masks of sections to start from."""

    def __init__(self, state: PlanningState) -> None:
        self._state = state
        self._stretches = tuple(mask_of(*part) for part in state.window.clock.stretches)
        self._unbroken: dict[int, int] = {}

    def free_starts(
        self, day: int, length: int, exclude_breaks: bool = False, *, freed: int = 0
    ) -> int:
        """Where a run of free cells starts; `freed` are the cells of a block that would go."""
        freed &= ~self._state.day(day).hosts
        starts = run_starts(self._state.free_mask(day) | freed, length)
        return starts & self._starts_unbroken(length) if exclude_breaks else starts

    def host_starts(
        self, day: int, length: int, exclude_breaks: bool = False, *, freed: int = 0
    ) -> int:
        """Where a run of guestless cells of one host starts; `freed` as for `free_starts`."""
        hosts = self._state.day(day).hosts
        if not hosts:
            return 0
        cells = self._state.free_host_mask(day) | freed & hosts
        if not cells:
            return 0
        starts = 0
        for entry in self._state.day(day).entries:
            if entry.task.can_embed:
                host = mask_of(entry.span.first, entry.span.last)
                starts |= run_starts(cells & host, length)
        return starts & self._starts_unbroken(length) if exclude_breaks else starts

    def _starts_unbroken(self, length: int) -> int:
        """The sections from which a run of a length bridges neither lunch nor dinner."""
        if length not in self._unbroken:
            self._unbroken[length] = sum(run_starts(part, length) for part in self._stretches)
        return self._unbroken[length]

    def starts(self, day: int, length: int, exclude_breaks: bool = False, *, freed: int = 0) -> int:
        """Where either starts."""
        return self.free_starts(day, length, exclude_breaks, freed=freed) | self.host_starts(
            day, length, exclude_breaks, freed=freed
        )

    def places_of(self, one: "Movable", day: int, exclude_breaks: bool = False) -> int:
        """Where a task may start on a day, its own cells being free, but where it starts now."""
        span = one.span
        if not one.may_reach(day):
            return 0
        starts = self.starts if one.may_be_guest else self.free_starts
        if day != span.day:
            return one.within(day, starts(day, span.length, exclude_breaks))
        own = mask_of(span.first, span.last)
        found = one.within(day, starts(day, span.length, exclude_breaks, freed=own))
        return found & ~(1 << (span.first - 1))

    def host_of(self, span: Span) -> int | None:
        """The host whose cells a free place lies in."""
        return next(
            (
                entry.task.state_id
                for entry in self._state.overlapping(span)
                if entry.task.can_embed
            ),
            None,
        )


@dataclass(frozen=True, slots=True)
class Movable:
    """A task that may be moved, where it lies, and where the order and its bounds let it lie."""

    task: Task
    span: Span
    allowed: AllowedRange
    allowance: Allowance | None = None

    @property
    def is_guest(self) -> bool:
        """Whether it sits in a host, so that its own cells count for nothing."""
        return self.task.embed_host is not None

    @property
    def may_be_guest(self) -> bool:
        """Whether it may lie inside courses."""
        return self.allowance is None or self.allowance.in_hosts

    @property
    def reach(self) -> tuple[float, float]:
        """The first and the last day of which order and bounds leave anything."""
        after, before = self.allowed.after, self.allowed.before
        first = -inf if after is None else after.span.day
        last = inf if before is None else before.span.day
        if self.allowance is not None:
            return max(first, self.allowance.first), min(last, self.allowance.last)
        return first, last

    def may_reach(self, day: int) -> bool:
        """Whether order and bounds leave anything of a day."""
        first, last = self.reach
        return first <= day <= last

    def within(self, day: int, starts: int) -> int:
        """Those of the starts of a day that order and bounds admit."""
        starts = bounded(starts, day, self.span.length, self.allowed)
        if starts and self.allowance is not None:
            starts &= self.allowance.starts(day, self.span.length)
        return starts

    def may_take(self, other: "Movable") -> bool:
        """Whether it may lie where another one lies."""
        return self.allowed.admits(other.span) and (
            self.allowance is None or self.allowance.admits(other.span, in_host=other.is_guest)
        )


def movable(state: PlanningState, task: Task) -> Movable | None:
    """The task with its range, where it may be moved at all."""
    return _with_range(state, task) if is_movable(state, task) else None


def all_swappable(state: PlanningState) -> tuple[Movable, ...]:
    """Every task that may be swapped, by id."""
    return tuple(_with_range(state, t) for t in state.tasks.values() if is_swappable(state, t))


def is_movable(state: PlanningState, task: Task) -> bool:
    """Whether `move` may touch it at all: suggested, one block, not begun, no locked host."""
    return task.status is Status.SUGGESTED and is_swappable(state, task)


def is_swappable(state: PlanningState, task: Task) -> bool:
    """Whether `swap` may touch it at all: as for `move`, but it may be written already."""
    if len(task.slots) != 1 or task.locked or task.can_embed:
        return False
    if state.window.has_begun(task.slots[0]):
        return False
    host = None if task.embed_host is None else state.task(task.embed_host)
    return host is None or not host.locked


def _with_range(state: PlanningState, task: Task) -> Movable:
    allowed = state.class_view(task.task_class_id).range_of(task.state_id)
    return Movable(
        task,
        task.slots[0],
        OPEN_RANGE if allowed is None else allowed,
        state.allowance_of(task.task_class_id),
    )
