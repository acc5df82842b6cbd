"""The one validator: asked by checks, apply, undo, candidates and drag edits alike.

Changes are judged together, by the state that they lead to. Spec: active-scheduling.md, Confirm
and apply (order of checks, codes); planning.md, Conflict and Order.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import permutations

from libs.planning import class_order, shapes
from libs.planning.base_map import BaseEntryDiff, differing, value_of
from libs.planning.changes import Change, ChangeType, World
from libs.planning.grid import Block, BlockKind, Cell, Place, Target
from libs.planning.shapes import MAX_POOL_TASK_SECTIONS
from libs.planning.steps import Step, Steps

__all__ = [
    "MAX_POOL_TASK_SECTIONS",
    "Refusal",
    "RefusalCode",
    "judge",
    "judge_steps",
    "live_ahead",
]

_NO_CELL = Cell(0, 0, 0, 0)


class RefusalCode(StrEnum):
    """Why changes are refused.

    `expired` and `idempotency_conflict` belong to the request: `judge` never says them.
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
    `detail` is a word for programs. For an order that would break `block` is the neighbour,
    `after` and `before` bound where the change might go, `reason` says so in Chinese.
    """

    code: RefusalCode
    change_id: str
    cell: Cell | None = None
    block: Block | None = None
    entries: tuple[BaseEntryDiff, ...] = ()
    detail: str = ""
    after: Place | None = None
    before: Place | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Case:
    world: World
    now: datetime
    base: Mapping[str, str] | None
    steps: Steps

    @property
    def placed(self) -> Iterator[tuple[Step, Block]]:
        return ((step, step.final) for step in self.steps.all if step.final is not None)


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
    return judge_steps(Steps(changes, world, now), base=base)


def judge_steps(steps: Steps, *, base: Mapping[str, str] | None = None) -> tuple[Refusal, ...]:
    """As `judge`, for changes that are resolved already and are to be written as they are."""
    case = _Case(steps.world, steps.now, base, steps)
    for check in _CHECKS:
        refusals = set(check(case))
        if refusals:
            return tuple(sorted(refusals, key=_refusal_order))
    return ()


def live_ahead(target: Target, world: World, now: datetime) -> tuple[Block, ...]:
    """The live blocks of a target that run now or lie ahead, earliest first.

    With one of them the target is already scheduled; a block whose end has passed does not count.
    """
    own = {block for block in world.blocks if block.source == target}
    return _ahead(own, world, now)


def _ahead(blocks: set[Block], world: World, now: datetime) -> tuple[Block, ...]:
    grid = world.grid
    ahead = [block for block in blocks if grid.ends_at(block.place) > now]
    return tuple(sorted(ahead, key=lambda block: (grid.starts_at(block.place), block.id)))


def _refusal_order(refusal: Refusal) -> tuple[str, Cell, int, str]:
    block_id = refusal.block.id if refusal.block else 0
    return refusal.change_id, refusal.cell or _NO_CELL, block_id, refusal.detail


def _types(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.UNSUPPORTED_CHANGE_TYPE
    for step in case.steps.all:
        change = step.change
        if not shapes.is_supported(change):
            yield Refusal(code, change.change_id)
            continue
        named = step.block or step.original
        if named is not None and named.kind is BlockKind.COURSE:
            yield Refusal(code, change.change_id, block=named, detail="course")


def _shapes(case: _Case) -> Iterator[Refusal]:
    for change_id, problem in shapes.problems(case.steps):
        yield Refusal(RefusalCode.INVALID_EDITED_CHANGES, change_id, detail=problem)


def _ownership(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.TARGET_NOT_FOUND
    for step in case.steps.all:
        change = step.change
        is_nothing = step.block is None and step.final is None
        is_foreign = step.source is not None and step.source not in case.world.targets
        if is_nothing or is_foreign:
            yield Refusal(code, change.change_id)
        elif change.host_id is not None and change.host_id not in case.steps.blocks:
            yield Refusal(code, change.change_id, detail="host")


def _done(case: _Case) -> Iterator[Refusal]:
    for step in case.steps.all:
        if step.source is None or step.change.restores:
            continue
        if case.world.targets[step.source].done:
            yield Refusal(RefusalCode.TARGET_COMPLETED, step.change.change_id)


def _already_scheduled(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.TARGET_ALREADY_SCHEDULED
    creating = [step for step in case.steps.all if step.source is not None]
    times = Counter(step.source for step in creating) if len(creating) > 1 else {}
    for step in creating:
        for block in _standing_for(step, case):
            yield Refusal(code, step.change.change_id, block=block)
        if times.get(step.source, 1) > 1 and not _is_half(step, creating):
            yield Refusal(code, step.change.change_id, detail="twice_in_batch")


def _is_half(step: Step, creating: Sequence[Step]) -> bool:
    """Whether a new block is one of two that make up for the same one together."""
    same = [one for one in creating if one.source == step.source]
    originals = {one.original for one in same}
    return (
        len(same) == 2
        and len(originals) == 1
        and all(one.change.type is ChangeType.CREATE_MAKEUP for one in same)
    )


def _standing_for(step: Step, case: _Case) -> tuple[Block, ...]:
    """What already does what a new block is to do.

    Neither a live block of the target nor a past one stops a makeup, but another makeup of the
    same block does; nor does a makeup stop the block that it is for from coming back.
    """
    staying = [block for block in case.world.blocks if block.id not in case.steps.leaving]
    if step.original is not None:
        rivals = {one for one in staying if one.makeup_for_id == step.original.id}
    else:
        rivals = {one for one in staying if one.source == step.source}
        if step.change.restores and step.final is not None:
            stood_for = step.final.makeup_for_id
            rivals = {one for one in rivals if one.makeup_for_id == stood_for}
    return _ahead(rivals, case.world, case.now) if rivals else ()


def _base(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.BASE_VERSION_CHANGED
    if case.base is not None:
        entries = differing(case.base, {key: value_of(key, case.world) for key in case.base})
        if entries:
            yield Refusal(code, "", entries=entries)
    for step in case.steps.all:
        seen = step.change.from_
        if step.block is not None and seen is not None and seen != step.block.place:
            cell = seen.cells[0] if seen.length > 0 else None
            yield Refusal(code, step.change.change_id, cell=cell, block=step.block, detail="from")


def _semester(case: _Case) -> Iterator[Refusal]:
    for step, final in case.placed:
        if not case.world.grid.has(final.place):
            cell = final.place.cells[0]
            yield Refusal(RefusalCode.OUT_OF_SEMESTER, step.change.change_id, cell=cell)


def _past(case: _Case) -> Iterator[Refusal]:
    code, grid = RefusalCode.IN_THE_PAST, case.world.grid
    for step in case.steps.all:
        change_id, block, final = step.change.change_id, step.block, step.final
        if block is not None and grid.starts_at(block.place) <= case.now:
            yield Refusal(code, change_id, block=block, detail="block_has_begun")
        if final is not None and grid.starts_at(final.place) < case.now:
            yield Refusal(code, change_id, cell=final.place.cells[0])


def _cells(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.SLOT_CONFLICT
    wanted: dict[Cell, list[str]] = {}
    for step, final in case.placed:
        # A guest sits in its host; what else is there is in its way.
        free = case.steps.leaving | ({final.host_id} if final.host_id is not None else set())
        for conflict in case.world.grid.conflicts(final.place, ignoring=free):
            yield Refusal(code, step.change.change_id, cell=conflict.cell, block=conflict.block)
        for cell in final.place.cells:
            wanted.setdefault(cell, []).append(step.change.change_id)
    if case.steps.is_single:
        return
    # Each names the other once, at the first cell that both want.
    rivals: dict[tuple[str, str], Cell] = {}
    for cell in sorted(wanted):
        for pair in permutations(wanted[cell], 2):
            rivals.setdefault(pair, cell)
    for (one, other), cell in rivals.items():
        yield Refusal(code, one, cell=cell, detail=f"change:{other}")


def _order(case: _Case) -> Iterator[Refusal]:
    arrived = {final: step.change.change_id for step, final in case.placed}
    if not any(final.class_id is not None for final in arrived):
        return
    for found in class_order.broken(case.steps.final_blocks, arrived, case.world.grid, case.now):
        yield Refusal(
            RefusalCode.ORDER_VIOLATION,
            arrived[found.block],
            cell=found.block.place.cells[0],
            block=found.neighbour,
            detail="after" if found.neighbour is found.after else "before",
            after=found.after.place if found.after else None,
            before=found.before.place if found.before else None,
            reason=class_order.reason(found, case.world.grid),
        )


def _embedding(case: _Case) -> Iterator[Refusal]:
    code = RefusalCode.SLOT_CONFLICT
    for step, final in case.placed:
        change_id, cell = step.change.change_id, final.place.cells[0]
        if final.host_id is not None:
            host = case.steps.blocks[final.host_id]
            if host.kind is not BlockKind.COURSE or not host.can_be_embedded:
                yield Refusal(code, change_id, cell=cell, block=host, detail="host_locked")
            elif not host.place.contains(final.place):
                yield Refusal(code, change_id, cell=cell, block=host, detail="outside_host")
    for step in case.steps.all:
        old = step.block.host_id if step.block is not None else None
        left = case.steps.blocks.get(old) if old is not None else None
        if left is not None and not left.can_be_embedded:
            yield Refusal(code, step.change.change_id, block=left, detail="host_locked")


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
    _order,
    _embedding,
)
