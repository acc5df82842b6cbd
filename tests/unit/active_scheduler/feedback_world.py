"""Unfinished work in the world of look_world: a pool task's block, or one of an item of a class.

The class has items 21, 22 and 23 in this order; it is item 21 that was not finished, on Sunday
of week 12, unless told otherwise.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta

from libs.planning.changes import TargetFacts, World
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from services.active_scheduler.domain.case import Case, ClassRules, Unfinished, case_of
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.questions import NO_ANSWERS, Answers
from tests.unit.active_scheduler.look_world import NOW, OTHER, SEMESTER, TASK, TITLE, at, course

CLASS = 7
ITEMS = tuple(Target(TargetKind.TASK_ITEM, id) for id in (21, 22, 23))
NAMES = {21: "第一章", 22: "第二章", 23: "第三章"}
MISSED = 501
DONE_ON = at(12, 7, 1, 2)


def item_block(id: int, number: int, place: Place, **more: object) -> Block:
    """A block of item 21, 22 or 23."""
    order = number - 20
    found = Block(id, BlockKind.TASK, place, 1, source=ITEMS[order - 1], name=NAMES[number])
    return replace(found, class_id=CLASS, order=order, **more)


def task_block(id: int, target: Target, place: Place, **more: object) -> Block:
    """A block of a pool task."""
    found = Block(id, BlockKind.TASK, place, 1, source=target, name=TITLE)
    return replace(found, **more)


def filled(week: int, day: int, *free: int) -> tuple[Block, ...]:
    """Courses on every section of a day but the free ones."""
    base = 10_000 + 1000 * week + 100 * day
    return tuple(
        course(base + section, at(week, day, section))
        for section in range(1, 13)
        if section not in free
    )


def full_days(*days: tuple[int, int], but: Iterable[tuple[int, int, int]] = ()) -> list[Block]:
    """Courses on all sections of these (week, day), but on some (week, day, section)."""
    kept = set(but)
    return [
        block
        for week, day in days
        for block in filled(week, day, *(s for w, d, s in kept if (w, d) == (week, day)))
    ]


# Monday of week 13 to Wednesday of week 14: what is known from now on for nine days.
HORIZON = tuple((13, day) for day in range(1, 8)) + tuple((14, day) for day in range(1, 4))


def case(
    *blocks: Block,
    missed: Block | None = None,
    of_item: bool = False,
    rules: ClassRules | None = None,
    misses: int = 1,
    deadline: datetime | None = None,
    now: datetime = NOW,
    answers: Answers = NO_ANSWERS,
    done: bool = False,
    known: timedelta = timedelta(days=9),
    located: bool = True,
    near: tuple[Block, ...] = (),
) -> Case:
    """Feedback about a block that was not finished; without one, about that of Sunday."""
    if missed is None:
        missed = item_block(MISSED, 21, DONE_ON) if of_item else task_block(MISSED, TASK, DONE_ON)
    targets = [
        TargetFacts(TASK, 1, done, deadline, 2, TITLE),
        TargetFacts(OTHER, 1, False, None, 2, "英语听力"),
        *(
            TargetFacts(one, 1, done, deadline, 2, NAMES[one.id], CLASS, one.id - 20)
            for one in ITEMS
        ),
    ]
    world = World(
        (SEMESTER,),
        (missed, *blocks),
        {one.target: one for one in targets},
        classes={CLASS: 1},
    )
    target = world.targets[missed.source]
    if of_item and rules is None:
        rules = ClassRules(date(2026, 12, 31))
    return case_of(
        Facts(now, target, 0, None, world),
        unfinished=Unfinished(missed if located else None, misses, rules, near),
        answers=answers,
        known_until=now + known,
    )
