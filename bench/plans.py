"""Study plans to be placed, drawn by seed, and what a placing of them costs.

A term of whole weeks from a Monday, 12 sections a day in three stretches of four, a share of the
pairs (1-2, 3-4, …) taken. Six classes; the items of a class are of one length, keep their order,
lie inside its days, and would best lie at the middles of their shares of these days. What is to
be least is J = 10·Σ load² over the days + Σ |day − ideal| over the items.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.planning.grid import Block, BlockKind, Grid, Place
from libs.planning.rough_build import RoughPlan
from libs.planning.rough_input import PlanClass, PlanItem

WEEKS, CLASSES, SECTIONS = 16, 6, 12
DAYS = WEEKS * 7
TAKEN = 0.3
LENGTHS = (1, 1, 2, 2, 3, 4)
"""Of the classes of a mixed plan, in an order that is drawn."""

SEMESTER = Semester(1, date(2026, 9, 7), WEEKS, "Asia/Shanghai", DEFAULT_CLOCK, 1)
BEFORE = datetime(2026, 9, 1, tzinfo=UTC)
_WHOLE = (1 << SECTIONS) - 1
_STRETCHES = (0x00F, 0x0F0, 0xF00)


@dataclass(frozen=True, slots=True)
class StudyClass:
    """`count` items of a length on the days first..last, from 0; what is left out of these."""

    length: int
    count: int
    first: int
    last: int
    weekdays_out: frozenset[int] = frozenset()
    pairs_out: frozenset[int] = frozenset()

    @property
    def ideals(self) -> list[int]:
        """The day at which each item would best lie."""
        days = self.last - self.first + 1
        return [self.first + (2 * n + 1) * days // (2 * self.count) for n in range(self.count)]

    def starts(self, free: Sequence[int]) -> list[int]:
        """For each day a mask of the sections (bit 0 is the first) from which an item may run."""
        out = 0
        for pair in self.pairs_out:
            out |= 3 << 2 * (pair - 1)
        return [
            _runs(mask & ~out, self.length)
            if self.first <= day <= self.last and day % 7 + 1 not in self.weekdays_out
            else 0
            for day, mask in enumerate(free)
        ]


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """The taken sections of each day, as masks, and the classes."""

    taken: tuple[int, ...]
    classes: tuple[StudyClass, ...]

    @property
    def free(self) -> list[int]:
        """The free sections of each day."""
        return [_WHOLE & ~mask for mask in self.taken]

    def as_json(self) -> dict[str, object]:
        """All that a solver needs to know."""
        return {
            "loads": [mask.bit_count() for mask in self.taken],
            "classes": [
                {"length": c.length, "ideals": c.ideals, "starts": c.starts(self.free)}
                for c in self.classes
            ],
        }

    def for_product(self) -> tuple[list[PlanClass], Grid]:
        """The same for the rough build."""
        numbers = iter(range(1, sum(c.count for c in self.classes) + 1))
        classes = [
            PlanClass(
                id=number,
                name=f"任务类{number}",
                start=SEMESTER.first_day + timedelta(days=of.first),
                end=SEMESTER.first_day + timedelta(days=of.last),
                items=tuple(PlanItem(next(numbers), order + 1) for order in range(of.count)),
                total_slots=of.length * of.count,
                excluded_slots=of.pairs_out,
                excluded_days_of_week=of.weekdays_out,
            )
            for number, of in enumerate(self.classes, start=1)
        ]
        return classes, Grid([SEMESTER], self._courses())

    def _courses(self) -> Iterator[Block]:
        for day, mask in enumerate(self.taken):
            for pair in range(SECTIONS // 2):
                if mask >> 2 * pair & 1:
                    place = Place(1, day // 7 + 1, day % 7 + 1, 2 * pair + 1, 2 * pair + 2)
                    yield Block(day * 8 + pair + 1, BlockKind.COURSE, place, 1, name="课程")

    def cost(self, plan: RoughPlan) -> tuple[int, int]:
        """J of a placing and its Σ |day − ideal|. Raises ValueError for one that breaks a rule."""
        places = {placement.item_id: placement.place for placement in plan.placements}
        taken, load, away, number = list(self.taken), [m.bit_count() for m in self.taken], 0, 0
        for of in self.classes:
            starts, behind = of.starts(self.free), (-1, 0)
            for ideal in of.ideals:
                number += 1
                place = places[number]
                day = (place.week - 1) * 7 + place.day - 1
                cells = ((1 << place.length) - 1) << place.first - 1
                if (
                    place.length != of.length
                    or not starts[day] >> place.first - 1 & 1
                    or taken[day] & cells
                    or (day, place.first) <= behind
                ):
                    raise ValueError(f"item {number} must not lie at {place}")
                taken[day] |= cells
                load[day] += place.length
                away += abs(day - ideal)
                behind = day, place.last
        return 10 * sum(x * x for x in load) + away, away


def equal_lengths(count: int, seed: int) -> StudyPlan:
    """Items of two sections each, nothing excluded."""
    dice = random.Random(f"{count}/{WEEKS}/{CLASSES}/{TAKEN}/{seed}")
    taken = _some_taken(dice)
    return StudyPlan(taken, tuple(_classes(dice, count, [2] * CLASSES, exclusions=False)))


def mixed_lengths(count: int, seed: int) -> StudyPlan:
    """Lengths from one to four, some classes without some weekdays, some without a pair."""
    dice = random.Random(f"mixed/{count}/{seed}")
    taken = _some_taken(dice)
    lengths = dice.sample(LENGTHS, CLASSES)
    return StudyPlan(taken, tuple(_classes(dice, count, lengths, exclusions=True)))


def _some_taken(dice: random.Random) -> tuple[int, ...]:
    pairs = [(day, pair) for day in range(DAYS) for pair in range(SECTIONS // 2)]
    taken = [0] * DAYS
    for day, pair in dice.sample(pairs, round(len(pairs) * TAKEN)):
        taken[day] |= 3 << 2 * pair
    return tuple(taken)


def _classes(
    dice: random.Random, count: int, lengths: Sequence[int], *, exclusions: bool
) -> Iterator[StudyClass]:
    """Shares of the items, from six to fourteen parts each; 60 to 100 % of the days."""
    parts = [dice.uniform(0.6, 1.4) for _ in range(CLASSES)]
    ends = [round(sum(parts[: n + 1]) / sum(parts) * count) for n in range(CLASSES)]
    for begin, end, length in zip([0, *ends], ends, lengths, strict=False):
        days = round(DAYS * dice.uniform(0.6, 1.0))
        first = dice.randint(0, DAYS - days)
        weekdays, pairs = [], []
        if exclusions:
            weekdays = dice.sample(range(1, 8), dice.choice((0, 0, 1, 2)))
            pairs = dice.sample(range(1, 7), dice.choice((0, 0, 1))) if length < 3 else []
        yield StudyClass(
            length, end - begin, first, first + days - 1, frozenset(weekdays), frozenset(pairs)
        )


def _runs(free: int, length: int) -> int:
    starts = 0
    for stretch in _STRETCHES:
        run = free & stretch
        for ahead in range(1, length):
            run &= (free & stretch) >> ahead
        starts |= run
    return starts
