"""Whether changes say what changes of their kind have to say, and fit the blocks they name.

Nothing here asks whether there is room. Spec: active-scheduling.md, Candidates (compress).
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import TargetKind
from libs.planning.steps import Step, Steps, is_makeup, shortens

MAX_POOL_TASK_SECTIONS = 4
MAX_ITEM_SECTIONS = 12

_POOL, _ITEM, _EVENT = TargetKind.TASK_POOL, TargetKind.TASK_ITEM, TargetKind.SCHEDULE_EVENT
_ANYTHING = frozenset({_POOL, _ITEM, _EVENT})
_BLOCK = frozenset({_EVENT})
_KINDS: Mapping[ChangeType, frozenset[TargetKind]] = {
    ChangeType.ADD: frozenset({_POOL}),
    ChangeType.CREATE_MAKEUP: _ANYTHING,
    ChangeType.PLACE: frozenset({_ITEM}),
    ChangeType.MOVE: _BLOCK,
    ChangeType.COMPRESS: _ANYTHING,
    ChangeType.EMBED: _ANYTHING,
    ChangeType.UNEMBED: _BLOCK,
    ChangeType.REMOVE: _BLOCK,
}


def is_supported(change: Change) -> bool:
    """Whether a change of this type can be about a target of this kind."""
    kinds = _BLOCK if shortens(change) else _KINDS.get(change.type, frozenset())
    return change.target.kind in kinds


def problems(steps: Steps) -> Iterator[tuple[str, str]]:
    """(change_id, what is wrong) for a batch; change_id is empty for the batch as a whole."""
    if not steps.all:
        yield "", "no_changes"
    if steps.is_single and steps.all[0].change.type is not ChangeType.COMPRESS:
        problem = _problem(steps.all[0])
        if problem:
            yield steps.all[0].change.change_id, problem
        return
    for change_id, times in Counter(step.change.change_id for step in steps.all).items():
        if times > 1:
            yield change_id, "duplicate_change_id"
    named = Counter(step.block.id for step in steps.all if step.block is not None)
    for step in steps.all:
        if step.block is not None and named[step.block.id] > 1:
            yield step.change.change_id, "twice_in_batch"
        problem = _problem(step)
        if problem:
            yield step.change.change_id, problem
    yield from _unpaired(steps)


def _problem(step: Step) -> str:
    change = step.change
    if change.type is ChangeType.REMOVE:
        return "unexpected_place" if change.to is not None else ""
    if change.to is None:
        return "place_missing"
    if _creates(change) and change.from_ is not None:
        return "unexpected_from"
    if not _has_fitting_length(step):
        return "length"
    if change.type is ChangeType.EMBED and change.host_id is None:
        return "host_missing"
    if change.type is ChangeType.UNEMBED:
        if change.host_id is not None:
            return "unexpected_host"
        if step.block is not None and step.block.host_id is None:
            return "not_embedded"
    return ""


def _creates(change: Change) -> bool:
    """Whether it says that a new block is written, whatever it names."""
    if change.type in (ChangeType.ADD, ChangeType.PLACE) or is_makeup(change):
        return True
    return change.type is ChangeType.EMBED and change.target.kind is not _EVENT


def _has_fitting_length(step: Step) -> bool:
    """Pool tasks 1..4 sections, items 1..12; a block that only moves keeps its length."""
    change = step.change
    length = change.to.length if change.to is not None else 0
    if change.restores:
        return length >= 1
    if step.block is not None:
        same = step.block.place.length == length
        return length >= 1 and (same or shortens(change))
    source = step.source or change.target
    longest = MAX_ITEM_SECTIONS if source.kind is _ITEM else MAX_POOL_TASK_SECTIONS
    return 1 <= length <= longest


def _unpaired(steps: Steps) -> Iterator[tuple[str, str]]:
    """Compressions come in pairs: one block gives up a part of its place, one takes it."""
    halves = [step for step in steps.all if step.change.type is ChangeType.COMPRESS]
    givers = [step for step in halves if shortens(step.change)]
    takers = [step for step in halves if not shortens(step.change)]
    pairs = [(giver, taker) for giver in givers for taker in takers if _fits(giver, taker)]
    for step in givers:
        if [giver for giver, _ in pairs].count(step) != 1:
            yield step.change.change_id, "compress_pair"
    for step in takers:
        if [taker for _, taker in pairs].count(step) != 1:
            yield step.change.change_id, "compress_pair"


def _fits(giver: Step, taker: Step) -> bool:
    whole, rest, part = giver.change.from_, giver.change.to, taker.change.to
    if whole is None or rest is None or part is None:
        return False
    inside = whole.contains(rest) and whole.contains(part) and not rest.overlaps(part)
    host = giver.block.host_id if giver.block is not None else giver.change.host_id
    return inside and host == giver.change.host_id == taker.change.host_id
