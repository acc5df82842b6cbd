"""The broker is frozen, killed, or comes back without the end of its streams."""

import shutil
import signal
from datetime import timedelta
from pathlib import Path

import pytest

from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from tests.e2e.faults import breaking
from tests.student import Student
from tests.waiting import until
from tests.world import World

ROUNDS = 3
SOON = timedelta(seconds=1)


async def failed_rounds(world: World, student: Student) -> bool:
    """Whether every event of the student was tried in vain so often."""
    rows = await world.fetch(
        "schedule",
        "SELECT min(attempts) AS fewest FROM outbox WHERE user_id = $1 AND published_at IS NULL",
        student.id,
    )
    return (rows[0]["fewest"] or 0) >= ROUNDS


@pytest.mark.parametrize("then", ["goes on", "dies"])
async def test_after_three_failed_rounds_an_event_is_told_once(
    student: Student, world: World, then: str
) -> None:
    """What lay in the sockets of a frozen broker is read when it goes on, and lost when it dies."""
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    await breaking.published(world, "schedule", student)
    world.suite.send("nats", signal.SIGSTOP)
    await student.create_task(urgent_in=SOON)
    await until(lambda: failed_rounds(world, student), what="three failed rounds")
    if then == "dies":
        await world.suite.kill("nats", restart=False)
        await world.suite.start("nats")
    world.suite.send("nats", signal.SIGCONT)

    await student.first_preview()

    assert len(await world.messages(student, count=1)) == 1
    assert set((await breaking.told(world, student, events_pb2.TaskChanged)).values()) == {1}


async def test_a_confirmation_while_the_broker_is_frozen_is_applied_by_call(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    world.suite.send("nats", signal.SIGSTOP)
    answer = await student.confirm(preview)
    world.suite.send("nats", signal.SIGCONT)

    assert answer.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert len(await student.task_blocks()) == 1


async def test_a_lost_end_of_a_stream_is_told_again_by_the_relay_itself(
    student: Student, world: World, tmp_path: Path
) -> None:
    """The store is put back to what it was before the task: as after a power cut."""
    store, kept = world.suite.home.nats_store, tmp_path / "kept"
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    await world.quiet()
    await world.suite.stop("nats")
    shutil.copytree(store, kept)
    await world.suite.start("nats")
    # Nobody hears it before it is lost.
    await breaking.kill_all(world, "active_scheduler")
    await student.create_task(urgent_in=SOON)
    await breaking.published(world, "schedule", student)
    await world.suite.kill("nats", restart=False)
    shutil.rmtree(store)
    shutil.copytree(kept, store)
    await world.suite.start("nats")
    await world.suite.start("active_scheduler")

    await student.first_preview()

    assert len(await world.messages(student, count=1)) == 1
    await breaking.published(world, "schedule", student)
    assert set((await breaking.told(world, student, events_pb2.TaskChanged)).values()) == {1}


async def test_a_lost_end_that_was_heard_before_changes_nothing(
    student: Student, world: World, tmp_path: Path
) -> None:
    """Every service tells again what its stream has lost; every inbox knows it."""
    store, kept = world.suite.home.nats_store, tmp_path / "kept"
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    await world.quiet()
    await world.suite.stop("nats")
    shutil.copytree(store, kept)
    await world.suite.start("nats")
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.messages(student, count=1)
    await student.confirm(preview)
    await world.quiet()
    before = await breaking.handled(
        world, "active_scheduler", "active_scheduler__schedule_apply_succeeded", "handled"
    )
    await world.suite.kill("nats", restart=False)
    shutil.rmtree(store)
    shutil.copytree(kept, store)
    await world.suite.start("nats")

    async def told_again() -> bool:
        again = await breaking.handled(
            world, "active_scheduler", "active_scheduler__schedule_apply_succeeded", "handled"
        )
        return again > before

    await until(told_again, what="the lost events")
    await world.quiet()

    applied = await student.preview(preview.preview_id)
    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert len(await student.task_blocks()) == 1
    assert len(await world.messages(student)) == 1
