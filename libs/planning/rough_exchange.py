"""Exchanges between two days, with a third party at either end, that lower J.

One or two items of a day change places with up to two of another day. What the one day then has
too much and the other too little, one more item may mend at each end: it goes on to where it
costs least, or comes from there. Spec: planning.md, Rough build.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate, combinations_with_replacement
from operator import add, sub

from libs.planning.board import LEVEL, NEVER, Board
from libs.planning.rough_chains import Chains, Move

REACH = 12
"""How far apart the two days lie at most."""

LOOKED_AT = 600
"""How many of the exchanges that should gain are looked at closely."""

_MOST = 4
"""By how many sections the loads of the two days change at most, before they are mended."""

Mend = tuple[int, int, int]
"""What it costs to live with some sections more; the group that mends, −1 for none, and from where

it comes: −1 where it goes on instead.
"""

Exchange = tuple[int, int, int, int, int]
"""Gain, day, other day, which of the sets goes there, which comes back."""


class Sets:
    """None, each one and each two of the groups of a board, and where they may not lie at all."""

    def __init__(self, board: Board) -> None:
        groups = range(len(board.groups))
        self.groups = [
            some for size in range(3) for some in combinations_with_replacement(groups, size)
        ]
        self.numbers = {some: number for number, some in enumerate(self.groups)}
        lengths = [group.length for group in board.groups]
        self.lengths = [sum(lengths[g] for g in some) for some in self.groups]
        self.widest = max(self.lengths) + _MOST
        shut = [[0 if starts else NEVER for starts in group.starts] for group in board.groups]
        self._shut = self._columns(shut, [0] * board.days)

    def costs(self, lines: Sequence[Sequence[int]], sign: int) -> list[tuple[int, ...]]:
        """For each day the sum of the lines of each set's groups, ± NEVER where it may not lie."""
        columns = self._columns(lines, [0] * len(self._shut[0]))
        by_day = add if sign > 0 else sub
        shut = [map(by_day, column, out) for column, out in zip(columns, self._shut, strict=True)]
        return list(zip(*shut, strict=True))

    def _columns(
        self, of_groups: Sequence[Sequence[int]], nothing: Sequence[int]
    ) -> list[Sequence[int]]:
        columns = []
        for some in self.groups:
            column = nothing
            for group in some:
                column = list(map(add, column, of_groups[group]))
            columns.append(column)
        return columns

    def of(self, groups: Sequence[int]) -> list[int]:
        """The numbers of none, each one, each two of a day's items."""
        pairs = {(one, two) for place, one in enumerate(groups) for two in groups[place + 1 :]}
        chosen = [(), *((one,) for one in sorted(set(groups))), *sorted(pairs)]
        return [self.numbers[some] for some in chosen]


class Exchanges:
    """The exchanges of a board as it is. `chains` are its chains."""

    def __init__(self, board: Board, sets: Sets, chains: Chains) -> None:
        self._board = board
        self._chains = chains
        self._sets = sets
        self._on_day = [sets.of(board.on_day(day)) for day in range(board.days)]
        self._later = sets.costs(chains.lines.later, 1)
        self._earlier = sets.costs(chains.lines.earlier, -1)
        self._providers = [self._provider(group) for group in range(len(board.groups))]
        self._mends = [self._mending(day) for day in range(board.days)]

    def found(self, around: Collection[int]) -> Iterator[tuple[Move, ...]]:
        """The moves of the exchanges that should gain, the best first.

        Only those with one of `around` for a day.
        """
        board = self._board
        never = [NEVER] * (self._sets.widest - _MOST)
        costs = [[*never, *(cost for cost, _, _ in mends), *never] for mends in self._mends]
        found: list[Exchange] = []
        for day in range(board.days):
            others = range(day + 1, min(day + REACH + 1, board.days))
            for other in others if day in around else filter(around.__contains__, others):
                added = list(map(add, costs[day], reversed(costs[other])))
                found += self._between(day, other, added)
        found.sort()
        for exchange in found[:LOOKED_AT]:
            moves = self._moves(exchange)
            if self._is_possible(moves, exchange[1:3]):
                yield moves

    def _between(self, day: int, other: int, added: Sequence[int]) -> list[Exchange]:
        """What would gain; `added` says what the two days cost then, by the sections that come."""
        lengths, wide = self._sets.lengths, self._sets.widest
        later_here, later_there = self._later[day], self._later[other]
        earlier_here, earlier_there = self._earlier[day], self._earlier[other]
        coming = [
            (lengths[number] + wide, earlier_there[number] - earlier_here[number], number)
            for number in self._on_day[other]
        ]
        found = []
        for number in self._on_day[day]:
            length = lengths[number]
            carried = later_there[number] - later_here[number]
            found += [
                (carried + back + added[width - length], day, other, number, comes)
                for width, back, comes in coming
                if carried + back + added[width - length] < 0
            ]
        return found

    def _moves(self, exchange: Exchange) -> tuple[Move, ...]:
        _, day, other, goes, comes = exchange
        by = self._sets.lengths[comes] - self._sets.lengths[goes]
        return (
            *((group, day, other) for group in self._sets.groups[goes]),
            *((group, other, day) for group in self._sets.groups[comes]),
            *self._mended(day, by),
            *self._mended(other, -by),
        )

    def _mended(self, day: int, by: int) -> tuple[Move, ...]:
        _, group, provider = self._mends[day][_MOST + by]
        if group < 0:
            return ()
        if provider >= 0:
            return ((group, provider, day),)
        return self._chains.way_out(group, day)

    def _is_possible(self, moves: Sequence[Move], days: Sequence[int]) -> bool:
        """Whether both days hold what would then lie there."""
        board = self._board
        for day in days:
            leaving = [group for group, left, _ in moves if left == day]
            coming = [group for group, _, reached in moves if reached == day]
            for group in leaving:
                if group in coming or leaving.count(group) > board.counts[group][day]:
                    return False
            if not board.holds_after(day, coming, leaving):
                return False
        return True

    def _provider(self, group: int) -> list[tuple[int, int]]:
        """For each day the cheapest other day to take an item of the group from: (cost, day)."""
        board = self._board
        length = board.groups[group].length
        later, earlier = self._chains.lines.later[group], self._chains.lines.earlier[group]
        without = [
            LEVEL * length * (length - 2 * load) if count else NEVER
            for count, load in zip(board.counts[group], board.load, strict=True)
        ]
        none = NEVER, 0
        from_before = [
            (value - cost, day)
            for day, (value, cost) in enumerate(zip(without, later, strict=True))
        ]
        from_after = [
            (value + cost, day)
            for day, (value, cost) in enumerate(zip(without, earlier, strict=True))
        ]
        before = [none, *accumulate(from_before[:-1], min)]
        after = [*list(accumulate(reversed(from_after[1:]), min))[::-1], none]
        return [
            min((b + late, d), (a - early, e))
            for (b, d), (a, e), late, early in zip(before, after, later, earlier, strict=True)
        ]

    def _mending(self, day: int) -> list[Mend]:
        """How to live with −4..4 sections more on a day."""
        board = self._board
        ways: dict[int, Mend] = {0: (0, -1, -1)}
        for number, group in enumerate(board.groups):
            if board.counts[number][day]:
                _better(ways, -group.length, (self._chains.cost_out(number, day), number, -1))
            if group.starts[day]:
                cost, provider = self._providers[number][day]
                _better(ways, group.length, (cost, number, provider))
        twice, room = 2 * board.load[day], board.room[day]
        best: list[Mend] = [(NEVER, -1, -1)] * (2 * _MOST + 1)
        for by, (cost, mender, source) in sorted(ways.items()):
            for more in range(-_MOST, min(_MOST, room - by) + 1):
                total = LEVEL * (more + by) * (twice + more + by) + cost
                if total < best[_MOST + more][0]:
                    best[_MOST + more] = total, mender, source
        return best


def _better(ways: dict[int, Mend], by: int, way: Mend) -> None:
    if way[0] < NEVER >> 1 and (by not in ways or way < ways[by]):
        ways[by] = way
