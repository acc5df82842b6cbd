"""What the schedule service tells besides plans, in terms of the domain."""

from collections.abc import Mapping
from datetime import date

from google.protobuf.descriptor import EnumDescriptor

from services.agent.domain.known import (
    Checked,
    ClassBrief,
    ClassState,
    ItemState,
    LeftOut,
    NewTask,
    Refusal,
    RoughBuilt,
    TaskBrief,
    Verdict,
)
from services.agent.domain.locate import NearBlock
from services.agent.wire import planning, values
from smartmate.schedule.v1 import apply_pb2, schedule_event_pb2, task_class_pb2, task_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb

_LEFT_OUT = {
    task_class_pb2.TASK_CLASS_SKIP_REASON_DATES_MISSING: "还没有起止日期",
    task_class_pb2.TASK_CLASS_SKIP_REASON_DATES_REVERSED: "结束日期早于开始日期",
    task_class_pb2.TASK_CLASS_SKIP_REASON_OUTSIDE_SEMESTER: "日期不在学期内",
    task_class_pb2.TASK_CLASS_SKIP_REASON_OUTSIDE_PERIOD: "日期不在这次的时间范围内",
    task_class_pb2.TASK_CLASS_SKIP_REASON_MANUAL: "设为自己安排",
}
_REFUSALS = {
    apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED: "那里的日程刚刚变过",
    apply_pb2.REFUSAL_CODE_TARGET_NOT_FOUND: "任务已经不在了",
    apply_pb2.REFUSAL_CODE_TARGET_COMPLETED: "任务已经完成",
    apply_pb2.REFUSAL_CODE_TARGET_ALREADY_SCHEDULED: "任务已经有安排",
    apply_pb2.REFUSAL_CODE_SLOT_CONFLICT: "那里已有安排",
    apply_pb2.REFUSAL_CODE_ORDER_VIOLATION: "会打乱类内顺序",
    apply_pb2.REFUSAL_CODE_IN_THE_PAST: "那个时间已经开始",
    apply_pb2.REFUSAL_CODE_OUT_OF_SEMESTER: "不在学期内",
    apply_pb2.REFUSAL_CODE_EXPIRED: "等得太久，已经失效",
}
_REFUSED = "REFUSAL_CODE_"
_SKIPPED = "TASK_CLASS_SKIP_REASON_"


def class_brief(message: task_class_pb2.TaskClass) -> ClassBrief:
    """A class as far as choosing it needs."""
    waiting = sum(1 for one in message.items if not one.done and not one.event_ids)
    return ClassBrief(
        id=message.task_class_id,
        name=message.name,
        start=_date(message.start_date),
        end=_date(message.end_date),
        items=len(message.items),
        waiting=waiting,
        by_hand=message.mode == task_class_pb2.TASK_CLASS_MODE_MANUAL,
    )


def date_range(period: tuple[date, date]) -> pb.DateRange:
    return pb.DateRange(first_date=period[0].isoformat(), last_date=period[1].isoformat())


def rough_built(answer: pb.RoughBuildResponse) -> RoughBuilt:
    """What a rough build came to."""
    return RoughBuilt(
        placements=tuple(
            (one.task_item_id, planning.place(one.place)) for one in answer.placements
        ),
        unplaced=tuple(one.task_item_id for one in answer.unplaced),
        explanation=answer.explanation,
        left_out=tuple(left_out(one) for one in answer.skipped),
    )


def left_out(message: task_class_pb2.SkippedTaskClass) -> LeftOut:
    """A class that a plan leaves out."""
    code = _name(task_class_pb2.TaskClassSkipReason.DESCRIPTOR, message.reason, _SKIPPED)
    reason = _LEFT_OUT.get(message.reason, "这次不能安排")
    return LeftOut(message.task_class_id, message.name, code, reason)


def checked(answer: pb.CheckChangesResponse) -> Checked:
    return Checked(tuple(_refusal(one) for one in answer.refusals), dict(answer.base))


def verdict(message: apply_pb2.ApplyVerdict) -> Verdict:
    """How an apply ended. Raises ValueError for a state that is neither: taking it for a refusal
    would offer again what may have been written."""
    known = (apply_pb2.APPLY_STATE_APPLIED, apply_pb2.APPLY_STATE_REFUSED)
    if message.state not in known:
        raise ValueError(f"verdict on {message.apply_id} in unknown state {message.state}")
    return Verdict(
        apply_id=message.apply_id,
        applied=message.state == apply_pb2.APPLY_STATE_APPLIED,
        refusals=tuple(_refusal(one) for one in message.refusals),
    )


def _refusal(message: apply_pb2.Refusal) -> Refusal:
    code = _name(apply_pb2.RefusalCode.DESCRIPTOR, message.code, _REFUSED)
    reason = message.reason or _REFUSALS.get(message.code, "日程服务没有接受")
    if message.event_name:
        reason = f"{reason}（{message.event_name}）"
    return Refusal(code, message.change_id, reason)


def _name(enum: EnumDescriptor, number: int, prefix: str) -> str:
    """A value's name without what all of them begin with; a newer peer's is told as a number."""
    value = enum.values_by_number.get(number)
    return str(value.name).removeprefix(prefix).lower() if value else str(number)


def _date(text: str) -> date | None:
    return date.fromisoformat(text) if text else None


def near_block(
    message: schedule_event_pb2.ScheduleEvent, class_names: Mapping[int, str]
) -> NearBlock:
    """A block of work that words may mean."""
    return NearBlock(
        id=message.event_id,
        title=message.name,
        starts_at=values.checked_instant(message.start_time, "start_time"),
        ends_at=values.checked_instant(message.end_time, "end_time"),
        first=message.place.first_section,
        last=message.place.last_section,
        class_name=class_names.get(message.task_class_id, ""),
    )


def task_brief(message: task_pb2.Task) -> TaskBrief:
    """A task of the pool."""
    has_deadline = message.HasField("deadline_time")
    return TaskBrief(
        id=message.task_id,
        title=message.title,
        priority=int(message.effective_quadrant),
        deadline_at=(
            values.checked_instant(message.deadline_time, "deadline_time") if has_deadline else None
        ),
        sections=message.estimated_sections if message.HasField("estimated_sections") else None,
        done=message.status == task_pb2.TASK_STATUS_COMPLETED,
    )


def task_input(task: NewTask) -> pb.TaskInput:
    """A task to be."""
    found = pb.TaskInput(title=task.title, quadrant=_QUADRANTS[task.quadrant])
    if task.sections is not None:
        found.estimated_sections = task.sections
    if task.deadline_at is not None:
        found.deadline_time.CopyFrom(values.timestamp(task.deadline_at))
    if task.threshold_at is not None:
        found.urgency_threshold_time.CopyFrom(values.timestamp(task.threshold_at))
    return found


_QUADRANTS = {
    1: task_pb2.QUADRANT_URGENT_IMPORTANT,
    2: task_pb2.QUADRANT_IMPORTANT,
    3: task_pb2.QUADRANT_URGENT,
    4: task_pb2.QUADRANT_NEITHER,
}


def class_state(message: task_class_pb2.TaskClass) -> ClassState:
    """A class as its owner states it."""
    return ClassState(
        id=message.task_class_id,
        name=message.name,
        start=_date(message.start_date),
        end=_date(message.end_date),
        total_sections=message.total_sections,
        excluded_days=tuple(message.excluded_days_of_week),
        items=tuple(ItemState(one.task_item_id, one.content, one.done) for one in message.items),
        version=message.version,
        kept=message.SerializeToString(),
    )


def class_input(state: ClassState) -> pb.TaskClassInput:
    """The same as it is put: the order of the items is the order of the list."""
    old = task_class_pb2.TaskClass.FromString(state.kept)
    return pb.TaskClassInput(
        name=state.name,
        mode=old.mode,
        strategy=old.strategy,
        start_date=state.start.isoformat() if state.start else "",
        end_date=state.end.isoformat() if state.end else "",
        total_sections=state.total_sections,
        allow_filler_course=old.allow_filler_course,
        excluded_pairs=old.excluded_pairs,
        excluded_days_of_week=state.excluded_days,
        subject_type=old.subject_type,
        difficulty=old.difficulty,
        cognitive_intensity=old.cognitive_intensity,
        items=[
            pb.TaskItemInput(task_item_id=one.id, content=one.content, order=no, done=one.done)
            for no, one in enumerate(state.items, start=1)
        ],
    )
