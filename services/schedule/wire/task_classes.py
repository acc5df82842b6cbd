"""Study plans on the wire."""

import re
from collections.abc import Sequence
from datetime import date

from libs.planning.calendar import DAYS_PER_WEEK
from libs.planning.order import OrderRepair
from libs.planning.rough_input import Strategy
from libs.rpc.errors import invalid
from services.schedule.domain.task_class import (
    MOST_ITEMS,
    ClassFields,
    Item,
    ItemAsked,
    Level,
    Mode,
    SubjectType,
    TaskClass,
)
from services.schedule.wire import fields
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from smartmate.schedule.v1 import task_class_pb2

_LONGEST_NAME, _LONGEST_CONTENT = 100, 200
_MOST_SECTIONS, _LARGEST_ORDER, _LAST_PAIR = 2000, 10_000, 8
_PAGE = 20
_TOKEN = re.compile(r"[1-9][0-9]{0,17}")

_MODES: dict[int, Mode] = {
    task_class_pb2.TASK_CLASS_MODE_UNSPECIFIED: Mode.AUTO,
    task_class_pb2.TASK_CLASS_MODE_AUTO: Mode.AUTO,
    task_class_pb2.TASK_CLASS_MODE_MANUAL: Mode.MANUAL,
}
_STRATEGIES: dict[int, Strategy] = {
    task_class_pb2.PLANNING_STRATEGY_UNSPECIFIED: Strategy.STEADY,
    task_class_pb2.PLANNING_STRATEGY_STEADY: Strategy.STEADY,
    task_class_pb2.PLANNING_STRATEGY_RAPID: Strategy.RAPID,
}
_MODE = {
    Mode.AUTO: task_class_pb2.TASK_CLASS_MODE_AUTO,
    Mode.MANUAL: task_class_pb2.TASK_CLASS_MODE_MANUAL,
}
_STRATEGY = {
    Strategy.STEADY: task_class_pb2.PLANNING_STRATEGY_STEADY,
    Strategy.RAPID: task_class_pb2.PLANNING_STRATEGY_RAPID,
}
_SUBJECT: dict[SubjectType | None, task_class_pb2.SubjectType] = {
    None: task_class_pb2.SUBJECT_TYPE_UNSPECIFIED,
    SubjectType.QUANTITATIVE: task_class_pb2.SUBJECT_TYPE_QUANTITATIVE,
    SubjectType.MEMORY: task_class_pb2.SUBJECT_TYPE_MEMORY,
    SubjectType.READING: task_class_pb2.SUBJECT_TYPE_READING,
    SubjectType.MIXED: task_class_pb2.SUBJECT_TYPE_MIXED,
}
_DIFFICULTY: dict[Level | None, task_class_pb2.Difficulty] = {
    None: task_class_pb2.DIFFICULTY_UNSPECIFIED,
    Level.LOW: task_class_pb2.DIFFICULTY_LOW,
    Level.MEDIUM: task_class_pb2.DIFFICULTY_MEDIUM,
    Level.HIGH: task_class_pb2.DIFFICULTY_HIGH,
}
_INTENSITY: dict[Level | None, task_class_pb2.CognitiveIntensity] = {
    None: task_class_pb2.COGNITIVE_INTENSITY_UNSPECIFIED,
    Level.LOW: task_class_pb2.COGNITIVE_INTENSITY_LOW,
    Level.MEDIUM: task_class_pb2.COGNITIVE_INTENSITY_MEDIUM,
    Level.HIGH: task_class_pb2.COGNITIVE_INTENSITY_HIGH,
}
_SUBJECTS: dict[int, SubjectType | None] = {number: one for one, number in _SUBJECT.items()}
_DIFFICULTIES: dict[int, Level | None] = {number: one for one, number in _DIFFICULTY.items()}
_INTENSITIES: dict[int, Level | None] = {number: one for one, number in _INTENSITY.items()}


def read(message: pb.TaskClassInput) -> tuple[ClassFields, tuple[ItemAsked, ...]]:
    """A class as its owner states it, and its items. Raises InvalidRequest."""
    start = _read_date("start_date", message.start_date)
    end = _read_date("end_date", message.end_date)
    if start is not None and end is not None and end < start:
        raise invalid("task_class.end_date", "must not be before the start")
    asked = ClassFields(
        name=fields.text("task_class.name", message.name, longest=_LONGEST_NAME),
        mode=fields.known("task_class.mode", message.mode, _MODES),
        strategy=fields.known("task_class.strategy", message.strategy, _STRATEGIES),
        start=start,
        end=end,
        total_sections=fields.within(
            "task_class.total_sections", message.total_sections, 0, _MOST_SECTIONS
        )
        or None,
        allow_filler_course=message.allow_filler_course,
        excluded_pairs=_numbers("excluded_pairs", message.excluded_pairs, _LAST_PAIR),
        excluded_days=_read_days(message.excluded_days_of_week),
        subject_type=fields.known("task_class.subject_type", message.subject_type, _SUBJECTS),
        difficulty=fields.known("task_class.difficulty", message.difficulty, _DIFFICULTIES),
        intensity=fields.known(
            "task_class.cognitive_intensity", message.cognitive_intensity, _INTENSITIES
        ),
    )
    return asked, _read_items(message.items)


def read_page(request: pb.ListTaskClassesRequest) -> tuple[int | None, int]:
    """The id that the page lies before, and the size of the page."""
    if request.page_size < 0:
        raise invalid("page_size", "must not be negative")
    token = request.page_token
    if token and not _TOKEN.fullmatch(token):
        raise invalid("page_token", "must be next_page_token of an answer")
    return (int(token) if token else None), min(request.page_size or _PAGE, _PAGE)


def page(shown: Sequence[TaskClass], next_before: int | None) -> pb.ListTaskClassesResponse:
    """A page of classes."""
    return pb.ListTaskClassesResponse(
        task_classes=[task_class(one) for one in shown],
        next_page_token=str(next_before) if next_before is not None else "",
    )


def put(
    found: TaskClass, repairs: Sequence[OrderRepair], removed: Sequence[int]
) -> pb.PutTaskClassResponse:
    """A class as stored, and what came of the write."""
    return pb.PutTaskClassResponse(
        task_class=task_class(found),
        order_repairs=[repair(one) for one in repairs],
        removed_event_ids=removed,
    )


def task_class(found: TaskClass) -> task_class_pb2.TaskClass:
    """A class with its items."""
    stated = found.fields
    return task_class_pb2.TaskClass(
        task_class_id=found.id,
        name=stated.name,
        mode=_MODE[stated.mode],
        strategy=_STRATEGY[stated.strategy],
        start_date=stated.start.isoformat() if stated.start else "",
        end_date=stated.end.isoformat() if stated.end else "",
        total_sections=stated.total_sections or 0,
        allow_filler_course=stated.allow_filler_course,
        excluded_pairs=stated.excluded_pairs,
        excluded_days_of_week=stated.excluded_days,
        subject_type=_SUBJECT[stated.subject_type],
        difficulty=_DIFFICULTY[stated.difficulty],
        cognitive_intensity=_INTENSITY[stated.intensity],
        items=[_item(one) for one in found.items],
        version=found.version,
        placement_version=found.placement_version,
        create_time=fields.timestamp(found.created_at),
    )


def _item(found: Item) -> task_class_pb2.TaskItem:
    return task_class_pb2.TaskItem(
        task_item_id=found.id,
        content=found.content,
        order=found.order,
        done=found.done,
        placement_version=found.placement_version,
        event_ids=found.event_ids,
    )


def repair(found: OrderRepair) -> task_class_pb2.OrderRepair:
    """An order that was missing or doubled."""
    return task_class_pb2.OrderRepair(
        task_item_id=found.item_id, given_order=found.given, order=found.order
    )


def _read_items(messages: Sequence[pb.TaskItemInput]) -> tuple[ItemAsked, ...]:
    if not 1 <= len(messages) <= MOST_ITEMS:
        raise invalid("task_class.items", f"must be 1 to {MOST_ITEMS}")
    items = tuple(_read_item(message) for message in messages)
    named = [item.id for item in items if item.id]
    if len(named) > len(set(named)):
        raise invalid("task_class.items.task_item_id", "must not be named twice")
    return items


def _read_item(message: pb.TaskItemInput) -> ItemAsked:
    return ItemAsked(
        id=fields.optional_id("task_class.items.task_item_id", message.task_item_id),
        content=fields.text("task_class.items.content", message.content, longest=_LONGEST_CONTENT),
        order=fields.within("task_class.items.order", message.order, 1, _LARGEST_ORDER)
        if message.HasField("order")
        else None,
        done=message.done,
    )


def _read_date(name: str, value: str) -> date | None:
    return fields.iso_date(f"task_class.{name}", value) if value else None


def _read_days(values: Sequence[int]) -> tuple[int, ...]:
    days = _numbers("excluded_days_of_week", values, DAYS_PER_WEEK)
    if len(days) == DAYS_PER_WEEK:
        raise invalid("task_class.excluded_days_of_week", "must leave a day")
    return days


def _numbers(name: str, values: Sequence[int], highest: int) -> tuple[int, ...]:
    if len(values) > 2 * highest:
        raise invalid(f"task_class.{name}", "must not name one twice")
    return tuple(
        sorted({fields.within(f"task_class.{name}", value, 1, highest) for value in values})
    )
