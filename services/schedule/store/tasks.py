"""Rows of the task pool, read and written for one user at a time."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from services.schedule.domain.task import Task, TaskFields, TaskStatus
from services.schedule.store import rows

_COLUMNS = """
    id, user_id, title, quadrant, deadline_at, urgency_threshold_at, estimated_sections, status,
    version, placement_version, urgency_version, created_at, completed_at, deleted_at,
    clock_timestamp() AS seen_at
"""
_INSERT = text(f"""
    INSERT INTO tasks (user_id, title, quadrant, deadline_at, urgency_threshold_at,
        estimated_sections, status, version, placement_version, urgency_version)
    SELECT :user_id, :title, :quadrant, :deadline_at, :urgency_threshold_at,
        :estimated_sections, 'open', first.version, first.version,
        first.version
    FROM (SELECT next_version_v1(0) AS version OFFSET 0) AS first
    RETURNING {_COLUMNS}
""")
_GET = text(f"""
    SELECT {_COLUMNS} FROM tasks
    WHERE user_id = :user_id AND id = :task_id AND deleted_at IS NULL
""")
_PAGE = text(f"""
    SELECT {_COLUMNS} FROM tasks
    WHERE user_id = :user_id AND id < :before AND deleted_at IS NULL
    ORDER BY id DESC LIMIT :limit
""")
_PAGE_OF_STATUS = text(f"""
    SELECT {_COLUMNS} FROM tasks
    WHERE user_id = :user_id AND status = :status AND id < :before AND deleted_at IS NULL
    ORDER BY id DESC LIMIT :limit
""")
# The version that a task rises to, drawn once: `version` and `urgency_version` rise to the same.
_RISEN = """
    FROM (SELECT next_version_v1(version) AS to_version FROM tasks
        WHERE user_id = :user_id AND id = :task_id OFFSET 0) AS risen
    WHERE user_id = :user_id AND id = :task_id
"""
_PUT = text(f"""
    UPDATE tasks SET title = :title, quadrant = :quadrant, deadline_at = :deadline_at,
        urgency_threshold_at = :urgency_threshold_at, estimated_sections = :estimated_sections,
        version = to_version,
        placement_version = CASE WHEN :matters THEN next_version_v1(placement_version)
            ELSE placement_version END,
        urgency_version = CASE WHEN :urges THEN to_version
            ELSE urgency_version END
    {_RISEN}
    RETURNING {_COLUMNS}
""")
_SET_STATUS = text(f"""
    UPDATE tasks SET status = :status,
        completed_at = CASE WHEN :status = 'completed' THEN clock_timestamp() END,
        version = to_version,
        placement_version = next_version_v1(placement_version),
        urgency_version = to_version
    {_RISEN}
    RETURNING {_COLUMNS}
""")
_BURY = text(f"""
    UPDATE tasks SET deleted_at = clock_timestamp(), version = to_version,
        placement_version = next_version_v1(placement_version),
        urgency_version = to_version
    {_RISEN}
    RETURNING {_COLUMNS}
""")

_REARM = text(f"""
    UPDATE tasks SET version = to_version, urgency_version = to_version
    FROM (SELECT id AS risen_id, next_version_v1(version) AS to_version FROM tasks
        WHERE user_id = :user_id AND id = ANY(:ids) OFFSET 0) AS risen
    WHERE user_id = :user_id AND id = risen_id AND status = 'open' AND deleted_at IS NULL
    RETURNING {_COLUMNS}
""")

_NEWEST = 2**63 - 1


async def add(tx: Tx, user_id: int, fields: TaskFields) -> Task:
    """Writes a new, open task."""
    row = await tx.one(_INSERT, user_id=user_id, **_values(fields))
    return rows.task(row._mapping)


async def get(tx: Tx, user_id: int, task_id: int) -> Task | None:
    """The task, or None where the user has no such task or it was deleted."""
    row = await tx.first(_GET, user_id=user_id, task_id=task_id)
    return None if row is None else rows.task(row._mapping)


async def page(
    tx: Tx, user_id: int, *, status: TaskStatus | None, before: int | None, limit: int
) -> tuple[Task, ...]:
    """At most `limit` tasks with an id below `before`, newest first."""
    asked: dict[str, Any] = {"user_id": user_id, "before": before or _NEWEST, "limit": limit}
    if status is None:
        found = await tx.all(_PAGE, **asked)
    else:
        found = await tx.all(_PAGE_OF_STATUS, status=status.value, **asked)
    return tuple(rows.task(row._mapping) for row in found)


async def put(tx: Tx, task: Task, fields: TaskFields) -> Task:
    """Replaces what the owner sets; its other versions rise only where somebody cares."""
    row = await tx.one(
        _PUT,
        user_id=task.user_id,
        task_id=task.id,
        matters=fields.plans_otherwise_than(task.fields),
        urges=fields.urges_otherwise_than(task.fields),
        **_values(fields),
    )
    return rows.task(row._mapping)


async def set_status(tx: Tx, task: Task, status: TaskStatus) -> Task:
    """Completes the task, or opens it again."""
    row = await tx.one(_SET_STATUS, user_id=task.user_id, task_id=task.id, status=status.value)
    return rows.task(row._mapping)


async def bury(tx: Tx, task: Task) -> Task:
    """Deletes the task; its row stays, so that its versions never go back."""
    row = await tx.one(_BURY, user_id=task.user_id, task_id=task.id)
    return rows.task(row._mapping)


async def rearm(tx: Tx, user_id: int, ids: Sequence[int]) -> tuple[Task, ...]:
    """Raises the versions of those of the tasks that are open, so that others look again."""
    if not ids:
        return ()
    found = await tx.all(_REARM, user_id=user_id, ids=list(ids))
    return tuple(rows.task(row._mapping) for row in found)


def _values(fields: TaskFields) -> dict[str, Any]:
    return {
        "title": fields.title,
        "quadrant": fields.quadrant.value,
        "deadline_at": fields.deadline_at,
        "urgency_threshold_at": fields.urgency_threshold_at,
        "estimated_sections": fields.estimated_sections,
    }
