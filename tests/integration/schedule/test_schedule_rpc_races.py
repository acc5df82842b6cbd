"""Applies in parallel: one cell has one winner, and nobody sees the database's own words."""

import asyncio
from typing import Any

import grpc
import pytest
from sqlalchemy import text

from libs.clock import SystemClock
from libs.db.database import Database
from libs.rpc.errors import RemoteError
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from smartmate.schedule.v1 import task_pb2
from tests.integration.schedule.people import (
    Backend,
    Person,
    applied,
    codes,
    course,
    fresh,
    refused,
)
from tests.integration.schedule.serving import served

_LOCK = text("SELECT id FROM users WHERE id = :id FOR UPDATE")
_CELLS_TAKEN_TWICE = """
    SELECT week, day_of_week, section FROM schedules WHERE user_id = :id
    GROUP BY week, day_of_week, section HAVING count(*) > 1
"""


@pytest.mark.parametrize("with_base", [True, False])
async def test_of_ten_applies_to_one_cell_one_wins(student: Person, with_base: bool) -> None:
    """B001."""
    tasks = [await student.add_task(f"任务{n}") for n in range(10)]
    changes = [student.add(task, student.place(9, 10)) for task in tasks]
    bases = [await student.base_of(change) if with_base else {} for change in changes]
    verdicts = await asyncio.gather(
        *(student.apply(change, base=base) for change, base in zip(changes, bases, strict=True))
    )
    assert [applied(verdict) for verdict in verdicts].count(True) == 1
    lost = {code for verdict in verdicts for code in codes(verdict)}
    assert lost == {"base_version_changed" if with_base else "slot_conflict"}
    assert len(await student.told_of(events_pb2.ScheduleApplySucceeded)) == 1
    assert len(await student.told_of(events_pb2.ScheduleApplyFailed)) == 9
    rows = await student.backend.rows(
        "SELECT section FROM schedules WHERE user_id = :id ORDER BY 1", id=student.id
    )
    assert [row["section"] for row in rows] == [9, 10]


async def test_one_task_is_placed_once_however_often_it_is_asked_for(student: Person) -> None:
    task = await student.add_task()
    verdicts = await asyncio.gather(
        *(student.apply(student.add(task, student.place(section))) for section in range(3, 11))
    )
    assert [applied(verdict) for verdict in verdicts].count(True) == 1
    assert {code for verdict in verdicts for code in codes(verdict)} == {"target_already_scheduled"}


async def test_one_attempt_in_parallel_is_one_apply(student: Person) -> None:
    """B004."""
    task = await student.add_task()
    change = student.add(task, student.place(9))
    verdicts = await asyncio.gather(*(student.apply(change, apply_id="asa_1") for _ in range(8)))
    assert all(verdict == verdicts[0] for verdict in verdicts)
    assert applied(verdicts[0])
    assert len(await student.told_of(events_pb2.ScheduleApplySucceeded)) == 1


async def test_crossing_applies_end_in_verdicts(student: Person) -> None:
    """B009: A wants section 5 then 7, B 7 then 5."""
    tasks = [await student.add_task(f"任务{n}") for n in range(80)]

    def crossing(index: int, days: int) -> tuple[Any, Any]:
        first, second = (5, 7) if index % 2 else (7, 5)
        one, other = tasks[2 * index], tasks[2 * index + 1]
        return (
            student.add(one, student.place(first, days=days), "a"),
            student.add(other, student.place(second, days=days), "b"),
        )

    verdicts = await asyncio.gather(
        *(student.apply(*crossing(index, index // 2)) for index in range(40))
    )
    assert [applied(verdict) for verdict in verdicts].count(True) == 20
    assert {code for verdict in verdicts for code in codes(verdict)} == {"slot_conflict"}
    assert await student.backend.rows(_CELLS_TAKEN_TWICE, id=student.id) == []


async def test_writers_of_every_kind_keep_the_cells_apart(student: Person) -> None:
    day = student.today.isoweekday()
    tasks = [await student.add_task(f"任务{n}") for n in range(6)]
    calls: list[Any] = [
        student.apply(student.add(task, student.place(3 + n))) for n, task in enumerate(tasks)
    ]
    calls += [student.import_rows(course("体育", day, "3-4", "1-16周")) for _ in range(2)]
    calls += [
        student.call("DeleteTask", pb.DeleteTaskRequest(request_id=fresh(), task_id=one.task_id))
        for one in tasks[:3]
    ]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    assert {type(one) for one in answers} <= {
        type(await student.apply(student.add(tasks[5], student.place(12)))),
        pb.ImportTimetableResponse,
        pb.DeleteTaskResponse,
        RemoteError,
    }
    assert await student.backend.rows(_CELLS_TAKEN_TWICE, id=student.id) == []


async def test_a_row_outside_the_rules_is_a_slot_conflict(student: Person) -> None:
    """The unique index knows of a cell that no live block explains."""
    task = await student.add_task()
    place = student.place(9)
    await student.backend.execute(
        """
        WITH block AS (
            INSERT INTO schedule_events (user_id, semester_id, week, day_of_week, first_section,
                last_section, start_time, end_time, type, name, version, placement_version,
                live, removed_at)
            VALUES (:user, :semester, :week, :day, 9, 9, clock_timestamp(),
                clock_timestamp() + interval '1 hour', 'course', 'x', 1, 1, false,
                clock_timestamp())
            RETURNING id)
        INSERT INTO schedules (user_id, semester_id, week, day_of_week, section, event_id)
        SELECT :user, :semester, :week, :day, 9, id FROM block
        """,
        user=student.id,
        semester=place.semester_id,
        week=place.week,
        day=place.day_of_week,
    )
    change = student.add(task, place)
    verdict = await student.apply(change, apply_id="asa_1")
    assert codes(verdict) == ["slot_conflict"]
    assert await student.apply(change, apply_id="asa_1") == verdict
    assert len(await student.told_of(events_pb2.ScheduleApplyFailed)) == 1
    day = student.today.isoweekday()
    error = await refused(student.import_rows(course("晚课", day, "9-10", "1-16周")))
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "slot_conflict")
    await student.backend.execute("DELETE FROM schedules WHERE user_id = :id", id=student.id)


async def test_who_waits_too_long_for_the_lock_is_told_to_come_back(
    servers: Suite, backend: Backend, student: Person
) -> None:
    task = await student.add_task()
    change = student.add(task, student.place(9))
    impatient = Database(
        servers.database_url("schedule"), application="schedule", lock_timeout_ms=100
    )
    verifier_keys = servers.public_keys
    async with served(impatient, backend.outlet, verifier_keys, SystemClock()) as channel:
        hasty = Person(backend.through(channel), student.id, student.semester, student.today)
        async with backend.db.transaction() as tx:
            await tx.execute(_LOCK, id=student.id)
            error = await refused(hasty.apply(change, apply_id="asa_1"))
            assert error.code is grpc.StatusCode.UNAVAILABLE
            request = pb.CreateTaskRequest(
                request_id="r", task=pb.TaskInput(title="x", quadrant=task_pb2.QUADRANT_NEITHER)
            )
            error = await refused(hasty.call("CreateTask", request))
            assert error.code is grpc.StatusCode.UNAVAILABLE
        assert applied(await hasty.apply(change, apply_id="asa_1"))
        assert (await hasty.call("CreateTask", request)).task.title == "x"
    await impatient.close()
