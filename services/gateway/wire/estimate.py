"""The length of a task as a form or a program sets it."""

from typing import Annotated, Literal

from pydantic import Field

from services.gateway.wire.bodies import Body, Key
from smartmate.schedule.v1 import schedule_service_pb2, task_pb2

SECTIONS = (1, 2, 3, 4)
"""Lengths that a task of the pool can have."""


class EstimateBody(Body):
    """How many sections the task takes."""

    sections: Annotated[int, Field(strict=True, ge=SECTIONS[0], le=SECTIONS[-1])]
    idempotency_key: Key = None


class EstimateForm(Body):
    """The same out of a form, whose values are texts."""

    sections: Literal["1", "2", "3", "4"]
    idempotency_key: Key = None


def with_estimate(
    task: task_pb2.Task, sections: int, *, request_id: str
) -> schedule_service_pb2.UpdateTaskRequest:
    """The task as it was read, with another length; refused where it was changed since."""
    wanted = schedule_service_pb2.TaskInput(
        title=task.title, quadrant=task.quadrant, estimated_sections=sections
    )
    for name in ("deadline_time", "urgency_threshold_time"):
        if task.HasField(name):
            getattr(wanted, name).CopyFrom(getattr(task, name))
    return schedule_service_pb2.UpdateTaskRequest(
        request_id=request_id, task_id=task.task_id, task=wanted, if_version=task.version
    )
