"""Where a case leaves room for its work: free time, what the class keeps free, the order of items.

Spec: active-scheduling.md, Candidates; planning.md, Order inside a task class, Local reorder.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from libs.planning import class_order, order
from libs.planning.calendar import DAYS_PER_WEEK, Semester
from libs.planning.grid import Block, Place
from libs.planning.order import OrderedBlock, Span
from libs.planning.reorder import Squeezed
from services.active_scheduler.domain.case import Case


def makeup_places(case: Case, length: int | None = None) -> tuple[Place, ...]:
    """Those of the free places that the class and the order of its items leave, for what is
    needed or for another length."""
    free = case.free_places if length is None else case.places_of(length)
    places = tuple(place for place in free if not _is_excluded(case, place))
    mine = wanted(case)
    if mine is None:
        return places
    allowed = order.allowed_range(mine, class_blocks(case))
    return tuple(place for place in places if allowed.admits(_span(case, place)))


def only_excluded(case: Case) -> bool:
    """Whether there are free places, all of them where the class is to be kept free."""
    places = case.free_places
    return bool(places) and all(_is_excluded(case, place) for place in places)


def wanted(case: Case) -> OrderedBlock | None:
    """The makeup as the order rule sees it; None for what belongs to no class."""
    facts, block = case.facts.target, case.block
    if block is None or facts.class_id is None or facts.order is None:
        return None
    return OrderedBlock(
        facts.class_id,
        facts.target.id,
        facts.order,
        _span(case, block.place),
        makeup=True,
        name=facts.title,
    )


def class_blocks(case: Case) -> tuple[OrderedBlock, ...]:
    """All live blocks of the class, as the order rule sees them."""
    return tuple(seen for _, seen in _of_class(case))


def squeezed(case: Case, mine: OrderedBlock) -> Iterator[Squeezed]:
    """Later items of the class that are placed and have not begun; a guest stays in its host."""
    for block, seen in _of_class(case):
        if seen.rank > mine.rank and not seen.begun and block.host_id is None:
            yield Squeezed(block.id, seen, block.place)


def last_day(case: Case) -> date | None:
    """The last day for a reorder: the class's, or what is known, whichever comes first.

    A last day that has passed binds no more than any deadline that has.
    """
    home = _home(case, case.closes)
    if home is None or case.rules is None:
        return None
    if case.answers.may_end_later:
        return _last_whole_day(home, case.closes)
    known, end = home.today(case.known_until), case.rules.end
    return known if end is None or end < home.today(case.facts.now) else min(known, end)


def _last_whole_day(home: Semester, at: datetime) -> date:
    """The last date that is over by an instant."""
    on = home.today(at)
    days = (on - home.first_day).days
    if 0 <= days < DAYS_PER_WEEK * home.weeks:
        over_at = home.ends_at(*home.week_day_of(on), home.clock.count)
        return on if over_at <= at else on - timedelta(days=1)
    return on


def _of_class(case: Case) -> Iterator[tuple[Block, OrderedBlock]]:
    world, class_id = case.facts.world, case.facts.target.class_id
    for block in world.blocks:
        if class_id is not None and block.class_id == class_id:
            seen = class_order.ordered(block, world.grid, case.facts.now)
            if seen is not None:
                yield block, seen


def _home(case: Case, at: datetime) -> Semester | None:
    """The semester of an instant, else the last one."""
    known = case.facts.world.grid.semesters
    inside = (one for one in known if one.first_day <= one.today(at) <= one.last_day)
    return next(inside, known[-1] if known else None)


def _is_excluded(case: Case, place: Place) -> bool:
    semester = case.facts.world.grid.semester(place.semester_id)
    return case.rules is not None and semester is not None and case.rules.forbid(place, semester)


def _span(case: Case, place: Place) -> Span:
    semester = case.facts.world.grid.semester(place.semester_id)
    if semester is None:
        raise AssertionError("a place of a case lies in a semester of its world")
    day = semester.date_of(place.week, place.day).toordinal()
    return Span(day, place.first, place.last)
