"""A rough plan put into a planning state: placed items become suggestions.

Spec: planning.md, Rough build (Out: only placements that exist are marked, counters).
"""

from dataclasses import dataclass, replace

from libs.planning.order import Span
from libs.planning.rough_build import Placement, RoughPlan
from libs.planning.state import PlanningState, Source, Status, Task

_SAMPLES = 3


@dataclass(frozen=True, slots=True)
class RoughCounters:
    """What became of the placements of a plan.

    `day_mapping_miss`: their day is not in the window; `task_item_match_miss`: no waiting task of
    the state is that item; `pending_in_scope`: what still waits of the planned classes. The
    samples name a few of each miss, and what waits, by item id.
    """

    placements: int
    applied: int
    day_mapping_miss: int
    task_item_match_miss: int
    pending_in_scope: int
    window_days: int
    day_mapping_samples: tuple[int, ...] = ()
    task_item_samples: tuple[int, ...] = ()
    pending_samples: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoughApplied:
    """The state with the suggestions in it. With pending items in scope the run is to end."""

    state: PlanningState
    counters: RoughCounters


def apply_rough(state: PlanningState, plan: RoughPlan) -> RoughApplied:
    """Marks what the plan placed as suggested; everything else of the state stays."""
    waiting = {
        task.source_id: task
        for task in state.with_status(Status.PENDING)
        if task.source is Source.TASK_ITEM
    }
    hosts = {
        task.source_id: task
        for task in state.tasks.values()
        if task.can_embed and task.source is Source.EVENT
    }
    placed: dict[int, Task] = {}
    unmapped, unmatched = [], []
    for placement in plan.placements:
        task = waiting.get(placement.item_id)
        span = state.window.span_of(placement.place)
        if span is None:
            unmapped.append(placement.item_id)
        elif task is None:
            unmatched.append(placement.item_id)
        else:
            placed[task.state_id] = _suggested(task, span, placement, hosts)
    new = state.replacing([*placed.values(), *_linked(state, placed)])
    scope = {report.class_id for report in plan.classes}
    pending = [
        task.source_id for task in new.with_status(Status.PENDING) if task.task_class_id in scope
    ]
    return RoughApplied(
        new,
        RoughCounters(
            placements=len(plan.placements),
            applied=len(placed),
            day_mapping_miss=len(unmapped),
            task_item_match_miss=len(unmatched),
            pending_in_scope=len(pending),
            window_days=state.window.total_days,
            day_mapping_samples=tuple(unmapped[:_SAMPLES]),
            task_item_samples=tuple(unmatched[:_SAMPLES]),
            pending_samples=tuple(pending[:_SAMPLES]),
        ),
    )


def _suggested(task: Task, span: Span, placement: Placement, hosts: dict[int, Task]) -> Task:
    host = None if placement.host_id is None else hosts.get(placement.host_id)
    return replace(
        task,
        status=Status.SUGGESTED,
        slots=(span,),
        embed_host=None if host is None else host.state_id,
    )


def _linked(state: PlanningState, placed: dict[int, Task]) -> list[Task]:
    """The hosts, with their new guests."""
    guests: dict[int, set[int]] = {}
    for task in placed.values():
        if task.embed_host is not None:
            guests.setdefault(task.embed_host, set()).add(task.state_id)
    return [
        replace(
            state.tasks[host],
            embedded_by=tuple(sorted({*state.tasks[host].embedded_by, *of})),
        )
        for host, of in sorted(guests.items())
    ]
