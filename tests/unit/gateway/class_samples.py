"""Hand-made answers about study plans, trial runs and changed days, as the pages are given them."""

from collections.abc import Sequence
from datetime import datetime

from smartmate.schedule.v1 import (
    apply_pb2,
    calendar_pb2,
    change_pb2,
    rough_build_pb2,
    schedule_event_pb2,
    schedule_service_pb2,
    task_class_pb2,
)
from tests.unit.gateway import gateway_samples as samples

NAME = "数据结构期末复习"
CONTENTS = ("线性表", "栈和队列", "树", "图")


def item(
    id_: int, content: str, order: int, *, done: bool = False, events: Sequence[int] = ()
) -> task_class_pb2.TaskItem:
    return task_class_pb2.TaskItem(
        task_item_id=id_, content=content, order=order, done=done, event_ids=events
    )


def items() -> list[task_class_pb2.TaskItem]:
    """Ids 101.., in order."""
    return [item(101 + n, content, n + 1) for n, content in enumerate(CONTENTS)]


def plan(
    id_: int = 5,
    name: str = NAME,
    *,
    of: Sequence[task_class_pb2.TaskItem] | None = None,
    dates: tuple[str, str] = ("2026-11-30", "2026-12-13"),
    **more: object,
) -> task_class_pb2.TaskClass:
    fields: dict[str, object] = {
        "task_class_id": id_,
        "name": name,
        "mode": task_class_pb2.TASK_CLASS_MODE_AUTO,
        "strategy": task_class_pb2.PLANNING_STRATEGY_STEADY,
        "start_date": dates[0],
        "end_date": dates[1],
        "total_sections": 8,
        "items": items() if of is None else of,
        "version": 7,
    }
    return task_class_pb2.TaskClass(**{**fields, **more})  # type: ignore[arg-type]


def placement(
    item_id: int, at: calendar_pb2.Place, *, host: int = 0, class_id: int = 5
) -> rough_build_pb2.RoughPlacement:
    return rough_build_pb2.RoughPlacement(
        task_class_id=class_id, task_item_id=item_id, place=at, host_event_id=host
    )


PLACEMENTS = (
    placement(101, samples.place(2, 3, 4)),
    placement(102, samples.place(3, 5, 6)),
    placement(103, samples.place(2, 5, 6, week=14), host=6),
    placement(104, samples.place(4, 3, 4, week=14)),
)


def change(one: rough_build_pb2.RoughPlacement) -> change_pb2.ScheduleChange:
    kind = change_pb2.CHANGE_TYPE_EMBED if one.host_event_id else change_pb2.CHANGE_TYPE_PLACE
    return change_pb2.ScheduleChange(
        change_id=str(one.task_item_id),
        type=kind,
        target=change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_ITEM, id=one.task_item_id),
        to=one.place,
        host_event_id=one.host_event_id,
    )


def built(
    placed: Sequence[rough_build_pb2.RoughPlacement] = PLACEMENTS,
    *,
    unplaced: Sequence[rough_build_pb2.UnplacedItem] = (),
    skipped: Sequence[task_class_pb2.SkippedTaskClass] = (),
    repairs: Sequence[task_class_pb2.OrderRepair] = (),
    remaining: int = 0,
) -> schedule_service_pb2.RoughBuildResponse:
    changes = [] if unplaced else [change(one) for one in placed]
    report = rough_build_pb2.RoughClassReport(
        task_class_id=5, item_sections=2, remaining_sections=remaining, order_repairs=repairs
    )
    return schedule_service_pb2.RoughBuildResponse(
        now_time=samples.stamp(samples.NOW),
        placements=placed,
        unplaced=unplaced,
        skipped=skipped,
        classes=[report],
        changes=changes,
        base={f"cell:3:13:2:{one.to.first_section}": "empty" for one in changes},
        day_count=14,
    )


def unplaced(
    code: rough_build_pb2.ShortageCode = rough_build_pb2.SHORTAGE_CODE_NO_ROOM,
    *,
    content: str = "图",
    days: int = 14,
) -> rough_build_pb2.UnplacedItem:
    return rough_build_pb2.UnplacedItem(
        task_class_id=5,
        task_item_id=104,
        content=content,
        code=code,
        reason="4项各需2节",
        needed_sections=2,
        waiting_items=4,
        short_sections=8,
        day_count=days,
        taken_sections=100,
        excluded_sections=20,
        planned_sections=6,
        free_sections=3,
        longest_run_sections=1,
        takers=[
            rough_build_pb2.RoomTaker(name="电路实验", sections=8),
            rough_build_pb2.RoomTaker(name="", sections=4),
        ],
    )


def verdict(*refusals: apply_pb2.Refusal, events: Sequence[int] = ()) -> apply_pb2.ApplyVerdict:
    state = apply_pb2.APPLY_STATE_REFUSED if refusals else apply_pb2.APPLY_STATE_APPLIED
    return apply_pb2.ApplyVerdict(apply_id="k", state=state, event_ids=events, refusals=refusals)


def block(
    id_: int, starts: datetime, ends: datetime, at: calendar_pb2.Place, *, item_id: int = 101
) -> schedule_event_pb2.ScheduleEvent:
    """A block of an item."""
    made = samples.event(id_, "线性表", at, kind=samples.TASK)
    made.source.kind = change_pb2.TARGET_KIND_TASK_ITEM
    made.source.id = item_id
    made.start_time.CopyFrom(samples.stamp(starts))
    made.end_time.CopyFrom(samples.stamp(ends))
    return made


def override(on: str, runs: tuple[int, int] | None = None) -> calendar_pb2.CalendarOverride:
    day = calendar_pb2.TimetableDay(week=runs[0], day_of_week=runs[1]) if runs else None
    return calendar_pb2.CalendarOverride(date=on, runs=day, version=1)


def overrides(
    *found: calendar_pb2.CalendarOverride, more: str = ""
) -> schedule_service_pb2.ListCalendarOverridesResponse:
    return schedule_service_pb2.ListCalendarOverridesResponse(overrides=found, next_page_token=more)
