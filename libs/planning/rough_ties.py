"""Of boards of equal J one with few repeats: days next to each other with items of one class.

Items change days, or places with items of other groups, where J stays what it is and a repeat
goes. Spec: planning.md, Rough build (minimised after J).
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from libs.planning.board import Board
from libs.planning.rough_chains import Move

_REACH = 7
"""How far an item is moved for it, in days."""

_LOOKS = 6_000
"""Ways that are looked at in all."""


class Repeats:
    """How often each class lies on each day: its items on the board, and blocks that stay."""

    def __init__(
        self, board: Board, classes: Sequence[int], blocks: Sequence[Sequence[int]]
    ) -> None:
        """`classes[g]` is the class of a group, counted from 0; `blocks[c]` the days of blocks."""
        self._board = board
        self._classes = classes
        self._held = [[0] * (board.days + 2) for _ in blocks]
        for held, days in zip(self._held, blocks, strict=True):
            for day in days:
                held[day + 1] += 1
        for group, counts in enumerate(board.counts):
            held = self._held[classes[group]]
            for day, count in enumerate(counts):
                held[day + 1] += count

    def count(self) -> int:
        """All repeats: for each class the pairs of neighbouring days that both hold it."""
        return sum(1 for held in self._held for one, next_ in pairwise(held) if one and next_)

    def lessen(self) -> None:
        """Makes moves at equal J that take repeats away, until none is found nearby."""
        looks = _LOOKS
        for day in range(self._board.days):
            for group in sorted(set(self._board.on_day(day))):
                if not self._is_repeated(group, day):
                    continue
                for moves in self._ways(group, day):
                    looks -= 1
                    if self._lessened(moves):
                        break
                if looks <= 0:
                    return

    def _is_repeated(self, group: int, day: int) -> bool:
        held = self._held[self._classes[group]]
        return held[day + 1] == 1 and bool(held[day] or held[day + 2])

    def _ways(self, group: int, day: int) -> Iterator[tuple[Move, ...]]:
        """To an emptier day, or in the place of an item of another class; the nearest first."""
        board, classes = self._board, self._classes
        length = board.groups[group].length
        for far in range(1, _REACH + 1):
            for to in (day - far, day + far):
                if not 0 <= to < board.days or not board.groups[group].starts[to]:
                    continue
                if board.load[to] + length == board.load[day] and board.fits(to, group):
                    yield ((group, day, to),)
                for other in sorted(set(board.on_day(to))):
                    if classes[other] != classes[group] and board.groups[other].length == length:
                        yield (group, day, to), (other, to, day)

    def _lessened(self, moves: Sequence[Move]) -> bool:
        """Makes moves if J stays, every day holds them and repeats go; else nothing stays made."""
        board = self._board
        cost, repeats = board.cost, self._around(moves)
        self._make(moves)
        if (
            board.cost <= cost
            and self._around(moves) < repeats
            and all(board.groups[group].starts[to] and board.holds(to) for group, _, to in moves)
        ):
            return True
        self._make([(group, to, day) for group, day, to in reversed(moves)])
        return False

    def _make(self, moves: Sequence[Move]) -> None:
        for group, day, to in moves:
            self._board.move(group, day, to)
            held = self._held[self._classes[group]]
            held[day + 1] -= 1
            held[to + 1] += 1

    def _around(self, moves: Sequence[Move]) -> int:
        """The repeats that these moves can change."""
        pairs = {
            (self._classes[group], first)
            for group, day, to in moves
            for place in (day, to)
            for first in (place, place + 1)
        }
        return sum(1 for of, first in pairs if self._held[of][first] and self._held[of][first + 1])
