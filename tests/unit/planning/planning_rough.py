"""Task classes and calendars for the tests of rough build, and what may be asked of a plan."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

from libs.planning.calendar import Semester
from libs.planning.grid import Block, Grid
from libs.planning.rough_build import RoughPlan, rough_build
from libs.planning.rough_input import PlanClass, PlanItem, Strategy
from tests.unit.planning.planning_world import SEMESTER, at, course

BEFORE = datetime(2026, 9, 1, tzinfo=UTC)
"""Before the semester: every section is still open."""


def on(week: int, day: int) -> date:
    return SEMESTER.date_of(week, day)


def items(count: int, *, first_id: int = 1) -> tuple[PlanItem, ...]:
    return tuple(
        PlanItem(first_id + number, number + 1, f"第{number + 1}项") for number in range(count)
    )


def plan_class(
    id: int,
    count: int,
    start: date | None,
    end: date | None,
    *,
    length: int | None = 2,
    strategy: Strategy = Strategy.STEADY,
    filler: bool = False,
    no_slots: Iterable[int] = (),
    no_days: Iterable[int] = (),
    position: int = 0,
    of: tuple[PlanItem, ...] | None = None,
) -> PlanClass:
    """A class with `count` items whose ids begin at 100 times its own."""
    its = items(count, first_id=100 * id) if of is None else of
    return PlanClass(
        id,
        f"任务类{id}",
        start,
        end,
        its,
        strategy=strategy,
        total_slots=None if length is None else length * len(its),
        allow_filler_course=filler,
        excluded_slots=frozenset(no_slots),
        excluded_days_of_week=frozenset(no_days),
        position=position,
    )


def build(*classes: PlanClass, blocks: Iterable[Block] = (), now: datetime = BEFORE) -> RoughPlan:
    return rough_build(classes, Grid([SEMESTER], blocks), now=now)


def where(plan: RoughPlan) -> dict[int, tuple[int, int, int, int]]:
    """(week, day, first, last) of each placed item."""
    return {
        p.item_id: (p.place.week, p.place.day, p.place.first, p.place.last) for p in plan.placements
    }


def day_number(week: int, day: int) -> int:
    return (week - 1) * 7 + day - 1


def busy(week: int, day: int, *free: tuple[int, int], first_id: int = 1) -> list[Block]:
    """Courses that leave nothing of a day but some stretches."""
    open_ = {s for first, last in free for s in range(first, last + 1)}
    return [
        course(first_id + section, at(week, day, section))
        for section in range(1, 13)
        if section not in open_
    ]


def cost_of(plan: RoughPlan, classes: Iterable[PlanClass], blocks: Iterable[Block]) -> int:
    """J over all days of the semester, for steady and rapid classes that lie ahead whole."""
    load = [0] * (SEMESTER.weeks * 7)
    for block in blocks:
        if block.host_id is None:
            load[day_number(block.place.week, block.place.day)] += block.place.length
    days = where(plan)
    away = 0
    for one in classes:
        assert one.start is not None
        assert one.end is not None
        first = (one.start - SEMESTER.first_day).days
        span = (one.end - one.start).days + 1
        for number, item in enumerate(one.items):
            week, day, start, last = days[item.id]
            at_day = day_number(week, day)
            load[at_day] += last - start + 1
            steady = first + (2 * number + 1) * span // (2 * len(one.items))
            away += abs(at_day - (steady if one.strategy is Strategy.STEADY else first))
    return 10 * sum(x * x for x in load) + away


def least_cost(
    classes: list[PlanClass], blocks: list[Block], semester: Semester = SEMESTER
) -> int | None:
    """The least J over every legal arrangement there is; None where there is none.

    Tries them all: for small cases alone.
    """
    load = [0] * (semester.weeks * 7)
    taken: set[tuple[int, int]] = set()
    for block in blocks:
        number = day_number(block.place.week, block.place.day)
        load[number] += block.place.length
        taken |= {(number, section) for section in range(block.place.first, block.place.last + 1)}
    wanted = []
    for one in classes:
        assert one.start is not None
        assert one.end is not None
        assert one.total_slots is not None
        first = (one.start - semester.first_day).days
        span = (one.end - one.start).days + 1
        length = one.total_slots // len(one.items)
        pairs = semester.clock.standard_pairs
        out = {
            s
            for pair in one.excluded_slots
            for s in range(pairs[pair - 1][0], pairs[pair - 1][1] + 1)
        }
        starts = [
            (day, section)
            for day in range(first, first + span)
            if day % 7 + 1 not in one.excluded_days_of_week
            for section in range(1, 14 - length)
            if not semester.clock.crosses_break(section, section + length - 1)
            and not any((day, s) in taken or s in out for s in range(section, section + length))
        ]
        for number in range(len(one.items)):
            ideal = first + (2 * number + 1) * span // (2 * len(one.items))
            if one.strategy is Strategy.RAPID:
                ideal = first
            wanted.append((one.id, length, ideal, starts))
    return _least(wanted, 0, load, taken, {})


def _least(
    wanted: list[tuple[int, int, int, list[tuple[int, int]]]],
    number: int,
    load: list[int],
    taken: set[tuple[int, int]],
    last: dict[int, tuple[int, int]],
) -> int | None:
    """The least J with the first items placed already, trying every place of the next one."""
    if number == len(wanted):
        return 10 * sum(x * x for x in load)
    of, length, ideal, starts = wanted[number]
    best: int | None = None
    for day, section in starts:
        run = {(day, s) for s in range(section, section + length)}
        if taken & run or (day, section) <= last.get(of, (-1, 0)):
            continue
        load[day] += length
        behind = {**last, of: (day, section + length - 1)}
        rest = _least(wanted, number + 1, load, taken | run, behind)
        load[day] -= length
        if rest is not None:
            cost = rest + abs(day - ideal)
            best = cost if best is None else min(best, cost)
    return best
