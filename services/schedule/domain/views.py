"""What is read of a schedule: a week, a day, the facts about one target, due tasks."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from libs.planning.calendar import DAYS_PER_WEEK, Override, Semester
from libs.planning.grid import BlockKind, Target, TargetKind
from services.schedule.domain.block import Day, ScheduledBlock
from services.schedule.domain.task import Quadrant, Task
from services.schedule.domain.task_class import Item, TaskClass
from services.schedule.domain.user_settings import DEFAULTS, UserSettings


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
    overrides: tuple[Override, ...] = ()

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
class DatesAsked:
    """A question for first..last, both included; None means today and the first date."""

    first: date | None
    last: date | None
    kind: BlockKind | None


@dataclass(frozen=True, slots=True, order=True)
class ListingKey:
    """Where a block stands in a listing: by time, guests after their host."""

    starts_at: datetime
    is_guest: bool
    id: int

    @classmethod
    def of(cls, found: ScheduledBlock) -> "ListingKey":
        """The key of a block."""
        return cls(found.starts_at, found.block.host_id is not None, found.block.id)


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of blocks, where the next one begins (None after the last), the semesters that the
    dates touch, earliest first, and the names of the classes of these blocks, by id."""

    shown: tuple[ScheduledBlock, ...]
    following: ListingKey | None
    semesters: tuple[Semester, ...]
    class_names: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class CalendarView:
    """What a calendar file shows of a semester."""

    semester: Semester
    blocks: tuple[ScheduledBlock, ...]


@dataclass(frozen=True, slots=True)
class ItemOfClass:
    """An item and the class that it belongs to."""

    item: Item
    task_class: TaskClass

    @property
    def target(self) -> Target:
        """What a change calls it."""
        return Target(TargetKind.TASK_ITEM, self.item.id)

    def deadline(self, semesters: tuple[Semester, ...]) -> datetime | None:
        """The end of the class's last day: in the zone of the semester that holds it, else of
        the last one given."""
        end = self.task_class.fields.end
        if end is None or not semesters:
            return None
        holding = [one for one in semesters if one.first_day <= end <= one.last_day]
        zone = (holding or semesters)[-1].zone
        midnight = datetime.combine(end + timedelta(days=1), time.min, tzinfo=zone)
        return midnight.astimezone(UTC)


Placeable = Task | ItemOfClass
"""What may be placed: a task of the pool, or an item of a class."""


@dataclass(frozen=True, slots=True)
class NextTask:
    """A block of work that another one could share its place with.

    `blocks` are all live ones of what it was placed for, and of the class of that.
    """

    block: ScheduledBlock
    target: Placeable
    blocks: tuple[ScheduledBlock, ...]


@dataclass(frozen=True, slots=True)
class SchedulingFacts:
    """All that is needed to judge where one target may go, read at the instant `now`.

    `asked_block` is the block that was asked about, `class_blocks` all of the target's class,
    `next_task` what unfinished work could share a block with.
    """

    now: datetime
    target: Placeable
    asked_block: ScheduledBlock | None
    class_blocks: tuple[ScheduledBlock, ...]
    semesters: tuple[Semester, ...]
    blocks: tuple[ScheduledBlock, ...]
    target_blocks: tuple[ScheduledBlock, ...]
    next_task_block_id: int | None
    settings: UserSettings
    overrides: tuple[Override, ...]
    next_task: NextTask | None = None


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
    settings: UserSettings = DEFAULTS


@dataclass(frozen=True, slots=True)
class Span:
    """The days of one semester from (week, day) `first` to `last`, both included."""

    semester_id: int
    first: tuple[int, int]
    last: tuple[int, int]


def span_of(semester: Semester, first: date, last: date) -> Span:
    """The part of a semester that lies in first..last; they share a date."""
    return Span(
        semester.id,
        semester.week_day_of(max(first, semester.first_day)),
        semester.week_day_of(min(last, semester.last_day)),
    )


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
    return next((one.block.id for one in work_ahead(blocks, start=start, end=end)), None)


def next_dynamic(
    work: tuple[ScheduledBlock, ...],
    asked: ScheduledBlock | None,
    target: Target,
    *,
    to_do: Collection[Target],
) -> ScheduledBlock | None:
    """The first of these blocks of work that was placed for something which is still to be done,
    after `asked` where that is given; None where it belongs to the target itself."""
    behind = (one for one in work if asked is None or one.starts_at >= asked.ends_at)
    first = next((one for one in behind if one.block.source in to_do), None)
    return None if first is None or first.block.source == target else first


def work_ahead(
    blocks: tuple[ScheduledBlock, ...], *, start: datetime, end: datetime
) -> tuple[ScheduledBlock, ...]:
    """The blocks of type task that start after `start` and not after `end`, by time."""
    ahead = (
        block
        for block in blocks
        if block.block.kind is BlockKind.TASK and start < block.starts_at <= end
    )
    return tuple(sorted(ahead, key=lambda block: (block.starts_at, block.block.id)))
