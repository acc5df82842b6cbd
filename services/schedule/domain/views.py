"""What is read of a schedule: a week, a day, the facts about one target, due tasks."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from libs.planning.calendar import DAYS_PER_WEEK, Semester
from libs.planning.grid import BlockKind, Target
from services.schedule.domain.block import Day, ScheduledBlock
from services.schedule.domain.task import Quadrant, Task


@dataclass(frozen=True, slots=True)
class WeekByNumber:
    """A question for week `week` of a semester; semester_id 0 means the current one."""

    semester_id: int
    week: int


@dataclass(frozen=True, slots=True)
class WeekOfDate:
    """A question for the week that holds a date; None means today."""

    on: date | None = None


WeekAsked = WeekByNumber | WeekOfDate


@dataclass(frozen=True, slots=True)
class WeekView:
    """Everything that stands in one week, in order of time."""

    semester: Semester
    week: int
    blocks: tuple[ScheduledBlock, ...]
    now: datetime

    @property
    def dates(self) -> tuple[date, ...]:
        """Monday to Sunday."""
        return tuple(self.semester.date_of(self.week, day) for day in range(1, DAYS_PER_WEEK + 1))

    @property
    def today(self) -> date:
        """The current date in the semester's zone, in this week or not."""
        return self.semester.today(self.now)


@dataclass(frozen=True, slots=True)
class DayView:
    """Everything that stands on the current date, in order of time."""

    semester: Semester
    on: date
    week: int
    day: int
    blocks: tuple[ScheduledBlock, ...]
    now: datetime


@dataclass(frozen=True, slots=True)
class SchedulingFacts:
    """All that is needed to judge where one target may go, read at the instant `now`."""

    now: datetime
    target: Target
    task: Task
    semesters: tuple[Semester, ...]
    blocks: tuple[ScheduledBlock, ...]
    target_blocks: tuple[ScheduledBlock, ...]
    next_task_block_id: int | None


@dataclass(frozen=True, slots=True)
class DueFacts:
    """The truth about one task of one user; not `exists` where it is gone or never was."""

    user_id: int
    task_id: int
    exists: bool = False
    done: bool = False
    quadrant: Quadrant | None = None
    urgency_threshold_at: datetime | None = None
    deadline_at: datetime | None = None
    version: int = 0
    scheduled: bool = False


def days_of_window(
    semesters: tuple[Semester, ...], start: datetime, end: datetime
) -> tuple[Day, ...]:
    """Every (semester, week, day) whose local date the window [start, end] touches."""
    return tuple(
        (semester.id, *semester.week_day_of(on))
        for semester in semesters
        for on in _dates(semester, start, end)
    )


def _dates(semester: Semester, start: datetime, end: datetime) -> tuple[date, ...]:
    first = max(semester.today(start), semester.first_day)
    last = min(semester.today(end), semester.last_day)
    return tuple(first + timedelta(days=offset) for offset in range((last - first).days + 1))


def next_task_block(
    blocks: tuple[ScheduledBlock, ...], *, start: datetime, end: datetime
) -> int | None:
    """The first block of type task that starts after `start` and not after `end`."""
    ahead = [
        (block.starts_at, block.block.id)
        for block in blocks
        if block.block.kind is BlockKind.TASK and start < block.starts_at <= end
    ]
    return min(ahead)[1] if ahead else None
