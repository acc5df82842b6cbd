"""What may be written to a planning state: place, move, swap, batch_move, unplace.

Each gives the new state, or a refusal; the state that was handed in is a value and stays as it
is. Checks come in the order exists → locked → status → range → order → conflict → embed (place
does not ask for locked). Spec: tools.md; planning.md, Conflict and embedding, Order.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from libs.planning.order import (
    OrderedBlock,
    OrderViolation,
    Span,
    is_in_order,
    violation,
)
from libs.planning.state import Entry, PlanningState, Status, Task, block_of

MAX_BATCH = 20


class MoveCode(StrEnum):
    """Why a write is refused, in the order in which the checks come."""

    UNKNOWN_TASK = "unknown_task"
    SAME_TASK = "same_task"
    BATCH_SIZE = "batch_size"
    COURSE = "course"
    LOCKED_HOST = "locked_host"
    BEGUN = "begun"
    WRONG_STATUS = "wrong_status"
    MANY_BLOCKS = "many_blocks"
    UNEQUAL_LENGTH = "unequal_length"
    OUT_OF_RANGE = "out_of_range"
    IN_THE_PAST = "in_the_past"
    ORDER_VIOLATION = "order_violation"
    HARD_CONFLICT = "hard_conflict"
    EMBED = "embed"


@dataclass(frozen=True, slots=True)
class Refused:
    """The first check that failed.

    `task_id` is the task at fault and `span` where it wanted to go. `in_the_way` are the blocks of
    a conflict, or the hosts that an embedding does not fit. `index` counts a batch from 0.
    """

    code: MoveCode
    task_id: int
    span: Span | None = None
    violation: OrderViolation | None = None
    in_the_way: tuple[Entry, ...] = ()
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """The new state, and the ids of the tasks that have another place, ascending.

    `partners` are tasks whose embed links alone have changed.
    """

    state: PlanningState
    changed: tuple[int, ...]
    partners: tuple[int, ...] = ()


Outcome = Written | Refused


@dataclass(frozen=True, slots=True)
class Wanted:
    """One item of a batch: a task and where its block is to start."""

    task_id: int
    day: int
    slot_start: int


def place(state: PlanningState, task_id: int, day: int, slot_start: int) -> Outcome:
    """Puts a pending task at a place; it embeds by itself where the place is a free host."""
    task = state.task(task_id)
    if task is None:
        return Refused(MoveCode.UNKNOWN_TASK, task_id)
    if task.status is not Status.PENDING:
        return Refused(MoveCode.WRONG_STATUS, task_id)
    return _written(state, {task_id: Span(day, slot_start, slot_start + task.duration - 1)})


def move(state: PlanningState, task_id: int, day: int, slot_start: int) -> Outcome:
    """Moves the single block of a suggested task; as a guest it takes its link along."""
    refused = _fixed(state, task_id) or _not_suggested(state, task_id)
    if refused is not None:
        return refused
    length = state.tasks[task_id].length
    return _written(state, {task_id: Span(day, slot_start, slot_start + length - 1)})


def batch_move(state: PlanningState, moves: Sequence[Wanted]) -> Outcome:
    """Moves up to 20 suggested tasks at once, judged on the final state; all or none.

    The refusal names the first offending item by `index`.
    """
    if not 1 <= len(moves) <= MAX_BATCH:
        return Refused(MoveCode.BATCH_SIZE, moves[0].task_id if moves else 0)
    targets: dict[int, Span] = {}
    for index, wanted in enumerate(moves):
        refused = _fixed(state, wanted.task_id) or _not_suggested(state, wanted.task_id)
        if refused is None and wanted.task_id in targets:
            refused = Refused(MoveCode.SAME_TASK, wanted.task_id)
        if refused is not None:
            return replace(refused, index=index)
        last = wanted.slot_start + state.tasks[wanted.task_id].length - 1
        targets[wanted.task_id] = Span(wanted.day, wanted.slot_start, last)
    outcome = _written(state, targets)
    if isinstance(outcome, Refused):
        return replace(outcome, index=list(targets).index(outcome.task_id))
    return outcome


def swap(state: PlanningState, task_a: int, task_b: int) -> Outcome:
    """Exchanges two placed single blocks of equal length, embed links with them."""
    if task_a == task_b:
        return Refused(MoveCode.SAME_TASK, task_b)
    for task_id in (task_a, task_b):
        refused = _fixed(state, task_id)
        if refused is not None:
            return refused
    for task_id in (task_a, task_b):
        refused = _not_single(state, task_id)
        if refused is not None:
            return refused
    a, b = state.tasks[task_a], state.tasks[task_b]
    if a.length != b.length:
        return Refused(MoveCode.UNEQUAL_LENGTH, task_b)
    return _written(state, {task_a: b.slots[0], task_b: a.slots[0]})


def unplace(state: PlanningState, task_id: int) -> Outcome:
    """Takes a suggested or existing task back to pending; its embed link goes. No order check."""
    refused = _fixed(state, task_id)
    if refused is not None:
        return refused
    task = state.tasks[task_id]
    if task.status is Status.PENDING:
        return Refused(MoveCode.WRONG_STATUS, task_id)
    duration = task.duration or max(span.length for span in task.slots)
    waiting = replace(
        task, status=Status.PENDING, slots=(), duration=duration, embed_host=None, embedded_by=()
    )
    hosts = _relinked(state, {task_id: None})
    return Written(state.replacing([waiting, *hosts]), (task_id,), _ids(hosts))


def _fixed(state: PlanningState, task_id: int) -> Refused | None:
    """exists → locked: courses, guests of a locked host, and blocks that have begun stay."""
    task = state.task(task_id)
    if task is None:
        return Refused(MoveCode.UNKNOWN_TASK, task_id)
    if task.is_course:
        return Refused(MoveCode.COURSE, task_id)
    host = None if task.embed_host is None else state.task(task.embed_host)
    if host is not None and host.locked:
        return Refused(MoveCode.LOCKED_HOST, task_id)
    if any(state.window.has_begun(span) for span in task.slots):
        return Refused(MoveCode.BEGUN, task_id)
    return None


def _not_suggested(state: PlanningState, task_id: int) -> Refused | None:
    if state.tasks[task_id].status is not Status.SUGGESTED:
        return Refused(MoveCode.WRONG_STATUS, task_id)
    return _not_single(state, task_id)


def _not_single(state: PlanningState, task_id: int) -> Refused | None:
    task = state.tasks[task_id]
    if not task.slots:
        return Refused(MoveCode.WRONG_STATUS, task_id)
    return None if task.single else Refused(MoveCode.MANY_BLOCKS, task_id)


def _written(state: PlanningState, targets: dict[int, Span]) -> Outcome:
    """Puts each task at its span, judged on the final state; links follow the places."""
    for task_id, span in targets.items():
        refused = _range(state, task_id, span)
        if refused is not None:
            return refused
    final = _Final(state, targets)
    for task_id, span in targets.items():
        refused = final.order(task_id, span) or final.conflict(task_id, span)
        if refused is not None:
            return refused
    hosts: dict[int, int | None] = {}
    for task_id, span in targets.items():
        host = final.host(task_id, span)
        if isinstance(host, Refused):
            return host
        hosts[task_id] = host
    placed = [
        replace(
            state.tasks[task_id],
            status=_placed_status(state.tasks[task_id]),
            slots=(targets[task_id],),
            embed_host=host,
        )
        for task_id, host in hosts.items()
    ]
    partners = _relinked(state, hosts)
    return Written(state.replacing([*placed, *partners]), tuple(sorted(targets)), _ids(partners))


def _placed_status(task: Task) -> Status:
    return Status.SUGGESTED if task.status is Status.PENDING else task.status


def _range(state: PlanningState, task_id: int, span: Span) -> Refused | None:
    if not state.window.holds(span):
        return Refused(MoveCode.OUT_OF_RANGE, task_id, span)
    if state.window.has_begun(span):
        return Refused(MoveCode.IN_THE_PAST, task_id, span)
    return None


class _Final:
    """The blocks as they would be, were each of some tasks at its new span."""

    def __init__(self, state: PlanningState, targets: dict[int, Span]) -> None:
        self._state = state
        self._targets = targets
        self._wanted = {
            task_id: block_of(state.tasks[task_id], span, begun=False)
            for task_id, span in targets.items()
        }
        self._classes: dict[int, tuple[list[OrderedBlock], bool]] = {}

    def order(self, task_id: int, span: Span) -> Refused | None:
        """Whether it keeps the order of its class."""
        block = self._wanted[task_id]
        if block is None:
            return None
        blocks, are_in_order = self._class_of(block.class_id)
        broken = None if are_in_order else violation(block, blocks)
        if broken is None:
            return None
        return Refused(MoveCode.ORDER_VIOLATION, task_id, span, violation=broken)

    def conflict(self, task_id: int, span: Span) -> Refused | None:
        """Whether nothing but embeddable hosts is in the way."""
        in_the_way = tuple(e for e in self._overlapping(task_id, span) if not e.task.can_embed)
        if not in_the_way:
            return None
        return Refused(MoveCode.HARD_CONFLICT, task_id, span, in_the_way=in_the_way)

    def host(self, task_id: int, span: Span) -> int | Refused | None:
        """The host it would sit in: the guest lies wholly inside one host block, or in none."""
        entries = self._overlapping(task_id, span)
        if not entries:
            return None
        if len(entries) == 1 and _holds(entries[0], span):
            return entries[0].task.state_id
        return Refused(MoveCode.EMBED, task_id, span, in_the_way=entries)

    def _overlapping(self, task_id: int, span: Span) -> tuple[Entry, ...]:
        staying = (
            entry
            for entry in self._state.overlapping(span)
            if entry.task.state_id not in self._targets
        )
        coming = (
            Entry(other, self._state.tasks[other_id])
            for other_id, other in self._targets.items()
            if other_id != task_id
            and other.day == span.day
            and other.first <= span.last
            and span.first <= other.last
        )
        return (*staying, *coming)

    def _class_of(self, class_id: int) -> tuple[list[OrderedBlock], bool]:
        """The blocks of a class as they would be, and whether they are plainly in order."""
        if class_id not in self._classes:
            view = self._state.class_view(class_id)
            blocks = [
                block
                for block, task in zip(view.blocks, view.tasks, strict=True)
                if task is None or task.state_id not in self._targets
            ]
            blocks += [
                block
                for block in self._wanted.values()
                if block is not None and block.class_id == class_id
            ]
            self._classes[class_id] = blocks, is_in_order(blocks)
        return self._classes[class_id]


def _holds(entry: Entry, span: Span) -> bool:
    inside = entry.span.first <= span.first and span.last <= entry.span.last
    return entry.task.can_embed and inside


def _relinked(state: PlanningState, hosts: dict[int, int | None]) -> list[Task]:
    """The host tasks whose list of guests changes when these guests have these hosts."""
    guests: dict[int, set[int]] = {}
    for guest_id, host_id in hosts.items():
        old = state.tasks[guest_id].embed_host
        for host in (old, host_id):
            if host is not None and host in state.tasks:
                guests.setdefault(host, set(state.tasks[host].embedded_by))
        if old in guests:
            guests[old].discard(guest_id)
    for guest_id, host_id in hosts.items():
        if host_id is not None:
            guests[host_id].add(guest_id)
    return [
        replace(state.tasks[host], embedded_by=tuple(sorted(of)))
        for host, of in sorted(guests.items())
        if tuple(sorted(of)) != state.tasks[host].embedded_by
    ]


def _ids(tasks: Iterable[Task]) -> tuple[int, ...]:
    return tuple(task.state_id for task in tasks)
