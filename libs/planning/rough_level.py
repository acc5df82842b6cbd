"""Levels a filled board from the fullest days down, one item at a time.

Spec: tools.md, spread_even.
Quick rather than exact: the item of the fullest day that gains most goes where it gains it, until
no item of any day gains.
"""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from itertools import accumulate

from libs.planning.board import LEVEL, Board, reach

STEPS = 1_000
"""Days that are looked at in all."""


def level(board: Board, steps: int = STEPS) -> None:
    """Lowers J by single moves."""
    reaches = [reach(group) for group in board.groups]
    fullest = [(-load, day) for day, load in enumerate(board.load)]
    heapify(fullest)
    while fullest and steps:
        load, day = heappop(fullest)
        if -load != board.load[day]:
            continue
        steps -= 1
        group, to = _best_move(board, reaches, day)
        if to >= 0:
            board.move(group, day, to)
            heappush(fullest, (-board.load[day], day))
            heappush(fullest, (-board.load[to], to))


def _best_move(board: Board, reaches: list[tuple[int, int]], day: int) -> tuple[int, int]:
    """The group of a day and the day that one of its items best goes to, −1 for none."""
    least, best = 0, (-1, -1)
    for group in board.groups_on(day):
        for gain, to in sorted(_gains(board, group, day, *reaches[group])):
            if gain >= least:
                break
            if board.fits(to, group):
                least, best = gain, (group, to)
                break
    return best


def _gains(board: Board, group: int, day: int, first: int, last: int) -> Iterator[tuple[int, int]]:
    """What J changes by, below 0, were an item of a day on another one; and that day."""
    length = board.groups[group].length
    nights, loads = board.nights[group], board.load
    weight, level_from = 2 * LEVEL * length, loads[day] - length
    later = accumulate([1 if night <= 0 else -1 for night in nights[day:last]])
    for to, load, carried in zip(
        range(day + 1, last + 1), loads[day + 1 : last + 1], later, strict=True
    ):
        if (gain := weight * (load - level_from) + carried) < 0:
            yield gain, to
    earlier = accumulate([1 if night >= 0 else -1 for night in nights[first:day][::-1]])
    for to, load, carried in zip(
        range(day - 1, first - 1, -1), loads[first:day][::-1], earlier, strict=True
    ):
        if (gain := weight * (load - level_from) + carried) < 0:
            yield gain, to
