"""A database restarts under load, or is gone while events arrive."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import asyncpg
import pytest

from smartmate.active_scheduler.v1 import preview_pb2
from tests.chaos.day import Day
from tests.e2e.faults import breaking
from tests.student import Student
from tests.waiting import until
from tests.world import World

SOON = timedelta(seconds=1)
TRIES = 4
"""More than an event may fail by its own fault."""


async def test_a_restart_under_load_loses_nothing(world: World) -> None:
    """Four students go on asking, under the keys they had, until they are answered."""
    days = [Day(Student(world.line), world) for _ in range(4)]
    running = asyncio.gather(*(day.spend(3) for day in days))
    for _ in range(2):
        await until(lambda: begun(days), what="something under way")
        await world.suite.restart("postgres")
    await running

    for day in days:
        assert await day.problems() == []


async def begun(days: list[Day]) -> bool:
    """Whether there is load just now."""
    return any(day.under_way for day in days)


@asynccontextmanager
async def closed(world: World, service: str) -> AsyncIterator[None]:
    """A service's database ends every connection and takes no new ones."""
    admin = await asyncpg.connect(world.suite.postgres_admin)
    try:
        await admin.execute(f"ALTER DATABASE {service} ALLOW_CONNECTIONS false")
        await admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", service
        )
        yield
    finally:
        await admin.execute(f"ALTER DATABASE {service} ALLOW_CONNECTIONS true")
        await admin.close()


@pytest.mark.parametrize(
    ("service", "consumer"),
    [
        ("active_scheduler", "active_scheduler__task_changed"),
        ("notification", "notification__notification_feishu_requested"),
    ],
)
async def test_events_for_a_database_that_is_gone_wait_and_are_not_parked(
    world: World, student: Student, service: str, consumer: str
) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    parked = await breaking.dead_letters(world, service)
    deaths = {index: world.suite.deaths(service, index) for index in range(2)}
    before = await breaking.handled(world, service, consumer, "away")

    async def tried() -> bool:
        return await breaking.handled(world, service, consumer, "away") >= before + TRIES

    async with closed(world, service):
        await student.create_task(urgent_in=SOON)
        await until(tried, what="deliveries that found no database")

    preview = await student.first_preview()

    assert preview.state == preview_pb2.PREVIEW_STATE_READY
    assert len(await world.messages(student, count=1)) == 1
    assert await breaking.dead_letters(world, service) == parked
    assert {index: world.suite.deaths(service, index) for index in range(2)} == deaths
