"""Taking an apply back: which of its blocks go back, and which stay as they are now.

A block that changed since or has begun stays. Pieces of one swap or compression, where one has to
leave a cell before the other can come back, stand or fall together. Spec: active-scheduling.md,
UndoApply.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Place, Target, TargetKind
from services.schedule.domain.effects import Effect
from services.schedule.domain.verdict import Kept, KeptReason

HasBegun = Callable[[Place], bool]


@dataclass(frozen=True, slots=True)
class BlockNow:
    """A block of the undone apply as it is now, live or not."""

    id: int
    name: str
    live: bool
    placement_version: int


@dataclass(frozen=True, slots=True)
class UndoPlan:
    """The changes that put blocks back, in the order of the apply, and what stays."""

    changes: tuple[Change, ...]
    kept: tuple[Kept, ...]


def plan(effects: Sequence[Effect], now: Mapping[int, BlockNow], has_begun: HasBegun) -> UndoPlan:
    """How to take these effects back."""
    reasons = {
        one.event_id: reason
        for one in effects
        if (reason := _stays(one, now.get(one.event_id), has_begun)) is not None
    }
    for group in _together(effects):
        if not reasons.keys().isdisjoint(group):
            reasons |= {id_: KeptReason.BELONGS_TOGETHER for id_ in group if id_ not in reasons}
    return UndoPlan(
        changes=tuple(_inverse(one) for one in effects if one.event_id not in reasons),
        kept=tuple(
            Kept(one.event_id, _name(now.get(one.event_id)), reasons[one.event_id])
            for one in effects
            if one.event_id in reasons
        ),
    )


def _stays(effect: Effect, now: BlockNow | None, has_begun: HasBegun) -> KeptReason | None:
    if now is None or (effect.after is not None and not now.live):
        return KeptReason.GONE
    if now.placement_version != effect.version or now.live != (effect.after is not None):
        return KeptReason.CHANGED_SINCE
    places = [one.place for one in (effect.before, effect.after) if one is not None]
    return KeptReason.HAS_BEGUN if any(map(has_begun, places)) else None


def _together(effects: Sequence[Effect]) -> list[set[int]]:
    """Blocks of which one can come back only where the other leaves, in groups."""
    groups: list[set[int]] = []
    for one in effects:
        group = {one.event_id}
        for other in effects:
            if _waits_for(one, other) or _waits_for(other, one):
                group.add(other.event_id)
        touching = [found for found in groups if not found.isdisjoint(group)]
        groups = [found for found in groups if found.isdisjoint(group)]
        groups.append(group.union(*touching))
    return groups


def _waits_for(one: Effect, other: Effect) -> bool:
    """Whether `one` goes back to cells that `other` has taken."""
    if one is other or one.before is None or other.after is None:
        return False
    return one.before.place.overlaps(other.after.place)


def _inverse(effect: Effect) -> Change:
    target = Target(TargetKind.SCHEDULE_EVENT, effect.event_id)
    change_id = str(effect.event_id)
    if effect.before is None:
        return Change(change_id, ChangeType.REMOVE, target, None)
    return Change(
        change_id,
        ChangeType.MOVE,
        target,
        effect.before.place,
        host_id=effect.before.host_id,
        restores=True,
    )


def _name(now: BlockNow | None) -> str:
    return now.name if now is not None else ""
