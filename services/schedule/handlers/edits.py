"""What a person changes by hand: delete a block, take work off the schedule, open a course.

The caller holds the user's lock.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from libs.db.database import Tx
from libs.planning.grid import BlockKind, Place, Target, TargetKind
from services.schedule.domain.block import BlockState, Cause, ScheduledBlock
from services.schedule.domain.errors import (
    CourseHostsWork,
    CourseNotFound,
    EventHasBegun,
    EventNotFound,
    EventNotRevocable,
    SemesterNotFound,
    VersionMismatch,
)
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import blocks, courses, hosting, overrides, semesters, tasks


@dataclass(frozen=True, slots=True)
class Deleted:
    """A block that left the schedule, and the guests that left with it; as they stood."""

    block: ScheduledBlock
    pending: tuple[ScheduledBlock, ...]


async def delete(
    tx: Tx, user_id: int, event_id: int, outlet: Outlet, *, if_version: int | None = None
) -> Deleted:
    """Takes a block out of the schedule; guests go with their host and wait to be placed again.

    Raises EventNotFound, EventHasBegun, VersionMismatch (`if_version` is a placement version).
    """
    block = await _ahead(tx, user_id, event_id, if_version)
    guests = await hosting.guests_of(tx, user_id, [event_id])
    if block.course_id is not None:
        await _stay_away(tx, user_id, block.course_id, block.block.place)
    gone = [event_id, *(guest.block.id for guest in guests)]
    removed = await blocks.remove(tx, user_id, gone)
    await outlet.schedule_changed(tx, user_id, Cause.EDIT, removed)
    await look_again(tx, user_id, guests, outlet)
    return Deleted(block, guests)


async def revoke(
    tx: Tx, user_id: int, event_id: int, outlet: Outlet, *, if_version: int | None = None
) -> tuple[ScheduledBlock, Target]:
    """Takes a block of work off the schedule, back to where it came from.

    Raises what `delete` raises, and EventNotRevocable for a meeting of a course.
    """
    block = await _ahead(tx, user_id, event_id, if_version)
    source = block.block.source
    if block.block.kind is not BlockKind.TASK or source is None:
        raise EventNotRevocable(event_id)
    removed = await blocks.remove(tx, user_id, [event_id])
    await outlet.schedule_changed(tx, user_id, Cause.EDIT, removed)
    await look_again(tx, user_id, [block], outlet)
    return block, source


async def set_embedding(
    tx: Tx, user_id: int, course_id: int, can_be_embedded: bool, outlet: Outlet
) -> int:
    """Says whether the meetings of a course may host work; gives how many meetings stand.

    What is so already stays as it is, and nothing is said. Raises CourseNotFound, and
    CourseHostsWork when it would be closed around blocks that are not over.
    """
    if not await hosting.has_course(tx, user_id, course_id):
        raise CourseNotFound
    if not can_be_embedded:
        now = await semesters.now(tx)
        guests = await hosting.guests_of_course(tx, user_id, course_id)
        held = [guest.block.id for guest in guests if guest.ends_at > now]
        if held:
            raise CourseHostsWork(held)
    changed: Sequence[BlockState] = await hosting.set_embedding(
        tx, user_id, course_id, can_be_embedded
    )
    await outlet.schedule_changed(tx, user_id, Cause.EDIT, changed)
    return await hosting.count_meetings(tx, user_id, course_id)


async def look_again(tx: Tx, user_id: int, lost: Sequence[ScheduledBlock], outlet: Outlet) -> None:
    """Pool tasks whose blocks were lost are looked at again."""
    await rearm(tx, user_id, [one.block.source for one in lost if one.block.source], outlet)


async def rearm(tx: Tx, user_id: int, lost: Iterable[Target], outlet: Outlet) -> None:
    """Pool tasks that lost their place are looked at again: their versions rise."""
    ids = {target.id for target in lost if target.kind is TargetKind.TASK_POOL}
    for task in await tasks.rearm(tx, user_id, sorted(ids)):
        await outlet.task_changed(tx, task)


async def _stay_away(tx: Tx, user_id: int, course_id: int, stood: Place) -> None:
    """The meeting that stood there does not come back when its course is written anew."""
    semester = await semesters.get(tx, user_id, stood.semester_id)
    if semester is None:
        raise SemesterNotFound
    days = await overrides.taught_days(tx, user_id, semester)
    day = stood.day if days.is_overridden(stood.week, stood.day) else 0
    await courses.skip(tx, user_id, course_id, week=stood.week, day=day)


async def _ahead(tx: Tx, user_id: int, event_id: int, if_version: int | None) -> ScheduledBlock:
    """A live block that has not begun."""
    block = await blocks.get(tx, user_id, event_id)
    if block is None:
        raise EventNotFound
    if if_version is not None and block.block.placement_version != if_version:
        raise VersionMismatch(block.block.placement_version)
    if block.starts_at <= await semesters.now(tx):
        raise EventHasBegun(event_id)
    return block
