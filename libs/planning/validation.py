"""The one validator: asked by checks, apply, candidates and drag edits alike.

Spec: active-scheduling.md, Confirm and apply (order of checks, codes); planning.md, Conflict.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import permutations

from libs.planning.base_map import BaseEntryDiff, differing, value_of
from libs.planning.changes import Change, ChangeType, World
from libs.planning.grid import Block, Cell, Place, Target, TargetKind

MAX_POOL_TASK_SECTIONS = 4

_NO_CELL = Cell(0, 0, 0, 0)


class RefusalCode(StrEnum):
    """Why changes are refused.

    `expired`, `idempotency_conflict` and `order_violation` are never said by `judge` about pool
    tasks: the first two belong to the request, the third to the items of a class.
    """

    EXPIRED = "expired"
    IDEMPOTENCY_CONFLICT = "idempotency_conflict"
    BASE_VERSION_CHANGED = "base_version_changed"
    TARGET_NOT_FOUND = "target_not_found"
    TARGET_COMPLETED = "target_completed"
    TARGET_ALREADY_SCHEDULED = "target_already_scheduled"
    SLOT_CONFLICT = "slot_conflict"
    ORDER_VIOLATION = "order_violation"
    INVALID_EDITED_CHANGES = "invalid_edited_changes"
    UNSUPPORTED_CHANGE_TYPE = "unsupported_change_type"
    IN_THE_PAST = "in_the_past"
    OUT_OF_SEMESTER = "out_of_semester"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason against a batch.

    `change_id` is the change at fault, empty when it is the batch as a whole. `cell` and `block`
    name the spot and what is in the way; `entries` are the parts of the base that differ;
    `detail` is a word for programs.
    """

    code: RefusalCode
    change_id: str
    cell: Cell | None = None
    block: Block | None = None
    entries: tuple[BaseEntryDiff, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class _Case:
    changes: Sequence[Change]
    world: World
    now: datetime
    base: Mapping[str, str] | None

    @property
    def placed(self) -> Iterator[tuple[Change, Place]]:
        return ((change, change.to) for change in self.changes if change.to is not None)


def judge(
    changes: Sequence[Change],
    world: World,
    *,
    now: datetime,
    base: Mapping[str, str] | None = None,
) -> tuple[Refusal, ...]:
    """Whether these changes may be made together, now; empty means legal.

    The checks run in the order of the spec, and the first that fails answers with all its
    refusals, sorted. `base`, where given, is compared key by key with the world; keys it lacks
    are not asked for. Raises what Grid raises for a world that contradicts itself.
    """
    case = _Case(changes, world, now, base)
    for check in _CHECKS:
        refusals = set(check(case))
        if refusals:
            return tuple(sorted(refusals, key=_refusal_order))
    return ()


def live_ahead(target: Target, world: World, now: datetime) -> tuple[Block, ...]:
    """The live blocks of a target that run now or lie ahead, earliest first.

    With one of them the target is already scheduled; a block whose end has passed does not count.
    """
    grid = world.grid
    own = {block for block in world.blocks if block.source == target}
    ahead = [block for block in own if grid.ends_at(block.place) > now]
    return tuple(sorted(ahead, key=lambda block: (grid.starts_at(block.place), block.id)))


def _refusal_order(refusal: Refusal) -> tuple[str, Cell, int, str]:
    block_id = refusal.block.id if refusal.block else 0
    return refusal.change_id, refusal.cell or _NO_CELL, block_id, refusal.detail


def _types(case: _Case) -> Iterator[Refusal]:
    for change in case.changes:
        if (
            change.type is not ChangeType.ADD
            or change.target.kind is not TargetKind.TASK_POOL
            or change.host_id is not None
        ):
            yield Refusal(RefusalCode.UNSUPPORTED_CHANGE_TYPE, change.change_id)


def _shapes(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.INVALID_EDITED_CHANGES
    if not case.changes:
        yield Refusal(code, "", detail="no_changes")
    for change_id, times in Counter(change.change_id for change in case.changes).items():
        if times > 1:
            yield Refusal(code, change_id, detail="duplicate_change_id")
    for change in case.changes:
        if change.to is None:
            yield Refusal(code, change.change_id, detail="place_missing")
        elif not 1 <= change.to.length <= MAX_POOL_TASK_SECTIONS:
            yield Refusal(code, change.change_id, detail="length")
        if change.from_ is not None:
            yield Refusal(code, change.change_id, detail="unexpected_from")


def _ownership(case: _Case) -> Iterator[Refusal]:
    for change in case.changes:
        if change.target not in case.world.targets:
            yield Refusal(RefusalCode.TARGET_NOT_FOUND, change.change_id)


def _done(case: _Case) -> Iterator[Refusal]:
    for change in case.changes:
        if case.world.targets[change.target].done:
            yield Refusal(RefusalCode.TARGET_COMPLETED, change.change_id)


def _already_scheduled(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.TARGET_ALREADY_SCHEDULED
    times = Counter(change.target for change in case.changes)
    for change in case.changes:
        for block in live_ahead(change.target, case.world, case.now):
            yield Refusal(code, change.change_id, block=block)
        if times[change.target] > 1:
            yield Refusal(code, change.change_id, detail="twice_in_batch")


def _base(case: _Case) -> Iterator[Refusal]:
    if case.base is None:
        return
    entries = differing(case.base, {key: value_of(key, case.world) for key in case.base})
    if entries:
        yield Refusal(RefusalCode.BASE_VERSION_CHANGED, "", entries=entries)


def _semester(case: _Case) -> Iterator[Refusal]:
    for change, place in case.placed:
        if not case.world.grid.has(place):
            cell = place.cells[0]
            yield Refusal(RefusalCode.OUT_OF_SEMESTER, change.change_id, cell=cell)


def _past(case: _Case) -> Iterator[Refusal]:
    for change, place in case.placed:
        if case.world.grid.starts_at(place) < case.now:
            yield Refusal(RefusalCode.IN_THE_PAST, change.change_id, cell=place.cells[0])


def _cells(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.SLOT_CONFLICT
    wanted: dict[Cell, list[str]] = {}
    for change, place in case.placed:
        for conflict in case.world.grid.conflicts(place):
            yield Refusal(code, change.change_id, cell=conflict.cell, block=conflict.block)
        for cell in place.cells:
            wanted.setdefault(cell, []).append(change.change_id)
    # Each names the other once, at the first cell that both want.
    rivals: dict[tuple[str, str], Cell] = {}
    for cell in sorted(wanted):
        for pair in permutations(wanted[cell], 2):
            rivals.setdefault(pair, cell)
    for (one, other), cell in rivals.items():
        yield Refusal(code, one, cell=cell, detail=f"change:{other}")


# Order and embedding follow the cells; neither binds a pool task that has no host.
_CHECKS: tuple[Callable[[_Case], Iterator[Refusal]], ...] = (
    _types,
    _shapes,
    _ownership,
    _done,
    _already_scheduled,
    _base,
    _semester,
    _past,
    _cells,
)
