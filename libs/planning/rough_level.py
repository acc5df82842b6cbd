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


class _Levelling:
    """What each item would cost elsewhere, kept as the board changes.

    Numbers hold a cost above `shift` bits and a day in them, so that the least one names its day:
    `_stops[g]` for one more item of a group on each day, `_lines[g]` the sums over the nights
    before each day, for an item that goes to a later and to an earlier day.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._shift = board.days.bit_length()
        self._stops: dict[int, list[int]] = {}
        self._lines: dict[int, tuple[list[int], list[int]]] = {}

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
        del self._lines[group]
        for number in self._stops:
            self._note(number, day)
            self._note(number, to)
        return to

    def _best_way(self, group: int, day: int) -> int:
        stops = self._stops_of(group)
        later, earlier = self._lines_of(group)
        ahead = min(map(add, stops[day + 1 :], later[day + 1 :]), default=NEVER << self._shift)
        behind = min(map(sub, stops[:day], earlier[:day]), default=NEVER << self._shift)
        return min(ahead - later[day], behind + earlier[day])

    def _lines_of(self, group: int) -> tuple[list[int], list[int]]:
        if group not in self._lines:
            step = 1 << self._shift
            nights = self._board.nights[group][:-1]
            self._lines[group] = (
                [0, *accumulate([step if night <= 0 else -step for night in nights])],
                [0, *accumulate([step if night >= 0 else -step for night in nights])],
            )
        return self._lines[group]

    def _stops_of(self, group: int) -> list[int]:
        if group not in self._stops:
            self._stops[group] = [0] * self._board.days
            for day in range(self._board.days):
                self._note(group, day)
        return self._stops[group]

    def _note(self, group: int, day: int) -> None:
        board = self._board
        length = board.groups[group].length
        cost = LEVEL * length * (2 * board.load[day] + length)
        fits = board.fits(day, group)
        self._stops[group][day] = ((cost if fits else NEVER) << self._shift) + day
