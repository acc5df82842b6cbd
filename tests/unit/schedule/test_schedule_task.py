"""Quadrants as they read, and which changes of a task matter to a plan."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from services.schedule.domain.task import Quadrant, Task, TaskFields, TaskStatus

NOW = datetime(2026, 11, 30, 1, tzinfo=UTC)
FIELDS = TaskFields("高数作业", Quadrant.IMPORTANT, NOW + timedelta(days=2), None, 2)


def _task(fields: TaskFields) -> Task:
    return Task(
        id=1,
        user_id=1,
        fields=fields,
        status=TaskStatus.OPEN,
        version=1,
        placement_version=1,
        urgency_version=1,
        created_at=NOW,
        completed_at=None,
        seen_at=NOW,
    )


@pytest.mark.parametrize("quadrant", list(Quadrant))
@pytest.mark.parametrize(
    ("threshold", "passed"),
    [
        (None, False),
        (NOW + timedelta(microseconds=1), False),
        (NOW, True),
        (NOW - timedelta(1), True),
    ],
)
def test_only_important_becomes_urgent_and_only_once_the_threshold_has_passed(
    quadrant: Quadrant, threshold: datetime | None, passed: bool
) -> None:
    fields = replace(FIELDS, quadrant=quadrant, urgency_threshold_at=threshold)
    becomes_urgent = passed and quadrant is Quadrant.IMPORTANT
    expected = Quadrant.URGENT_IMPORTANT if becomes_urgent else quadrant
    assert _task(fields).effective_quadrant is expected
    assert _task(fields).fields.quadrant is quadrant


@pytest.mark.parametrize(
    ("change", "matters"),
    [
        ({"title": "别的"}, False),
        ({"quadrant": Quadrant.NEITHER}, False),
        ({"urgency_threshold_at": NOW}, False),
        ({"deadline_at": None}, True),
        ({"deadline_at": NOW}, True),
        ({"estimated_sections": None}, True),
        ({"estimated_sections": 3}, True),
    ],
)
def test_deadline_and_estimate_alone_matter_to_a_plan(
    change: dict[str, object], matters: bool
) -> None:
    assert replace(FIELDS, **change).plans_otherwise_than(FIELDS) is matters  # type: ignore[arg-type]


def test_done_is_the_status_alone() -> None:
    assert not _task(FIELDS).done
    assert replace(_task(FIELDS), status=TaskStatus.COMPLETED).done
