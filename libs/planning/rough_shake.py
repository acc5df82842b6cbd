"""Shaking a board that has settled, and keeping of two settled boards the better stretches.

Two boards with the same items on the same days up to a night are independent on either side of
it: each stretch between such nights may be taken from either board. So a shake that betters one
stretch and spoils ten has bettered the board. Spec: planning.md, Rough build.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import sub

from libs.planning.board import LEVEL, Board

Counts = Sequence[Sequence[int]]
"""How many items of each group lie on each day."""


class Dice:
    """Throws that look random and are the same each time (a linear congruence)."""

    def __init__(self, seed: int = 1) -> None:
        self._at = seed

    def below(self, bound: int) -> int:
        """A number from 0 to bound − 1."""
        self._at = (self._at * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._at >> 33) % bound


def shake(board: Board, dice: Dice, *, every: int, far: int) -> None:
    """Moves an item about once in `every` days to another day at most `far` away."""
    for start in range(dice.below(every), board.days, every):
        day = min(start + dice.below(every), board.days - 1)
        groups = board.on_day(day)
        if not groups:
            continue
        group = groups[dice.below(len(groups))]
        to = day + dice.below(2 * far + 1) - far
        if to != day and 0 <= to < board.days and board.fits(to, group):
            board.move(group, day, to)


def counts_of(board: Board) -> tuple[tuple[int, ...], ...]:
    """A copy of how many lie where."""
    return tuple(map(tuple, board.counts))


def take_better(board: Board, other: Counts) -> None:
    """Takes over from `other` each stretch of days that is worth more there."""
    apart = [
        list(accumulate(map(sub, here, there)))
        for here, there in zip(board.counts, other, strict=True)
    ]
    start, gain = 0, 0
    for day in range(board.days):
        gain += _gain(board, other, apart, day)
        if not any(differences[day] for differences in apart):
            if gain < 0:
                _take(board, other, range(start, day + 1))
            start, gain = day + 1, 0


def _gain(board: Board, other: Counts, apart: Counts, day: int) -> int:
    """What J of one day would change by; `apart` is how many more lie here up to each night."""
    gain, more = 0, 0
    for number, group in enumerate(board.groups):
        more += group.length * (board.counts[number][day] - other[number][day])
        night = board.nights[number][day]
        gain += abs(night - apart[number][day]) - abs(night)
    return gain + LEVEL * more * (more - 2 * board.load[day])


def _take(board: Board, other: Counts, days: Iterable[int]) -> None:
    for group, (here, there) in enumerate(zip(board.counts, other, strict=True)):
        too_many = [day for day in days for _ in range(here[day] - there[day])]
        too_few = [day for day in days for _ in range(there[day] - here[day])]
        for day, to in zip(too_many, too_few, strict=True):
            board.move(group, day, to)
