"""From database rows, or their JSON form, to values."""

from collections.abc import Sequence
from datetime import date, datetime, time
from functools import lru_cache
from typing import Any, Protocol

from libs.planning.calendar import Override, SectionClock, SectionTime, Semester
from libs.planning.grid import Block, BlockKind, Place, Target, TargetKind
from services.schedule.domain.block import BlockState, ScheduledBlock
from services.schedule.domain.task import Quadrant, Task, TaskFields, TaskStatus


class Values(Protocol):
    """A row by column name; dates and instants as themselves or as ISO 8601 text."""

    def __getitem__(self, column: str, /) -> Any:
        """The value of a column."""


def semester(row: Values) -> Semester:
    """A row of `semesters`."""
    return Semester(
        id=row["id"],
        first_day=date.fromisoformat(str(row["first_day"])),
        weeks=row["weeks"],
        time_zone=row["time_zone"],
        clock=_clock(
            tuple(row["section_starts"]),
            tuple(row["section_ends"]),
            row["lunch_after"],
            row["dinner_after"],
        ),
        version=row["version"],
    )


def clock_columns(clock: SectionClock) -> dict[str, Any]:
    """The columns that hold a section clock, in minutes after local midnight."""
    return {
        "section_starts": [minute(section.start) for section in clock.sections],
        "section_ends": [minute(section.end) for section in clock.sections],
        "lunch_after": clock.lunch_after,
        "dinner_after": clock.dinner_after,
    }


@lru_cache(maxsize=256)
def _clock(
    starts: tuple[int, ...], ends: tuple[int, ...], lunch_after: int, dinner_after: int
) -> SectionClock:
    sections = tuple(
        SectionTime(time_of(start), time_of(end)) for start, end in zip(starts, ends, strict=True)
    )
    return SectionClock(sections, lunch_after, dinner_after)


def minute(at: time) -> int:
    """Minutes after midnight, as times of day are stored."""
    return at.hour * 60 + at.minute


def time_of(minute: int) -> time:
    """The time of day of a stored minute."""
    return time(minute // 60, minute % 60)


def override(row: Values) -> Override:
    """A row of `calendar_overrides`."""
    week, day = row["runs_week"], row["runs_day"]
    return Override(
        on=date.fromisoformat(str(row["on_date"])),
        runs=None if week is None else (week, day),
        version=row["version"],
    )


def place(row: Values) -> Place:
    """Where a row of `schedule_events` stands."""
    return Place(
        row["semester_id"],
        row["week"],
        row["day_of_week"],
        row["first_section"],
        row["last_section"],
    )


def source(row: Values) -> Target | None:
    """What a task block was placed for; old rows without a source are items of a class."""
    if row["type"] != BlockKind.TASK or row["rel_id"] is None:
        return None
    return Target(TargetKind(row["task_source_type"] or TargetKind.TASK_ITEM), row["rel_id"])


def block(row: Values) -> Block:
    """A row of `schedule_events` as the planning core sees it."""
    return Block(
        id=row["id"],
        kind=BlockKind(row["type"]),
        place=place(row),
        placement_version=row["placement_version"],
        source=source(row),
        can_be_embedded=row["can_be_embedded"],
        host_id=row["host_event_id"],
        name=row["name"],
        class_id=row["task_class_id"],
        order=row["task_order"],
        makeup_for_id=row["makeup_for_event_id"],
    )


def scheduled(row: Values) -> ScheduledBlock:
    """A row of `schedule_events` as a page sees it."""
    return ScheduledBlock(
        block=block(row),
        starts_at=row["start_time"],
        ends_at=row["end_time"],
        version=row["version"],
        location=row["location"],
        teacher=row["teacher"],
        course_id=row["rel_id"] if row["type"] == BlockKind.COURSE else None,
    )


def state(row: Values) -> BlockState:
    """A row of `schedule_events` as it is told of."""
    return BlockState(
        id=row["id"],
        version=row["version"],
        kind=BlockKind(row["type"]),
        source=source(row),
        place=place(row),
        removed=not row["live"],
    )


def states(rows: Sequence[Any]) -> tuple[BlockState, ...]:
    """Every row as it is told of, by id."""
    found = (state(row._mapping) for row in rows)
    return tuple(sorted(found, key=lambda one: one.id))


def task(row: Values) -> Task:
    """A row of `tasks` with the instant `seen_at` it was read at."""
    return Task(
        id=row["id"],
        user_id=row["user_id"],
        fields=TaskFields(
            title=row["title"],
            quadrant=Quadrant(row["quadrant"]),
            deadline_at=row["deadline_at"],
            urgency_threshold_at=row["urgency_threshold_at"],
            estimated_sections=row["estimated_sections"],
        ),
        status=TaskStatus(row["status"]),
        version=row["version"],
        placement_version=row["placement_version"],
        urgency_version=row["urgency_version"],
        created_at=row["created_at"],
        completed_at=row["completed_at"],
        seen_at=row["seen_at"],
        deleted=row["deleted_at"] is not None,
    )


def instant(value: str | datetime) -> datetime:
    """An instant, from its JSON form where it is text."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value
