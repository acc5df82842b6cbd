"""Every combination of circumstances that the table of decisions speaks of, each as a world.

A world is a week of Asia/Shanghai in which exactly the circumstances hold: Monday 07:55, what is
not said to be free is taken by courses, and what stands is known for nine days.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import product

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.planning.changes import TargetFacts, World
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from services.active_scheduler.domain.case import Case, ClassRules, Unfinished, case_of
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.preferences import Preferences, PreferenceSource, Wish

FEATURES: Mapping[str, tuple[str, ...]] = {
    "trigger": ("urgent", "feedback"),
    "target": ("pool task", "block of a task", "block of an item", "item", "text only"),
    "done": ("no", "yes"),
    "missing": ("nothing", "which block"),
    "scheduled": ("never", "past", "ahead", "made up"),
    "room": ("enough", "fragmented", "after the deadline", "none"),
    "order": ("free", "blocking"),
    "deadline": ("none", "passed", "inside", "beyond"),
    "length": ("1", "2", "3", "4"),
    "next": ("absent", "course", "1 section", "longer"),
    "preference": ("met", "not met"),
}
"""The circumstances and what each of them may be, in the order of the table."""

KEYS = tuple(FEATURES)
Combination = tuple[str, ...]
"""One value per feature, in their order."""

SEMESTER = Semester(1, date(2026, 9, 7), 20, "Asia/Shanghai", DEFAULT_CLOCK, 5)
NOW = datetime(2026, 11, 29, 23, 55, tzinfo=UTC)
_KNOWN = timedelta(days=9)

_TASK = Target(TargetKind.TASK_POOL, 11)
_OTHER = Target(TargetKind.TASK_POOL, 12)
_ITEM = Target(TargetKind.TASK_ITEM, 21)
_LATER = Target(TargetKind.TASK_ITEM, 22)
_CLASS = 7
_BLOCK, _NEXT, _LATER_BLOCK, _MAKEUP = 501, 502, 503, 504

# Day of the horizon, counted from Monday 0, and the last date before each deadline.
_DEADLINE_DAY: Mapping[str, int | None] = {"none": None, "passed": -1, "inside": 0, "beyond": 2}
_DAYS = 10
_SECTIONS = DEFAULT_CLOCK.count

_ROOMS: Mapping[str, frozenset[tuple[int, int]]] = {
    "enough": frozenset({(0, 9), (0, 10), (0, 11), (0, 12), (1, 1)}),
    "fragmented": frozenset({(0, 9), (0, 11)}),
    "none": frozenset(),
}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """One combination by name."""

    trigger: str
    target: str
    done: str
    missing: str
    scheduled: str
    room: str
    order: str
    deadline: str
    length: str
    next: str
    preference: str

    @property
    def is_of_item(self) -> bool:
        """Whether it is about an item of a class."""
        return self.target not in ("pool task", "block of a task")

    @property
    def sections(self) -> int:
        """How long it is."""
        return int(self.length)

    @property
    def has_block(self) -> bool:
        """Whether the block that was meant is there and known."""
        if self.target == "text only":
            # Words alone name a block, or they do not; which state it is in is read after it.
            return self.missing == "nothing" and self.scheduled != "never"
        return self.scheduled != "never" and not (self.target == "item" and self.is_unknown)

    @property
    def is_unlocated(self) -> bool:
        """Whether there are words alone, which name no block: nothing else is known then."""
        return self.target == "text only" and not self.has_block

    @property
    def is_unknown(self) -> bool:
        """Whether it is not known which block was meant; a block that is named is known."""
        return self.missing == "which block" and self.target in _NAMED_LATER


_NAMED_LATER = ("item", "text only")
"""Targets that name no block by themselves."""

_TARGET, _DONE, _MISSING, _SCHEDULED, _ORDER, _NEXT = (
    KEYS.index(key) for key in ("target", "done", "missing", "scheduled", "order", "next")
)
_FIRST = tuple(values[0] for values in FEATURES.values())


def told(combination: Combination) -> Combination:
    """The same circumstances in as few words as it takes.

    What follows of others is left out: everything else where it is not known which block was
    meant, or where the target is done; whatever a block that is named says by itself. What comes
    next, if it is no task, is a course; a task of the pool has no later items.
    """
    one = list(combination)
    if one[_TARGET] in _NAMED_LATER:
        is_known = one[_SCHEDULED] != "never" and one[_MISSING] == "nothing"
        done = one[_DONE] == "yes" and one[_TARGET] == "item"
        if not is_known and not done:
            one = [one[0], one[1], *_FIRST[2:]]
            one[_MISSING], one[_SCHEDULED] = "which block", "never"
            return tuple(one)
        one[_TARGET] = "block of an item"
    one[_MISSING] = "nothing"
    if one[_DONE] == "yes":
        return (
            *one[: _DONE + 1],
            *_FIRST[_DONE + 1 : _SCHEDULED],
            "past",
            *_FIRST[_SCHEDULED + 1 :],
        )
    if one[_TARGET] != "block of an item":
        one[_ORDER] = "free"
    if one[_NEXT] == "absent":
        one[_NEXT] = "course"
    return tuple(one)


def combinations() -> Iterator[Combination]:
    """Every combination there is."""
    return product(*FEATURES.values())


def rejected(combination: Combination) -> str:
    """Why there is nothing to look at, as a code; empty where there is something."""
    trigger, target = combination[:2]
    if (trigger == "urgent") != (target == "pool task"):
        return "unsupported_target"
    if target.startswith("block") and combination[_SCHEDULED] == "never":
        return "target_not_found"
    return ""


def case(one: Circumstances) -> Case:
    """The case that these circumstances make up; those that are not rejected."""
    unfinished = None
    if one.trigger == "feedback":
        block = _unfinished_block(one) if one.has_block else None
        rules = _rules(one) if one.is_of_item else None
        unfinished = Unfinished(block, rules=rules, near=near(one))
    return case_of(_facts(one), unfinished=unfinished, known_until=NOW + _KNOWN)


def near(one: Circumstances) -> tuple[Block, ...]:
    """The blocks around now that words might be about."""
    return tuple(_tasks(one))


def _facts(one: Circumstances) -> Facts:
    world = _world(replace(one, preference="met"))
    target = world.targets[_ITEM if one.is_of_item else _TASK]
    return Facts(NOW, target, 1, NOW, world, preferences=_preferences(one))


@cache
def _world(one: Circumstances) -> World:
    """What is known of the schedule; what is preferred has nothing to do with it."""
    target = _target_facts(one)
    others = {
        _OTHER: TargetFacts(_OTHER, 1, False, None, 1, "英语听力"),
        _LATER: TargetFacts(_LATER, 1, False, None, 1, "第三章", _CLASS, 3),
    }
    return World(
        (SEMESTER,),
        _standing(replace(one, done="no", deadline=_day_of_room(one))),
        {**others, target.target: target},
        classes={_CLASS: 1},
    )


def _target_facts(one: Circumstances) -> TargetFacts:
    day = _DEADLINE_DAY[one.deadline]
    deadline = None if day is None else _midnight_after(day)
    done = one.done == "yes"
    if one.is_of_item:
        return TargetFacts(_ITEM, 1, done, deadline, one.sections, "第二章", _CLASS, 2)
    return TargetFacts(_TASK, 1, done, deadline, one.sections, "线性代数作业")


def _preferences(one: Circumstances) -> Preferences:
    days = (7,) if one.preference == "not met" else ()
    wish = Wish(suits=True, days=days, first=1, last=_SECTIONS)
    return Preferences(PreferenceSource.MEMORY, (wish,), ("习惯",))


def _rules(one: Circumstances) -> ClassRules:
    day = _DEADLINE_DAY[one.deadline]
    end = None if day is None else _date(day)
    return ClassRules(end, (1, 2, 3, 4, 5, 6) if one.preference == "not met" else (7,))


@cache
def _standing(one: Circumstances) -> tuple[Block, ...]:
    """What stands, which some of the circumstances have nothing to do with."""
    return tuple(_blocks(one))


def _day_of_room(one: Circumstances) -> str:
    """Of all deadlines those that move the room behind them apart."""
    return one.deadline if one.deadline == "beyond" else "none"


def _blocks(one: Circumstances) -> Iterator[Block]:
    tasks = tuple(_tasks(one))
    taken = {(block.place.on_day, s) for block in tasks for s in _sections_of(block.place)}
    free = _room(one)
    for day in range(_DAYS):
        week, weekday = SEMESTER.week_day_of(_date(day))
        full = [
            section
            for section in range(1, _SECTIONS + 1)
            if (day, section) not in free and ((1, week, weekday), section) not in taken
        ]
        for first, last in _runs(full):
            place = Place(1, week, weekday, first, last)
            yield Block(1000 + 20 * day + first, BlockKind.COURSE, place, 1, name="课程")
    yield from tasks


def _tasks(one: Circumstances) -> Iterator[Block]:
    """What is no course: the target's own, the next task, and the later item of its class."""
    if one.scheduled != "never" and not one.is_unknown:
        yield _unfinished_block(one)
    if one.scheduled == "made up" and not one.is_unknown:
        own = _ITEM if one.is_of_item else _TASK
        yield _task(_MAKEUP, own, _place(2, 1, 1), one, makeup_for=_BLOCK)
    if one.next in ("1 section", "longer"):
        last = 5 if one.next == "1 section" else 6
        yield Block(_NEXT, BlockKind.TASK, _place(0, 5, last), 1, source=_OTHER, name="英语听力")
    if one.order == "blocking":
        place = _place(0, 7, 7)
        yield Block(
            _LATER_BLOCK,
            BlockKind.TASK,
            place,
            1,
            source=_LATER,
            name="第三章",
            class_id=_CLASS,
            order=3,
        )


def _unfinished_block(one: Circumstances) -> Block:
    day = 0 if one.scheduled == "ahead" else -1
    own = _ITEM if one.is_of_item else _TASK
    return _task(_BLOCK, own, _place(day, 1, one.sections), one)


def _task(
    id_: int, source: Target, place: Place, one: Circumstances, makeup_for: int | None = None
) -> Block:
    return Block(
        id_,
        BlockKind.TASK,
        place,
        1,
        source=source,
        name=_target_facts(one).title,
        class_id=_CLASS if one.is_of_item else None,
        order=2 if one.is_of_item else None,
        makeup_for_id=makeup_for,
    )


def _room(one: Circumstances) -> frozenset[tuple[int, int]]:
    """The (day, section) that are free."""
    if one.room != "after the deadline":
        return _ROOMS[one.room]
    day = 3 if one.deadline == "beyond" else 2
    return frozenset({(day, section) for section in range(9, 13)} | {(day + 1, 1)})


def _runs(sections: list[int]) -> Iterator[tuple[int, int]]:
    first = last = 0
    for section in sections:
        if first and section == last + 1:
            last = section
            continue
        if first:
            yield first, last
        first = last = section
    if first:
        yield first, last


def _sections_of(place: Place) -> range:
    return range(place.first, place.last + 1)


def _place(day: int, first: int, last: int) -> Place:
    return Place(1, *SEMESTER.week_day_of(_date(day)), first, last)


def _date(day: int) -> date:
    return date(2026, 11, 30) + timedelta(days=day)


def _midnight_after(day: int) -> datetime:
    """The first instant of the date after a day of the horizon."""
    on = _date(day + 1)
    return datetime(on.year, on.month, on.day, tzinfo=SEMESTER.zone).astimezone(UTC)
