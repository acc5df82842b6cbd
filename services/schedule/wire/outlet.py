"""What became true, as events in the outbox. Names and titles stay here."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from google.protobuf.message import Message

from libs.db.database import Tx
from libs.outbox.outbox import Outbox
from services.schedule.domain.block import BlockState, Cause
from services.schedule.domain.task import Task
from services.schedule.domain.verdict import Verdict
from services.schedule.wire import blocks, calendar, changes, fields, tasks
from smartmate.events.v1 import events_pb2

# A broker takes no message of any size: the stored verdict has the rest.
_MOST_REFUSALS, _MOST_ENTRIES = 50, 100

_CAUSES = {
    Cause.IMPORT: events_pb2.SCHEDULE_CHANGE_CAUSE_IMPORT,
    Cause.APPLY: events_pb2.SCHEDULE_CHANGE_CAUSE_APPLY,
    Cause.TASK: events_pb2.SCHEDULE_CHANGE_CAUSE_TASK,
    Cause.SEMESTER: events_pb2.SCHEDULE_CHANGE_CAUSE_SEMESTER,
    Cause.EDIT: events_pb2.SCHEDULE_CHANGE_CAUSE_EDIT,
    Cause.CALENDAR: events_pb2.SCHEDULE_CHANGE_CAUSE_CALENDAR,
    Cause.TASK_CLASS: events_pb2.SCHEDULE_CHANGE_CAUSE_TASK_CLASS,
}


@dataclass(frozen=True, slots=True)
class EventOutlet:
    """Implements `handlers.outlet.Outlet`."""

    outbox: Outbox

    async def task_changed(self, tx: Tx, task: Task, changed: Sequence[BlockState] = ()) -> None:
        await self.outbox.add(
            tx, _task_changed(task), *_schedule_changed(task.user_id, Cause.TASK, changed)
        )

    async def schedule_changed(
        self, tx: Tx, user_id: int, cause: Cause, changed: Sequence[BlockState]
    ) -> None:
        await self.outbox.add(tx, *_schedule_changed(user_id, cause, changed))

    async def judged(
        self, tx: Tx, user_id: int, verdict: Verdict, changed: Sequence[BlockState]
    ) -> None:
        await self.outbox.add(
            tx,
            *_schedule_changed(user_id, Cause.APPLY, changed, apply_id=verdict.apply_id),
            _succeeded(user_id, verdict) if verdict.applied else _failed(user_id, verdict),
        )


def _task_changed(task: Task) -> Message:
    message = events_pb2.TaskChanged(
        user_id=task.user_id,
        task_id=task.id,
        version=task.version,
        deleted=task.deleted,
        status=tasks.status(task.status),
        quadrant=tasks.quadrant(task.fields.quadrant),
        estimated_sections=task.fields.estimated_sections,
        urgency_version=task.urgency_version,
    )
    if task.fields.deadline_at is not None:
        message.deadline_time.FromDatetime(task.fields.deadline_at)
    if task.fields.urgency_threshold_at is not None:
        message.urgency_threshold_time.FromDatetime(task.fields.urgency_threshold_at)
    return message


def _schedule_changed(
    user_id: int, cause: Cause, changed: Sequence[BlockState], *, apply_id: str = ""
) -> tuple[Message, ...]:
    if not changed:
        return ()
    return (
        events_pb2.ScheduleChanged(
            user_id=user_id,
            cause=_CAUSES[cause],
            apply_id=apply_id,
            events=[_state(one) for one in changed],
        ),
    )


def _state(found: BlockState) -> events_pb2.ScheduleEventState:
    return events_pb2.ScheduleEventState(
        event_id=found.id,
        version=found.version,
        removed=found.removed,
        type=blocks.event_type(found.kind),
        source=changes.target(found.source) if found.source else None,
        place=calendar.place(found.place),
    )


def _succeeded(user_id: int, verdict: Verdict) -> Message:
    return events_pb2.ScheduleApplySucceeded(
        user_id=user_id,
        apply_id=verdict.apply_id,
        event_ids=verdict.event_ids,
        judge_time=fields.timestamp(verdict.judged_at),
        undoes_apply_id=verdict.undoes,
    )


def _failed(user_id: int, verdict: Verdict) -> Message:
    return events_pb2.ScheduleApplyFailed(
        user_id=user_id,
        apply_id=verdict.apply_id,
        refusals=[
            changes.refusal(replace(one, entries=one.entries[:_MOST_ENTRIES]), named=False)
            for one in verdict.refusals[:_MOST_REFUSALS]
        ],
        judge_time=fields.timestamp(verdict.judged_at),
    )
