"""A plan over a state that was loaded anew: what still is legal is kept, the rest is named."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from libs.planning.moves import Refused
from libs.planning.order import Span
from libs.planning.state import PlanningState, Task
from services.agent.tools import difference, refusing, words
from services.agent.tools.difference import Shift
from services.agent.tools.replay import replay


class Outdated(StrEnum):
    """Why a suggestion is about something that is no longer so."""

    GONE = "gone"
    CHANGED = "changed"
    OUT_OF_WINDOW = "out_of_window"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A suggestion that was given up: the task as it was suggested, and why."""

    task: Task
    why: Outdated | Refused


@dataclass(frozen=True, slots=True)
class Reloaded:
    """The new state with the suggestions that hold, and those that do not, by number."""

    state: PlanningState
    kept: tuple[int, ...]
    dropped: tuple[Dropped, ...]


def reload(base: PlanningState, current: PlanningState, fresh: PlanningState) -> Reloaded:
    """`current` was made from `base`; what it suggests is put into `fresh`, where it fits.

    Numbers mean the same in all three. A suggestion falls where its task is gone, stands
    elsewhere or has another length now, and where the plan does not allow it any more.
    """
    if fresh == base:
        shifts = difference.between(base, current).shifts
        return Reloaded(current, tuple(shift.state_id for shift in shifts), ())
    shifts = difference.between(base, current).shifts
    targets: dict[int, Span | None] = {}
    dropped: dict[int, Dropped] = {}
    for shift in shifts:
        found = _target(shift, current, fresh)
        if isinstance(found, Outdated):
            dropped[shift.state_id] = Dropped(shift.after, found)
        else:
            targets[shift.state_id] = found
    replayed = replay(fresh, targets)
    suggested: Mapping[int, Task] = {shift.state_id: shift.after for shift in shifts}
    for task_id, refused in replayed.failed.items():
        dropped[task_id] = Dropped(suggested[task_id], refused)
    kept = tuple(sorted(targets.keys() - replayed.failed.keys()))
    state = replayed.state.replacing(
        replace(replayed.state.tasks[task_id], status=suggested[task_id].status) for task_id in kept
    )
    return Reloaded(state, kept, tuple(dropped[task_id] for task_id in sorted(dropped)))


def notice(reloaded: Reloaded) -> Iterator[str]:
    """A line for each suggestion that was given up."""
    for one in reloaded.dropped:
        if isinstance(one.why, Outdated):
            why = _WORDS[one.why]
        else:
            doing = refusing.PLACING if one.task.slots else refusing.REMOVING
            why = refusing.reason(reloaded.state, one.why, doing)
        yield f"{words.label(one.task)}：{why}"


_WORDS = {
    Outdated.GONE: "已不在日程中",
    Outdated.CHANGED: "已在别处变更",
    Outdated.OUT_OF_WINDOW: "目标位置已不在规划窗口内",
}


def _target(shift: Shift, current: PlanningState, fresh: PlanningState) -> Outdated | Span | None:
    """Where a task is to go in the new state; None where it is to wait."""
    now = fresh.task(shift.state_id)
    if now is None:
        return Outdated.GONE
    if (now.status, now.length) != (shift.before.status, shift.after.length) or _places(
        now, fresh
    ) != _places(shift.before, current):
        return Outdated.CHANGED
    if shift.after.single is None:
        return None
    return fresh.window.span_of(current.window.place_of(shift.after.single)) or (
        Outdated.OUT_OF_WINDOW
    )


def _places(task: Task, state: PlanningState) -> tuple[object, ...]:
    return tuple(state.window.place_of(span) for span in task.slots)
