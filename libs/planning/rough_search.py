"""Fills a board whose items differ in length or in where they may lie, and betters it.

The items are put one by one, the longest first, each where it costs least beside what the others
are yet to bring; then chains of moves, and sweeps over the days, lower J until none does, and the
board is shaken and swept again, until the effort is spent. Effort is counted in steps, not in time,
so that equal boards end equally. Spec: planning.md, Rough build.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import add, sub

from libs.planning.board import LEVEL, NEVER, Board
from libs.planning.rough_chains import Chains, Move
from libs.planning.rough_shake import Dice, counts_of, shake, take_better
from libs.planning.rough_sweep import Effort, Sweeps

EFFORT = 10_500
"""Steps of a search."""

_PUT = 15
"""What it cost to put an item, in steps."""

_SHAKES = 40
"""How often a board is shaken at most."""

_DEPTH, _ROUNDS = 3, 10
"""Moves of a chain, and how often chains are looked for before the sweeps."""

_CHAINED = 5
"""Days of a group that are looked at for chains with one step."""

_EVERY, _FAR = 7, 8
"""How thickly a shake moves items at most and how far: less on a board of few days."""

_FINE = 10
"""Bits behind the point of an expected load."""


def fill(board: Board, items: Sequence[tuple[int, int]], *, in_turn: bool) -> tuple[int, ...]:
    """Puts items, (group, ideal day) each, with a low J; gives the indices of what has no room.

    `in_turn`: as they come, so that the earlier ones get the room; else the longest first, as
    most can be placed so.
    """
    order = sorted(
        range(len(items)), key=lambda index: 0 if in_turn else -board.groups[items[index][0]].length
    )
    filling = _Filling(board, items)
    return tuple(sorted(index for index in order if not filling.put(*items[index])))


class _Filling:
    """Puts item after item. `_expected` are the loads with what is yet to come spread evenly."""

    def __init__(self, board: Board, items: Sequence[tuple[int, int]]) -> None:
        self._board = board
        self._shares = []
        for group in board.groups:
            days = sum(1 for starts in group.starts if starts)
            share = (group.length << _FINE) // max(days, 1)
            self._shares.append([share if starts else 0 for starts in group.starts])
        self._expected = [load << _FINE for load in board.load]
        for number, _ in items:
            self._expected = list(map(add, self._expected, self._shares[number]))
        self._full = {number for number, group in enumerate(board.groups) if not any(group.starts)}
        self._shut = [
            [0 if board.fits(day, number) else NEVER << _FINE for day in range(board.days)]
            for number in range(len(board.groups))
        ]

    def put(self, group: int, ideal: int) -> bool:
        """Puts one item; where no day has room the others make some. False where they cannot."""
        board = self._board
        self._expected = list(map(sub, self._expected, self._shares[group]))
        if group in self._full:
            return False
        length = board.groups[group].length
        weight = 2 * LEVEL * length
        shift = board.days.bit_length()
        rows = zip(
            _carried(board.nights[group], ideal), self._expected, self._shut[group], strict=True
        )
        best = min(
            ((carried << _FINE) + weight * expected + shut << shift) | day
            for day, (carried, expected, shut) in enumerate(rows)
        )
        day = best & ((1 << shift) - 1)
        if self._shut[group][day]:
            if not self._make_room(group, ideal):
                # What comes later frees no room: the group need not be looked at again.
                self._full.add(group)
            return group not in self._full
        board.put(group, day, ideal)
        self._note(group, day, 1)
        return True

    def _make_room(self, group: int, ideal: int) -> bool:
        board = self._board
        for depth in (1, 3, 9):
            way = Chains(board, depth).entrance(group, ideal)
            if way is None:
                continue
            day, moves = way
            board.put(group, day, ideal)
            if _moved(board, moves):
                self._note(group, day, 1)
                for other, left, reached in moves:
                    self._note(other, left, -1)
                    self._note(other, reached, 1)
                return True
            board.take(group, day, ideal)
        return False

    def _note(self, group: int, day: int, by: int) -> None:
        board = self._board
        self._expected[day] += by * board.groups[group].length << _FINE
        for number in range(len(board.groups)):
            self._shut[number][day] = 0 if board.fits(day, number) else NEVER << _FINE


def _carried(nights: Sequence[int], ideal: int) -> list[int]:
    """What an item of this ideal costs in |φ| on each day."""
    later = accumulate((1 if night <= 0 else -1 for night in nights[ideal:-1]), initial=0)
    earlier = accumulate((1 if night >= 0 else -1 for night in nights[:ideal][::-1]), initial=0)
    return [*list(earlier)[:0:-1], *later]


def improve(board: Board, effort: Effort) -> None:
    """Lowers J as far as the effort goes: settles, then is shaken and settles again and again.

    What it cost to fill the board is taken off the effort first.
    """
    effort.left -= _PUT * sum(map(sum, board.counts))
    if effort.left <= 0:
        return
    for _ in range(_ROUNDS):
        effort.left -= _DEPTH * board.days * len(board.groups) // _CHAINED
        chains = Chains(board, _DEPTH).found()
        if not _made(board, (chain.moves for chain in chains)) or effort.left <= 0:
            break
    sweeps, dice = Sweeps(board), Dice()
    board.touched.update(range(board.days))
    _settle(sweeps, effort)
    best, cost = counts_of(board), board.cost
    every, far = max(min(_EVERY, board.days // 4), 1), min(_FAR, board.days - 1)
    for _ in range(_SHAKES):
        if effort.left <= 0:
            break
        shake(board, dice, every=every, far=far)
        _settle(sweeps, effort)
        take_better(board, best)
        _settle(sweeps, effort)
        if board.cost < cost:
            best, cost = counts_of(board), board.cost


def _settle(sweeps: Sweeps, effort: Effort) -> None:
    """Sweeps until nothing gets better any more, or the effort is spent."""
    while sweeps.sweep(effort):
        pass


def _made(board: Board, ways: Iterable[Sequence[Move]]) -> bool:
    """Makes all that lower J and share no day, the first ones first; whether there was one."""
    touched: set[int] = set()
    for moves in ways:
        days = {day for _, left, reached in moves for day in (left, reached)}
        if touched.isdisjoint(days) and gained(board, moves):
            touched |= days
    return bool(touched)


def gained(board: Board, moves: Sequence[Move]) -> bool:
    """Makes moves if they are possible and lower J; else everything stays."""
    before = board.cost
    if not _moved(board, moves):
        return False
    if board.cost < before:
        return True
    for group, day, to in reversed(moves):
        board.move(group, to, day)
    return False


def _moved(board: Board, moves: Sequence[Move]) -> bool:
    """Makes moves if every day holds what then lies on it; else everything stays."""
    for made, (group, day, to) in enumerate(moves):
        if not board.counts[group][day]:
            _undo(board, moves[:made])
            return False
        board.move(group, day, to)
    days: Iterable[int] = {day for _, left, reached in moves for day in (left, reached)}
    if all(board.holds(day) for day in days) and all(
        board.groups[group].starts[to] for group, _, to in moves
    ):
        return True
    _undo(board, moves)
    return False


def _undo(board: Board, moves: Sequence[Move]) -> None:
    for group, day, to in reversed(moves):
        board.move(group, to, day)
