"""Tasks on the wire."""

import re
from collections.abc import Sequence
from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from libs.planning.validation import MAX_POOL_TASK_SECTIONS
from libs.rpc.errors import invalid
from services.schedule.domain.task import Quadrant, Task, TaskFields, TaskStatus
from services.schedule.domain.views import DueFacts
from services.schedule.wire import fields, user_settings
from smartmate.schedule.v1 import schedule_service_pb2, task_pb2

LONGEST_TITLE = 200
MOST_DUE_TASKS = 500
_TOKEN = re.compile(r"[1-9][0-9]{0,17}")
_DEFAULT_PAGE, _LARGEST_PAGE = 50, 200

_STATUS = {
    TaskStatus.OPEN: task_pb2.TASK_STATUS_OPEN,
    TaskStatus.COMPLETED: task_pb2.TASK_STATUS_COMPLETED,
}
_QUADRANT = {
    Quadrant.URGENT_IMPORTANT: task_pb2.QUADRANT_URGENT_IMPORTANT,
    Quadrant.IMPORTANT: task_pb2.QUADRANT_IMPORTANT,
    Quadrant.URGENT: task_pb2.QUADRANT_URGENT,
    Quadrant.NEITHER: task_pb2.QUADRANT_NEITHER,
}
_QUADRANT_READ: dict[int, Quadrant] = {number: one for one, number in _QUADRANT.items()}
_STATUS_READ: dict[int, TaskStatus] = {number: status for status, number in _STATUS.items()}


def read_fields(message: schedule_service_pb2.TaskInput) -> TaskFields:
    """What the owner sets. Raises InvalidRequest."""
    deadline = (
        fields.instant("task.deadline_time", message.deadline_time)
        if message.HasField("deadline_time")
        else None
    )
    threshold = (
        fields.instant("task.urgency_threshold_time", message.urgency_threshold_time)
        if message.HasField("urgency_threshold_time")
        else None
    )
    if deadline is not None and threshold is not None and threshold > deadline:
        raise invalid("task.urgency_threshold_time", "must not be after the deadline")
    return TaskFields(
        title=fields.text("task.title", message.title, longest=LONGEST_TITLE),
        quadrant=_read_quadrant(message.quadrant),
        deadline_at=deadline,
        urgency_threshold_at=threshold,
        estimated_sections=_read_estimate(message),
    )


def _read_estimate(message: schedule_service_pb2.TaskInput) -> int | None:
    if not message.HasField("estimated_sections"):
        return None
    return fields.within(
        "task.estimated_sections", message.estimated_sections, 1, MAX_POOL_TASK_SECTIONS
    )


def _read_quadrant(number: int) -> Quadrant:
    if number not in _QUADRANT_READ:
        raise invalid("task.quadrant", "must be one of the four quadrants")
    return _QUADRANT_READ[number]


def read_page(
    request: schedule_service_pb2.ListTasksRequest,
) -> tuple[TaskStatus | None, int | None, int]:
    """Status asked for, the id that the page lies before, and the size of the page."""
    if request.status and request.status not in _STATUS_READ:
        raise invalid("status", "must be a known status")
    if request.page_size < 0:
        raise invalid("page_size", "must not be negative")
    token = request.page_token
    if token and not _TOKEN.fullmatch(token):
        raise invalid("page_token", "must be next_page_token of an answer")
    return (
        _STATUS_READ.get(request.status),
        int(token) if token else None,
        min(request.page_size or _DEFAULT_PAGE, _LARGEST_PAGE),
    )


def page(shown: Sequence[Task], next_before: int | None) -> schedule_service_pb2.ListTasksResponse:
    """A page of tasks."""
    return schedule_service_pb2.ListTasksResponse(
        tasks=[task(one) for one in shown],
        next_page_token=str(next_before) if next_before is not None else "",
    )


def task(found: Task) -> task_pb2.Task:
    """A task as it reads at the instant it was read at."""
    return task_pb2.Task(
        task_id=found.id,
        title=found.fields.title,
        quadrant=quadrant(found.fields.quadrant),
        effective_quadrant=quadrant(found.effective_quadrant),
        estimated_sections=found.fields.estimated_sections,
        status=status(found.status),
        version=found.version,
        placement_version=found.placement_version,
        create_time=fields.timestamp(found.created_at),
        deadline_time=_instant(found.fields.deadline_at),
        urgency_threshold_time=_instant(found.fields.urgency_threshold_at),
        complete_time=_instant(found.completed_at),
    )


def status(found: TaskStatus) -> task_pb2.TaskStatus:
    """Open or completed."""
    return _STATUS[found]


def quadrant(found: Quadrant) -> task_pb2.Quadrant:
    """One of the four."""
    return _QUADRANT[found]


def read_due(
    request: schedule_service_pb2.CheckDueTasksRequest,
) -> tuple[tuple[int, int], ...]:
    """(user, task) pairs in their order; an id that cannot be is a task that never was."""
    if len(request.tasks) > MOST_DUE_TASKS:
        raise invalid("tasks", f"must be at most {MOST_DUE_TASKS}")
    return tuple((asked.user_id, asked.task_id) for asked in request.tasks)


def due(now: datetime, found: Sequence[DueFacts]) -> schedule_service_pb2.CheckDueTasksResponse:
    """The truth about every pair, in the order asked."""
    return schedule_service_pb2.CheckDueTasksResponse(
        tasks=[_due(one) for one in found], now_time=fields.timestamp(now)
    )


def _due(found: DueFacts) -> schedule_service_pb2.DueTaskFacts:
    return schedule_service_pb2.DueTaskFacts(
        task=schedule_service_pb2.DueTask(user_id=found.user_id, task_id=found.task_id),
        exists=found.exists,
        done=found.done,
        version=found.version,
        scheduled=found.scheduled,
        settings=user_settings.settings(found.settings),
        quadrant=None if found.quadrant is None else quadrant(found.quadrant),
        urgency_threshold_time=_instant(found.urgency_threshold_at),
        deadline_time=_instant(found.deadline_at),
    )


def _instant(at: datetime | None) -> Timestamp | None:
    return None if at is None else fields.timestamp(at)
