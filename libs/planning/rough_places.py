"""Where in a day its items go, once it is settled which items it has.

The most items of even length on standard pairs, then the fewest in hosts, then the earliest.
Spec: planning.md, Rough build.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from libs.planning.calendar import SectionClock
from libs.planning.runs import sections_of


@dataclass(frozen=True, slots=True)
class Kind:
    """So many like items of a day: their length, and the mask of sections to start from."""

    length: int
    starts: int
    count: int


_Score = tuple[int, int, int]
"""Items on standard pairs, items in hosts below 0, starts summed below 0: the higher the better."""

_NO_SCORE: _Score = (0, 0, 0)

_Placed = tuple[tuple[int, int], ...]
"""(kind, first section), by section."""


def places_of(
    kinds: Sequence[Kind], pairs: Collection[int], hosts: int = 0
) -> tuple[tuple[int, ...], ...] | None:
    """For each kind the first sections of its items, ascending; None where they do not fit.

    `pairs` are the sections at which a standard pair starts, `hosts` a mask of cells in hosts.
    """
    answer = _Packing(kinds, pairs, hosts).best(1, tuple(kind.count for kind in kinds))
    if answer is None:
        return None
    return tuple(
        tuple(section for kind, section in answer[1] if kind == number)
        for number in range(len(kinds))
    )


def quick_places(
    kinds: Sequence[Kind], pairs: Collection[int]
) -> tuple[tuple[int, ...], ...] | None:
    """Places one item after the other, the longest first, on a pair where one is free.

    Where that leaves one without a place there may still be a way: `places_of` knows.
    """
    taken = 0
    found: list[list[int]] = [[] for _ in kinds]
    for number in sorted(range(len(kinds)), key=lambda number: -kinds[number].length):
        kind = kinds[number]
        whole = (1 << kind.length) - 1
        for _ in range(kind.count):
            open_ = [s for s in sections_of(kind.starts) if not taken & whole << s - 1]
            if not open_:
                return None
            on_pair = (s for s in open_ if s in pairs) if kind.length % 2 == 0 else iter(())
            section = next(on_pair, open_[0])
            taken |= whole << section - 1
            found[number].append(section)
    return tuple(tuple(sorted(of)) for of in found)


class _Packing:
    """The best ways to place what is left of a day's items from a section on, each found once."""

    def __init__(self, kinds: Sequence[Kind], pairs: Collection[int], hosts: int) -> None:
        self._kinds = kinds
        self._pairs = pairs
        self._hosts = hosts
        self._nothing = (0,) * len(kinds)
        self._known: dict[tuple[int, tuple[int, ...]], tuple[_Score, _Placed] | None] = {}

    def best(self, section: int, left: tuple[int, ...]) -> tuple[_Score, _Placed] | None:
        """The best from a section on, or None where no way is."""
        if left == self._nothing:
            return _NO_SCORE, ()
        starts = 0
        for kind, count in zip(self._kinds, left, strict=True):
            if count:
                starts |= kind.starts
        starts >>= section - 1
        if not starts:
            return None
        section += (starts & -starts).bit_length() - 1
        key = section, left
        if key not in self._known:
            self._known[key] = self._search(section, left)
        return self._known[key]

    def _search(self, section: int, left: tuple[int, ...]) -> tuple[_Score, _Placed] | None:
        found = self.best(section + 1, left)
        for number, kind in enumerate(self._kinds):
            if not left[number] or not kind.starts >> (section - 1) & 1:
                continue
            fewer = (*left[:number], left[number] - 1, *left[number + 1 :])
            rest = self.best(section + kind.length, fewer)
            if rest is not None:
                score = self._with(kind, section, rest[0])
                if found is None or score > found[0]:
                    found = score, ((number, section), *rest[1])
        return found

    def _with(self, kind: Kind, section: int, rest: _Score) -> _Score:
        on_pair = kind.length % 2 == 0 and section in self._pairs
        in_host = self._hosts >> (section - 1) & 1
        return rest[0] + on_pair, rest[1] - in_host, rest[2] - section


def pair_starts(clock: SectionClock) -> frozenset[int]:
    """The sections at which a whole standard pair starts."""
    return frozenset(first for first, last in clock.standard_pairs if last > first)
