"""What a plan starts from, on the wire."""

from collections.abc import Sequence

from libs.planning.base_map import base_map
from libs.planning.calendar import DAYS_PER_WEEK
from libs.planning.rough_build import Placement, Unplaced
from libs.planning.rough_reasons import ShortageCode
from libs.planning.window import NoWindow
from libs.rpc.errors import invalid
from services.schedule.domain.planning import Period, PlanningView, Skip, SkippedClass
from services.schedule.domain.rough import RoughView
from services.schedule.wire import blocks, calendar, changes, fields, task_classes
from smartmate.schedule.v1 import rough_build_pb2, task_class_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb

_MOST_CLASSES = 50
_MOST_PAIRS = 8

_SKIPPED = {
    Skip.DATES_MISSING: task_class_pb2.TASK_CLASS_SKIP_REASON_DATES_MISSING,
    Skip.DATES_REVERSED: task_class_pb2.TASK_CLASS_SKIP_REASON_DATES_REVERSED,
    Skip.OUTSIDE_SEMESTER: task_class_pb2.TASK_CLASS_SKIP_REASON_OUTSIDE_SEMESTER,
    Skip.OUTSIDE_PERIOD: task_class_pb2.TASK_CLASS_SKIP_REASON_OUTSIDE_PERIOD,
    Skip.MANUAL: task_class_pb2.TASK_CLASS_SKIP_REASON_MANUAL,
}
_SHORTAGES = {
    ShortageCode.RANGE_OVER: rough_build_pb2.SHORTAGE_CODE_RANGE_OVER,
    ShortageCode.DAYS_EXCLUDED: rough_build_pb2.SHORTAGE_CODE_DAYS_EXCLUDED,
    ShortageCode.ORDER: rough_build_pb2.SHORTAGE_CODE_ORDER,
    ShortageCode.TOO_LONG: rough_build_pb2.SHORTAGE_CODE_TOO_LONG,
    ShortageCode.NO_ROOM: rough_build_pb2.SHORTAGE_CODE_NO_ROOM,
}
_PROBLEMS: dict[NoWindow | None, task_class_pb2.WindowProblem] = {
    None: task_class_pb2.WINDOW_PROBLEM_UNSPECIFIED,
    NoWindow.ASK_DATES: task_class_pb2.WINDOW_PROBLEM_ASK_DATES,
    NoWindow.NO_WINDOW: task_class_pb2.WINDOW_PROBLEM_NO_WINDOW,
}


def read_class_ids(ids: Sequence[int]) -> tuple[int, ...]:
    """1 to 50 different classes, by id. Raises InvalidRequest."""
    if not 1 <= len(ids) <= _MOST_CLASSES:
        raise invalid("task_class_ids", f"must be 1 to {_MOST_CLASSES}")
    return tuple(sorted({fields.row_id("task_class_ids", one) for one in ids}))


def read_period(
    request: pb.LoadPlanningStateRequest | pb.RoughBuildRequest,
) -> Period | None:
    """The dates that a plan is narrowed to, None for all of the window."""
    if not request.HasField("period"):
        return None
    first = fields.iso_date("period.first_date", request.period.first_date)
    last = fields.iso_date("period.last_date", request.period.last_date)
    if last < first:
        raise invalid("period.last_date", "must not be before the first")
    return first, last


def read_excluded_pairs(request: pb.RoughBuildRequest) -> frozenset[int]:
    """Standard pairs that a plan keeps free. Raises InvalidRequest."""
    pairs = request.excluded_pairs
    if not all(1 <= pair <= _MOST_PAIRS for pair in pairs) or len(set(pairs)) < len(pairs):
        raise invalid("excluded_pairs", f"must be different pairs from 1 to {_MOST_PAIRS}")
    return frozenset(pairs)


def read_excluded_days(request: pb.RoughBuildRequest) -> frozenset[int]:
    """Weekdays that a plan keeps free. Raises InvalidRequest."""
    field, days = "excluded_days_of_week", request.excluded_days_of_week
    if not all(1 <= day <= DAYS_PER_WEEK for day in days) or len(set(days)) < len(days):
        raise invalid(field, f"must be different days from 1 to {DAYS_PER_WEEK}")
    if len(days) == DAYS_PER_WEEK:
        raise invalid(field, "must leave a day")
    return frozenset(days)


def state(found: PlanningView) -> pb.LoadPlanningStateResponse:
    """Window, classes and blocks."""
    return pb.LoadPlanningStateResponse(
        now_time=fields.timestamp(found.now),
        semester=calendar.semester(found.semester),
        window=date_range(found.dates) if found.dates else None,
        problem=_PROBLEMS[found.found.problem],
        skipped=[_skipped(one) for one in found.skipped],
        task_classes=[task_classes.task_class(one) for one in found.classes],
        events=[blocks.event(one) for one in found.blocks],
        events_elsewhere=[blocks.event(one) for one in found.elsewhere],
        overrides=[calendar.override(one) for one in found.overrides],
    )


def date_range(dates: Period) -> pb.DateRange:
    """First and last date."""
    return pb.DateRange(first_date=dates[0].isoformat(), last_date=dates[1].isoformat())


def rough(found: RoughView) -> pb.RoughBuildResponse:
    """What a rough build came to."""
    plan = found.plan
    return pb.RoughBuildResponse(
        now_time=fields.timestamp(found.now),
        placements=[_placement(one) for one in plan.placements],
        unplaced=[_unplaced(one) for one in plan.unplaced],
        skipped=[_skipped(one) for one in found.skipped],
        classes=[
            rough_build_pb2.RoughClassReport(
                task_class_id=one.class_id,
                item_sections=one.length.sections,
                remaining_sections=one.length.remainder,
                order_repairs=[task_classes.repair(repaired) for repaired in one.repairs],
            )
            for one in plan.classes
        ],
        explanation=plan.explanation,
        changes=[changes.change(one) for one in found.changes],
        base=base_map(found.changes, found.world) if found.changes else {},
        day_count=len(plan.days),
    )


def _placement(found: Placement) -> rough_build_pb2.RoughPlacement:
    return rough_build_pb2.RoughPlacement(
        task_class_id=found.class_id,
        task_item_id=found.item_id,
        place=calendar.place(found.place),
        host_event_id=found.host_id or 0,
    )


def _unplaced(found: Unplaced) -> rough_build_pb2.UnplacedItem:
    shortage = found.shortage
    return rough_build_pb2.UnplacedItem(
        task_class_id=found.class_id,
        task_item_id=found.item_id,
        content=found.name,
        code=_SHORTAGES[shortage.code],
        reason=shortage.text,
        needed_sections=shortage.needed,
        waiting_items=shortage.waiting,
        short_sections=shortage.short,
        day_count=shortage.days,
        taken_sections=shortage.taken,
        excluded_sections=shortage.excluded,
        planned_sections=shortage.planned,
        free_sections=shortage.free,
        longest_run_sections=shortage.longest_run,
        takers=[
            rough_build_pb2.RoomTaker(name=one.name, sections=one.sections)
            for one in shortage.takers
        ],
    )


def _skipped(found: SkippedClass) -> task_class_pb2.SkippedTaskClass:
    return task_class_pb2.SkippedTaskClass(
        task_class_id=found.class_id, name=found.name, reason=_SKIPPED[found.reason]
    )
