"""Chains and cycles of moves that lower J together, where none of them would alone.

An item leaves its day for another, where an item of another group makes room for it and goes on,
and so on, until one finds room. What the best such chain costs from each (group, day) is found for
all of them at once, step by step like Bellman-Ford; along the days of a group by running minima. A
chain that meets itself is a cycle. Spec: planning.md, Rough build.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from operator import add, sub

from libs.planning.board import LEVEL, NEVER, Board

Move = tuple[int, int, int]
"""A group, the day that one of its items leaves, the day that it goes to."""


class Lines:
    """What it costs in |φ| to carry one item of a group from day to day, as the board is now.

    `later[g][d]` sums the nights before day d for an item that moves to a later day, `earlier`
    for one that moves to an earlier day: from d to a later e costs later[e] − later[d], from d to
    an earlier e costs earlier[d] − earlier[e].
    """

    __slots__ = ("_sums", "earlier", "later", "shift")

    def __init__(self, board: Board) -> None:
        shift = self.shift = board.days.bit_length()
        self.later = [
            [0, *accumulate([1 if night <= 0 else -1 for night in nights[:-1]])]
            for nights in board.nights
        ]
        self.earlier = [
            [0, *accumulate([1 if night >= 0 else -1 for night in nights[:-1]])]
            for nights in board.nights
        ]
        days = range(board.days)
        self._sums = [
            (
                [(cost << shift) + day for cost, day in zip(later, days, strict=True)],
                [cost << shift for cost in later],
                [day - (cost << shift) for cost, day in zip(earlier, days, strict=True)],
                [cost << shift for cost in earlier[1:]],
            )
            for later, earlier in zip(self.later, self.earlier, strict=True)
        ]

    def cost(self, group: int, day: int, to: int) -> int:
        """From a day to another."""
        if day <= to:
            return self.later[group][to] - self.later[group][day]
        return self.earlier[group][day] - self.earlier[group][to]

    def between(self, day: int, to: int) -> list[int]:
        """From a day to another, for each group."""
        if day <= to:
            return [line[to] - line[day] for line in self.later]
        return [line[day] - line[to] for line in self.earlier]

    def best(self, group: int, values: Sequence[int]) -> list[int]:
        """For each day the least of line cost + values over all other days, and which day it is.

        Both in one number, the cost above `shift` bits that hold the day.
        """
        ahead, later, behind, earlier = self._sums[group]
        shifted = [value << self.shift for value in values]
        from_ahead = list(accumulate(map(add, reversed(shifted), reversed(ahead)), min))
        from_behind = accumulate(map(add, shifted, behind), min)
        none = NEVER << self.shift
        forward = [*map(sub, from_ahead[-2::-1], later), none]
        return list(map(min, forward, chain([none], map(add, from_behind, earlier))))


@dataclass(frozen=True, slots=True)
class Chain:
    """Moves to be made together, and what they are thought to gain (less is better)."""

    gain: int
    moves: tuple[Move, ...]


class Chains:
    """The best chains of a board as it is, up to `depth` moves long."""

    def __init__(self, board: Board, depth: int) -> None:
        self._board = board
        self.lines = Lines(board)
        self._shift = self.lines.shift
        self._facts = [board.facts(day) for day in range(board.days)]
        self._stops = [list(row) for row in zip(*(f.stops for f in self._facts), strict=True)]
        self._values = self._stops
        self._bests: list[list[list[int]]] = []
        self._choices: list[list[list[int]]] = []
        self._unsettled: list[tuple[int, int]] = []
        self._grow(depth)

    def entrance(self, group: int, ideal: int) -> tuple[int, tuple[Move, ...]] | None:
        """The cheapest day for one more item, and the moves that make room for it there."""
        values = self._values[group]
        value, day = min((v + self.lines.cost(group, ideal, d), d) for d, v in enumerate(values))
        if value >= NEVER >> 1:
            return None
        other = self._choices[-1][group][day] if self._choices else -1
        if other < 0:
            return day, ()
        return day, tuple(self._moves(other, day))

    def found(self) -> list[Chain]:
        """Chains and cycles that should lower J, the best first."""
        return sorted({*self._open_chains(), *self._cycles()}, key=lambda c: (c.gain, c.moves))

    def _grow(self, depth: int) -> None:
        """Lets the chains grow by one move at a time, until none is bettered."""
        values = self._stops
        for _ in range(depth):
            bests = [self.lines.best(group, row) for group, row in enumerate(values)]
            self._bests.append(bests)
            if depth == 1:
                return
            grown, choices = self._pushed(bests)
            self._choices.append(choices)
            self._values = grown
            self._unsettled = [
                (group, day)
                for group, (old, new) in enumerate(zip(values, grown, strict=True))
                if old != new
                for day, (was, now) in enumerate(zip(old, new, strict=True))
                if now < was
            ]
            if not self._unsettled:
                return
            values = grown

    def _pushed(self, bests: list[list[int]]) -> tuple[list[list[int]], list[list[int]]]:
        """What it costs to come in where one may push another out, and whom (−1: nobody)."""
        shift = self._shift
        grown = [row.copy() for row in self._stops]
        choices = [[-1] * len(row) for row in grown]
        for day, facts in enumerate(self._facts):
            for group, other, added in facts.pushes:
                value = added + (bests[other][day] >> shift)
                if value < grown[group][day]:
                    grown[group][day], choices[group][day] = value, other
        return grown, choices

    def _open_chains(self) -> Iterator[Chain]:
        """Chains that begin with an item of a day and end where there is room."""
        board, bests = self._board, self._bests[-1]
        for group, counts in enumerate(board.counts):
            length = board.groups[group].length
            for day, (count, load) in enumerate(zip(counts, board.load, strict=True)):
                if count:
                    way = bests[group][day] >> self._shift
                    gain = way + LEVEL * length * (length - 2 * load)
                    if gain < 0:
                        yield Chain(gain, tuple(self._moves(group, day)))

    def _moves(self, group: int, day: int) -> Iterator[Move]:
        mask = (1 << self._shift) - 1
        for step in range(len(self._bests) - 1, -1, -1):
            to = self._bests[step][group][day] & mask
            yield group, day, to
            if not step:
                return
            other = self._choices[step - 1][group][to]
            if other < 0:
                return
            group, day = other, to

    def _cycles(self) -> Iterator[Chain]:
        """What the chains that could still be bettered run round in. Their gain is not known."""
        mask = (1 << self._shift) - 1
        for group, day in self._unsettled:
            seen: dict[tuple[int, int], int] = {}
            moves: list[Move] = []
            for step in range(len(self._choices) - 1, -1, -1):
                other = self._choices[step][group][day]
                if other < 0:
                    break
                if (group, day) in seen:
                    yield Chain(-1, tuple(moves[seen[group, day] :]))
                    break
                seen[group, day] = len(moves)
                to = self._bests[step][other][day] & mask
                moves.append((other, day, to))
                group, day = other, to
