"""Two of everything, one of them frozen for a while: each thing happens once."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from tests.e2e.faults import breaking
from tests.student import Student
from tests.waiting import until
from tests.world import World

SOON = timedelta(seconds=1)


@asynccontextmanager
async def frozen(world: World, service: str, index: int) -> AsyncIterator[None]:
    """One replica does nothing for a while, with all that it holds.

    Where that is in the middle of a transaction, PostgreSQL ends it after 30 s; here after 3.
    """
    world.suite.send(service, signal.SIGSTOP, index)
    ending = asyncio.ensure_future(end_idle_transactions(world, service))
    try:
        yield
    finally:
        ending.cancel()
        world.suite.send(service, signal.SIGCONT, index)


async def end_idle_transactions(world: World, service: str) -> None:
    """Transactions that wait for their client: what a time-out of the server does, sooner."""

    async def never() -> bool:
        await world.fetch(
            service,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 "
            "AND wait_event = 'ClientRead' AND xact_start < now() - interval '3 s'",
            service,
        )
        return False

    await until(never, within=float("inf"))


async def test_two_relays_tell_each_event_once(world: World) -> None:
    """One of them holds rows that it can neither publish nor mark, and comes back late."""
    students = [await world.student() for _ in range(4)]
    world.suite.send("nats", signal.SIGSTOP)
    await asyncio.gather(
        *(student.create_task(f"任务 {n}") for student in students for n in range(5))
    )
    async with frozen(world, "schedule", 0):
        world.suite.send("nats", signal.SIGCONT)
        await until(lambda: all_published(world), what="an empty outbox")
    await world.quiet()

    for student in students:
        told = await breaking.told(world, student, events_pb2.TaskChanged)
        assert list(told.values()) == [1] * 5


async def all_published(world: World) -> bool:
    return not await world.fetch("schedule", "SELECT 1 FROM outbox WHERE published_at IS NULL")


@pytest.mark.parametrize("index", [0, 1])
async def test_two_scanners_fire_each_job_once(world: World, index: int) -> None:
    student = await world.student()
    tasks = await asyncio.gather(
        *(student.create_task(f"任务 {n}", urgent_in=SOON) for n in range(6))
    )
    async with frozen(world, "active_scheduler", index):
        await until(lambda: looked_at(world, student, len(tasks)), what="a trigger for each")
    await until(lambda: proposed(world, student, len(tasks)), what="an end of each")

    rows = await world.fetch(
        "active_scheduler",
        "SELECT target_id FROM active_schedule_triggers WHERE user_id = $1",
        student.id,
    )
    assert Counter(row["target_id"] for row in rows) == {task.task_id: 1 for task in tasks}


async def looked_at(world: World, student: Student, count: int) -> bool:
    rows = await world.fetch(
        "active_scheduler",
        "SELECT count(*) FROM active_schedule_triggers WHERE user_id = $1",
        student.id,
    )
    return bool(rows[0]["count"] >= count)


async def proposed(world: World, student: Student, count: int) -> bool:
    rows = await world.fetch(
        "active_scheduler",
        "SELECT count(*) FROM active_schedule_triggers WHERE user_id = $1 "
        "AND finished_at IS NOT NULL",
        student.id,
    )
    return bool(rows[0]["count"] == count)


async def test_two_sweepers_bring_each_apply_to_its_one_end(world: World) -> None:
    """Nobody answers the calls, and nobody hears the events, until both sweepers ask."""
    students = [await world.student() for _ in range(3)]
    previews = [
        await student.proposed((await student.create_task()).task_id) for student in students
    ]
    await world.suite.stop("schedule")
    answers = await asyncio.gather(
        *(student.confirm(preview) for student, preview in zip(students, previews, strict=True))
    )
    assert {one.preview.state for one in answers} == {preview_pb2.PREVIEW_STATE_APPLYING}
    await world.suite.start("schedule")

    for student, preview, answer in zip(students, previews, answers, strict=True):
        applied = await student.settled(preview.preview_id)
        assert (applied.state, applied.apply_id) == (
            preview_pb2.PREVIEW_STATE_APPLIED,
            answer.apply_id,
        )
        assert len(await student.task_blocks()) == 1


async def test_two_senders_send_each_message_once(world: World) -> None:
    students = [await world.student() for _ in range(3)]
    for student in students:
        await student.put_bot(world.hook(student), world.suite.feishu_secret)
    tasks = [await student.create_task() for student in students]
    async with frozen(world, "notification", 0):
        for student, task in zip(students, tasks, strict=True):
            await student.proposed(task.task_id)
        await world.messages(students[0], count=1)

    for student in students:
        assert len(await world.messages(student, count=1)) == 1
    await world.quiet()
    assert [len(await world.messages(student)) for student in students] == [1, 1, 1]
