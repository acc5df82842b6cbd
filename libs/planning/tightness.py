"""How many legal moves and swaps a plan has left. Spec: planning.md, Health (tightness)."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from operator import and_

from libs.planning.allowance import Allowance
from libs.planning.openings import Movable, Openings, all_swappable
from libs.planning.state import PlanningState, Status
from libs.planning.thresholds import THRESHOLDS


class Tightness(StrEnum):
    """How free the plan still is."""

    LOOSE = "loose"
    TIGHT = "tight"
    LOCKED = "locked"


@dataclass(frozen=True, slots=True)
class Ways:
    """How many tasks may move, the legal single moves (task and place), the legal swaps."""

    movable: int
    moves: int
    swaps: int

    @property
    def tightness(self) -> Tightness:
        """locked: none at all; tight: few for each task that may move."""
        ways = self.moves + self.swaps
        if not ways:
            return Tightness.LOCKED
        few = ways < THRESHOLDS.loose_ways * self.movable
        return Tightness.TIGHT if few else Tightness.LOOSE


def count_ways(state: PlanningState, swappable: Sequence[Movable] | None = None) -> Ways:
    """Counts them all; places that bridge a break count, as `move` may.

    `swappable`: `all_swappable` of the state, for whoever has it already.
    """
    if swappable is None:
        swappable = all_swappable(state)
    movable = [one for one in swappable if one.task.status is Status.SUGGESTED]
    openings = Openings(state)
    moves = sum(_Starts(state, openings, *alike).moves(of) for alike, of in _alike(movable).items())
    by_length: dict[int, list[Movable]] = {}
    for one in swappable:
        by_length.setdefault(one.span.length, []).append(one)
    return Ways(len(movable), moves, sum(map(_swaps, by_length.values())))


def _alike(tasks: Iterable[Movable]) -> dict[tuple[int, Allowance | None], list[Movable]]:
    """Those of one length that are to lie within the same bounds."""
    found: dict[tuple[int, Allowance | None], list[Movable]] = {}
    for one in tasks:
        found.setdefault((one.span.length, one.allowance), []).append(one)
    return found


class _Starts:
    """The places for tasks that are alike, by day, and how many there are up to each day."""

    def __init__(
        self, state: PlanningState, openings: Openings, length: int, allowance: Allowance | None
    ) -> None:
        self._last = state.window.total_days
        self._openings = openings
        days = range(1, self._last + 1)
        starts_of = openings.starts
        if allowance is not None and not allowance.in_hosts:
            starts_of = openings.free_starts
        self._starts = [starts_of(day, length) for day in days]
        if allowance is not None:
            within = [allowance.starts(day, length) for day in days]
            self._starts = list(map(and_, self._starts, within))
        self._up_to = [0, *accumulate(starts.bit_count() for starts in self._starts)]

    def moves(self, tasks: Sequence[Movable]) -> int:
        """The legal moves of tasks of this length."""
        return sum(self._moves_of(one) for one in tasks)

    def _moves_of(self, one: Movable) -> int:
        after, before = one.allowed.after, one.allowed.before
        first = 1 if after is None else max(after.span.day, 1)
        last = self._last if before is None else min(before.span.day, self._last)
        if first > last:
            return 0
        own = one.span.day
        found = self._up_to[last] - self._up_to[first - 1]
        for day in {first, last} - {own}:
            starts = self._starts[day - 1]
            found += one.within(day, starts).bit_count() - starts.bit_count()
        if first <= own <= last:
            found += self._openings.places_of(one, own).bit_count()
            found -= self._starts[own - 1].bit_count()
        return found


def _by_place(one: Movable) -> tuple[int, int, int]:
    return one.span.day, one.span.first, one.task.state_id


def _swaps(tasks: Sequence[Movable]) -> int:
    """Pairs of which each may lie where the other lies."""
    placed = sorted(tasks, key=_by_place)
    starts = [one.span.start for one in placed]
    ends = [one.span.end for one in placed]
    opens: list[list[int]] = [[] for _ in placed]
    closes = []
    for number, one in enumerate(placed):
        after, before = one.allowed.after, one.allowed.before
        first = 0 if after is None else bisect_right(starts, after.span.end)
        last = len(placed) if before is None else bisect_left(ends, before.span.start)
        closes.append(last)
        if first < number:
            opens[first].append(number)
        else:
            opens[number].append(number)
    # Bit b of `reachable` is set once task b may come as early as the task that is looked at.
    reachable, pairs = 0, 0
    bounds = _Bounds(placed)
    for number in range(len(placed)):
        for other in opens[number]:
            reachable |= 1 << other
        width = closes[number] - number - 1
        if width > 0:
            others = reachable & bounds.partners(number)
            pairs += (others >> (number + 1) & ((1 << width) - 1)).bit_count()
    return pairs


class _Bounds:
    """Of some tasks, as masks by their number: where who may lie by their bounds."""

    def __init__(self, placed: Sequence[Movable]) -> None:
        self._placed = placed
        self._everyone = (1 << len(placed)) - 1
        self._members: dict[Allowance | None, int] = {}
        for number, one in enumerate(placed):
            self._members[one.allowance] = self._members.get(one.allowance, 0) | 1 << number
        self._admitted = {
            allowance: sum(
                1 << number
                for number, one in enumerate(placed)
                if allowance is None or allowance.admits(one.span, in_host=one.is_guest)
            )
            for allowance in self._members
        }

    def partners(self, number: int) -> int:
        """Those whose place is within the bounds of a task, and its place within theirs."""
        if self._members.keys() == {None}:
            return self._everyone
        one, found = self._placed[number], 0
        for allowance, members in self._members.items():
            if allowance is None or allowance.admits(one.span, in_host=one.is_guest):
                found |= members
        return found & self._admitted[one.allowance]
