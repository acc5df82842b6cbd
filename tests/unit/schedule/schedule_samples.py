"""Small values that the unit tests of the schedule service build on."""

from datetime import UTC, date, datetime

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from libs.planning.changes import Change, ChangeType
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from services.schedule.domain.block import ScheduledBlock, instants

NOW = datetime(2026, 11, 30, 1, tzinfo=UTC)
AUTUMN = Semester(7, date(2026, 9, 7), 20, "Asia/Shanghai", DEFAULT_CLOCK, 70)
SPRING = Semester(8, date(2027, 3, 1), 18, "Asia/Shanghai", DEFAULT_CLOCK, 80)


def at(week: int, day: int, first: int, last: int | None = None, *, semester: int = 7) -> Place:
    """A place in the autumn semester."""
    return Place(semester, week, day, first, last or first)


def pool(task_id: int) -> Target:
    """A task of the pool."""
    return Target(TargetKind.TASK_POOL, task_id)


def add(task_id: int, to: Place | None, change_id: str = "c1") -> Change:
    """The change that puts a task there."""
    return Change(change_id, ChangeType.ADD, pool(task_id), to)


def meeting(
    event_id: int,
    course_id: int,
    place: Place,
    *,
    name: str = "高等数学",
    location: str = "主校区 A101",
    teacher: str = "王老师",
) -> ScheduledBlock:
    """A stored course meeting."""
    starts_at, ends_at = instants(AUTUMN, place)
    return ScheduledBlock(
        block=Block(event_id, BlockKind.COURSE, place, 1, name=name),
        starts_at=starts_at,
        ends_at=ends_at,
        version=1,
        location=location,
        teacher=teacher,
        course_id=course_id,
    )


def work(event_id: int, task_id: int, place: Place) -> ScheduledBlock:
    """A stored block of work."""
    starts_at, ends_at = instants(AUTUMN, place)
    return ScheduledBlock(
        block=Block(event_id, BlockKind.TASK, place, 1, source=pool(task_id), name="作业"),
        starts_at=starts_at,
        ends_at=ends_at,
        version=1,
    )
