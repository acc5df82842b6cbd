"""Students made by chance from a seed: legal schedules around now, in which something is due or
was not finished. The same for the same seed and the same now.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.planning.changes import TargetFacts
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind

DAYS = range(-3, 13)
"""Dates that hold anything, counted from today."""

_FIRST_ID = 10**9
_COUNT = DEFAULT_CLOCK.count
_NOTHING = Target(TargetKind.TASK_POOL, 0)
_TITLES = ("线性代数作业", "英语听力", "实验报告", "概率论习题")


@dataclass(frozen=True, slots=True)
class StudyClass:
    """A class; its items are targets of the student, in the order of their ids."""

    id: int
    end: date | None
    excluded_days: tuple[int, ...]
    excluded_pairs: tuple[int, ...]


@dataclass(slots=True)
class Seeded:
    """One student: what stands, what there is to do, and what is to be looked at."""

    seed: int
    now: datetime
    semesters: tuple[Semester, ...]
    today: date
    asked: Target = _NOTHING
    misses: int = 1
    is_urgent: bool = False
    quadrant: int = 1
    blocks: list[Block] = field(default_factory=list)
    targets: list[TargetFacts] = field(default_factory=list)
    study_class: StudyClass | None = None
    overrides: tuple[date, ...] = ()

    @property
    def user_id(self) -> int:
        """Nobody else's."""
        return 7 * 10**9 + self.seed

    def home(self, on: date) -> Semester | None:
        """The semester of a date."""
        inside = (one for one in self.semesters if one.first_day <= on <= one.last_day)
        return next(inside, None)

    def of(self, place: Place) -> Semester:
        """The semester of a place."""
        return next(one for one in self.semesters if one.id == place.semester_id)


def seeded(seed: int, now: datetime) -> Seeded:
    """The student of a seed, at some hour of some day of a semester."""
    return _Maker(random.Random(seed), now, seed).made()


class _Maker:
    """Work first, then courses around it."""

    def __init__(self, chance: random.Random, now: datetime, seed: int) -> None:
        self.chance = chance
        zone = f"Etc/GMT{chance.randint(-14, 9):+d}"
        probe = Semester(_FIRST_ID, date(2026, 9, 7), 1, zone, DEFAULT_CLOCK, 1)
        today = probe.today(now)
        weeks = 20
        # The last week of a semester, or the one after it, now and then.
        week = chance.choices((weeks, weeks + 1, chance.randint(3, weeks - 2)), (7, 4, 89))[0]
        monday = today - timedelta(days=today.weekday() + 7 * (week - 1))
        semesters: tuple[Semester, ...] = (replace(probe, first_day=monday, weeks=weeks),)
        if week == weeks and chance.random() < 0.5:
            following = monday + timedelta(days=7 * weeks)
            semesters += (replace(probe, id=_FIRST_ID + 1, first_day=following, weeks=weeks),)
        self.world = Seeded(seed, now, semesters, today)
        self.taken: set[tuple[date, int]] = set()
        self.pin: tuple[date, int] | None = None
        """Where a later item is the guest of a course, and up to where nothing is free."""
        self.ids = iter(range(_FIRST_ID, _FIRST_ID + 10_000))

    def made(self) -> Seeded:
        """Everything, in this order: later steps take what earlier ones left."""
        kinds = ("urgent", "block of a task", "block of an item", "item")
        kind = self.chance.choices(kinds, (25, 25, 42, 8))[0]
        if kind == "urgent":
            self._urgent_task()
        elif kind == "block of a task":
            self._missed_task()
        else:
            pinned = kind == "block of an item" and self.chance.random() < 0.12
            self._class(asks=kind, pinned=pinned)
            if pinned:
                self._pin()
        if self.world.study_class is None and self.chance.random() < 0.3:
            self._class(asks="")
        self._other_tasks()
        self._courses()
        self._guests()
        if self.chance.random() < 0.15:
            self.world.overrides = (self._date(self.chance.randint(0, 3)),)
        if not self.world.is_urgent:
            self.world.misses = self.chance.choices((1, 2, 3, 4), (60, 10, 20, 10))[0]
        return self.world

    # ── what there is to do ──────────────────────────────────────────────────────────────────

    def _urgent_task(self) -> None:
        target = self._task(done=self.chance.random() < 0.03)
        self.world.is_urgent, self.world.asked = True, target
        self.world.quadrant = self.chance.choices((1, 2, 3), (70, 25, 5))[0]
        if self.chance.random() < 0.06:
            self._block(target, self._room(self.chance.choice((-1, 1)), 2))

    def _missed_task(self) -> None:
        target = self._task(done=self.chance.random() < 0.03)
        length = self.chance.choices((1, 2, 3, 4), (20, 40, 20, 20))[0]
        block = self._block(target, self._missed_place(length))
        if block is None:
            self.world.is_urgent, self.world.asked = True, target
            return
        self.world.asked = _event(block)
        if self.chance.random() < 0.1:
            self._block(target, self._room(2, 1), makeup_for=block.id)
        elif self.chance.random() < 0.4:
            self._block(target, self._room(self.chance.randint(0, 2), 1))

    def _class(self, *, asks: str, pinned: bool = False) -> None:
        """A class whose items stand in order, some of them behind now and some ahead of it."""
        count = self.chance.randint(2, 6)
        ends = self.chance.choices((None, -2, 0, 1, 3, 6, 40), (12, 8, 15, 15, 20, 15, 15))[0]
        study = StudyClass(
            next(self.ids),
            None if ends is None else self._date(ends),
            tuple(sorted(self.chance.sample(range(1, 8), self.chance.choice((0, 0, 1, 2, 5))))),
            tuple(sorted(self.chance.sample(range(1, 7), self.chance.choice((0, 0, 1, 3, 5))))),
        )
        self.world.study_class = study
        facts = [
            TargetFacts(
                Target(TargetKind.TASK_ITEM, next(self.ids)),
                1,
                False,
                None,
                None,
                f"第{order}章",
                study.id,
                order,
            )
            for order in range(1, count + 1)
        ]
        wanted = self._pinned_places() if pinned else self._class_places(count)
        places = sorted(wanted, key=self._begins)
        chosen = sorted(self.chance.sample(range(count), len(places)))
        placed = [self._of_item(facts[at], place) for at, place in zip(chosen, places, strict=True)]
        if asks:
            self._ask_about_item(placed, facts, asks)
        self.world.targets += facts

    def _class_places(self, count: int) -> list[Place]:
        behind = self.chance.randint(0, min(2, count))
        ahead = self.chance.randint(0, count - behind)
        days = [self.chance.randint(-3, -1) for _ in range(behind)]
        days += [self.chance.choice((0, 0, 1, 1, 2, 4, 7)) for _ in range(ahead)]
        found = [self._room(day, self.chance.choice((1, 1, 2, 2, 3, 4))) for day in days]
        return [place for place in found if place is not None]

    def _pinned_places(self) -> list[Place]:
        """One behind now and one soon."""
        found = (
            self._room(-1, self.chance.choice((1, 2, 2, 3))),
            self._room(self.chance.choice((0, 1)), 1),
        )
        return [place for place in found if place is not None]

    def _ask_about_item(self, placed: Sequence[Block], facts: list[TargetFacts], asks: str) -> None:
        """About the last one behind now, mostly; an item that was never placed has no block."""
        if asks == "item" or not placed:
            self.world.asked = self.chance.choice(facts).target
            return
        behind = [one for one in placed if self._begins(one.place) <= self.world.now]
        likely = behind[-1:] if self.chance.random() < 0.8 else placed
        missed = self.chance.choice(likely or placed)
        self.world.asked = _event(missed)
        if self.chance.random() < 0.04:
            own = next(one for one in facts if one.target == missed.source)
            facts[facts.index(own)] = replace(own, done=True)

    def _pin(self) -> None:
        ahead = [
            block
            for block in self.world.blocks
            if self._begins(block.place) > self.world.now and block.place.length == 1
        ]
        if ahead:
            first = min(ahead, key=lambda block: self._begins(block.place)).place
            home = self.world.of(first)
            self.pin = home.date_of(first.week, first.day), first.first

    def _other_tasks(self) -> None:
        """What else is planned: the next of them may share its place."""
        for _ in range(self.chance.choice((0, 1, 1, 2, 3))):
            target = self._task(done=self.chance.random() < 0.05)
            length = self.chance.choices((1, 2, 3, 4), (25, 40, 15, 20))[0]
            self._block(target, self._room(self.chance.choice((0, 0, 1, 1, 2, 5)), length))

    def _task(self, *, done: bool) -> Target:
        target = Target(TargetKind.TASK_POOL, next(self.ids))
        hours = self.chance.choices(
            (None, -30, 3, 8, 16, 30, 60, 150), (30, 8, 8, 8, 12, 12, 12, 10)
        )[0]
        deadline = None if hours is None else self.world.now + timedelta(hours=hours)
        estimate = self.chance.choice((None, 1, 2, 2, 3, 4))
        title = self.chance.choice(_TITLES)
        self.world.targets.append(TargetFacts(target, 1, done, deadline, estimate, title))
        return target

    # ── where it stands ──────────────────────────────────────────────────────────────────────

    def _missed_place(self, length: int) -> Place | None:
        """Behind now, mostly; running or ahead of it as well."""
        return self._room(self.chance.choices((-2, -1, 0, 1), (20, 40, 30, 10))[0], length)

    def _room(self, day: int, length: int) -> Place | None:
        """A place on a day that is taken by now, without a break in it; None after some tries."""
        on = self._date(day)
        home = self.world.home(on)
        for _ in range(12):
            low, high = self.chance.choice(DEFAULT_CLOCK.stretches)
            first = self.chance.randint(low, max(low, high - length + 1))
            sections = range(first, min(first + length, high + 1))
            cells = {(on, one) for one in sections}
            if home is not None and not cells & self.taken:
                self.taken |= cells
                return Place(home.id, *home.week_day_of(on), first, sections[-1])
        return None

    def _of_item(self, item: TargetFacts, place: Place) -> Block:
        block = Block(
            next(self.ids),
            BlockKind.TASK,
            place,
            1,
            source=item.target,
            name=item.title,
            class_id=item.class_id,
            order=item.order,
        )
        self.world.blocks.append(block)
        return block

    def _block(
        self, source: Target, place: Place | None, *, makeup_for: int | None = None
    ) -> Block | None:
        """A block of a task of the pool, where there was a place for it."""
        if place is None:
            return None
        block = Block(
            next(self.ids),
            BlockKind.TASK,
            place,
            1,
            source=source,
            name="任务",
            makeup_for_id=makeup_for,
        )
        self.world.blocks.append(block)
        return block

    def _courses(self) -> None:
        """Courses in what is left, as full as the student's days are."""
        moods = ("free", "busy", "single sections", "two full days", "full week", "full")
        mood = self.chance.choices(moods, (18, 22, 20, 16, 12, 12))[0]
        for day in DAYS:
            on = self._date(day)
            home = self.world.home(on)
            if home is not None:
                for first, last in self._runs(on, self._share(mood, day)):
                    self._course(Place(home.id, *home.week_day_of(on), first, last))

    def _share(self, mood: str, day: int) -> float:
        """How much of a day is taken; below 0: every second section."""
        if mood == "single sections":
            return -1.0 if day < 2 or self.chance.random() < 0.5 else 1.0
        full_until = {"two full days": 2, "full week": 7, "full": 20}.get(mood, -5)
        if 0 <= day < full_until:
            # A little room may be left, where a part of the work fits.
            return 1.0 if self.chance.random() < 0.8 else 0.93
        return {"free": 0.25, "busy": 0.75}.get(mood, 0.5)

    def _runs(self, on: date, share: float) -> Iterator[tuple[int, int]]:
        """Runs of sections that courses take, mostly of two."""
        first = 1
        while first <= _COUNT:
            length = self.chance.choice((1, 2, 2, 2, 3)) if share >= 0 else 1
            takes = (on, first) not in self.taken and self._takes(on, first, share)
            last = first
            if takes:
                while last < min(first + length - 1, _COUNT) and (on, last + 1) not in self.taken:
                    last += 1
                yield first, last
            first = last + 1

    def _takes(self, on: date, section: int, share: float) -> bool:
        if self.pin is not None and on >= self.world.today:
            return (on, section) < self.pin or self.chance.random() < 0.2
        if share < 0:
            return section % 2 == 0 or self.chance.random() < 0.3
        return self.chance.random() < share

    def _course(self, place: Place) -> None:
        embeds = self.chance.random() < 0.2
        self.world.blocks.append(
            Block(
                next(self.ids),
                BlockKind.COURSE,
                place,
                1,
                can_be_embedded=embeds,
                name="高等数学",
            )
        )

    def _guests(self) -> None:
        """Some work is the guest of an open course of its length."""
        for number, block in enumerate(tuple(self.world.blocks)):
            often = 0.12 if block.class_id is None else 1.0 if self.pin else 0.35
            if block.kind is BlockKind.TASK and self.chance.random() < often:
                host = Block(
                    next(self.ids),
                    BlockKind.COURSE,
                    block.place,
                    1,
                    can_be_embedded=True,
                    name="自习课",
                )
                self.world.blocks.append(host)
                self.world.blocks[number] = replace(block, host_id=host.id)

    def _date(self, day: int) -> date:
        return self.world.today + timedelta(days=day)

    def _begins(self, place: Place) -> datetime:
        home = self.world.of(place)
        return home.starts_at(place.week, place.day, place.first).astimezone(UTC)


def _event(block: Block) -> Target:
    return Target(TargetKind.SCHEDULE_EVENT, block.id)
