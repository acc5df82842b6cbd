"""Puts many tasks at given places at once, by the plan's own writes."""

from collections.abc import Mapping
from dataclasses import dataclass

from libs.planning import moves
from libs.planning.moves import Refused
from libs.planning.order import Span
from libs.planning.state import PlanningState, Status


@dataclass(frozen=True, slots=True)
class Replayed:
    """The state with all that was legal, and why the rest was not. What failed is where it was."""

    state: PlanningState
    failed: Mapping[int, Refused]


def replay(state: PlanningState, targets: Mapping[int, Span | None]) -> Replayed:
    """Each task at its target, or pending where that is None; as many of them as go together.

    What goes back to its old place because its target is taken may be in the way of others, so
    the rest is tried anew until all of it holds.
    """
    left = dict(targets)
    failed: dict[int, Refused] = {}
    while True:
        new, refused = _tried(state, left)
        if not refused:
            return Replayed(new, failed)
        failed |= refused
        left = {task_id: span for task_id, span in left.items() if task_id not in refused}


def _tried(
    state: PlanningState, targets: Mapping[int, Span | None]
) -> tuple[PlanningState, dict[int, Refused]]:
    """All of them taken out, then each put in: what is legal together is legal one by one."""
    failed: dict[int, Refused] = {}
    for task_id in targets:
        task = state.task(task_id)
        if task is not None and task.status is Status.PENDING:
            continue
        outcome = moves.unplace(state, task_id)
        if isinstance(outcome, Refused):
            failed[task_id] = outcome
        else:
            state = outcome.state

    def first(task_id: int) -> tuple[bool, Span, int]:
        # A makeup stands for its original, so it has to be there when others are judged.
        span = targets[task_id]
        assert span is not None
        return not state.tasks[task_id].makeup, span, task_id

    placed = [one for one, span in targets.items() if span is not None and one not in failed]
    for task_id in sorted(placed, key=first):
        span = targets[task_id]
        assert span is not None
        outcome = moves.place(state, task_id, span.day, span.first)
        if isinstance(outcome, Refused):
            failed[task_id] = outcome
        else:
            state = outcome.state
    return state, failed
