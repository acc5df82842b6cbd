"""What can be proposed in a case: every type of candidate, checked by the validator of apply.

Source: spec active-scheduling.md, Candidates. Compression stands apart: it is the last resort.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from libs.planning import base_map, reorder, steps, validation
from libs.planning.changes import Change, ChangeType, World
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from libs.planning.reorder import BrokenWish, Moved, Preferences, Reorder
from services.active_scheduler.domain import candidates, lineup
from services.active_scheduler.domain.candidates import MOST, Family, Proposal, Weighed
from services.active_scheduler.domain.case import Case

# Beside the weights of a place (candidates): the larger the score, the better.
_PER_MOVED_BLOCK = 6
_PER_BROKEN_WISH = 12
_SPLIT = 20
_COMPRESSED = 30
_DROPPED = 60


class OptionType(StrEnum):
    """The kinds of proposal, as they begin their ids."""

    ADD = "add_task_pool_to_schedule"
    MAKEUP = "makeup_block"
    REORDER = "local_reorder_makeup"
    COMPRESS = "compress_with_next_dynamic_task"
    SPLIT = "split_in_two"
    """One of the first two in two parts: only where it was agreed to, or missed too often."""
    DROP = "drop_unfinished"
    """What lies ahead of a target that was missed too often leaves the schedule."""


@dataclass(frozen=True, slots=True)
class Option:
    """A checked proposal. `place` is where the target's own work goes, the first part of what is
    split; of a proposal to drop it is the first place that becomes free. `other` is the block
    that shares its place with it."""

    id: str
    type: OptionType
    family: Family
    changes: tuple[Change, ...]
    place: Place
    base: Mapping[str, str]
    weighed: Weighed
    moved: tuple[Moved, ...] = ()
    broken: tuple[BrokenWish, ...] = ()
    other: Block | None = None

    @property
    def work(self) -> tuple[Place, ...]:
        """Every place where the target's own work goes."""
        new = (change for change in self.changes if not steps.frees_its_block(change))
        return tuple(change.to for change in new if change.to is not None)

    @property
    def proposal(self) -> Proposal:
        """The same as a proposal of one place."""
        return Proposal(
            id=self.id,
            family=self.family,
            changes=self.changes,
            place=self.place,
            base=self.base,
            score=self.weighed.score,
            starts_soon=self.weighed.starts_soon,
            tight=self.weighed.tight,
        )


def options(case: Case) -> tuple[Option, ...]:
    """Up to three, best first, compression aside; equal cases give equal ones, byte for byte."""
    if case.unfinished is not None and case.block is None:
        return ()
    found = _legal(case, _in_one_piece(case))
    if case.is_repeated:
        others = _legal(case, (*_split(case), *_dropped(case)))
        found = [*_ranked(case, found)[: MOST - len(others)], *others]
    elif case.answers.split and not found:
        found = _legal(case, _split(case))
    return _ranked(case, found)


def compression(case: Case) -> tuple[Option, ...]:
    """The unfinished block and the next one of type task share the place of the latter, or none.

    The unfinished one takes the first half, rounded down, and each keeps a section at least.
    """
    block, following = case.block, next_dynamic(case)
    if block is None or following is None or following.place.length < 2:
        return ()
    whole = following.place
    middle = whole.first + whole.length // 2
    mine = Place(*whole.on_day, whole.first, middle - 1)
    rest = Place(*whole.on_day, middle, whole.last)
    host = following.host_id
    taker = Change("c1", ChangeType.COMPRESS, _event(block), mine, host_id=host)
    giver = Change("c2", ChangeType.COMPRESS, _event(following), rest, whole, host_id=host)
    option = _option(
        case,
        OptionType.COMPRESS,
        Family.EARLIEST,
        (taker, giver),
        mine,
        minus=_COMPRESSED,
        other=following,
    )
    deadline = case.facts.deadline_ahead
    in_time = deadline is None or case.facts.world.grid.ends_at(mine) <= deadline
    return tuple(_legal(case, (option,))) if in_time else ()


def next_dynamic(case: Case) -> Block | None:
    """The next block of type task that begins within the window and is still to be done; None
    where it is of the same target."""
    world = case.facts.world
    laid = world.grid
    ahead = [
        (laid.starts_at(block.place), block.id, block)
        for block in world.blocks
        if block.kind is BlockKind.TASK
        and not _is_done(world, block)
        and case.opens <= laid.starts_at(block.place) < case.facts.window_end
        and laid.starts_at(block.place) > case.facts.now
    ]
    # What stands before the one that was told is done, though it may not be known here.
    told = (one for one in ahead if one[1] == case.facts.next_dynamic_id)
    first = next(told, None) or min(ahead, default=None, key=lambda one: one[:2])
    if first is None or first[2].source == case.facts.target.target:
        return None
    return first[2]


def _in_one_piece(case: Case) -> Iterator[Option]:
    if case.block is None:
        for family, place in candidates.choose(case.facts, case.free_places):
            yield _at(case, OptionType.ADD, family, place)
        return
    chosen = candidates.choose(case.facts, lineup.makeup_places(case))
    for family, place in chosen:
        yield _at(case, OptionType.MAKEUP, family, place)
    if not chosen:
        yield from _reordered(case, case.block)


def _at(case: Case, type_: OptionType, family: Family, *places: Place) -> Option:
    """A new block at each of the places."""
    kind, target = ChangeType.ADD, case.facts.target.target
    if case.block is not None:
        kind, target = ChangeType.CREATE_MAKEUP, _event(case.block)
    changes = tuple(
        Change(f"c{number}", kind, target, place, editable=True)
        for number, place in enumerate(places, start=1)
    )
    minus = _SPLIT if len(places) > 1 else 0
    return _option(case, type_, family, changes, places[0], minus=minus, parts=places[1:])


def _split(case: Case) -> Iterator[Option]:
    """The whole of it in two parts that are not one run, as even as there is room for."""
    whole = case.whole_sections
    for longer in range((whole + 1) // 2, whole):
        sizes = {(longer, whole - longer), (whole - longer, longer)}
        pairs = [pair for one in sorted(sizes) if (pair := _first_pair(case, *one)) is not None]
        if pairs:
            starts_at = case.facts.world.grid.starts_at
            first = min(pairs, key=lambda pair: (starts_at(pair[1]), starts_at(pair[0])))
            yield _at(case, OptionType.SPLIT, Family.EARLIEST, *first)
            return


def _first_pair(case: Case, one: int, other: int) -> tuple[Place, Place] | None:
    """The earliest places for two parts, one behind the other with something between."""
    laid = case.facts.world.grid
    firsts = lineup.makeup_places(case, one)
    seconds = lineup.makeup_places(case, other)
    if not firsts:
        return None
    first = firsts[0]
    over_at = laid.ends_at(first)
    behind = (
        place
        for place in seconds
        if laid.starts_at(place) >= over_at and not _is_one_run(case, first, place)
    )
    second = next(behind, None)
    return None if second is None else (first, second)


def _is_one_run(case: Case, first: Place, second: Place) -> bool:
    """Whether the second follows on the first without a section or a break between."""
    home = case.facts.world.grid.semester(first.semester_id)
    if home is None or first.on_day != second.on_day or second.first != first.last + 1:
        return False
    return not home.clock.crosses_break(first.last, second.first)


def _reordered(case: Case, block: Block) -> Iterator[Option]:
    """A makeup with later items of the class moved behind it, preferences as ranking alone."""
    wanted, end = lineup.wanted(case), lineup.last_day(case)
    if wanted is None or end is None or case.rules is None:
        return
    found = reorder.reorder(
        reorder.Unfinished(wanted, case.facts.needed_sections, end),
        lineup.squeezed(case, wanted),
        lineup.class_blocks(case),
        case.facts.world.grid,
        now=case.opens,
        preferences=Preferences(
            excluded_days_of_week=frozenset(case.rules.excluded_days),
            excluded_slots=frozenset(case.rules.excluded_pairs),
        ),
    )
    if isinstance(found, Reorder):
        yield _of_reorder(case, block, found)


def _of_reorder(case: Case, block: Block, found: Reorder) -> Option:
    makeup = Change("c1", ChangeType.CREATE_MAKEUP, _event(block), found.makeup, editable=True)
    moves = (
        Change(
            f"c{number}",
            ChangeType.MOVE,
            Target(TargetKind.SCHEDULE_EVENT, one.event_id),
            one.to,
            one.from_,
            editable=True,
        )
        for number, one in enumerate(found.moved, start=2)
    )
    return _option(
        case,
        OptionType.REORDER,
        Family.LEAST_DISTURBANCE,
        (makeup, *moves),
        found.makeup,
        minus=_PER_MOVED_BLOCK * len(found.moved) + _PER_BROKEN_WISH * len(found.broken),
        moved=found.moved,
        broken=found.broken,
    )


def _dropped(case: Case) -> Iterator[Option]:
    """What else lies ahead of the target leaves the schedule; the unfinished block itself stays."""
    laid, target = case.facts.world.grid, case.facts.target.target
    ahead = [
        block
        for block in validation.live_ahead(target, case.facts.world, case.facts.now)
        if block != case.block and laid.starts_at(block.place) > case.facts.now
    ]
    if ahead:
        changes = tuple(
            Change(f"c{number}", ChangeType.REMOVE, _event(block), None, block.place)
            for number, block in enumerate(ahead, start=1)
        )
        place = ahead[0].place
        yield _option(
            case, OptionType.DROP, Family.LEAST_DISTURBANCE, changes, place, minus=_DROPPED
        )


def _event(block: Block) -> Target:
    return Target(TargetKind.SCHEDULE_EVENT, block.id)


def _is_done(world: World, block: Block) -> bool:
    facts = world.targets.get(block.source) if block.source is not None else None
    return facts is not None and facts.done


def _option(
    case: Case,
    type_: OptionType,
    family: Family,
    changes: tuple[Change, ...],
    place: Place,
    *,
    minus: int = 0,
    moved: tuple[Moved, ...] = (),
    broken: tuple[BrokenWish, ...] = (),
    other: Block | None = None,
    parts: tuple[Place, ...] = (),
) -> Option:
    about = case.block.id if case.block is not None else case.facts.target.target.id
    weighed = _weighed(case, place, *parts)
    return Option(
        id=f"{type_}:{about}:{place.week}:{place.day}:{place.first}",
        type=type_,
        family=family,
        changes=changes,
        place=place,
        base=base_map.base_map(changes, case.facts.world),
        weighed=Weighed(weighed.score - minus, weighed.starts_soon, weighed.tight),
        moved=moved,
        broken=broken,
        other=other,
    )


def _weighed(case: Case, *places: Place) -> Weighed:
    """What is in several parts is as good as the worst of them."""
    found = [candidates.weigh(case.facts, place) for place in places]
    return Weighed(
        min(one.score for one in found),
        any(one.starts_soon for one in found),
        any(one.tight for one in found),
    )


def _ranked(case: Case, found: list[Option]) -> tuple[Option, ...]:
    laid = case.facts.world.grid
    best = sorted(found, key=lambda one: (-one.weighed.score, laid.starts_at(one.place), one.id))
    return tuple(best[:MOST])


def _legal(case: Case, found: Iterable[Option]) -> list[Option]:
    """Those that apply would take as things stand, judged on facts that are all there."""
    world = case.facts.world
    return [
        one
        for one in found
        if _is_known(one.changes, world)
        and not validation.judge(one.changes, world, now=case.facts.now, base=one.base)
    ]


def _is_known(changes: tuple[Change, ...], world: World) -> bool:
    """Whether everything that the base of the changes names was read."""
    for source in steps.sources(changes, world):
        facts = world.targets.get(source)
        if facts is None or (facts.class_id is not None and facts.class_id not in world.classes):
            return False
    return True
