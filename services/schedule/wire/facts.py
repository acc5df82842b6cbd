"""The facts about one target on the wire."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from libs.planning.calendar import Semester
from libs.planning.grid import Target, TargetKind
from services.schedule.domain.task import Task
from services.schedule.domain.views import ItemOfClass, NextTask, Placeable, SchedulingFacts
from services.schedule.wire import (
    blocks,
    calendar,
    changes,
    fields,
    task_classes,
    tasks,
    user_settings,
)
from smartmate.schedule.v1 import schedule_service_pb2 as pb

_LONGEST_HORIZON = timedelta(days=60)
_DEFAULT_HORIZON = timedelta(hours=24)


def read_horizon(request: pb.GetSchedulingFactsRequest) -> timedelta:
    """How far ahead blocks are wanted."""
    if not request.HasField("horizon"):
        return _DEFAULT_HORIZON
    return fields.length_of_time("horizon", request.horizon, longest=_LONGEST_HORIZON)


def read_mock_now(request: pb.GetSchedulingFactsRequest) -> datetime | None:
    """The instant that takes the place of the clock, where there is one."""
    if not request.HasField("mock_now_time"):
        return None
    return fields.instant("mock_now_time", request.mock_now_time)


def facts(found: SchedulingFacts) -> pb.GetSchedulingFactsResponse:
    """All that is known around one target."""
    target = found.target
    task_class = target.task_class if isinstance(target, ItemOfClass) else None
    return pb.GetSchedulingFactsResponse(
        now_time=fields.timestamp(found.now),
        target=_target(target, found.semesters),
        semesters=[calendar.semester(one) for one in found.semesters],
        events=[blocks.event(one) for one in found.blocks],
        target_events=[blocks.event(one) for one in found.target_blocks],
        next_task_event_id=found.next_task_block_id or 0,
        settings=user_settings.settings(found.settings),
        overrides=[calendar.override(one) for one in found.overrides],
        asked_event=blocks.event(found.asked_block) if found.asked_block else None,
        task_class=task_classes.task_class(task_class) if task_class else None,
        class_events=[blocks.event(one) for one in found.class_blocks],
        next_dynamic_task=_next_task(found.next_task, found.semesters),
    )


def _next_task(found: NextTask | None, known: Sequence[Semester]) -> pb.NextDynamicTask | None:
    if found is None:
        return None
    target = found.target
    task_class = target.task_class if isinstance(target, ItemOfClass) else None
    return pb.NextDynamicTask(
        event=blocks.event(found.block),
        target=_target(target, known),
        task_class=task_classes.task_class(task_class) if task_class else None,
        events=[blocks.event(one) for one in found.blocks],
    )


def _target(target: Placeable, known: Sequence[Semester]) -> pb.TargetFacts:
    if isinstance(target, ItemOfClass):
        return _item_facts(target, known)
    return _task_facts(target)


def _task_facts(task: Task) -> pb.TargetFacts:
    message = pb.TargetFacts(
        target=changes.target(Target(TargetKind.TASK_POOL, task.id)),
        title=task.fields.title,
        placement_version=task.placement_version,
        done=task.done,
        estimated_sections=task.fields.estimated_sections,
        quadrant=tasks.quadrant(task.fields.quadrant),
        version=task.version,
    )
    if task.fields.deadline_at is not None:
        message.deadline_time.FromDatetime(task.fields.deadline_at)
    if task.fields.urgency_threshold_at is not None:
        message.urgency_threshold_time.FromDatetime(task.fields.urgency_threshold_at)
    return message


def _item_facts(found: ItemOfClass, known: Sequence[Semester]) -> pb.TargetFacts:
    item = found.item
    message = pb.TargetFacts(
        target=changes.target(found.target),
        title=item.content,
        placement_version=item.placement_version,
        done=item.done,
        estimated_sections=found.task_class.item_sections,
        version=found.task_class.version,
        task_class_id=found.task_class.id,
        task_order=item.order,
    )
    deadline = found.deadline(tuple(known))
    if deadline is not None:
        message.deadline_time.FromDatetime(deadline)
    return message
