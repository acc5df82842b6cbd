"""The task pool: create, change, complete, reopen, delete, read."""

from datetime import datetime

from libs.db.database import Tx
from libs.planning.grid import Target, TargetKind
from services.schedule.domain.block import BlockState
from services.schedule.domain.errors import TaskNotFound, VersionMismatch
from services.schedule.domain.task import Task, TaskFields, TaskStatus
from services.schedule.domain.views import DueFacts
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import blocks, due, semesters, tasks


async def create(tx: Tx, user_id: int, fields: TaskFields, outlet: Outlet) -> Task:
    """Adds a task to the pool."""
    task = await tasks.add(tx, user_id, fields)
    await outlet.task_changed(tx, task)
    return task


async def update(
    tx: Tx,
    user_id: int,
    task_id: int,
    fields: TaskFields,
    outlet: Outlet,
    *,
    if_version: int | None = None,
) -> Task:
    """Replaces the fields of a task; a new title renames its blocks.

    Fields that are as they were change nothing and say nothing. Raises TaskNotFound and
    VersionMismatch.
    """
    task = await get(tx, user_id, task_id)
    if if_version is not None and task.version != if_version:
        raise VersionMismatch(task.version)
    if task.fields == fields:
        return task
    changed = await tasks.put(tx, task, fields)
    renamed: tuple[BlockState, ...] = ()
    if fields.title != task.fields.title:
        renamed = await blocks.rename(tx, user_id, _target(task), fields.title)
    await outlet.task_changed(tx, changed, renamed)
    return changed


async def set_status(
    tx: Tx, user_id: int, task_id: int, status: TaskStatus, outlet: Outlet
) -> Task:
    """Completes a task or opens it again; its blocks stay. Raises TaskNotFound.

    A task that is so already stays as it is, and nothing is said.
    """
    task = await get(tx, user_id, task_id)
    if task.status is status:
        return task
    changed = await tasks.set_status(tx, task, status)
    await outlet.task_changed(tx, changed)
    return changed


async def delete(tx: Tx, user_id: int, task_id: int, outlet: Outlet) -> tuple[int, ...]:
    """Deletes a task; gives the blocks that left the schedule with it. Raises TaskNotFound.

    Blocks that have begun stay: they are history.
    """
    task = await get(tx, user_id, task_id)
    placed = await blocks.of_source(tx, user_id, _target(task))
    ahead = [one.block.id for one in placed if one.starts_at > task.seen_at]
    removed = await blocks.remove(tx, user_id, ahead)
    await outlet.task_changed(tx, await tasks.bury(tx, task), removed)
    return tuple(one.id for one in removed)


async def get(tx: Tx, user_id: int, task_id: int) -> Task:
    """One task. Raises TaskNotFound."""
    task = await tasks.get(tx, user_id, task_id)
    if task is None:
        raise TaskNotFound
    return task


async def page(
    tx: Tx, user_id: int, *, status: TaskStatus | None, before: int | None, size: int
) -> tuple[tuple[Task, ...], int | None]:
    """A page of tasks, newest first, and where the next one begins; None after the last."""
    found = await tasks.page(tx, user_id, status=status, before=before, limit=size + 1)
    shown = found[:size]
    return shown, (shown[-1].id if len(found) > size else None)


async def check_due(
    tx: Tx, pairs: tuple[tuple[int, int], ...]
) -> tuple[datetime, tuple[DueFacts, ...]]:
    """The truth about (user, task) pairs, and the instant it was read at."""
    now, facts = await due.check(tx, pairs)
    return now or await semesters.now(tx), facts


def _target(task: Task) -> Target:
    return Target(TargetKind.TASK_POOL, task.id)
