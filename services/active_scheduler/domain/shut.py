"""Why a place is shut for a change: one reason out of what the validator says, for people."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from libs.planning.grid import Block, BlockKind, Place
from libs.planning.validation import Refusal, RefusalCode


class ShutCode(StrEnum):
    STARTED = "started"
    COURSE = "course"
    TASK = "task"
    HOST_PARTIAL = "host_partial"
    DEADLINE = "deadline"
    MUST_FOLLOW = "must_follow"
    MUST_PRECEDE = "must_precede"
    TOO_LONG = "too_long"
    OUT_OF_SEMESTER = "out_of_semester"
    OTHER_CHANGE = "other_change"
    BASE_CHANGED = "base_changed"
    TARGET_COMPLETED = "target_completed"
    TARGET_ALREADY_SCHEDULED = "target_already_scheduled"
    TARGET_NOT_FOUND = "target_not_found"
    OTHER = "other"


OF_NO_PLACE = frozenset(
    {
        ShutCode.BASE_CHANGED,
        ShutCode.TARGET_COMPLETED,
        ShutCode.TARGET_ALREADY_SCHEDULED,
        ShutCode.TARGET_NOT_FOUND,
        ShutCode.OTHER,
    }
)
"""Reasons that another place would not help against."""

_SAME = {
    RefusalCode.IN_THE_PAST: ShutCode.STARTED,
    RefusalCode.OUT_OF_SEMESTER: ShutCode.OUT_OF_SEMESTER,
    RefusalCode.BASE_VERSION_CHANGED: ShutCode.BASE_CHANGED,
    RefusalCode.TARGET_COMPLETED: ShutCode.TARGET_COMPLETED,
    RefusalCode.TARGET_ALREADY_SCHEDULED: ShutCode.TARGET_ALREADY_SCHEDULED,
    RefusalCode.TARGET_NOT_FOUND: ShutCode.TARGET_NOT_FOUND,
}


@dataclass(frozen=True, slots=True)
class Shut:
    """Why a place is refused.

    `block` is in the way, or the neighbour in the order; `ends_at` lies after `limit_at`, the
    deadline; `detail` is a word for programs.
    """

    code: ShutCode
    block: Block | None = None
    ends_at: datetime | None = None
    limit_at: datetime | None = None
    detail: str = ""


def told(refusals: Sequence[Refusal], change_id: str, place: Place) -> Shut:
    """One of the refusals of a batch: the first that names the change at `place`, or no change."""
    mine = [one for one in refusals if one.change_id in (change_id, "")]
    if not mine:
        return Shut(ShutCode.OTHER_CHANGE, detail=refusals[0].code.value)
    refusal = mine[0]
    if refusal.code is RefusalCode.SLOT_CONFLICT:
        return _taken(refusal)
    if refusal.code is RefusalCode.ORDER_VIOLATION and refusal.block is not None:
        return _out_of_order(refusal.block, place)
    code = _SAME.get(refusal.code)
    if code is None:
        return Shut(ShutCode.OTHER, refusal.block, detail=refusal.code.value)
    return Shut(code, refusal.block)


def _taken(refusal: Refusal) -> Shut:
    if refusal.block is None:
        return Shut(ShutCode.OTHER_CHANGE, detail=refusal.detail)
    is_course = refusal.block.kind is BlockKind.COURSE
    return Shut(ShutCode.COURSE if is_course else ShutCode.TASK, refusal.block)


def _out_of_order(neighbour: Block, place: Place) -> Shut:
    """Too early for a neighbour that lies later, which has to come before it; or the reverse."""
    # A place sorts by semester, week, day and section.
    is_early = place < neighbour.place
    return Shut(ShutCode.MUST_FOLLOW if is_early else ShutCode.MUST_PRECEDE, neighbour)
