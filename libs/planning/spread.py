"""spread_even: levels the day loads of suggested tasks, the order of each class kept.

The tasks are lifted and assigned to days anew, each as near to where it was as the loads allow.
Tasks of a class that lie side by side, with nothing that stays between them, take each other's
place. Nothing to gain: nothing changes. Spec: planning.md, Order, Health; tools.md.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from libs.planning.balance import faults, open_loads, variance
from libs.planning.board import Board, Group
from libs.planning.grid import mask_of
from libs.planning.moves import MoveCode, Refused
from libs.planning.openings import is_movable
from libs.planning.order import AllowedRange, OrderedBlock, Span, allowed_range
from libs.planning.rough_level import level
from libs.planning.rough_places import Kind, pair_starts, places_of, quick_places
from libs.planning.runs import bounded, runs
from libs.planning.state import PlanningState, Task, block_of


@dataclass(frozen=True, slots=True)
class Spread:
    """The state with level days, who moved, by id, and the variance before and after.

    Nothing to gain: the same state and nobody moved.
    """

    state: PlanningState
    changed: tuple[int, ...]
    variance_before: float
    variance_after: float


def spread_even(
    state: PlanningState,
    task_ids: Sequence[int] | None = None,
    day_from: int | None = None,
    day_to: int | None = None,
) -> Spread | Refused:
    """Levels the loads of the days from `day_from` to `day_to`, the whole window by default.

    Without ids, with all suggested tasks that lie in these days; named ones are brought into
    them. Guests, begun tasks, and tasks that bridge a break stay. `load_variance` never rises.
    """
    total = state.window.total_days
    first = 1 if day_from is None else day_from
    last = total if day_to is None else day_to
    if not 1 <= first <= last <= total:
        return Refused(MoveCode.OUT_OF_RANGE, 0)
    for task_id in task_ids or ():
        refused = _refused(state, task_id)
        if refused is not None:
            return refused
    before = variance(open_loads(state))
    moved = _Spreading(state, _chosen(state, task_ids, first, last), first, last).moved()
    new = state.replacing(moved)
    after = variance(open_loads(new))
    broken_more = any(now > was for was, now in zip(faults(state), faults(new), strict=True))
    if after >= before or broken_more:
        return Spread(state, (), before, before)
    return Spread(new, tuple(sorted(task.state_id for task in moved)), before, after)


def _chosen(
    state: PlanningState, task_ids: Sequence[int] | None, first: int, last: int
) -> list[Task]:
    named = state.tasks.values() if task_ids is None else map(state.tasks.__getitem__, task_ids)
    return [
        task
        for task in sorted(named, key=lambda task: task.state_id)
        if _may_go(state, task) and (task_ids is not None or first <= task.slots[0].day <= last)
    ]


def _may_go(state: PlanningState, task: Task) -> bool:
    if not is_movable(state, task) or task.embed_host is not None:
        return False
    span = task.slots[0]
    return not state.window.clock.crosses_break(span.first, span.last)


def _refused(state: PlanningState, task_id: int) -> Refused | None:
    task = state.task(task_id)
    if task is None:
        return Refused(MoveCode.UNKNOWN_TASK, task_id)
    if not is_movable(state, task):
        return Refused(MoveCode.COURSE if task.is_course else MoveCode.WRONG_STATUS, task_id)
    return None


@dataclass(frozen=True, slots=True)
class _Alike:
    """Tasks of one length in their order, that may take each other's place, and their bounds."""

    tasks: tuple[Task, ...]
    allowed: AllowedRange

    @property
    def length(self) -> int:
        return self.tasks[0].slots[0].length


class _Spreading:
    """One assignment. Days of the board count from 0, those of the window from 1."""

    def __init__(
        self, state: PlanningState, chosen: Sequence[Task], first_day: int, last_day: int
    ) -> None:
        self._state = state
        self._days = range(first_day, last_day + 1)
        self._chosen = {task.state_id: task for task in chosen}
        self._pairs = pair_starts(state.window.clock)
        self._stretches = tuple(mask_of(*part) for part in state.window.clock.stretches)
        staying = [self._staying(day) for day in range(1, state.window.total_days + 1)]
        self._free = [
            state.window.open_mask(day) & ~taken for day, taken in enumerate(staying, start=1)
        ]
        self._loads = [taken.bit_count() for taken in staying]
        self._starts: dict[int, list[int]] = {}
        self._alike = list(self._groups())

    def _staying(self, day: int) -> int:
        """Mask of the cells that are taken by what stays."""
        taken = 0
        for entry in self._state.day(day).entries:
            if entry.task.state_id not in self._chosen:
                taken |= mask_of(entry.span.first, entry.span.last)
        return taken

    def moved(self) -> list[Task]:
        """The tasks with their new places, those alone that have one."""
        if not self._alike:
            return []
        board = Board(self._loads, [self._group(alike) for alike in self._alike])
        for number, alike in enumerate(self._alike):
            for task in alike.tasks:
                day = task.slots[0].day - 1
                board.put(number, day, day)
        level(board)
        spans: dict[int, Span] = {}
        for day in range(board.days):
            found = self._on_day(board, day)
            if found is None:
                return []
            spans.update(found)
        return [
            replace(task, slots=(spans[task_id],))
            for task_id, task in self._chosen.items()
            if spans.get(task_id, task.slots[0]) != task.slots[0]
        ]

    def _groups(self) -> Iterator[_Alike]:
        """The chosen tasks by class and order, cut where bounds or lengths change."""
        by_class: dict[int, list[OrderedBlock]] = {}
        tasks: dict[OrderedBlock, Task] = {}
        free: dict[int, list[Task]] = {}
        for task in self._chosen.values():
            block = block_of(task, task.slots[0], begun=False)
            if block is None:
                free.setdefault(task.length, []).append(task)
            else:
                by_class.setdefault(block.class_id, []).append(block)
                tasks[block] = task
        for length in sorted(free):
            yield _Alike(tuple(sorted(free[length], key=_by_place)), AllowedRange())
        for class_id in sorted(by_class):
            yield from self._of_class(class_id, by_class[class_id], tasks)

    def _of_class(
        self, class_id: int, blocks: Sequence[OrderedBlock], tasks: dict[OrderedBlock, Task]
    ) -> Iterator[_Alike]:
        view = self._state.class_view(class_id)
        staying = [
            block
            for block, task in zip(view.blocks, view.tasks, strict=True)
            if task is None or task.state_id not in self._chosen
        ]
        bounds = _Bounds(staying)
        ranked = [
            (bounds.of(block), block.span.length, block)
            for block in sorted(blocks, key=lambda block: block.rank)
        ]
        runs_ = [
            (allowed, [block for _, _, block in run])
            for (allowed, _), run in groupby(ranked, key=lambda ranked: ranked[:2])
        ]
        for number, (allowed, run) in enumerate(runs_):
            if number and runs_[number - 1][0] == allowed:
                allowed = replace(allowed, after=_just_before(run[0]))
            if number + 1 < len(runs_) and runs_[number + 1][0] == runs_[number][0]:
                allowed = replace(allowed, before=runs_[number + 1][1][0])
            yield _Alike(tuple(tasks[block] for block in run), allowed)

    def _group(self, alike: _Alike) -> Group:
        """The tasks for the board. Within their bounds they may start where their length may."""
        length, allowed = alike.length, alike.allowed
        if length not in self._starts:
            self._starts[length] = [runs(free, self._stretches, length) for free in self._free]
        everywhere = self._starts[length]
        total = len(everywhere)
        first = 1 if allowed.after is None else max(allowed.after.span.day, 1)
        last = total if allowed.before is None else min(allowed.before.span.day, total)
        starts = [0] * total
        starts[first - 1 : last] = everywhere[first - 1 : last]
        for day in {first, last} & set(range(1, total + 1)):
            starts[day - 1] = bounded(everywhere[day - 1], day, length, allowed)
        within = self._state.allowance_of(alike.tasks[0].task_class_id)
        if within is not None:
            for day in range(first, last + 1):
                starts[day - 1] &= within.starts(day, length)
        own = sorted(task.slots[0].day for task in alike.tasks)
        for day in {*range(1, self._days.start), *range(self._days.stop, total + 1)} - {*own}:
            starts[day - 1] = 0
        return Group(length, tuple(starts), tuple(day - 1 for day in own))

    def _on_day(self, board: Board, day: int) -> dict[int, Span] | None:
        """The spans of the tasks of a day that someone comes to; who was there stays if it can.

        None where they do not fit, as happens on days that were in conflict before.
        """
        on_day = {
            number: self._assigned(board, number, day) for number in sorted(set(board.on_day(day)))
        }
        staying = {
            number: [task.slots[0] for task in tasks if task.slots[0].day == day + 1]
            for number, tasks in on_day.items()
        }
        if all(len(staying[number]) == len(tasks) for number, tasks in on_day.items()):
            return {}
        taken = 0
        for spans in staying.values():
            for span in spans:
                taken |= mask_of(span.first, span.last)
        found = self._packed(board, day, on_day, staying, taken)
        if found is None:
            staying = {number: [] for number in on_day}
            found = self._packed(board, day, on_day, staying, 0)
        if found is None:
            return None
        return {
            task.state_id: span
            for number, tasks in on_day.items()
            for task, span in zip(tasks, sorted(found[number]), strict=True)
        }

    def _packed(
        self,
        board: Board,
        day: int,
        on_day: dict[int, list[Task]],
        staying: dict[int, list[Span]],
        taken: int,
    ) -> dict[int, list[Span]] | None:
        """The spans of each group, with those that stay; None where there is no room so."""
        kinds = []
        for number, tasks in on_day.items():
            length = board.groups[number].length
            starts = board.groups[number].starts[day]
            starts &= runs(self._free[day] & ~taken, self._stretches, length)
            kinds.append(Kind(length, starts, len(tasks) - len(staying[number])))
        found = quick_places(kinds, self._pairs) or places_of(kinds, self._pairs)
        if found is None:
            return None
        return {
            number: [
                *staying[number],
                *(Span(day + 1, first, first + kind.length - 1) for first in firsts),
            ]
            for number, kind, firsts in zip(on_day, kinds, found, strict=True)
        }

    def _assigned(self, board: Board, number: int, day: int) -> list[Task]:
        """The tasks of a group that get a day: the first tasks get the first days."""
        before = sum(board.counts[number][:day])
        return list(self._alike[number].tasks[before : before + board.counts[number][day]])


class _Bounds:
    """Where blocks may lie among those that stay: alike for all that come between the same two."""

    def __init__(self, staying: Sequence[OrderedBlock]) -> None:
        self._staying = staying
        self._ranks = sorted({block.rank for block in staying})
        self._known: dict[tuple[int, int, bool], AllowedRange] = {}

    def of(self, block: OrderedBlock) -> AllowedRange:
        """The allowed range of a block that does not stay and has not begun."""
        key = (
            bisect_left(self._ranks, block.rank),
            bisect_right(self._ranks, block.rank),
            block.makeup,
        )
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = allowed_range(block, self._staying)
        return known


def _by_place(task: Task) -> tuple[Span, int]:
    return task.slots[0], task.state_id


def _just_before(block: OrderedBlock) -> OrderedBlock:
    """A bound that ends where the block starts."""
    span = block.span
    return replace(block, span=Span(span.day, span.first - 1, span.first - 1))
