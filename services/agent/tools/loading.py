"""From rows of the schedule to the state that tools work on.

A course is one task with a place for each of its meetings; every other event is a task, and so is
every item that waits. Numbers are kept over reloads. Spec: tools.md, State; source: section 3 of
the tools' design.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from libs.planning.grid import Place
from libs.planning.order import OrderedBlock, OrderRepair, Span, repaired_orders
from libs.planning.state import Intensity, PlanningState, Source, Status, Task
from libs.planning.window import Window, WindowDay
from services.agent.tools.bounds import ClassRule

COURSE, POOL_TASK = "课程", "任务"
"""Categories of what has no class; students read them."""

Key = tuple[str, int]
"""What a number stands for: ("course", id), ("event", id) or ("task_item", id)."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One live event. `course_id` marks a meeting of a course; `item_id` what a block was placed
    for, with its class and order; `makeup`: it makes up for another block of the item; `begun`: it
    runs or is past; `day`: the day that it would have in the window, for other semesters' events.
    """

    event_id: int
    place: Place
    name: str
    course_id: int | None = None
    can_be_embedded: bool = False
    host_event_id: int | None = None
    class_id: int | None = None
    item_id: int | None = None
    order: int | None = None
    makeup: bool = False
    begun: bool = False
    day: int | None = None


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item of a class, placed or not; `waits`: neither done nor placed."""

    item_id: int
    class_id: int
    content: str
    order: int | None
    waits: bool


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A task class; `length` is the sections that each of its items takes."""

    class_id: int
    name: str
    length: int = 2
    intensity: Intensity | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """What was read: the live events, all items of the classes of the run, those classes and any
    other whose name is known."""

    events: Sequence[EventRow]
    items: Sequence[ItemRow] = ()
    classes: Sequence[ClassRow] = ()


@dataclass(frozen=True, slots=True)
class StateIds:
    """Which number stands for what; numbers rise, and none is ever given to something else."""

    of: Mapping[Key, int] = field(default_factory=dict)

    def extended(self, keys: Iterable[Key]) -> "StateIds":
        """With the next numbers for keys that have none, in their order."""
        found = dict(self.of)
        following = max(found.values(), default=0) + 1
        for key in keys:
            if key not in found:
                found[key] = following
                following += 1
        return StateIds(found)


@dataclass(frozen=True, slots=True)
class Loaded:
    """The state, the numbers, the events of courses by place, and the orders that were repaired."""

    state: PlanningState
    ids: StateIds
    meetings: Mapping[tuple[int, Span], int]
    repairs: tuple[OrderRepair, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What was loaded, with the rows as they came, so that they can be stored; day 1 is
    `first_date`. `rules` are those of the classes of the run."""

    rows: bytes
    loaded: Loaded
    first_date: date
    rules: tuple[ClassRule, ...] = ()


def load(window: Window, rows: Rows, ids: StateIds | None = None) -> Loaded:
    """The state of a window. Rows in any order give the same state.

    `ids` are those of the last load. Events outside the window are not seen, but blocks of classes
    there still bind the order. Raises ValueError for a window without a day.
    """
    if not window.days:
        raise ValueError("a window without a day")
    build = _Build(window, rows)
    known = (ids or StateIds()).extended(build.keys())
    drafts = build.drafts(known)
    return Loaded(
        PlanningState(window, _linked(drafts), build.anchors()),
        known,
        build.meetings(known),
        build.repairs,
    )


@dataclass(frozen=True, slots=True)
class _Draft:
    """A task whose host is still known by its number alone."""

    task: Task
    host_id: int | None


class _Build:
    """One load."""

    def __init__(self, window: Window, rows: Rows) -> None:
        self.window = window
        self.classes = {one.class_id: one for one in rows.classes}
        self.items = sorted(rows.items, key=lambda row: row.item_id)
        self.orders, self.repairs = _orders(self.items)
        inside, self.outside = [], []
        for row in sorted(rows.events, key=lambda row: (row.place, row.event_id)):
            span = window.span_of(row.place)
            if span is None:
                self.outside.append(row)
            else:
                inside.append((row, span))
        self.courses: dict[int, list[tuple[EventRow, Span]]] = {}
        self.blocks: list[tuple[EventRow, Span]] = []
        for row, span in inside:
            if row.course_id is None:
                self.blocks.append((row, span))
            else:
                self.courses.setdefault(row.course_id, []).append((row, span))
        self.key_of_event = {row.event_id: _key(row) for row, _ in inside}

    @property
    def waiting(self) -> list[ItemRow]:
        return [row for row in self.items if row.waits]

    def keys(self) -> Iterable[Key]:
        """Courses, blocks, then items by class and order: the numbers of a first load."""
        yield from (("course", course_id) for course_id in sorted(self.courses))
        yield from (("event", number) for number in sorted(row.event_id for row, _ in self.blocks))
        by_order = sorted(
            self.waiting, key=lambda row: (row.class_id, self.orders[row.item_id], row.item_id)
        )
        yield from (("task_item", row.item_id) for row in by_order)

    def drafts(self, ids: StateIds) -> list[_Draft]:
        return [
            *(self._course(ids.of["course", one], of) for one, of in self.courses.items()),
            *(self._block(ids, row, span) for row, span in self.blocks),
            *(self._item(ids.of["task_item", row.item_id], row) for row in self.waiting),
        ]

    def meetings(self, ids: StateIds) -> dict[tuple[int, Span], int]:
        return {
            (ids.of["course", course_id], span): row.event_id
            for course_id, meetings in self.courses.items()
            for row, span in meetings
        }

    def anchors(self) -> list[OrderedBlock]:
        """Blocks of classes beyond the window, on the days that they would have."""
        found = []
        for row in self.outside:
            order = self._order(row)
            day = _day_beyond(self.window, row)
            if row.class_id is None or row.item_id is None or order is None or day is None:
                continue
            span = Span(day, row.place.first, row.place.last)
            found.append(
                OrderedBlock(
                    row.class_id, row.item_id, order, span, row.makeup, row.begun, row.name
                )
            )
        return found

    def _course(self, state_id: int, meetings: list[tuple[EventRow, Span]]) -> _Draft:
        first, _ = meetings[0]
        embeddable = all(row.can_be_embedded for row, _ in meetings)
        task = Task(
            state_id,
            Source.EVENT,
            min(row.event_id for row, _ in meetings),
            first.name,
            COURSE,
            Status.EXISTING,
            slots=tuple(span for _, span in meetings),
            duration=meetings[0][1].length,
            locked=not embeddable,
            can_embed=embeddable,
        )
        return _Draft(task, None)

    def _block(self, ids: StateIds, row: EventRow, span: Span) -> _Draft:
        own = None if row.class_id is None else self.classes.get(row.class_id)
        task = Task(
            ids.of["event", row.event_id],
            Source.EVENT,
            row.event_id,
            row.name,
            own.name if own is not None else POOL_TASK,
            Status.EXISTING,
            slots=(span,),
            duration=span.length,
            task_class_id=row.class_id,
            item_id=row.item_id,
            task_order=self._order(row),
            cognitive_intensity=own.intensity if own is not None else None,
            makeup=row.makeup,
        )
        host = None if row.host_event_id is None else self.key_of_event.get(row.host_event_id)
        return _Draft(task, None if host is None else ids.of[host])

    def _item(self, state_id: int, row: ItemRow) -> _Draft:
        own = self.classes.get(row.class_id, ClassRow(row.class_id, POOL_TASK))
        task = Task(
            state_id,
            Source.TASK_ITEM,
            row.item_id,
            row.content,
            own.name,
            Status.PENDING,
            duration=own.length,
            task_class_id=row.class_id,
            item_id=row.item_id,
            task_order=self.orders[row.item_id],
            cognitive_intensity=own.intensity,
        )
        return _Draft(task, None)

    def _order(self, row: EventRow) -> int | None:
        """The repaired order where all items of the class are here, else the block's own."""
        return row.order if row.item_id is None else self.orders.get(row.item_id, row.order)


def _key(row: EventRow) -> Key:
    return ("event", row.event_id) if row.course_id is None else ("course", row.course_id)


def _orders(items: Iterable[ItemRow]) -> tuple[dict[int, int], tuple[OrderRepair, ...]]:
    by_class: dict[int, dict[int, int | None]] = {}
    for row in items:
        by_class.setdefault(row.class_id, {})[row.item_id] = row.order
    orders: dict[int, int] = {}
    repairs: list[OrderRepair] = []
    for class_id in sorted(by_class):
        found = repaired_orders(by_class[class_id])
        orders |= found.of
        repairs += found.repairs
    return orders, tuple(repairs)


def _linked(drafts: Iterable[_Draft]) -> list[Task]:
    """The tasks with their links, which agree both ways."""
    drafts = list(drafts)
    guests: dict[int, list[int]] = {}
    for draft in drafts:
        if draft.host_id is not None:
            guests.setdefault(draft.host_id, []).append(draft.task.state_id)
    return [
        replace(
            draft.task,
            embed_host=draft.host_id,
            embedded_by=tuple(sorted(guests.get(draft.task.state_id, ()))),
        )
        for draft in drafts
    ]


def _day_beyond(window: Window, row: EventRow) -> int | None:
    """The day that an event outside the window would have."""
    first: WindowDay = window.days[0]
    place = row.place
    if place.semester_id != first.semester_id:
        return row.day
    return (place.week - first.week) * 7 + place.day - first.day_of_week + 1
