"""Seeded students as rows of the schedule service's database, written in bulk."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg

from libs.planning.calendar import Semester
from libs.planning.grid import Block, TargetKind
from services.schedule.store import rows
from tests.integration.active_scheduler.seeded import Seeded

_SEMESTERS = (
    "user_id",
    "id",
    "first_day",
    "weeks",
    "time_zone",
    "section_starts",
    "section_ends",
    "lunch_after",
    "dinner_after",
    "version",
)
_EVENTS = (
    "user_id",
    "id",
    "semester_id",
    "week",
    "day_of_week",
    "first_section",
    "last_section",
    "start_time",
    "end_time",
    "type",
    "task_source_type",
    "rel_id",
    "name",
    "can_be_embedded",
    "host_event_id",
    "makeup_for_event_id",
    "task_class_id",
    "task_order",
    "version",
    "placement_version",
)
_SECTIONS = (
    "user_id",
    "semester_id",
    "week",
    "day_of_week",
    "section",
    "event_id",
    "host_event_id",
)
_TASKS = (
    "user_id",
    "id",
    "title",
    "quadrant",
    "deadline_at",
    "urgency_threshold_at",
    "estimated_sections",
    "status",
    "completed_at",
    "version",
    "placement_version",
    "urgency_version",
)
_CLASSES = (
    "user_id",
    "id",
    "name",
    "mode",
    "strategy",
    "end_date",
    "allow_filler_course",
    "excluded_pairs",
    "excluded_days",
    "version",
    "placement_version",
)
_ITEMS = ("user_id", "id", "task_class_id", "content", "item_order", "done", "placement_version")
_OVERRIDES = ("user_id", "on_date", "version")


async def write(connection: asyncpg.Connection, students: Sequence[Seeded]) -> None:
    """All rows of all of them."""
    of = students
    for table, columns, found in (
        ("users", ("id",), ((one.user_id,) for one in of)),
        ("semesters", _SEMESTERS, (row for one in of for row in _semesters(one))),
        ("tasks", _TASKS, (row for one in of for row in _tasks(one))),
        ("task_classes", _CLASSES, (row for one in of for row in _classes(one))),
        ("task_items", _ITEMS, (row for one in of for row in _items(one))),
        ("calendar_overrides", _OVERRIDES, (row for one in of for row in _overrides(one))),
        ("schedule_events", _EVENTS, (row for one in of for row in _events(one))),
        ("schedules", _SECTIONS, (row for one in of for row in _sections(one))),
    ):
        await connection.copy_records_to_table(table, records=found, columns=columns)


_Rows = Iterator[tuple[Any, ...]]


def _semesters(one: Seeded) -> _Rows:
    for found in one.semesters:
        clock = rows.clock_columns(found.clock)
        yield (
            one.user_id,
            found.id,
            found.first_day,
            found.weeks,
            found.time_zone,
            clock["section_starts"],
            clock["section_ends"],
            clock["lunch_after"],
            clock["dinner_after"],
            found.version,
        )


def _tasks(one: Seeded) -> _Rows:
    for facts in one.targets:
        if facts.target.kind is TargetKind.TASK_POOL:
            threshold = one.now - timedelta(minutes=5)
            if facts.deadline is not None:
                threshold = min(threshold, facts.deadline)
            yield (
                one.user_id,
                facts.target.id,
                facts.title,
                one.quadrant,
                facts.deadline,
                threshold,
                facts.estimated_sections,
                "completed" if facts.done else "open",
                one.now if facts.done else None,
                1,
                facts.placement_version,
                1,
            )


def _classes(one: Seeded) -> _Rows:
    study = one.study_class
    if study is not None:
        yield (
            one.user_id,
            study.id,
            "复习线代",
            "auto",
            "steady",
            study.end,
            False,
            list(study.excluded_pairs),
            list(study.excluded_days),
            1,
            1,
        )


def _items(one: Seeded) -> _Rows:
    for facts in one.targets:
        if facts.target.kind is TargetKind.TASK_ITEM:
            yield (
                one.user_id,
                facts.target.id,
                facts.class_id,
                facts.title,
                facts.order,
                facts.done,
                facts.placement_version,
            )


def _overrides(one: Seeded) -> _Rows:
    for on in one.overrides:
        yield one.user_id, on, 3


def _events(one: Seeded) -> _Rows:
    # A guest stands in the row of its host, which is there before it is looked at.
    for block in one.blocks:
        starts_at, ends_at = instants(one.of(block.place), block)
        yield (
            one.user_id,
            block.id,
            block.place.semester_id,
            block.place.week,
            block.place.day,
            block.place.first,
            block.place.last,
            starts_at,
            ends_at,
            block.kind.value,
            block.source.kind.value if block.source else None,
            block.source.id if block.source else None,
            block.name,
            block.can_be_embedded,
            block.host_id,
            block.makeup_for_id,
            block.class_id,
            block.order,
            1,
            block.placement_version,
        )


def _sections(one: Seeded) -> _Rows:
    for block in one.blocks:
        for cell in block.place.cells:
            yield (
                one.user_id,
                cell.semester_id,
                cell.week,
                cell.day,
                cell.section,
                block.id,
                block.host_id,
            )


def instants(home: Semester, block: Block) -> tuple[datetime, datetime]:
    """When a block begins and ends."""
    place = block.place
    starts_at, ends_at = home.span(place.week, place.day, place.first, place.last)
    return starts_at.astimezone(UTC), ends_at.astimezone(UTC)
