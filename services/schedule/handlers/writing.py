"""Writing changes that were accepted, with their verdict and what is said of them.

The caller holds the user's lock and has judged the changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from libs.db.database import Tx
from libs.planning.grid import Block, Grid, Target
from libs.planning.steps import Step, Steps
from services.schedule.domain.block import NewBlock, first_version, instants
from services.schedule.domain.effects import Effect, Standing
from services.schedule.domain.verdict import Kept, Verdict
from services.schedule.handlers import counters, edits
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import applies, blocks, moves
from services.schedule.store.applies import Written
from services.schedule.store.moves import Moved


@dataclass(frozen=True, slots=True)
class Accepted:
    """Changes that were judged as legal: `new_ids` are for the blocks that they add, in order.

    `undoes` and `kept` belong to an undo, see Verdict.
    """

    user_id: int
    apply_id: str
    hash: bytes
    steps: Steps
    new_ids: tuple[int, ...]
    undoes: str = ""
    kept: tuple[Kept, ...] = ()

    @property
    def finals(self) -> dict[int, int]:
        """The ids of new blocks by the ids below 0 that they are judged under."""
        new = [step.final.id for step in self.steps.all if step.final and step.final.id < 0]
        return dict(zip(new, self.new_ids, strict=False))

    @property
    def adds_alone(self) -> bool:
        """Whether no block that was there is touched."""
        return all(step.final is not None and step.final.id < 0 for step in self.steps.all)

    def verdict(self, event_ids: tuple[int, ...]) -> Verdict:
        """That the changes were applied."""
        return Verdict(
            self.apply_id, event_ids, (), self.steps.now, undoes=self.undoes, kept=self.kept
        )


async def write(tx: Tx, accepted: Accepted, outlet: Outlet) -> Verdict:
    """Writes everything, in one statement where blocks are only added. Raises CellTaken."""
    written = prepared(accepted)
    if accepted.adds_alone:
        await tell(tx, written, outlet)
        await applies.write(tx, [written])
    else:
        await _write_all(tx, accepted, written, outlet)
    counters.count_verdict(tx, written.verdict)
    return written.verdict


def prepared(accepted: Accepted) -> Written:
    """The verdict, the new blocks, and the effects where there are no others."""
    steps, ids = accepted.steps, accepted.finals
    new = tuple(
        _new_block(step.final, ids[step.final.id], steps.world.grid)
        for step in steps.all
        if step.final is not None and step.final.id < 0
    )
    version = first_version(steps.now)
    return Written(
        accepted.user_id,
        accepted.verdict(tuple(_event_id(step, ids) for step in steps.all)),
        accepted.hash,
        [Effect(one.id, None, Standing(one.place, one.host_id), version) for one in new],
        new,
        version,
    )


async def tell(tx: Tx, written: Written, outlet: Outlet) -> None:
    """Says a verdict and the new blocks, in the transaction that writes them."""
    told = blocks.added(written.new, version=written.version)
    await outlet.judged(tx, written.user_id, written.verdict, told)


async def _write_all(tx: Tx, accepted: Accepted, written: Written, outlet: Outlet) -> None:
    """What leaves goes first, so that its cells are free for what comes."""
    user_id, steps, verdict = accepted.user_id, accepted.steps, written.verdict
    leaving = [step.block.id for step in steps.all if step.block is not None and not step.final]
    gone = await moves.take_away(tx, user_id, leaving)
    there = [step.final for step in steps.all if step.final is not None and step.final.id > 0]
    moved = await moves.move(tx, user_id, [_moved(one, steps.world.grid) for one in there])
    added = await blocks.add(
        tx, user_id, written.new, version=written.version, apply_id=accepted.apply_id
    )
    changed = {one.state.id: one for one in (*gone, *moved)}
    created = {effect.event_id: effect for effect in written.effects}
    effects = [
        created.get(id_) or _effect(step, changed[id_])
        for step, id_ in zip(steps.all, verdict.event_ids, strict=True)
    ]
    states = (*(one.state for one in changed.values()), *added)
    await outlet.judged(tx, user_id, verdict, states)
    await applies.remember(tx, Written(user_id, verdict, accepted.hash, effects))
    await edits.rearm(tx, user_id, _unplaced(steps), outlet)


def _unplaced(steps: Steps) -> tuple[Target, ...]:
    """What lost its block, and is not placed anew by the same changes."""
    placed = {step.source for step in steps.all}
    lost = {step.block.source for step in steps.all if step.block and not step.final}
    return tuple(sorted(target for target in lost - placed if target is not None))


def _event_id(step: Step, new_ids: Mapping[int, int]) -> int:
    if step.final is not None:
        return new_ids.get(step.final.id, step.final.id)
    if step.block is not None:
        return step.block.id
    raise AssertionError("judged as legal without a block")


def _effect(step: Step, written: moves.Written) -> Effect:
    before = Standing(step.block.place, step.block.host_id) if step.block is not None else None
    after = Standing(step.final.place, step.final.host_id) if step.final is not None else None
    return Effect(written.state.id, before, after, written.placement_version)


def _new_block(block: Block, id_: int, grid: Grid) -> NewBlock:
    starts_at, ends_at = _instants(block, grid)
    return NewBlock(
        id=id_,
        place=block.place,
        starts_at=starts_at,
        ends_at=ends_at,
        name=block.name,
        source=block.source,
        host_id=block.host_id,
        makeup_for_id=block.makeup_for_id,
        class_id=block.class_id,
        order=block.order,
    )


def _moved(block: Block, grid: Grid) -> Moved:
    return Moved(block, *_instants(block, grid))


def _instants(block: Block, grid: Grid) -> tuple[datetime, datetime]:
    semester = grid.semester(block.place.semester_id)
    if semester is None:
        raise AssertionError("judged as legal outside of every semester")
    return instants(semester, block.place)
