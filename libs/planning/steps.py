"""What changes do, resolved against the world: which blocks leave, which stand in the end.

Nothing is judged here; `libs.planning.validation` does.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from libs.planning.changes import Change, ChangeType, World
from libs.planning.grid import Block, BlockKind, Target, TargetKind

_PLACES_SOURCE = frozenset({ChangeType.ADD, ChangeType.PLACE})
_MOVES_BLOCK = frozenset({ChangeType.MOVE, ChangeType.UNEMBED})


@dataclass(frozen=True, slots=True)
class Step:
    """One change and what it comes to.

    `block` is the live block that it moves, shortens or takes away. `final` is the block as it
    stands in the end, under an id below 0 where it is new. `original` is the block that a makeup
    makes up for. `source` is what a new block is placed for. None where there is no such thing.
    """

    change: Change
    block: Block | None = None
    final: Block | None = None
    original: Block | None = None
    source: Target | None = None

    @property
    def creates(self) -> bool:
        """Whether it writes a block that was not there."""
        return self.source is not None


class Steps:
    """All changes of a batch against one world."""

    def __init__(self, changes: Sequence[Change], world: World, now: datetime) -> None:
        self.world = world
        self.now = now
        self.blocks = {block.id: block for block in world.blocks}
        self.gone = {block.id: block for block in world.gone}
        self.all = tuple(self._step(number, change) for number, change in enumerate(changes, 1))

    @property
    def is_single(self) -> bool:
        """Whether there is one change alone, as in most batches."""
        return len(self.all) == 1

    @cached_property
    def leaving(self) -> frozenset[int]:
        """The blocks whose cells are freed."""
        return frozenset(step.block.id for step in self.all if step.block is not None)

    @cached_property
    def final_blocks(self) -> tuple[Block, ...]:
        """Every block as it stands in the end."""
        staying = (block for block in self.world.blocks if block.id not in self.leaving)
        return (*staying, *(step.final for step in self.all if step.final is not None))

    def _step(self, number: int, change: Change) -> Step:
        if change.type in _PLACES_SOURCE or _embeds_source(change):
            return self._created(number, change, change.target, None)
        if is_makeup(change):
            original = self._original(change.target)
            source = original.source if original is not None else None
            return self._created(number, change, source, original)
        block = self.blocks.get(change.target.id) if frees_its_block(change) else None
        if block is None:
            return self._revived(change)
        if change.type is ChangeType.REMOVE:
            return Step(change, block=block)
        if change.to is None:
            return Step(change, block=block)
        return Step(
            change, block=block, final=replace(block, place=change.to, host_id=change.host_id)
        )

    def _created(
        self, number: int, change: Change, source: Target | None, original: Block | None
    ) -> Step:
        facts = self.world.targets.get(source) if source is not None else None
        if change.to is None or source is None or facts is None:
            return Step(change, original=original, source=source)
        final = Block(
            id=-number,
            kind=BlockKind.TASK,
            place=change.to,
            placement_version=0,
            source=source,
            host_id=change.host_id,
            name=facts.title,
            class_id=facts.class_id,
            order=facts.order,
            makeup_for_id=original.id if original is not None else None,
        )
        return Step(change, final=final, original=original, source=source)

    def _revived(self, change: Change) -> Step:
        """A block that left the schedule comes back as itself; only an undo says so."""
        gone = self.gone.get(change.target.id) if change.restores else None
        if gone is None or change.to is None:
            return Step(change)
        facts = self.world.targets.get(gone.source) if gone.source is not None else None
        if facts is not None:
            gone = replace(gone, name=facts.title, class_id=facts.class_id, order=facts.order)
        final = replace(gone, place=change.to, host_id=change.host_id)
        return Step(change, final=final, source=gone.source)

    def _original(self, target: Target) -> Block | None:
        """The block that was not done: the one named, or the last of a target that has begun."""
        if target.kind is TargetKind.SCHEDULE_EVENT:
            return self.blocks.get(target.id)
        grid = self.world.grid
        begun = [
            block
            for block in self.world.blocks
            if block.source == target and grid.starts_at(block.place) <= self.now
        ]
        return max(begun, key=lambda block: (grid.starts_at(block.place), block.id), default=None)


def is_makeup(change: Change) -> bool:
    """Whether a change writes a new block for one that was not done."""
    newcomer = change.type is ChangeType.COMPRESS and change.from_ is None
    return newcomer or change.type is ChangeType.CREATE_MAKEUP


def shortens(change: Change) -> bool:
    """Whether a change is the half of a compression that gives up a part of its place."""
    return change.type is ChangeType.COMPRESS and change.from_ is not None


def sources(changes: Iterable[Change], world: World) -> frozenset[Target]:
    """What the blocks that changes name, and their own targets, were placed for."""
    blocks = {block.id: block for block in world.blocks}
    named = {change.target for change in changes}
    found = {target for target in named if target.kind is not TargetKind.SCHEDULE_EVENT}
    for target in named - found:
        block = blocks.get(target.id)
        if block is not None and block.source is not None:
            found.add(block.source)
    return frozenset(found)


def _embeds_source(change: Change) -> bool:
    return change.type is ChangeType.EMBED and change.target.kind is not TargetKind.SCHEDULE_EVENT


def frees_its_block(change: Change) -> bool:
    """Whether the block that a change names leaves the place where it is."""
    if change.target.kind is not TargetKind.SCHEDULE_EVENT:
        return False
    return (
        change.type in _MOVES_BLOCK
        or change.type in (ChangeType.REMOVE, ChangeType.EMBED)
        or shortens(change)
    )
