"""A task of the four-quadrant pool."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import IntEnum, StrEnum


class Quadrant(IntEnum):
    """The four quadrants; the number is the priority of the sources."""

    URGENT_IMPORTANT = 1
    IMPORTANT = 2
    URGENT = 3
    NEITHER = 4


class TaskStatus(StrEnum):
    """Whether a task still asks for work."""

    OPEN = "open"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class TaskFields:
    """What the owner of a task sets: title of 1..200 characters, estimate of 1..4 sections.

    The urgency threshold, where both are set, is not after the deadline.
    """

    title: str
    quadrant: Quadrant
    deadline_at: datetime | None = None
    urgency_threshold_at: datetime | None = None
    estimated_sections: int | None = None

    def plans_otherwise_than(self, other: "TaskFields") -> bool:
        """Whether a plan made for `other` may be wrong for this one; title and quadrant are not
        part of a plan."""
        return (self.deadline_at, self.estimated_sections) != (
            other.deadline_at,
            other.estimated_sections,
        )

    def urges_otherwise_than(self, other: "TaskFields") -> bool:
        """Whether anything but the title differs: the suite has to look again."""
        return replace(self, title="") != replace(other, title="")


@dataclass(frozen=True, slots=True)
class Task:
    """A task as it is stored, read at the instant `seen_at` of the database's clock."""

    id: int
    user_id: int
    fields: TaskFields
    status: TaskStatus
    version: int
    placement_version: int
    urgency_version: int
    created_at: datetime
    completed_at: datetime | None
    seen_at: datetime
    deleted: bool = False

    @property
    def done(self) -> bool:
        """Done, by the person's word."""
        return self.status is TaskStatus.COMPLETED

    @property
    def effective_quadrant(self) -> Quadrant:
        """The quadrant as it reads at `seen_at`: important becomes urgent and important once
        the threshold has passed. Derived, never stored (spec: active-scheduling.md, Triggers)."""
        return effective_quadrant(self.fields, self.seen_at)


def effective_quadrant(fields: TaskFields, now: datetime) -> Quadrant:
    """The quadrant that a task has at an instant."""
    threshold = fields.urgency_threshold_at
    if fields.quadrant is Quadrant.IMPORTANT and threshold is not None and threshold <= now:
        return Quadrant.URGENT_IMPORTANT
    return fields.quadrant
