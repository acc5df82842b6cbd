"""Whether a plan is legal, worked out anew from its tasks alone."""

from collections.abc import Iterator
from itertools import combinations

from libs.planning.order import Span
from libs.planning.state import PlanningState, Status, Task


def faults(state: PlanningState) -> list[str]:
    """One line for everything that is not as it has to be."""
    return [
        *_overlaps(state),
        *_orders(state),
        *_links(state),
        *_shapes(state),
    ]


def _overlaps(state: PlanningState) -> Iterator[str]:
    cells: dict[tuple[int, int], list[Task]] = {}
    for task in state.tasks.values():
        for span in task.slots:
            for section in range(span.first, span.last + 1):
                cells.setdefault((span.day, section), []).append(task)
    for cell, found in cells.items():
        for one, other in combinations(found, 2):
            if one.embed_host != other.state_id and other.embed_host != one.state_id:
                yield f"{one.state_id} and {other.state_id} are both in {cell}"


def _orders(state: PlanningState) -> Iterator[str]:
    placed = [
        (task.task_class_id, task.task_order or 0, span)
        for task in state.tasks.values()
        if task.task_class_id is not None
        for span in task.slots
    ]
    placed += [(block.class_id, block.order, block.span) for block in state.anchors]
    for (class_a, order_a, a), (class_b, order_b, b) in combinations(placed, 2):
        if class_a != class_b:
            continue
        first, second = (a, b) if order_a < order_b else (b, a)
        if (first.day, first.last) >= (second.day, second.first):
            yield f"class {class_a}: orders {order_a} and {order_b} stand at {a} and {b}"


def _links(state: PlanningState) -> Iterator[str]:
    for task in state.tasks.values():
        for guest in task.embedded_by:
            if state.tasks[guest].embed_host != task.state_id:
                yield f"{guest} does not know its host {task.state_id}"
        if list(task.embedded_by) != sorted(set(task.embedded_by)):
            yield f"{task.state_id}: guests {task.embedded_by}"
        if task.embed_host is None:
            continue
        host = state.tasks[task.embed_host]
        if task.state_id not in host.embedded_by:
            yield f"{host.state_id} does not know its guest {task.state_id}"
        if not host.can_embed:
            yield f"{host.state_id} takes no guests"
        for span in task.slots:
            if not any(_inside(span, meeting) for meeting in host.slots):
                yield f"{task.state_id} is not inside its host {host.state_id}"


def _shapes(state: PlanningState) -> Iterator[str]:
    for task in state.tasks.values():
        if (task.status is Status.PENDING) != (not task.slots):
            yield f"{task.state_id} is {task.status} at {task.slots}"
        if task.is_course:
            continue
        for span in task.slots:
            if span.last - span.first + 1 != task.duration:
                yield f"{task.state_id} takes {task.duration} and lies at {span}"


def _inside(span: Span, meeting: Span) -> bool:
    return meeting.day == span.day and meeting.first <= span.first and span.last <= meeting.last


def begun(state: PlanningState, span: Span) -> bool:
    """Whether a block has started."""
    return (span.day, span.first) < state.window.open_from


def fixed(state: PlanningState) -> dict[int, tuple[object, ...]]:
    """Where everything is that no tool may move: courses, and blocks that have begun."""
    return {
        task.state_id: (task.slots, task.status)
        for task in state.tasks.values()
        if task.is_course or any(begun(state, span) for span in task.slots)
    }
