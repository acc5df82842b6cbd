"""From the rows of the schedule to a planning state, and back to rows.

Section rows are packed into ranges, ids are given once and kept, orders are repaired and the
repairs reported. Spec: tools.md, State.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from libs.planning.moves import MoveCode, Written, place
from libs.planning.order import OrderedBlock, OrderRepair, Span, repaired_orders
from libs.planning.state import Intensity, PlanningState, Source, Status, Task
from libs.planning.window import Window

Numbers = Mapping[tuple[Source, int], int]
"""The state_id of each (source, source_id) that ever had one."""


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A row that becomes a task. `cells` are (day of the window, section), in any order.

    `host_event_id` names the course that a block sits in. `task_order` may be missing or doubled;
    all rows of one item carry the same.
    """

    source: Source
    source_id: int
    name: str
    category: str
    status: Status
    cells: tuple[tuple[int, int], ...] = ()
    duration: int = 0
    is_course: bool = False
    can_be_embedded: bool = False
    host_event_id: int | None = None
    task_class_id: int | None = None
    item_id: int | None = None
    task_order: int | None = None
    cognitive_intensity: Intensity | None = None
    makeup: bool = False

    @property
    def item(self) -> int:
        """The item it is about."""
        return self.source_id if self.item_id is None else self.item_id


@dataclass(frozen=True, slots=True)
class Loaded:
    """The state, the numbers to hand in at the next load, and the repaired orders by class."""

    state: PlanningState
    numbers: Numbers
    repairs: Mapping[int, tuple[OrderRepair, ...]]


def load_state(
    window: Window,
    rows: Iterable[TaskRow],
    *,
    numbers: Numbers | None = None,
    anchors: Iterable[OrderedBlock] = (),
) -> Loaded:
    """The planning state of some rows; equal rows in any order give equal ids.

    An id that was given stays with its (source, source_id). Raises ValueError for two rows of one
    source and for cells that the window does not hold.
    """
    ordered = sorted(rows, key=lambda row: (row.source, row.source_id))
    given = dict(numbers or {})
    following = max(given.values(), default=0) + 1
    for row in ordered:
        if given.setdefault((row.source, row.source_id), following) == following:
            following += 1
    orders, repairs = _orders(ordered)
    guests: dict[int, list[int]] = {}
    for row in ordered:
        if row.host_event_id is not None:
            host = given.get((Source.EVENT, row.host_event_id))
            if host is not None:
                guests.setdefault(host, []).append(given[row.source, row.source_id])
    tasks = [_task(row, given, orders, guests) for row in ordered]
    return Loaded(PlanningState(window, tasks, anchors), given, repairs)


def pack(cells: Iterable[tuple[int, int]]) -> tuple[Span, ...]:
    """Section rows, (day, section) each, as ranges; doubled ones count once."""
    spans: list[Span] = []
    for day, section in sorted(set(cells)):
        if spans and spans[-1].day == day and spans[-1].last == section - 1:
            spans[-1] = Span(day, spans[-1].first, section)
        else:
            spans.append(Span(day, section, section))
    return tuple(spans)


def unpack(spans: Iterable[Span]) -> tuple[tuple[int, int], ...]:
    """Ranges as section rows, (day, section) each."""
    return tuple(
        (span.day, section) for span in spans for section in range(span.first, span.last + 1)
    )


def _orders(
    rows: Iterable[TaskRow],
) -> tuple[dict[tuple[int, int], int], dict[int, tuple[OrderRepair, ...]]]:
    """The order of each (class, item), and what was repaired, by class."""
    given: dict[int, dict[int, int | None]] = {}
    for row in rows:
        if row.task_class_id is not None:
            of_class = given.setdefault(row.task_class_id, {})
            if of_class.get(row.item) is None:
                of_class[row.item] = row.task_order
    orders = {}
    repairs = {}
    for class_id, of_class in given.items():
        repaired = repaired_orders(of_class)
        orders.update({(class_id, item): order for item, order in repaired.of.items()})
        if repaired.repairs:
            repairs[class_id] = repaired.repairs
    return orders, repairs


def _task(
    row: TaskRow,
    given: Numbers,
    orders: Mapping[tuple[int, int], int],
    guests: Mapping[int, list[int]],
) -> Task:
    state_id = given[row.source, row.source_id]
    slots = pack(row.cells)
    host = row.host_event_id
    order = None if row.task_class_id is None else orders[row.task_class_id, row.item]
    return Task(
        state_id=state_id,
        source=row.source,
        source_id=row.source_id,
        name=row.name,
        category=row.category,
        status=row.status,
        slots=slots,
        duration=row.duration or max((span.length for span in slots), default=0),
        locked=row.is_course and not row.can_be_embedded,
        can_embed=row.is_course and row.can_be_embedded,
        embed_host=None if host is None else given.get((Source.EVENT, host)),
        embedded_by=tuple(sorted(guests.get(state_id, ()))),
        task_class_id=row.task_class_id,
        item_id=row.item if row.task_class_id is not None else None,
        task_order=order,
        cognitive_intensity=row.cognitive_intensity,
        makeup=row.makeup,
    )


@dataclass(frozen=True, slots=True)
class Dropped:
    """A suggestion that is no longer legal: its task as it was, and the first check that fails."""

    task: Task
    code: MoveCode


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """The fresh state with the suggestions that are still legal, and those that are not."""

    state: PlanningState
    kept: tuple[int, ...]
    dropped: tuple[Dropped, ...]


def carry_over(old: PlanningState, fresh: PlanningState) -> CarriedOver:
    """Takes the suggestions of an old state over into one that was loaded anew, by time.

    A suggestion is kept where the same row still waits there with the same length, its day is in
    the window, and the place is legal. `kept` are ids of the fresh state.
    """
    waiting = {(task.source, task.source_id): task for task in fresh.with_status(Status.PENDING)}
    suggested = sorted(
        (task for task in old.with_status(Status.SUGGESTED) if task.single),
        key=lambda task: (task.slots[0], task.state_id),
    )
    state, kept, dropped = fresh, [], []
    for task in suggested:
        now = waiting.get((task.source, task.source_id))
        span = fresh.window.span_of(old.window.place_of(task.slots[0]))
        if now is None or now.duration != task.length:
            dropped.append(Dropped(task, MoveCode.WRONG_STATUS))
            continue
        if span is None:
            dropped.append(Dropped(task, MoveCode.OUT_OF_RANGE))
            continue
        outcome = place(state, now.state_id, span.day, span.first)
        if isinstance(outcome, Written):
            state = outcome.state
            kept.append(now.state_id)
        else:
            dropped.append(Dropped(task, outcome.code))
    return CarriedOver(state, tuple(sorted(kept)), tuple(dropped))
