"""A difference as changes of the schedule, for ApplyChanges, and changes as a state again."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Place, Target, TargetKind
from libs.planning.moves import Refused
from libs.planning.order import Span
from libs.planning.state import PlanningState, Source, Task
from services.agent.tools.difference import Difference, Shift
from services.agent.tools.replay import replay

_KINDS = {Source.EVENT: TargetKind.SCHEDULE_EVENT, Source.TASK_ITEM: TargetKind.TASK_ITEM}

Meetings = Mapping[tuple[int, Span], int]
"""Event ids of courses, by state_id and place: a course is one task and many events."""


class NotOfTheState(ValueError):
    """A change that is about no task of the state, or leads out of its window."""

    def __init__(self, change: Change) -> None:
        super().__init__(f"{change.change_id}: not of the state")
        self.change = change


@dataclass(frozen=True, slots=True)
class Restated:
    """The state that changes lead to, and what of them the plan does not allow, by state_id."""

    state: PlanningState
    refused: Mapping[int, Refused]


def changes_of(
    difference: Difference, state: PlanningState, meetings: Meetings
) -> tuple[Change, ...]:
    """A change for each task that has another place, by state_id.

    The difference is that of the loaded state and `state`. An item enters the schedule (place, or
    embed into a course); a block moves, goes into a course, comes out of one, or leaves. Ids of
    changes follow from what they are about.
    """
    return tuple(
        _change(shift, state, meetings) for shift in difference.shifts if _is_written(shift)
    )


def state_of(state: PlanningState, changes: Iterable[Change]) -> Restated:
    """The state that these changes of a plan lead to. Raises NotOfTheState."""
    by_target = {target_of(task): task for task in state.tasks.values() if not task.is_course}
    targets: dict[int, Span | None] = {}
    for change in changes:
        task = by_target.get(change.target)
        span = None if change.to is None else state.window.span_of(change.to)
        if task is None or (change.to is not None and span is None):
            raise NotOfTheState(change)
        targets[task.state_id] = span
    found = replay(state, targets)
    return Restated(found.state, found.failed)


def _is_written(shift: Shift) -> bool:
    """Whether the schedule learns of it: an item that waits again never was in it."""
    before, after = shift.before, shift.after
    moved = (before.slots, before.embed_host) != (after.slots, after.embed_host)
    return moved and (after.source is Source.EVENT or bool(after.slots))


def _change(shift: Shift, state: PlanningState, meetings: Meetings) -> Change:
    type_, target = _type(shift), target_of(shift.after)
    return Change(
        change_id=f"{type_}:{target.kind}:{target.id}",
        type=type_,
        target=target,
        to=_place(state, shift.after),
        from_=_place(state, shift.before) if shift.after.source is Source.EVENT else None,
        host_id=_host_event(shift.after, state, meetings),
    )


def _type(shift: Shift) -> ChangeType:
    before, after = shift.before, shift.after
    if not after.slots:
        return ChangeType.REMOVE
    if after.source is Source.TASK_ITEM:
        return ChangeType.PLACE if after.embed_host is None else ChangeType.EMBED
    if before.embed_host == after.embed_host:
        return ChangeType.MOVE
    return ChangeType.UNEMBED if after.embed_host is None else ChangeType.EMBED


def target_of(task: Task) -> Target:
    """What a change of this task is about."""
    return Target(_KINDS[task.source], task.source_id)


def _place(state: PlanningState, task: Task) -> Place | None:
    return None if task.single is None else state.window.place_of(task.single)


def _host_event(guest: Task, state: PlanningState, meetings: Meetings) -> int | None:
    """The event that a guest sits in: the meeting of its host that holds it."""
    host = None if guest.embed_host is None else state.task(guest.embed_host)
    if host is None or guest.single is None:
        return None
    span = guest.single
    for meeting in host.slots:
        if meeting.day == span.day and meeting.first <= span.first and span.last <= meeting.last:
            return meetings.get((host.state_id, meeting), host.source_id)
    return None
