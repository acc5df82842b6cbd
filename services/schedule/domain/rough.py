"""A rough build of stored classes: what is handed to the planning core, and what it answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from libs.planning.calendar import Override, Semester
from libs.planning.changes import Change, ChangeType, TargetFacts, World
from libs.planning.grid import Block, Grid, Target, TargetKind
from libs.planning.rough_build import Placement, RoughPlan, rough_build
from libs.planning.rough_input import PlacedBlock, PlanClass, PlanItem
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.planning import SKIPS, Period, Skip, SkippedClass
from services.schedule.domain.task_class import Item, Mode, TaskClass


@dataclass(frozen=True, slots=True)
class RoughInput:
    """The classes to plan, the semesters that they reach into and every block that stands there.

    `blocks` hold all live blocks of the classes as well, wherever they stand. `excluded_days` are
    weekdays, `excluded_pairs` standard pairs that this plan keeps free, besides those of classes.
    """

    now: datetime
    classes: tuple[TaskClass, ...]
    period: Period | None
    semesters: tuple[Semester, ...]
    blocks: tuple[ScheduledBlock, ...]
    overrides: tuple[Override, ...] = ()
    excluded_days: frozenset[int] = frozenset()
    excluded_pairs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class RoughView:
    """What a rough build came to, with the classes that it left out, by id."""

    now: datetime
    plan: RoughPlan
    skipped: tuple[SkippedClass, ...]
    changes: tuple[Change, ...]
    world: World


def build(asked: RoughInput) -> RoughView:
    """Places every item that waits. It takes some time for many items: not for an event loop."""
    skipped = [
        SkippedClass(one.id, one.fields.name, reason)
        for one in asked.classes
        if (reason := _left_out(one, asked.period)) is not None
    ]
    named = {one.class_id for one in skipped}
    planned = [one for one in asked.classes if one.id not in named]
    blocks = tuple(one.block for one in asked.blocks)
    grid = Grid(asked.semesters, blocks)
    plan = rough_build((_plan_class(one, asked, blocks) for one in planned), grid, now=asked.now)
    names = {one.id: one.fields.name for one in planned}
    skipped += [
        SkippedClass(one.class_id, names[one.class_id], SKIPS[one.problem]) for one in plan.skipped
    ]
    return RoughView(
        now=asked.now,
        plan=plan,
        skipped=tuple(sorted(skipped, key=lambda one: one.class_id)),
        changes=changes_of(plan.placements) if plan.is_complete else (),
        world=World(
            semesters=asked.semesters,
            blocks=blocks,
            targets=_targets(asked.classes),
            overrides=asked.overrides,
            classes={one.id: one.placement_version for one in asked.classes},
        ),
    )


def changes_of(placements: Iterable[Placement]) -> tuple[Change, ...]:
    """The placements as what an apply takes; a guest is embedded."""
    return tuple(
        Change(
            change_id=str(one.item_id),
            type=ChangeType.PLACE if one.host_id is None else ChangeType.EMBED,
            target=Target(TargetKind.TASK_ITEM, one.item_id),
            to=one.place,
            host_id=one.host_id,
        )
        for one in placements
    )


def narrowed(
    start: date | None, end: date | None, period: Period | None
) -> tuple[date | None, date | None]:
    """The part of a range of dates that lies in a period; as it is where one of them is missing."""
    if period is None or start is None or end is None:
        return start, end
    return max(start, period[0]), min(end, period[1])


def _left_out(found: TaskClass, period: Period | None) -> Skip | None:
    fields = found.fields
    if fields.mode is Mode.MANUAL:
        return Skip.MANUAL
    if fields.start is None or fields.end is None or fields.end < fields.start:
        return None  # the planning core says what is wrong with the dates
    start, end = narrowed(fields.start, fields.end, period)
    is_empty = start is not None and end is not None and end < start
    return Skip.OUTSIDE_PERIOD if is_empty else None


def _plan_class(found: TaskClass, asked: RoughInput, blocks: Sequence[Block]) -> PlanClass:
    fields = found.fields
    start, end = narrowed(fields.start, fields.end, asked.period)
    placed: dict[int, list[PlacedBlock]] = {}
    for block in blocks:
        if block.class_id == found.id and block.source is not None:
            makeup = block.makeup_for_id is not None
            placed.setdefault(block.source.id, []).append(PlacedBlock(block.place, makeup))
    return PlanClass(
        id=found.id,
        name=fields.name,
        start=start,
        end=end,
        items=tuple(_plan_item(item, placed) for item in found.items),
        strategy=fields.strategy,
        total_slots=fields.total_sections,
        allow_filler_course=fields.allow_filler_course,
        excluded_slots=asked.excluded_pairs.union(fields.excluded_pairs),
        excluded_days_of_week=asked.excluded_days.union(fields.excluded_days),
    )


def _plan_item(item: Item, placed: Mapping[int, Sequence[PlacedBlock]]) -> PlanItem:
    return PlanItem(item.id, item.order, item.content, item.done, tuple(placed.get(item.id, ())))


def _targets(classes: Iterable[TaskClass]) -> dict[Target, TargetFacts]:
    found = {}
    for one in classes:
        for item in one.items:
            target = Target(TargetKind.TASK_ITEM, item.id)
            found[target] = TargetFacts(
                target=target,
                placement_version=item.placement_version,
                done=item.done,
                deadline=None,
                estimated_sections=one.item_sections,
                title=item.content,
                class_id=one.id,
                order=item.order,
            )
    return found
