"""Levels a filled board from the fullest days down, one item at a time.

Spec: tools.md, spread_even.
Quick rather than exact: the item of the fullest day that gains most goes where it gains it, until
no item of any day gains.
"""

from heapq import heapify, heappop, heappush
from itertools import accumulate
from operator import add, sub

from libs.planning.board import LEVEL, NEVER, Board

STEPS = 1_000
"""Days that are looked at in all."""


def level(board: Board, steps: int = STEPS) -> None:
    """Lowers J by single moves."""
    levelling = _Levelling(board)
    fullest = [(-load, day) for day, load in enumerate(board.load)]
    heapify(fullest)
    while fullest and steps:
        load, day = heappop(fullest)
        if -load != board.load[day]:
            continue
        steps -= 1
        to = levelling.relieve(day)
        if to >= 0:
            heappush(fullest, (-board.load[day], day))
            heappush(fullest, (-board.load[to], to))


class _Costs:
    """What one item of a group would cost on each day, kept as the board changes.

    Numbers hold a cost above `shift` bits and a day in them, so that the least one names its day.
    `ahead[d]` is the cost for an item that comes from before, but for `later` of where it comes
    from; `behind[d]` for one from after it, but for `earlier` of there.
    """

    __slots__ = ("_board", "_group", "_shift", "ahead", "behind", "earlier", "later")

    def __init__(self, board: Board, group: int, shift: int) -> None:
        self._board = board
        self._group = group
        self._shift = shift
        self.carry()

    def carry(self) -> None:
        """Sums up anew what it costs to pass each night."""
        board, step = self._board, 1 << self._shift
        nights = board.nights[self._group][:-1]
        self.later = [0, *accumulate([step if night <= 0 else -step for night in nights])]
        self.earlier = [0, *accumulate([step if night >= 0 else -step for night in nights])]
        stops = [self._stop(day) for day in range(board.days)]
        self.ahead = list(map(add, stops, self.later))
        self.behind = list(map(sub, stops, self.earlier))

    def note(self, day: int) -> None:
        """Takes in that a day has changed."""
        self._set(day, self._stop(day))

    def shut(self, day: int) -> None:
        """Until it changes the day has no place."""
        self._set(day, (NEVER << self._shift) + day)

    def best_way(self, day: int) -> int:
        """The cheapest way of an item of a day to another one."""
        never = NEVER << self._shift
        ahead = min(self.ahead[day + 1 :], default=never) - self.later[day]
        return min(ahead, min(self.behind[:day], default=never) + self.earlier[day])

    def _set(self, day: int, stop: int) -> None:
        self.ahead[day] = stop + self.later[day]
        self.behind[day] = stop - self.earlier[day]

    def _stop(self, day: int) -> int:
        board, group = self._board, self._board.groups[self._group]
        if not group.starts[day] or board.room[day] < group.length:
            return (NEVER << self._shift) + day
        cost = LEVEL * group.length * (2 * board.load[day] + group.length)
        return (cost << self._shift) + day


class _Levelling:
    """The costs of all groups that have been asked for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._shift = board.days.bit_length()
        self._costs: dict[int, _Costs] = {}

    def relieve(self, day: int) -> int:
        """Makes the best move of an item of a day; the day it went to, or −1."""
        board, shift = self._board, self._shift
        best = 0, -1, -1
        for group in sorted(set(board.on_day(day))):
            length = board.groups[group].length
            way = self._best_way(group, day)
            gain = (way >> shift) + LEVEL * length * (length - 2 * board.load[day])
            best = min(best, (gain, group, way & ((1 << shift) - 1)))
        gain, group, to = best
        if gain >= 0:
            return -1
        board.move(group, day, to)
        for number, costs in self._costs.items():
            if number == group:
                costs.carry()
            else:
                costs.note(day)
                costs.note(to)
        return to

    def _best_way(self, group: int, day: int) -> int:
        """The cheapest way to a day that has a place; whether it has is looked at late."""
        if group not in self._costs:
            self._costs[group] = _Costs(self._board, group, self._shift)
        costs = self._costs[group]
        while True:
            way = costs.best_way(day)
            to = way & ((1 << self._shift) - 1)
            if way >= NEVER << self._shift - 1 or self._board.fits(to, group):
                return way
            costs.shut(to)
