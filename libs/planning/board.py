"""The board on which a rough build is solved: days, groups of like items, how many lie where.

A group holds items of one class that are of equal length and may take each other's place; which of
them takes which place follows from their order. So all that is to be decided is how many items of
each group lie on each day. What a day can hold at once is answered exactly, and remembered.

Σ |day − ideal| of a group, with both sides in order, is Σ over the nights of |φ|, where φ is how
many items lie up to that night less how many ideals do. Spec: planning.md, Rough build.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import or_

LEVEL = 10
"""What the square of a day's load weighs beside one day away from the ideal."""

BITS = 4
MASK = (1 << BITS) - 1
"""How the items of a day are counted in one number: a digit of so many bits for each group."""


NEVER = 1 << 40
"""More than any way costs."""


@dataclass(frozen=True, slots=True)
class DayFacts:
    """What may happen on a day as it is.

    `stops`: what one more item of each group adds to J by the day's load, NEVER where it has no
    room. `pushes`: (who comes, who goes for it, what that adds), for each that is possible.
    """

    stops: tuple[int, ...]
    pushes: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Items of one length. `starts` has a mask for each day of the sections (bit 0 is section 1)

    from which such an item may run; `ideals` are the days, from 0, at which they would best lie.
    """

    length: int
    starts: tuple[int, ...]
    ideals: tuple[int, ...]


class Board:
    """Days with their loads, and the counts of each group on each day.

    `counts[g][d]`; `load[d]` in sections and `room[d]`, the sections that are left to items;
    `nights[g][d]`, the φ of group g after day d; `cost`, the J of what has been put so far; and
    `touched`, the days whose items have changed, for whoever wants to know and clears it. A day
    never holds more than 14 items, as none has more sections.
    """

    __slots__ = (
        "_codes", "_facts", "_fits", "_kinds", "cost", "counts", "days", "groups", "load", "nights",
        "room", "touched",
    )  # fmt: skip

    def __init__(self, loads: Sequence[int], groups: Sequence[Group]) -> None:
        self.days = len(loads)
        self.groups = tuple(groups)
        self.load = list(loads)
        self.cost = LEVEL * sum(load * load for load in loads)
        self.counts = [[0] * self.days for _ in groups]
        self.nights = [[0] * self.days for _ in groups]
        self.room = [mask.bit_count() for mask in _covered(self.groups, self.days)]
        self.touched = set(range(self.days))
        self._codes = [0] * self.days
        # Days on which every group may start alike answer alike.
        known: dict[tuple[int, ...], int] = {}
        days = zip(*(group.starts for group in self.groups), strict=True)
        self._kinds = [known.setdefault(starts, len(known)) for starts in days]
        self._fits: dict[tuple[int, int], bool] = {}
        self._facts: list[DayFacts | None] = [None] * self.days

    def fits(self, day: int, coming: int, going: int = -1) -> bool:
        """Whether a day holds one more of group `coming`, with one less of `going` (−1: none)."""
        group = self.groups[coming]
        if not group.starts[day] or (going < 0 and self.room[day] < group.length):
            return False
        code = self._codes[day] + (1 << BITS * coming)
        if going >= 0:
            code -= 1 << BITS * going
        return self._holds(day, code)

    def facts(self, day: int) -> DayFacts:
        """What may happen on a day; kept until the day changes."""
        known = self._facts[day]
        if known is None:
            known = self._facts[day] = self._look(day)
        return known

    def holds(self, day: int) -> bool:
        """Whether a day can hold what lies on it."""
        return self._holds(day, self._codes[day])

    def holds_after(self, day: int, coming: Sequence[int], going: Sequence[int]) -> bool:
        """Whether a day could hold what lies on it after these groups' items came and went."""
        code = self._codes[day]
        for group in coming:
            code += 1 << BITS * group
        for group in going:
            code -= 1 << BITS * group
        return self._holds(day, code)

    def put(self, group: int, day: int, ideal: int) -> None:
        """One more item of a group, whose ideal was not counted before."""
        self._change(group, day, 1)
        self._walk(group, ideal, day)

    def take(self, group: int, day: int, ideal: int) -> None:
        """The reverse of `put`."""
        self._change(group, day, -1)
        self._walk(group, day, ideal)

    def move(self, group: int, day: int, to: int) -> None:
        """Moves one item of a group to another day. The room is not checked."""
        self._change(group, day, -1)
        self._change(group, to, 1)
        self._walk(group, day, to)

    def code(self, day: int) -> int:
        """The items of a day as one number, a digit for each group."""
        return self._codes[day]

    def kind(self, day: int) -> int:
        """Days of one kind are those on which every group may start alike."""
        return self._kinds[day]

    def days_of(self, group: int) -> list[int]:
        """The days of a group's items, ascending, a day as often as it holds one."""
        return [day for day, count in enumerate(self.counts[group]) for _ in range(count)]

    def groups_on(self, day: int) -> list[int]:
        """The groups of a day's items, ascending, each once."""
        return [group for group, _ in _counted(self._codes[day])]

    def on_day(self, day: int) -> tuple[int, ...]:
        """The groups of a day's items, ascending, a group as often as it has one."""
        return tuple(group for group, count in _counted(self._codes[day]) for _ in range(count))

    def _change(self, group: int, day: int, by: int) -> None:
        self.counts[group][day] += by
        by_sections = by * self.groups[group].length
        self.cost += LEVEL * by_sections * (2 * self.load[day] + by_sections)
        self.load[day] += by_sections
        self.room[day] -= by_sections
        self._codes[day] += by << BITS * group
        self._facts[day] = None

    def _walk(self, group: int, day: int, to: int) -> None:
        self.touched.update((day, to))
        nights = self.nights[group]
        for night in range(day, to):
            crossing = nights[night]
            nights[night] = crossing - 1
            self.cost += 1 if crossing <= 0 else -1
        for night in range(to, day):
            crossing = nights[night]
            nights[night] = crossing + 1
            self.cost += 1 if crossing >= 0 else -1

    def _look(self, day: int) -> DayFacts:
        twice = 2 * self.load[day]
        present = [group for group, counts in enumerate(self.counts) if counts[day]]
        stops, pushes = [], []
        for coming, group in enumerate(self.groups):
            length = group.length
            free = self.fits(day, coming)
            stops.append(LEVEL * length * (twice + length) if free else NEVER)
            if not group.starts[day]:
                continue
            for going in present:
                if going != coming and (free or self.fits(day, coming, going)):
                    by = length - self.groups[going].length
                    pushes.append((coming, going, LEVEL * by * (twice + by)))
        return DayFacts(tuple(stops), tuple(pushes))

    def _holds(self, day: int, code: int) -> bool:
        key = self._kinds[day], code
        known = self._fits.get(key)
        if known is None:
            known = self._fits[key] = self._search(day, code)
        return known

    def _search(self, day: int, code: int) -> bool:
        kinds: dict[tuple[int, int], int] = {}
        for number, count in _counted(code):
            group = self.groups[number]
            kind = group.length, group.starts[day]
            kinds[kind] = kinds.get(kind, 0) + count
        return can_hold([(*kind, kinds[kind]) for kind in sorted(kinds, reverse=True)])


def reach(group: Group) -> tuple[int, int]:
    """The first and the last day that items of a group may lie on or best would."""
    starts, days = group.starts, list(group.ideals)
    if any(starts):
        days.append(next(day for day, open_ in enumerate(starts) if open_))
        days.append(len(starts) - 1 - next(day for day, open_ in enumerate(starts[::-1]) if open_))
    return min(days, default=0), max(days, default=0)


def _counted(code: int) -> Iterator[tuple[int, int]]:
    """The groups that a code counts any of, ascending, and how many of each."""
    group = 0
    while code:
        gap = ((code & -code).bit_length() - 1) // BITS
        group += gap
        code >>= BITS * gap
        yield group, code & MASK
        group += 1
        code >>= BITS


def _cells(starts: int, length: int) -> int:
    """Mask of the sections that runs of a length with these starts reach."""
    mask = starts
    for ahead in range(1, length if starts else 0):
        mask |= starts << ahead
    return mask


def _covered(groups: Sequence[Group], days: int) -> list[int]:
    """For each day a mask of the sections that some item could have."""
    by_length: dict[int, list[int]] = {}
    for group in groups:
        known = by_length.get(group.length, (0,) * days)
        by_length[group.length] = list(map(or_, known, group.starts))
    covered = [0] * days
    for length, of_length in by_length.items():
        cells = (_cells(starts, length) for starts in of_length)
        covered = list(map(or_, covered, cells))
    return covered


def can_hold(kinds: Sequence[tuple[int, int, int]]) -> bool:
    """Whether so many runs fit without sharing a section: (length, mask of starts, count) each.

    Longest first is quickest. Exact.
    """
    if len(kinds) == 1 and kinds[0][2] == 1:
        return kinds[0][1] != 0
    dead: set[tuple[int, int, int, int]] = set()
    last = len(kinds) - 1

    def place(kind: int, left: int, starts: int, used: int) -> bool:
        if not left:
            if kind == last:
                return True
            kind += 1
            length, starts, left = kinds[kind]
            if kind == last and length == 1:
                return (starts & ~used).bit_count() >= left
        state = kind, left, starts, used
        if state in dead:
            return False
        whole = (1 << kinds[kind][0]) - 1
        open_ = starts
        while open_:
            lowest = open_ & -open_
            open_ ^= lowest
            run = whole * lowest
            if not used & run and place(kind, left - 1, open_, used | run):
                return True
        dead.add(state)
        return False

    return place(-1, 0, 0, 0) if kinds else True
