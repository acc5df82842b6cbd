"""Plans as a run meets them: a timetable and study plans by chance, built by the rough build."""

import random
from datetime import UTC, date, datetime
from functools import lru_cache

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.planning.grid import Block, BlockKind, Grid, Place
from libs.planning.rough_apply import apply_rough
from libs.planning.rough_build import rough_build
from libs.planning.rough_input import PlanClass, PlanItem
from libs.planning.state import PlanningState
from libs.planning.window import window_between
from services.agent.tools import loading
from services.agent.tools.bounds import Bounds, ClassRule
from services.agent.tools.loading import ClassRow, EventRow, ItemRow, Rows

SEMESTER = Semester(1, date(2026, 9, 7), 16, "Asia/Shanghai", DEFAULT_CLOCK, 1)
NOW = datetime(2026, 9, 1, tzinfo=UTC)
WEEKS, COURSES, CLASSES, ITEMS = 3, 6, 4, 8


@lru_cache
def rough_built(seed: int) -> tuple[PlanningState, Bounds]:
    """Three weeks of six courses, of which two take guests, and four classes of eight items.

    With the rules of the classes, within which the plan lies.
    """
    dice = random.Random(seed)
    events = _courses(dice)
    classes = [_class(dice, number) for number in range(1, CLASSES + 1)]
    blocks = [
        Block(
            row.event_id,
            BlockKind.COURSE,
            row.place,
            1,
            can_be_embedded=row.can_be_embedded,
            name=row.name,
        )
        for row in events
    ]
    built = rough_build(classes, Grid([SEMESTER], blocks), now=NOW)
    window = window_between(SEMESTER, SEMESTER.first_day, SEMESTER.date_of(WEEKS, 7), now=NOW)
    items = [
        ItemRow(item.id, one.id, f"第{item.order}讲", item.order, waits=True)
        for one in classes
        for item in one.items
    ]
    lengths = [
        ClassRow(one.id, one.name, (one.total_slots or 0) // len(one.items)) for one in classes
    ]
    loaded = loading.load(window, Rows(events, items, lengths))
    bounds = Bounds(rules=tuple(_rule(one) for one in classes))
    return apply_rough(loaded.state, built).state, bounds


def _courses(dice: random.Random) -> list[EventRow]:
    """Each at its own time of the week, every week."""
    times = dice.sample([(day, pair) for day in range(1, 6) for pair in range(6)], COURSES)
    return [
        EventRow(
            10 * number + week,
            Place(1, week, day, 2 * pair + 1, 2 * pair + 2),
            f"第{number}门课程",
            course_id=number,
            can_be_embedded=number <= 2,
        )
        for number, (day, pair) in enumerate(times, start=1)
        for week in range(1, WEEKS + 1)
    ]


def _class(dice: random.Random, number: int) -> PlanClass:
    first, last = dice.randint(0, 5), dice.randint(15, 7 * WEEKS - 1)
    days = [SEMESTER.date_of(1 + day // 7, 1 + day % 7) for day in (first, last)]
    items = tuple(PlanItem(100 * number + order, order) for order in range(1, ITEMS + 1))
    return PlanClass(
        number,
        f"第{number}门",
        days[0],
        days[1],
        items,
        total_slots=ITEMS * dice.choice((1, 2, 2, 3)),
        allow_filler_course=dice.random() < 0.5,
        excluded_days_of_week=frozenset(dice.sample(range(1, 8), dice.choice((0, 0, 1)))),
        excluded_slots=frozenset(dice.sample(range(1, 7), dice.choice((0, 0, 1)))),
    )


def _rule(of: PlanClass) -> ClassRule:
    assert of.start is not None
    assert of.end is not None
    return ClassRule(
        of.id,
        (of.start - SEMESTER.first_day).days + 1,
        (of.end - SEMESTER.first_day).days + 1,
        tuple(sorted(of.excluded_days_of_week)),
        tuple(sorted(of.excluded_slots)),
        of.allow_filler_course,
    )
