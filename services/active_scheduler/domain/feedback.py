"""Feedback that something was not finished: what was said, which block it means, how often.

Spec: active-scheduling.md, Triggers (unfinished_feedback).
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from libs.planning.grid import Block, BlockKind, Grid, Target
from services.active_scheduler.domain.case import MISSES_WITHIN

NEAR = timedelta(hours=24)
"""How far around now a block may lie that words are about."""

_SKEW = timedelta(minutes=3)
"""More than two clocks differ by. Source: spec quality.md, What must survive (90 s each way)."""


@dataclass(frozen=True, slots=True)
class Located:
    """The block that words mean, or else those that they may mean, in order of time."""

    block: Block | None
    choices: tuple[Block, ...] = ()


def near(blocks: Iterable[Block], laid: Grid, now: datetime) -> tuple[Block, ...]:
    """The blocks of work that words told now may be about, in order of time."""
    found = [
        block
        for block in blocks
        if block.kind is BlockKind.TASK
        and laid.ends_at(block.place) > now - NEAR
        and laid.starts_at(block.place) < now + NEAR
    ]
    return tuple(sorted(found, key=lambda one: (laid.starts_at(one.place), one.id)))


def located(around: Iterable[Block], fitting: Collection[int]) -> Located:
    """What comes of the ids that were found to fit: one is meant, of several one is asked for.

    Ids that are not around count for nothing; where none fits, any block around may be meant.
    """
    known = tuple(around)
    found = tuple(block for block in known if block.id in fitting)
    if len(found) == 1:
        return Located(found[0])
    return Located(None, found or known)


def meant(blocks: Iterable[Block], laid: Grid, target: Target, now: datetime) -> Block | None:
    """The block of an item that feedback about the item itself means: the last one that has
    begun, else the next one."""
    own = sorted(
        (block for block in blocks if block.source == target),
        key=lambda block: (laid.starts_at(block.place), block.id),
    )
    begun = [block for block in own if laid.starts_at(block.place) <= now]
    return begun[-1] if begun else next(iter(own), None)


def misses(told: Iterable[tuple[int, datetime]], *, block_id: int, now: datetime) -> int:
    """How often a target was missed within 14 days, this time included.

    `told` are the blocks of the target that feedback was about, with the instant of each. Telling
    the same block again is the same miss. The instants are of another clock than `now`: what was
    told a moment ahead of it was told.
    """
    recent = {block for block, at in told if now - MISSES_WITHIN < at <= now + _SKEW}
    return len(recent | {block_id})
