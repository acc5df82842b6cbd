"""What the schedule service answers, as domain values."""

from datetime import time

from libs.planning.base_map import BaseEntryDiff
from libs.planning.changes import TargetFacts, World
from services.active_scheduler.domain.apply import ApplyRequest, Verdict
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.job import DueTask, TaskState
from services.active_scheduler.domain.preview import RefusalRecord
from services.active_scheduler.domain.quiet import QuietHours
from services.active_scheduler.wire import plan, values
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import apply_pb2, task_pb2, user_settings_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2

_PREFIX = "REFUSAL_CODE_"
_CODES = {
    number: name.removeprefix(_PREFIX).lower() for name, number in apply_pb2.RefusalCode.items()
}
_UNSPECIFIED = _CODES[apply_pb2.REFUSAL_CODE_UNSPECIFIED]
_APPLIED = {apply_pb2.APPLY_STATE_APPLIED: True, apply_pb2.APPLY_STATE_REFUSED: False}


def facts(answer: schedule_pb2.GetSchedulingFactsResponse) -> Facts:
    """The context of a look."""
    found = answer.target
    target = target_facts(found)
    world = World(
        semesters=tuple(plan.semester(one) for one in answer.semesters),
        blocks=plan.blocks(list(answer.events), list(answer.target_events)),
        targets={target.target: target},
        overrides=tuple(plan.override(one) for one in answer.overrides),
    )
    crossed = found.HasField("urgency_threshold_time")
    return Facts(
        now=values.instant(answer.now_time),
        target=target,
        quadrant=found.quadrant,
        threshold=values.instant(found.urgency_threshold_time) if crossed else None,
        world=world,
        version=found.version,
    )


def target_facts(found: schedule_pb2.TargetFacts) -> TargetFacts:
    """What is known of a target, its class aside."""
    return TargetFacts(
        target=values.target(found.target),
        placement_version=found.placement_version,
        done=found.done,
        deadline=values.instant(found.deadline_time) if found.HasField("deadline_time") else None,
        estimated_sections=(
            found.estimated_sections if found.HasField("estimated_sections") else None
        ),
        title=found.title,
    )


def due_task(message: schedule_pb2.DueTaskFacts) -> DueTask:
    threshold = message.HasField("urgency_threshold_time")
    return DueTask(
        user_id=message.task.user_id,
        task_id=message.task.task_id,
        exists=message.exists,
        done=message.done,
        quadrant=message.quadrant,
        threshold=values.instant(message.urgency_threshold_time) if threshold else None,
        version=message.version,
        scheduled=message.scheduled,
        deadline=(
            values.instant(message.deadline_time) if message.HasField("deadline_time") else None
        ),
        quiet=quiet_hours(message.settings),
    )


def quiet_hours(settings: user_settings_pb2.UserSettings) -> QuietHours | None:
    """The quiet hours of a person; None = off."""
    if not settings.HasField("quiet_hours"):
        return None
    hours = settings.quiet_hours
    return QuietHours(
        start=time(*divmod(hours.start_minute_of_day, 60)),
        end=time(*divmod(hours.end_minute_of_day, 60)),
        time_zone=settings.time_zone,
    )


def task_state(event: events_pb2.TaskChanged) -> TaskState:
    crosses = event.HasField("urgency_threshold_time")
    return TaskState(
        user_id=event.user_id,
        task_id=event.task_id,
        version=event.version,
        urgency_version=event.urgency_version,
        deleted=event.deleted,
        done=event.status == task_pb2.TASK_STATUS_COMPLETED,
        threshold=values.instant(event.urgency_threshold_time) if crosses else None,
    )


def apply_call(request: ApplyRequest) -> schedule_pb2.ApplyChangesRequest:
    """The same bytes each time, so that the schedule service sees the same request."""
    return schedule_pb2.ApplyChangesRequest(
        apply_id=request.apply_id,
        changes=[plan.change_message(one) for one in request.changes],
        base=dict(request.base),
        not_after_time=values.timestamp(request.not_after),
    )


def verdict(answer: apply_pb2.ApplyVerdict, *, user_id: int) -> Verdict:
    """A verdict out of an answer. Raises ValueError for a state that is neither: taking it for
    a refusal would offer again what may have been written."""
    if answer.state not in _APPLIED:
        raise ValueError(f"verdict on {answer.apply_id} in unknown state {answer.state}")
    return Verdict(
        apply_id=answer.apply_id,
        user_id=user_id,
        applied=_APPLIED[answer.state],
        event_ids=tuple(answer.event_ids),
        refusals=tuple(refusal(one) for one in answer.refusals),
        judged_at=values.instant(answer.judge_time),
    )


def succeeded(event: events_pb2.ScheduleApplySucceeded) -> Verdict:
    """A verdict out of an event."""
    return Verdict(
        apply_id=event.apply_id,
        user_id=event.user_id,
        applied=True,
        event_ids=tuple(event.event_ids),
        refusals=(),
        judged_at=values.instant(event.judge_time),
    )


def failed(event: events_pb2.ScheduleApplyFailed) -> Verdict:
    """A verdict out of an event; blocks have no names there."""
    return Verdict(
        apply_id=event.apply_id,
        user_id=event.user_id,
        applied=False,
        event_ids=(),
        refusals=tuple(refusal(one) for one in event.refusals),
        judged_at=values.instant(event.judge_time),
    )


def refusal(message: apply_pb2.Refusal) -> RefusalRecord:
    """One reason; a code of a newer peer is told as `unspecified`, so that the apply ends."""
    return RefusalRecord(
        code=_CODES.get(message.code, _UNSPECIFIED),
        change_id=message.change_id,
        place=plan.place(message.place) if message.HasField("place") else None,
        event_id=message.event_id,
        event_name=message.event_name,
        entries=tuple(
            BaseEntryDiff(one.key, one.expected, one.actual) for one in message.base_entries
        ),
        detail=message.detail,
    )
