"""Parts die or are away in the middle of the thread; it is delayed, and nothing else."""

import asyncio

import pytest

from services.standalone import smoke
from services.standalone.progress import Silent
from services.standalone.story import Story
from smartmate.active_scheduler.v1 import preview_pb2
from tests.student import Student
from tests.waiting import until
from tests.world import World

KILLED = ("schedule", "active_scheduler", "notification", "gateway")


@pytest.mark.parametrize("service", KILLED)
async def test_a_killed_service_only_delays_the_story(world: World, service: str) -> None:
    """kill -9 of every replica, once before the proposal and once before the click."""
    story = Story(world.suite)
    await story.arrive()
    await story.bring_timetable()
    await story.name_channel()
    await story.add_task()
    await kill_all(world, service)
    await story.receive_message()
    await story.read_preview()
    await kill_all(world, service)

    await story.click()

    await settled(story)
    assert len(await story.placed()) == 1
    assert await story.successes() == 1
    assert len(await world.messages_of(story.user_id)) == 1


async def test_the_smoke_run_tells_what_it_saw(world: World) -> None:
    facts: list[tuple[str, str]] = []

    await smoke.tell(Story(world.suite), facts, Silent())

    told = dict(facts)
    assert told["消息签名 signature at the stand-in"] == "verified"
    assert told["再次确认 confirmed again"] == "same apply, 1 event"


async def kill_all(world: World, service: str) -> None:
    """kill -9 of all replicas of a service; they come back by themselves."""
    replicas = range(len(world.suite.pids(service)))
    await asyncio.gather(*(world.suite.kill(service, index) for index in replicas))


async def settled(story: Story) -> None:
    """The confirmed apply has its verdict."""

    async def judged() -> bool:
        return (await story.read_preview())["state"] != "PREVIEW_STATE_APPLYING"

    await until(judged, within=60, what="the verdict")
    assert story.preview["state"] == "PREVIEW_STATE_APPLIED"


async def test_a_confirmation_survives_an_absent_schedule_service(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.suite.stop("schedule")
    try:
        answer = await student.confirm(preview)
    finally:
        await world.suite.start("schedule")

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLYING
    applied = await student.settled(preview.preview_id)
    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert applied.apply_id == answer.apply_id
    assert len(await student.task_blocks()) == 1


async def test_a_confirmation_survives_the_death_of_whoever_took_it(
    student: Student, world: World
) -> None:
    """Every replica dies while the schedule service is away: the event and the sweeper mend it."""
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.suite.stop("schedule")
    try:
        answer = await student.confirm(preview)
        await kill_all(world, "active_scheduler")
    finally:
        await world.suite.start("schedule")
    await world.suite.ready("active_scheduler")

    applied = await student.settled(preview.preview_id)

    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert applied.apply_id == answer.apply_id
    assert len(await student.task_blocks()) == 1


async def test_a_confirmation_needs_no_broker(student: Student, world: World) -> None:
    """The call applies it; the events follow when the broker is back."""
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.suite.stop("nats")
    try:
        answer = await student.confirm(preview)
    finally:
        await world.suite.start("nats")

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert len(await student.task_blocks()) == 1
