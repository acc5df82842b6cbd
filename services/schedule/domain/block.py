"""Blocks of the schedule as they are stored, written and told of."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from libs.planning.calendar import Semester
from libs.planning.grid import Block, BlockKind, Place, Target

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Day = tuple[int, int, int]
"""(semester_id, week, day_of_week)."""


@dataclass(frozen=True, slots=True)
class ScheduledBlock:
    """A live block with its instants, and what the page shows of it."""

    block: Block
    starts_at: datetime
    ends_at: datetime
    version: int
    location: str = ""
    teacher: str = ""
    course_id: int | None = None
    """The course that this is a meeting of; None for a block of work."""


@dataclass(frozen=True, slots=True)
class NewBlock:
    """A block that is about to be written under an id that was drawn before.

    `source` is what a task block was placed for; `course_id` the course of a meeting. One of the
    two is set. `host_id` is the course block that a guest sits in, `makeup_for_id` the block that
    it makes up for; an item's block carries the item's class and order.
    """

    id: int
    place: Place
    starts_at: datetime
    ends_at: datetime
    name: str
    source: Target | None = None
    course_id: int | None = None
    location: str = ""
    teacher: str = ""
    can_be_embedded: bool = False
    host_id: int | None = None
    makeup_for_id: int | None = None
    class_id: int | None = None
    order: int | None = None

    @property
    def kind(self) -> BlockKind:
        """Course or task."""
        return BlockKind.TASK if self.course_id is None else BlockKind.COURSE


@dataclass(frozen=True, slots=True)
class BlockState:
    """The state of one block after a change: what is said of it to others."""

    id: int
    version: int
    kind: BlockKind
    source: Target | None
    place: Place
    removed: bool = False


class Cause(StrEnum):
    """Why the schedule changed."""

    IMPORT = "import"
    APPLY = "apply"
    TASK = "task"
    SEMESTER = "semester"
    EDIT = "edit"
    CALENDAR = "calendar"
    TASK_CLASS = "task_class"


def instants(semester: Semester, place: Place) -> tuple[datetime, datetime]:
    """Begin and end of a place, begin always before end. Raises OutOfSemester."""
    return semester.span(place.week, place.day, place.first, place.last)


def first_version(now: datetime) -> int:
    """The version of a row that is new: microseconds of the database's clock."""
    return (now - _EPOCH) // timedelta(microseconds=1)


def in_order(blocks: Iterable[ScheduledBlock]) -> tuple[ScheduledBlock, ...]:
    """By time; a guest stands after its host."""
    return tuple(sorted(blocks, key=_order))


def _order(block: ScheduledBlock) -> tuple[datetime, bool, int]:
    return block.starts_at, block.block.host_id is not None, block.block.id
