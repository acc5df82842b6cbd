"""What a plan starts from: study plans, their window, and everything that stands there."""

from collections.abc import Sequence
from itertools import chain

from libs.db.database import Tx
from libs.planning.calendar import Semester
from libs.planning.window import window_of
from services.schedule.domain import planning
from services.schedule.domain import semesters as rules
from services.schedule.domain.block import ScheduledBlock, in_order
from services.schedule.domain.errors import TaskClassNotFound
from services.schedule.domain.planning import Period, PlanningView
from services.schedule.domain.rough import RoughInput
from services.schedule.domain.task_class import TaskClass
from services.schedule.domain.views import span_of
from services.schedule.store import class_blocks, listings, overrides, semesters, task_classes

# More than 30 weeks of 14 sections a day, each with a guest, can hold.
_MOST_BLOCKS = 6000


async def load(
    tx: Tx, user_id: int, class_ids: Sequence[int], period: Period | None
) -> PlanningView:
    """Classes, window and blocks. Raises TaskClassNotFound, SemesterNotFound."""
    classes = await _named(tx, user_id, class_ids)
    now = await semesters.now(tx)
    semester = await _semester(tx, user_id, classes)
    found = window_of(semester, [one.dates for one in classes], now=now, period=period)
    of_classes = await _of_classes(tx, user_id, classes)
    if found.window is None:
        return PlanningView(now, semester, found, classes, elsewhere=of_classes)
    dates = planning.dates_of(semester, found.window)
    span = span_of(semester, *dates)
    placed = await listings.page(tx, user_id, [span], kind=None, after=None, limit=_MOST_BLOCKS)
    inside = {one.block.id for one in placed}
    return PlanningView(
        now=now,
        semester=semester,
        found=found,
        classes=classes,
        blocks=placed,
        elsewhere=tuple(one for one in of_classes if one.block.id not in inside),
        overrides=await overrides.between(tx, user_id, *dates),
    )


async def _semester(tx: Tx, user_id: int, classes: Sequence[TaskClass]) -> Semester:
    now = await semesters.now(tx)
    reach = planning.reach_of(classes)
    if reach is not None:
        known = await semesters.between(tx, user_id, *reach)
        found = planning.semester_for(classes, known, now)
        if found is not None:
            return found
    near = await semesters.around(tx, user_id, now.date())
    return rules.nearest_to(near, rules.at_instant(now))


async def _of_classes(
    tx: Tx, user_id: int, classes: Sequence[TaskClass]
) -> tuple[ScheduledBlock, ...]:
    found: list[ScheduledBlock] = []
    for one in classes:
        found += await class_blocks.of_class(tx, user_id, one.id)
    return in_order(found)


async def rough_input(
    tx: Tx, user_id: int, class_ids: Sequence[int], period: Period | None
) -> RoughInput:
    """What a rough build of some classes starts from.

    Raises TaskClassNotFound, SemesterNotFound.
    """
    classes = await _named(tx, user_id, class_ids)
    now = await semesters.now(tx)
    reach = planning.reach_of(classes)
    known = await semesters.between(tx, user_id, *reach) if reach else ()
    if not known:
        known = (await _semester(tx, user_id, classes),)
    of_classes = await _of_classes(tx, user_id, classes)
    blocks = {one.block.id: one for one in of_classes}
    if reach is not None:
        spans = [
            span_of(one, *reach)
            for one in known
            if one.first_day <= reach[1] and reach[0] <= one.last_day
        ]
        placed = await listings.page(
            tx, user_id, spans, kind=None, after=None, limit=_MOST_BLOCKS * len(known)
        )
        blocks |= {one.block.id: one for one in placed}
    missing = {one.block.place.semester_id for one in of_classes} - {one.id for one in known}
    known = (*known, *await semesters.some(tx, user_id, sorted(missing)))
    calendar = [await overrides.between(tx, user_id, one.first_day, one.last_day) for one in known]
    return RoughInput(
        now, classes, period, known, tuple(blocks.values()), tuple(chain.from_iterable(calendar))
    )


async def _named(tx: Tx, user_id: int, class_ids: Sequence[int]) -> tuple[TaskClass, ...]:
    classes = await task_classes.some(tx, user_id, class_ids)
    if len(classes) < len(set(class_ids)):
        raise TaskClassNotFound
    return classes
