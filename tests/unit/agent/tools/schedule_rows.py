"""A schedule behind a plan: its rows, and the world that the validator of apply looks at."""

from dataclasses import replace
from datetime import date, datetime, timedelta

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.planning.changes import TargetFacts, World
from libs.planning.grid import Block, BlockKind, Target, TargetKind
from libs.planning.state import PlanningState, Status, Task
from libs.planning.window import Window, WindowDay
from services.agent.tools.loading import ClassRow, EventRow, ItemRow, Rows

SEMESTER = Semester(1, date(2026, 9, 7), 20, "Asia/Shanghai", DEFAULT_CLOCK, 1)
MEETINGS_FROM = 5000
"""Ids of the events of courses, one after the other by course and time."""


def rows_of(state: PlanningState) -> Rows:
    """The rows of a plan in which nothing suggested is written yet."""
    events: list[EventRow] = []
    items: list[ItemRow] = []
    meetings = meeting_ids(state)
    for task in state.tasks.values():
        if task.is_course:
            events += [
                EventRow(
                    meetings[task.state_id, span],
                    state.window.place_of(span),
                    task.name,
                    course_id=task.state_id,
                    can_be_embedded=task.can_embed,
                )
                for span in task.slots
            ]
        elif task.status is Status.EXISTING:
            events.append(_event(task, state, meetings))
        elif task.task_class_id is not None:
            items.append(_item(task, waits=True))
        if task.status is Status.EXISTING and task.task_class_id is not None:
            items.append(_item(task, waits=False))
    return Rows(events, items, _classes(state))


def meeting_ids(state: PlanningState) -> dict[tuple[int, object], int]:
    """The event of each meeting of each course."""
    found = [
        (task.state_id, span)
        for task in state.tasks.values()
        if task.is_course
        for span in task.slots
    ]
    return {key: MEETINGS_FROM + number for number, key in enumerate(found)}


def _event(task: Task, state: PlanningState, meetings: dict[tuple[int, object], int]) -> EventRow:
    (span,) = task.slots
    host = None
    if task.embed_host is not None:
        host = next(
            meetings[task.embed_host, meeting]
            for meeting in state.tasks[task.embed_host].slots
            if meeting.day == span.day and meeting.first <= span.first <= meeting.last
        )
    return EventRow(
        task.source_id,
        state.window.place_of(span),
        task.name,
        host_event_id=host,
        class_id=task.task_class_id,
        item_id=task.item_id,
        order=task.task_order,
    )


def _item(task: Task, *, waits: bool) -> ItemRow:
    assert task.item_id is not None
    assert task.task_class_id is not None
    return ItemRow(task.item_id, task.task_class_id, task.name, task.task_order, waits)


def _classes(state: PlanningState) -> list[ClassRow]:
    return [
        ClassRow(class_id, tasks[0].category, tasks[0].duration, tasks[0].cognitive_intensity)
        for class_id in state.class_ids()
        if (tasks := [one for one in state.tasks.values() if one.task_class_id == class_id])
    ]


def world_of(rows: Rows) -> World:
    """The same rows as the schedule service has them."""
    blocks = [_block(row) for row in rows.events]
    names = {row.item_id: row for row in rows.items}
    sources = {block.source for block in blocks if block.source is not None}
    sources |= {Target(TargetKind.TASK_ITEM, row.item_id) for row in rows.items}
    targets = {}
    for target in sources:
        row = names.get(target.id) if target.kind is TargetKind.TASK_ITEM else None
        targets[target] = TargetFacts(
            target,
            1,
            False,
            None,
            2,
            row.content if row else "",
            row.class_id if row else None,
            row.order if row else None,
        )
    return World((SEMESTER,), tuple(blocks), targets)


def _block(row: EventRow) -> Block:
    source = None
    if row.course_id is None:
        kind = TargetKind.TASK_POOL if row.item_id is None else TargetKind.TASK_ITEM
        source = Target(kind, row.item_id or row.event_id)
    return Block(
        row.event_id,
        BlockKind.TASK if row.course_id is None else BlockKind.COURSE,
        row.place,
        1,
        source,
        row.can_be_embedded,
        row.host_event_id,
        row.name,
        row.class_id,
        row.order,
    )


def now_of(window: Window) -> datetime:
    """A moment before the first section of the window that has not begun."""
    day, section = window.open_from
    where = window.days[day - 1]
    return SEMESTER.starts_at(where.week, where.day_of_week, section) - timedelta(minutes=1)


def later(window: Window, days: int) -> Window:
    """The same dates less so many days at the front."""
    left = window.days[days:]
    opened = max(1, window.open_from[0] - days)
    return replace(window, days=left, open_from=(opened, 1))


__all__ = ["SEMESTER", "WindowDay", "later", "meeting_ids", "now_of", "rows_of", "world_of"]
