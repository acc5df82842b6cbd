"""SIGTERM under load: everything under way comes to an end that somebody knows of.

Source: spec quality.md, SIGTERM: not ready → no new claims → streams end with UNAVAILABLE, waits
answer `applying` → calls under way end → consumers finish what they hold → the relay drains.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator

import grpc
import httpx2
import pytest

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from tests.chaos.day import Day
from tests.e2e.faults import breaking
from tests.holding import held
from tests.student import Student
from tests.waiting import until
from tests.world import World

BOUND_SECONDS = 15.0
"""Grace of the calls, and what the parts need to close; after it a supervisor kills."""


async def terminated(world: World, service: str) -> float:
    """SIGTERM to all replicas; gives the seconds until the last one had ended by itself."""
    began = time.monotonic()
    await world.suite.stop(service)
    return time.monotonic() - began


def exit_codes(world: World, service: str) -> set[int | None]:
    return {world.suite.exit_code(service, index) for index in range(2)}


async def test_a_waiting_confirmation_answers_applying_and_a_stream_ends_unavailable(
    student: Student, world: World
) -> None:
    """The verdict is held back by the test for as long as the service lives."""
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    stream = student.watch(preview.preview_id)
    await anext(stream)
    when = f"NEW.user_id = {student.id}"
    async with held(
        world.suite.dsn("schedule"), "schedule_events", event="INSERT", when=when
    ) as hold:
        confirming = asyncio.ensure_future(student.confirm(preview))
        await hold.met()
        seconds, answer, end = await asyncio.gather(
            terminated(world, "active_scheduler"), confirming, last_of(stream)
        )
        await hold.release()
    await world.suite.start("active_scheduler")

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLYING
    assert end is grpc.StatusCode.UNAVAILABLE
    assert exit_codes(world, "active_scheduler") == {0}
    assert seconds < BOUND_SECONDS
    applied = await student.settled(preview.preview_id)
    assert (applied.state, applied.apply_id) == (
        preview_pb2.PREVIEW_STATE_APPLIED,
        answer.apply_id,
    )
    assert len(await student.task_blocks()) == 1


async def last_of(stream: AsyncIterator[object]) -> grpc.StatusCode | None:
    """How a stream ends."""
    try:
        async for _ in stream:
            continue
    except RemoteError as error:
        return error.code
    return None


async def test_who_stops_is_not_ready_first_and_finishes_what_it_holds(
    student: Student, world: World
) -> None:
    """An event in the middle of its effect is finished, acknowledged and told before the end."""
    consumer = "active_scheduler__schedule_apply_failed"
    task, other = await student.create_task(), await student.create_task("英语听力")
    preview = await student.proposed(task.task_id)
    await student.add(other.task_id, preview.candidates[0].changes[0].to)
    dsn, when = world.suite.dsn("active_scheduler"), f"NEW.consumer = '{consumer}'"
    async with held(dsn, "inbox", event="INSERT", when=when) as hold:
        await student.confirm(preview)
        await hold.met()
        stopping = asyncio.ensure_future(terminated(world, "active_scheduler"))
        await until(lambda: unready(world, 2), what="two that are not ready")
        # It waits for what it holds: nobody has ended by then.
        assert len(world.suite.pids("active_scheduler")) >= 1
        await hold.release()
        seconds = await stopping

    assert seconds < BOUND_SECONDS
    assert exit_codes(world, "active_scheduler") == {0}
    seen = await world.fetch(
        "active_scheduler", "SELECT event_id FROM inbox WHERE consumer = $1", consumer
    )
    failed = await breaking.told(world, student, events_pb2.ScheduleApplyFailed)
    assert {str(row["event_id"]) for row in seen} >= set(failed)
    # Acknowledged: the broker has nothing to bring again.
    assert await breaking.unanswered(world, events_pb2.ScheduleApplyFailed, "active_scheduler") == 0
    assert not await world.fetch(
        "active_scheduler", "SELECT 1 FROM outbox WHERE published_at IS NULL"
    )
    await world.suite.start("active_scheduler")


async def unready(world: World, replicas: int) -> bool:
    """Whether every replica that lives says that it takes no calls."""
    async with httpx2.AsyncClient(trust_env=False) as client:
        for index in range(replicas):
            address = world.suite.ops_address("active_scheduler", index)
            try:
                answer = await client.get(f"http://{address}/readyz")
            except httpx2.TransportError:
                continue
            if answer.status_code == 200:
                return False
    return True


@pytest.mark.parametrize("service", ["schedule", "active_scheduler", "notification", "gateway"])
async def test_a_stop_under_load_loses_nothing(world: World, service: str) -> None:
    days = [Day(Student(world.line), world) for _ in range(3)]
    running = asyncio.gather(*(day.spend(2) for day in days))
    await until(lambda: begun(days), what="something under way")
    seconds = await terminated(world, service)
    codes = {world.suite.exit_code(service, index) for index in range(replicas_of(world, service))}
    await world.suite.start(service)
    await running

    assert codes == {0}
    assert seconds < BOUND_SECONDS
    for day in days:
        assert await day.problems() == []


def replicas_of(world: World, service: str) -> int:
    return 1 if service == "gateway" else 2


async def begun(days: list[Day]) -> bool:
    """Whether tasks are there already, and more is to come."""
    return all(day.placed for day in days) and any(day.under_way for day in days)


@pytest.mark.parametrize("away", ["nats", "postgres"])
async def test_a_stop_is_bounded_while_a_server_is_away(world: World, away: str) -> None:
    await world.suite.stop(away)
    services = ("schedule", "active_scheduler", "notification")
    seconds = await asyncio.gather(*(terminated(world, service) for service in services))
    await world.suite.start(away)

    assert {code for service in services for code in exit_codes(world, service)} == {0}
    assert max(seconds) < BOUND_SECONDS


async def test_a_frozen_broker_does_not_keep_a_service_from_ending(world: World) -> None:
    world.suite.send("nats", signal.SIGSTOP)
    seconds = await terminated(world, "schedule")
    world.suite.send("nats", signal.SIGCONT)

    assert exit_codes(world, "schedule") == {0}
    assert seconds < BOUND_SECONDS
