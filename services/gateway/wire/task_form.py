"""The form of a task: what is shown in it, and what is read of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from zoneinfo import ZoneInfo

from google.protobuf.timestamp_pb2 import Timestamp
from pydantic import Field

from services.gateway.domain import moments
from services.gateway.wire.bodies import Body, Key, timestamp
from services.gateway.wire.calendar import instant
from services.gateway.wire.entered import Problems, Refused
from smartmate.schedule.v1 import schedule_service_pb2, task_pb2

LONGEST = 20_000
QUADRANTS = (
    "QUADRANT_URGENT_IMPORTANT",
    "QUADRANT_IMPORTANT",
    "QUADRANT_URGENT",
    "QUADRANT_NEITHER",
)
"""In the order of priority."""
_ESTIMATES = ("", "1", "2", "3", "4")

FIELDS: Mapping[str, tuple[str, str]] = {
    "task.title": ("title", "problem.task_title"),
    "task.quadrant": ("quadrant", "problem.task_quadrant"),
    "task.deadline_time": ("deadline", "problem.task_deadline"),
    "task.urgency_threshold_time": ("threshold", "problem.task_threshold"),
    "task.estimated_sections": ("estimate", "problem.task_estimate"),
}


class TaskForm(Body):
    """The fields as they are entered; times are of the semester's wall clock."""

    title: str = Field("", max_length=LONGEST)
    quadrant: str = Field(QUADRANTS[1], max_length=100)
    deadline: str = Field("", max_length=100)
    threshold: str = Field("", max_length=100)
    estimate: str = Field("", max_length=100)
    version: int = Field(0, ge=0, le=2**63 - 1)
    idempotency_key: Key = None


@dataclass(frozen=True, slots=True)
class Shown:
    """A form as the template is given it."""

    form: TaskForm
    problems: Mapping[str, str]

    def problem(self, name: str) -> str:
        """What is wrong at a field, or nothing."""
        return self.problems.get(name, "")

    @property
    def has_more(self) -> bool:
        """Whether anything stands in the part that is folded away at first."""
        more = (self.form.deadline, self.form.threshold, self.form.estimate)
        return any(more) or bool(self.problems.keys() & {"deadline", "threshold", "estimate"})


def of_task(task: task_pb2.Task, zone: ZoneInfo) -> TaskForm:
    """A stored task as it is entered."""
    return TaskForm(
        title=task.title,
        quadrant=task_pb2.Quadrant.Name(task.quadrant),
        deadline=moments.entered(_instant(task, "deadline_time"), zone),
        threshold=moments.entered(_instant(task, "urgency_threshold_time"), zone),
        estimate=str(task.estimated_sections) if task.HasField("estimated_sections") else "",
        version=task.version,
    )


def message(
    form: TaskForm, zone: ZoneInfo, before: task_pb2.Task | None = None
) -> schedule_service_pb2.TaskInput:
    """What is asked of the service. Raises Refused.

    A time that is left as `before` has it keeps its seconds, which no form shows.
    """
    problems = Problems()
    if form.quadrant not in QUADRANTS:
        problems.add("quadrant", "problem.task_quadrant")
    if form.estimate not in _ESTIMATES:
        problems.add("estimate", "problem.task_estimate")
    deadline = problems.reading("deadline", partial(moments.read, form.deadline, zone))
    threshold = problems.reading("threshold", partial(moments.read, form.threshold, zone))
    if problems.keys:
        raise Refused(problems)
    return schedule_service_pb2.TaskInput(
        title=form.title.strip(),
        quadrant=form.quadrant,
        deadline_time=_kept(deadline, before, "deadline_time"),
        urgency_threshold_time=_kept(threshold, before, "urgency_threshold_time"),
        estimated_sections=int(form.estimate) if form.estimate else None,
    )


def _kept(at: datetime | None, before: task_pb2.Task | None, name: str) -> Timestamp | None:
    stored = _instant(before, name) if before is not None else None
    if at is not None and stored is not None and stored.replace(second=0, microsecond=0) == at:
        return timestamp(stored)
    return timestamp(at)


def _instant(task: task_pb2.Task, name: str) -> datetime | None:
    return instant(getattr(task, name)) if task.HasField(name) else None
