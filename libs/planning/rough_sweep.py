"""Betters a board from one day to the next, with items carried over the nights.

What is carried past a night, items that lie earlier or later than they did, is all that the days
behind it need to know. So the days are gone through once, each with the cheapest way to whatever
may be carried, which is met by all that the day may take on and give off. Where nothing is carried
any more a change is complete, and the best of all that are possible are made together. Moves,
exchanges, chains and cycles of any length are found so, as long as little is carried at once.

What is carried is written as one number: for each group a digit, how many of its items lie
earlier than they did, or below 0 later. Spec: planning.md, Rough build.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations, combinations_with_replacement
from operator import add, itemgetter, mul

from libs.planning.board import BITS, LEVEL, MASK, NEVER, Board

_CARRIED = 4
"""Items that are carried at once at most."""

_LOADS = 200
"""How many different things may be carried past a night; the lightest ones are."""

_ITEM, _SECTION = 10, 8
"""What an item weighs, and what a section that is carried in sum: a change that comes to a good
end has hardly any of them on the way."""

_WORTH = 25
"""By how much a way may be dearer than a section usually is and still be gone."""

_NEAR = 10
"""How far around a day it is looked what a section usually costs, in days."""

_AROUND = 14
"""How far from a day that has changed another look is worth it, in days."""

_FEW = 8
"""Groups up to which a day may take on two items at once."""

_DAY = 6
"""What a day costs however few ways it has, in steps."""

_GRACE = 2_500
"""By how much a sweep that has begun may overdraw: broken off it would have been for little."""

_ROW = 2 * _CARRIED + 1
_HALF = 1 << BITS - 1

_Layer = tuple[int, ...] | list[int]
"""What it costs to carry each of the loads, and NEVER at the end."""


@dataclass(slots=True)
class Effort:
    """What may still be spent, in steps; a step is a way of a day."""

    left: int


@dataclass(frozen=True, slots=True)
class _Ways:
    """Ways of a day that add the same to J.

    Each by what it adds to what is carried, and as what reads off a layer where the loads come
    from that it leads to.
    """

    added: int
    codes: tuple[int, ...]
    sources: tuple[Callable[[_Layer], tuple[int, ...]], ...]


def items_of(carried: int) -> Iterator[tuple[int, int]]:
    """(group, how many of its items lie earlier) of what is carried."""
    group = 0
    while carried:
        count = (carried + _HALF & MASK) - _HALF
        if count:
            yield group, count
        carried = carried - count >> BITS
        group += 1


def code_of(groups: Iterable[int]) -> int:
    """One item of each of these groups, a group as often as it is named."""
    return sum([1 << BITS * group for group in groups])


def loads_of(lengths: Sequence[int]) -> list[int]:
    """What may be carried of groups of these lengths, the lightest first, which is nothing."""
    signed = [
        (sign << BITS * group, sign * length)
        for group, length in enumerate(lengths)
        for sign in (1, -1)
    ]
    weighed = {(0, 0)}
    for size in range(1, _CARRIED + 1):
        if _ITEM * size > max(weighed)[0] and len(weighed) >= _LOADS:
            break
        for some in combinations_with_replacement(signed, size):
            load = sum([code for code, _ in some])
            # An item that is ahead and one that is behind are none: that load is there already.
            if sum([abs(more) for _, more in items_of(load)]) == size:
                sections = abs(sum([sections for _, sections in some]))
                weighed.add((_ITEM * size + _SECTION * sections, load))
        weighed = set(sorted(weighed)[:_LOADS])
    return [load for _, load in sorted(weighed)]


class Sweeps:
    """Sweeps over one board. What a day may do is kept for as long as it stays as it is."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._lengths = [group.length for group in board.groups]
        self._loads = loads_of(self._lengths)
        self._places = {load: place for place, load in enumerate(self._loads)}
        places = [
            tuple(1 + _ROW * group + _CARRIED + more for group, more in items_of(load))
            for load in self._loads
        ]
        self._nights = [
            itemgetter(*((*of, *(0,) * _CARRIED)[number] for of in places))
            for number in range(_CARRIED)
        ]
        self._sources: dict[int, Callable[[_Layer], tuple[int, ...]]] = {}
        self._prices: list[int] = []
        self._comings: dict[int, dict[int, list[tuple[int, tuple[int, ...]]]]] = {}
        self._ways: dict[tuple[int, int], tuple[int, list[_Ways]]] = {}
        self._rows: dict[int, list[int]] = {}

    def sweep(self, effort: Effort) -> bool:
        """Goes once over the days around those that were touched; whether J is lower now.

        The board's `touched` are then the days that this has changed.
        """
        board = self._board
        before, touched = board.cost, sorted(board.touched)
        board.touched.clear()
        self._prices = _prices(board)
        for first, end in _stretches(touched, board.days):
            if effort.left > 0:
                self._better(first, end, effort)
        return board.cost < before

    def _better(self, first: int, end: int, effort: Effort) -> None:
        """Makes the best change that begins and ends on these days."""
        layer: _Layer = [0, *[NEVER] * len(self._loads)]
        layers = []
        for day in range(first, end):
            layers.append(layer)
            layer = self._carried_on(day, layer)
            effort.left -= _DAY + sum([len(ways.codes) for ways in self._ways_of(day)])
            if effort.left <= -_GRACE:
                break
        if layer[0] < 0:
            self._make(self._changes(first, layers, layer[0]))

    def _carried_on(self, day: int, layer: _Layer) -> _Layer:
        """What it costs to carry each load past the night after a day."""
        found: list[Iterable[int]] = []
        for ways in self._ways_of(day):
            rows = [source(layer) for source in ways.sources]
            cheapest = map(min, *rows) if len(rows) > 1 else rows[0]
            found.append(map(ways.added.__add__, cheapest) if ways.added else cheapest)
        met = map(min, *found) if len(found) > 1 else found[0]
        return [*map(add, met, self._night(day)), NEVER]

    def _night(self, day: int) -> list[int]:
        """What it costs in |φ| to carry each load past the night after a day."""
        table = self._table(day)
        one, two, three, four = (places(table) for places in self._nights)
        return list(map(add, map(add, one, two), map(add, three, four)))

    def _table(self, day: int) -> list[int]:
        """The same for −4..4 items of each group."""
        table = [0]
        for nights in self._board.nights:
            night = nights[day]
            row = self._rows.get(night)
            if row is None:
                row = self._rows[night] = [
                    abs(night + more) - abs(night) for more in range(-_CARRIED, _CARRIED + 1)
                ]
            table += row
        return table

    def _ways_of(self, day: int) -> list[_Ways]:
        """What a day may take on and give off."""
        key, price = (day, self._board.code(day)), self._prices[day]
        known = self._ways.get(key)
        if known is None or known[0] != price:
            by: dict[int, list[int]] = {0: [0]}
            for added, code in self._new_ways(day, price):
                by.setdefault(added, []).append(code)
            ways = [
                _Ways(added, tuple(codes), tuple(map(self._source, codes)))
                for added, codes in by.items()
            ]
            known = self._ways[key] = price, ways
        return known[1]

    def _source(self, code: int) -> Callable[[_Layer], tuple[int, ...]]:
        """Reads off a layer what each load costs before a way, NEVER where it leads to none."""
        if code not in self._sources:
            nowhere = len(self._loads)
            places = [self._places.get(load - code, nowhere) for load in self._loads]
            self._sources[code] = itemgetter(*places)
        return self._sources[code]

    def _new_ways(self, day: int, price: int) -> Iterator[tuple[int, int]]:
        """(what it adds to J, what it adds to what is carried) of each way worth a look."""
        board, lengths = self._board, self._lengths
        twice, room = 2 * board.load[day], board.room[day]
        for going in _some_of(board.on_day(day)):
            left, code = sum([lengths[group] for group in going]), code_of(going)
            for more, of_length in self._coming(day).items():
                by = more - left
                added = LEVEL * by * (twice + by)
                if by > room or added - price * by > _WORTH:
                    continue
                for come, coming in of_length:
                    if code & come or not code | come:
                        continue
                    if board.holds_after(day, coming, going):
                        yield added, come - code

    def _coming(self, day: int) -> dict[int, list[tuple[int, tuple[int, ...]]]]:
        """Up to two items that a day may take on, by sections: their code and their groups."""
        kind = self._board.kind(day)
        if kind not in self._comings:
            open_ = [number for number, group in enumerate(self._board.groups) if group.starts[day]]
            found: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
            for size in range(3 if len(open_) <= _FEW else 2):
                for some in combinations_with_replacement(open_, size):
                    sections = sum([self._lengths[group] for group in some])
                    found.setdefault(sections, []).append((code_of(some), some))
            self._comings[kind] = found
        return self._comings[kind]

    def _changes(self, first: int, layers: Sequence[_Layer], best: int) -> list[tuple[int, int]]:
        """(day, what it adds to what is carried) of the change that costs so much."""
        changes = []
        carried, cost = 0, best
        for day in range(first + len(layers) - 1, first - 1, -1):
            cost -= self._night(day)[self._places[carried]]
            layer = layers[day - first]
            code, added = next(
                (code, ways.added)
                for ways in self._ways_of(day)
                for code in ways.codes
                if layer[self._places.get(carried - code, -1)] == cost - ways.added
            )
            changes.append((day, code))
            carried, cost = carried - code, cost - added
        return changes

    def _make(self, changes: Iterable[tuple[int, int]]) -> None:
        """Moves the items from the days that give them off to those that take them on."""
        leaving: dict[int, list[int]] = {}
        reached: dict[int, list[int]] = {}
        for day, code in changes:
            for group, count in items_of(code):
                days = reached if count > 0 else leaving
                days.setdefault(group, []).extend([day] * abs(count))
        for group, left in leaving.items():
            for day, to in zip(sorted(left), sorted(reached[group]), strict=True):
                self._board.move(group, day, to)


def _some_of(groups: Sequence[int]) -> list[tuple[int, ...]]:
    """None, each one, each two and each three of a day's items, each choice once."""
    return sorted({some for size in range(4) for some in combinations(groups, size)})


def _prices(board: Board) -> list[int]:
    """What a section more usually costs around each day: by the mean load of days with items.

    In steps of 5, so that a day seldom has to be looked at anew for a mean that hardly changed.
    """
    has_items = [any(counts) for counts in zip(*board.counts, strict=True)]
    days = [0, *accumulate(has_items)]
    loads = [0, *accumulate(map(mul, board.load, has_items))]
    prices = []
    for day in range(board.days):
        first, end = max(day - _NEAR, 0), min(day + _NEAR + 1, board.days)
        mean = (loads[end] - loads[first]) / max(days[end] - days[first], 1)
        prices.append(5 * round(2 * LEVEL * mean / 5))
    return prices


def _stretches(days: Sequence[int], total: int) -> list[tuple[int, int]]:
    """The days around some days, as (first, end) of each stretch; `days` ascend."""
    found: list[tuple[int, int]] = []
    for day in days:
        first, end = max(day - _AROUND, 0), min(day + _AROUND + 1, total)
        if found and first <= found[-1][1]:
            first = found.pop()[0]
        found.append((first, end))
    return found
