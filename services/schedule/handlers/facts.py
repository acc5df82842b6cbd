"""The facts about one target: everything that is needed to judge where it may go."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from libs.db.database import Tx
from libs.planning.calendar import Override, Semester
from libs.planning.grid import Target, TargetKind
from services.schedule.domain import views
from services.schedule.domain.block import ScheduledBlock, in_order
from services.schedule.domain.errors import TargetNotFound
from services.schedule.domain.task import Task
from services.schedule.domain.views import ItemOfClass, Placeable
from services.schedule.store import (
    blocks,
    class_blocks,
    overrides,
    semesters,
    task_classes,
    tasks,
    user_settings,
)

_DAY = timedelta(days=1)


async def facts(
    tx: Tx, user_id: int, asked: Target, *, horizon: timedelta, mock_now: datetime | None
) -> views.SchedulingFacts:
    """What is needed to judge where a target may go. Raises TargetNotFound.

    `mock_now` takes the place of the database's clock; nothing is written either way.
    """
    block, source = await _source(tx, user_id, asked)
    target = await _placeable(tx, user_id, source)
    now = mock_now or await semesters.now(tx)
    end = now + horizon
    # A day of margin on either side: the zones of the semesters are not known yet.
    near = await semesters.between(tx, user_id, (now - _DAY).date(), (end + _DAY).date())
    days = views.days_of_window(near, now, end)
    placed = await blocks.of_days(tx, user_id, days)
    own = await blocks.of_source(tx, user_id, source)
    of_class = await _class_blocks(tx, user_id, target)
    beside = None
    if asked.kind is not TargetKind.TASK_POOL:
        work = views.work_ahead(placed, start=now, end=end)
        to_do = await blocks.to_do(tx, user_id, [one.block.source for one in work])
        following = views.next_dynamic(work, block, source, to_do=to_do)
        beside = await _next_task(tx, user_id, following, target, of_class)
    wanted = {day[0] for day in days}
    shown = (*own, *of_class, *(beside.blocks if beside else ()))
    wanted |= {one.block.place.semester_id for one in shown}
    known = await _known(tx, user_id, near, wanted)
    return views.SchedulingFacts(
        now=now,
        target=target,
        asked_block=block,
        class_blocks=of_class,
        semesters=known,
        blocks=placed,
        target_blocks=own,
        next_task_block_id=views.next_task_block(placed, start=now, end=end),
        settings=await user_settings.get(tx, user_id),
        overrides=await _overrides(tx, user_id, known),
        next_task=beside,
    )


async def _source(tx: Tx, user_id: int, asked: Target) -> tuple[ScheduledBlock | None, Target]:
    """The block that is asked about, where it is one, and what is to be placed."""
    if asked.kind is not TargetKind.SCHEDULE_EVENT:
        return None, asked
    block = await blocks.get(tx, user_id, asked.id)
    if block is None or block.block.source is None:
        raise TargetNotFound
    return block, block.block.source


async def _placeable(tx: Tx, user_id: int, target: Target) -> Placeable:
    if target.kind is TargetKind.TASK_POOL:
        task = await tasks.get(tx, user_id, target.id)
        if task is None:
            raise TargetNotFound
        return task
    found = await task_classes.of_item(tx, user_id, target.id)
    item = next((one for one in found.items if one.id == target.id), None) if found else None
    if found is None or item is None:
        raise TargetNotFound
    return ItemOfClass(item, found)


async def _next_task(
    tx: Tx,
    user_id: int,
    block: ScheduledBlock | None,
    target: Placeable,
    of_class: tuple[ScheduledBlock, ...],
) -> views.NextTask | None:
    """What there is to know of a block that another could share; a target that is gone has none."""
    if block is None or block.block.source is None:
        return None
    source = block.block.source
    if isinstance(target, ItemOfClass):
        mate = next((one for one in target.task_class.items if one.id == source.id), None)
        if source.kind is TargetKind.TASK_ITEM and mate is not None:
            return views.NextTask(block, ItemOfClass(mate, target.task_class), of_class)
    try:
        found = await _placeable(tx, user_id, source)
    except TargetNotFound:
        return None
    own = await blocks.of_source(tx, user_id, source)
    mates = await _class_blocks(tx, user_id, found)
    return views.NextTask(block, found, _each_once(*own, *mates))


def _each_once(*found: ScheduledBlock) -> tuple[ScheduledBlock, ...]:
    return in_order({one.block.id: one for one in found}.values())


async def _class_blocks(tx: Tx, user_id: int, target: Placeable) -> tuple[ScheduledBlock, ...]:
    if isinstance(target, Task):
        return ()
    return await class_blocks.of_class(tx, user_id, target.task_class.id)


async def _known(
    tx: Tx, user_id: int, near: Sequence[Semester], wanted: set[int]
) -> tuple[Semester, ...]:
    """The semesters of these ids, earliest first."""
    known = {semester.id: semester for semester in near if semester.id in wanted}
    missing = sorted(wanted - known.keys())
    if missing:
        known |= {one.id: one for one in await semesters.some(tx, user_id, missing)}
    return tuple(sorted(known.values(), key=lambda one: one.first_day))


async def _overrides(tx: Tx, user_id: int, known: Sequence[Semester]) -> tuple[Override, ...]:
    found: list[Override] = []
    for one in known:
        found += await overrides.between(tx, user_id, one.first_day, one.last_day)
    return tuple(found)
