"""The planning state: what is in the window, who sits where, and who follows whom.

A value: nothing in it changes, a write gives a new state that shares what was not touched. What
may be written is judged in `moves`. Spec: tools.md, State.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from types import MappingProxyType

from libs.planning.allowance import ANYWHERE, Allowance, Allowances
from libs.planning.grid import mask_of
from libs.planning.order import AllowedRange, OrderedBlock, Span, is_in_order, lineup
from libs.planning.window import Window


class Status(StrEnum):
    """existing: written; suggested: placed by a plan, not written; pending: not placed."""

    EXISTING = "existing"
    SUGGESTED = "suggested"
    PENDING = "pending"


class Source(StrEnum):
    """The row that a task comes from."""

    EVENT = "event"
    TASK_ITEM = "task_item"


class Intensity(StrEnum):
    """How much an hour of it takes out of a person."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Task:
    """One thing of the window: a course, a placed block, or an item that waits for its place.

    `slots` ascend; a pending task has none. `duration` counts sections. `locked`: a course that
    is not embeddable; `can_embed`: a course that guests may sit in. `item_id` is the item that a
    block was placed for, the same for the item's row and all of its events. `task_order` is
    repaired (order.repaired_orders). Names and categories are for people and decide nothing.
    """

    state_id: int
    source: Source
    source_id: int
    name: str
    category: str
    status: Status
    slots: tuple[Span, ...] = ()
    duration: int = 0
    locked: bool = False
    can_embed: bool = False
    embed_host: int | None = None
    embedded_by: tuple[int, ...] = ()
    task_class_id: int | None = None
    item_id: int | None = None
    task_order: int | None = None
    cognitive_intensity: Intensity | None = None
    makeup: bool = False

    @property
    def is_course(self) -> bool:
        """Whether the timetable fixes it: courses never move or leave by a tool."""
        return self.locked or self.can_embed

    @property
    def category_id(self) -> int | None:
        """Id of its task class, for rows that come from a task item alone."""
        return self.task_class_id if self.source is Source.TASK_ITEM else None

    @property
    def single(self) -> Span | None:
        """Its block, where it has exactly one."""
        return self.slots[0] if len(self.slots) == 1 else None

    @property
    def length(self) -> int:
        """Sections of its block; of a pending or many-blocked task the duration."""
        return self.slots[0].length if len(self.slots) == 1 else self.duration


@dataclass(frozen=True, slots=True)
class Entry:
    """One block of a day: a task and where it lies."""

    span: Span
    task: Task


@dataclass(frozen=True, slots=True, eq=False)
class DayView:
    """One day: masks (bit 0 is section 1) of taken cells, hosts and guests, and its blocks.

    States that share a day share its view: what is known of one is known of all of them.

    Blocks come by first section, hosts before guests, then by id. `conflicts` counts the pairs of
    blocks that share a cell and are not host and guest.
    """

    occupied: int = 0
    hosts: int = 0
    guests: int = 0
    entries: tuple[Entry, ...] = ()
    conflicts: int = 0

    @property
    def load(self) -> int:
        """Number of taken sections."""
        return self.occupied.bit_count()


_EMPTY_DAY = DayView()


def block_of(task: Task, span: Span, *, begun: bool) -> OrderedBlock | None:
    """What the order rule sees of a block; None for what belongs to no class."""
    if task.task_class_id is None or task.task_order is None:
        return None
    item = task.source_id if task.item_id is None else task.item_id
    return OrderedBlock(
        task.task_class_id, item, task.task_order, span, task.makeup, begun, task.name
    )


class ClassView:
    """The live blocks of one class, each with its task (None for an anchor).

    Where each may lie among the others is found out when it is asked.
    """

    __slots__ = ("_by_task", "_ranges", "_violations", "blocks", "tasks")

    def __init__(self, blocks: tuple[OrderedBlock, ...], tasks: tuple[Task | None, ...]) -> None:
        self.blocks = blocks
        self.tasks = tasks
        self._violations: int | None = None
        self._ranges: tuple[AllowedRange | None, ...] | None = None
        self._by_task: dict[int, AllowedRange | None] | None = None

    @property
    def ranges(self) -> tuple[AllowedRange | None, ...]:
        """The allowed range of each block; None for one that a makeup stands for."""
        if self._ranges is None:
            self._ranges = lineup(self.blocks)
        return self._ranges

    def range_of(self, state_id: int) -> AllowedRange | None:
        """The allowed range of a task's block; None where the order does not bind it.

        A task without a block, or with many, has none here.
        """
        if self._by_task is None:
            self._by_task = {
                task.state_id: allowed
                for task, allowed in zip(self.tasks, self.ranges, strict=True)
                if task is not None
            }
        return self._by_task.get(state_id)

    @property
    def violations(self) -> int:
        """How many blocks do not come after the end of all that are to come before them."""
        if self._violations is None and is_in_order(self.blocks):
            self._violations = 0
        if self._violations is None:
            self._violations = sum(
                1
                for block, allowed in zip(self.blocks, self.ranges, strict=True)
                if allowed is not None
                and allowed.after is not None
                and block.span.start <= allowed.after.span.end
            )
        return self._violations

    def changed(
        self, gone: Collection[int], come: Iterable[tuple[OrderedBlock, Task]]
    ) -> "ClassView":
        """The class without the blocks of some tasks, and with others."""
        kept = [
            (block, task)
            for block, task in zip(self.blocks, self.tasks, strict=True)
            if task is None or task.state_id not in gone
        ]
        pairs = [*kept, *come]
        return ClassView(tuple(block for block, _ in pairs), tuple(task for _, task in pairs))


_NO_CLASS = ClassView((), ())


class PlanningState:
    """Window and tasks, with the masks and classes that are read off them.

    `anchors` are blocks of the classes that lie outside a narrowed window (day below 1 or above
    n): nobody sees them, but they bind the order. Equal tasks in any order make an equal state,
    whatever they are to lie within. Raises ValueError for two tasks of one id and for slots that
    the window does not hold.
    """

    __slots__ = ("_allowances", "_classes", "_days", "_tasks", "anchors", "window")

    def __init__(
        self, window: Window, tasks: Iterable[Task], anchors: Iterable[OrderedBlock] = ()
    ) -> None:
        ordered = sorted(tasks, key=lambda task: task.state_id)
        self.window = window
        self._allowances = ANYWHERE
        self.anchors = tuple(sorted(anchors, key=lambda block: (block.class_id, block.span)))
        self._tasks = {task.state_id: task for task in ordered}
        if len(self._tasks) < len(ordered):
            raise ValueError("two tasks have one state_id")
        found: list[list[Entry]] = [[] for _ in window.days]
        classes: dict[int, list[tuple[OrderedBlock, Task | None]]] = {}
        for block in self.anchors:
            classes.setdefault(block.class_id, []).append((block, None))
        for task in ordered:
            self._check(task)
            for span in task.slots:
                found[span.day - 1].append(Entry(span, task))
            if task.task_class_id is not None:
                classes.setdefault(task.task_class_id, []).extend(self._blocks_of(task))
        self._days = [_day_view(entries) if entries else _EMPTY_DAY for entries in found]
        self._classes = {
            class_id: ClassView(
                tuple(block for block, _ in classes[class_id]),
                tuple(task for _, task in classes[class_id]),
            )
            for class_id in sorted(classes)
        }

    @property
    def tasks(self) -> Mapping[int, Task]:
        """All tasks by state_id, ascending."""
        return MappingProxyType(self._tasks)

    def task(self, state_id: int) -> Task | None:
        """The task with this id, if there is one."""
        return self._tasks.get(state_id)

    @property
    def days(self) -> Sequence[DayView]:
        """The days, the first one at 0."""
        return self._days

    def day(self, number: int) -> DayView:
        """Day 1..n. Raises IndexError for others."""
        if number < 1:
            raise IndexError(number)
        return self._days[number - 1]

    def free_mask(self, number: int) -> int:
        """Mask of the sections of a day that are free and have not begun."""
        return self.window.open_mask(number) & ~self._days[number - 1].occupied

    def free_host_mask(self, number: int) -> int:
        """Mask of the cells of hosts without a guest that have not begun."""
        day = self._days[number - 1]
        cells = day.hosts & ~day.guests
        return cells and self.window.open_mask(number) & cells

    def overlapping(self, span: Span) -> tuple[Entry, ...]:
        """The blocks that share a cell with a span of the window."""
        day = self._days[span.day - 1]
        if not day.occupied & mask_of(span.first, span.last):
            return ()
        return tuple(
            entry
            for entry in day.entries
            if entry.span.first <= span.last and span.first <= entry.span.last
        )

    def class_view(self, class_id: int | None) -> ClassView:
        """A class with its live blocks; an empty one for a class that is not here."""
        return _NO_CLASS if class_id is None else self._classes.get(class_id, _NO_CLASS)

    def class_ids(self) -> tuple[int, ...]:
        """The task classes that have a task or an anchor here, ascending."""
        return tuple(self._classes)

    def with_status(self, status: Status) -> tuple[Task, ...]:
        """The tasks of a status, by id."""
        return tuple(task for task in self._tasks.values() if task.status is status)

    def allowance_of(self, class_id: int | None) -> Allowance | None:
        """Where the tasks of a class are to lie; None: anywhere."""
        return self._allowances.get(class_id)

    def within(self, allowances: Allowances) -> "PlanningState":
        """The same state, in which the tasks of these classes are to lie within bounds."""
        new = PlanningState.__new__(PlanningState)
        new.window, new.anchors, new._allowances = self.window, self.anchors, allowances
        new._tasks, new._days, new._classes = self._tasks, self._days, self._classes
        return new

    def replacing(self, changed: Iterable[Task]) -> "PlanningState":
        """The state with these tasks in the place of those of the same ids.

        Shares all that is not touched. Raises ValueError for an id that is not there, for another
        class than it has, and for slots that the window does not hold.
        """
        new = PlanningState.__new__(PlanningState)
        new.window, new.anchors, new._allowances = self.window, self.anchors, self._allowances
        new._tasks = self._tasks.copy()
        new._days = self._days.copy()
        new._classes = self._classes.copy()
        gone: dict[int, set[int]] = {}
        come: dict[int, list[Entry]] = {}
        classes: dict[int, list[Task]] = {}
        for task in changed:
            old = new._tasks.get(task.state_id)
            if old is None:
                raise ValueError(f"no task {task.state_id}")
            if old.task_class_id != task.task_class_id:
                raise ValueError(f"task {task.state_id} is of another class")
            self._check(task)
            new._tasks[task.state_id] = task
            for span in old.slots:
                gone.setdefault(span.day, set()).add(task.state_id)
            for span in task.slots:
                come.setdefault(span.day, []).append(Entry(span, task))
            if task.task_class_id is not None:
                classes.setdefault(task.task_class_id, []).append(task)
        for number in gone.keys() | come.keys():
            leaving = gone.get(number, ())
            staying = [e for e in self._days[number - 1].entries if e.task.state_id not in leaving]
            new._days[number - 1] = _day_view([*staying, *come.get(number, ())])
        for class_id, tasks in classes.items():
            new._classes[class_id] = self._classes[class_id].changed(
                {task.state_id for task in tasks},
                [pair for task in tasks for pair in self._blocks_of(task)],
            )
        return new

    def _check(self, task: Task) -> None:
        for span in task.slots:
            if not self.window.holds(span):
                raise ValueError(f"task {task.state_id}: the window has no {span}")

    def _blocks_of(self, task: Task) -> list[tuple[OrderedBlock, Task]]:
        has_begun = self.window.has_begun
        return [
            (block, task)
            for span in task.slots
            if (block := block_of(task, span, begun=has_begun(span))) is not None
        ]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PlanningState):
            return NotImplemented
        return (self.window, self._tasks, self.anchors) == (
            other.window, other._tasks, other.anchors,
        )  # fmt: skip

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """All that the state is: equal states read equal."""
        return f"PlanningState({self.window!r}, {tuple(self._tasks.values())!r}, {self.anchors!r})"


def _day_view(entries: list[Entry]) -> DayView:
    entries.sort(key=_entry_order)
    occupied = hosts = guests = 0
    for entry in entries:
        mask = mask_of(entry.span.first, entry.span.last)
        occupied |= mask
        if entry.task.can_embed:
            hosts |= mask
        if entry.task.embed_host is not None:
            guests |= mask
    return DayView(occupied, hosts, guests, tuple(entries), _conflicts(entries, occupied))


def _conflicts(entries: Sequence[Entry], occupied: int) -> int:
    """Pairs that share a cell and are not host and guest; quick where nothing overlaps."""
    if sum(entry.span.length for entry in entries) == occupied.bit_count():
        return 0
    return sum(
        1
        for one, other in combinations(entries, 2)
        if one.span.first <= other.span.last
        and other.span.first <= one.span.last
        and not (one.task.can_embed and other.task.embed_host == one.task.state_id)
        and not (other.task.can_embed and one.task.embed_host == other.task.state_id)
    )


def _entry_order(entry: Entry) -> tuple[int, bool, int, int]:
    task = entry.task
    return entry.span.first, task.embed_host is not None, task.state_id, entry.span.last
