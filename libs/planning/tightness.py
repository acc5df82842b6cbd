"""How many legal moves and swaps a plan has left. Spec: planning.md, Health (tightness)."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from libs.planning.openings import Movable, Openings, all_movable, all_swappable
from libs.planning.state import PlanningState
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


def count_ways(state: PlanningState) -> Ways:
    """Counts them all; places that bridge a break count, as `move` may."""
    movable = all_movable(state)
    moves = sum(_Starts(state, length).moves(of) for length, of in _by_length(movable).items())
    swaps = sum(map(_swaps, _by_length(all_swappable(state)).values()))
    return Ways(len(movable), moves, swaps)


def _by_length(tasks: Sequence[Movable]) -> dict[int, list[Movable]]:
    found: dict[int, list[Movable]] = {}
    for one in tasks:
        found.setdefault(one.span.length, []).append(one)
    return found


class _Starts:
    """The places for runs of one length, by day, and how many there are up to each day."""

    def __init__(self, state: PlanningState, length: int) -> None:
        self._last = state.window.total_days
        self._openings = Openings(state)
        self._starts = [self._openings.starts(day, length) for day in range(1, self._last + 1)]
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
        edges = {first, last, one.span.day} & set(range(first, last + 1))
        inner = self._up_to[last] - self._up_to[first - 1]
        for day in edges:
            inner -= self._starts[day - 1].bit_count()
            inner += self._openings.places_of(one, day).bit_count()
        return inner


def _swaps(tasks: Sequence[Movable]) -> int:
    """Pairs of which each may lie where the other lies."""
    placed = sorted(tasks, key=lambda one: (one.span, one.task.state_id))
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
    for number in range(len(placed)):
        for other in opens[number]:
            reachable |= 1 << other
        width = closes[number] - number - 1
        if width > 0:
            pairs += (reachable >> (number + 1) & ((1 << width) - 1)).bit_count()
    return pairs
