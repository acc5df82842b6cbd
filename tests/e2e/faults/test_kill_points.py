"""kill -9 between any two lines: the thread is delayed, and nothing is lost or doubled.

Each point is brought about from outside: a broker that is stopped, a statement that waits for a
lock of the test, an answer that the Feishu stand-in holds.
"""

import asyncio
from datetime import timedelta

import pytest

from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from tests.e2e.faults import breaking
from tests.e2e.faults.breaking import kill_all
from tests.holding import held
from tests.student import Student
from tests.waiting import until
from tests.world import World

APPLIED = preview_pb2.PREVIEW_STATE_APPLIED
SOON = timedelta(seconds=1)
REPEAT = "补发"
"""How a card that goes out again is marked."""


async def with_bot(student: Student, world: World) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)


async def notified(student: Student, preview_id: str, status: int) -> None:
    """The preview knows how its message ended."""

    async def known() -> bool:
        return bool((await student.preview(preview_id)).notification_status == status)

    await until(known, what="the end of the message")


# After the commit, before the publish


async def test_a_task_that_was_kept_is_told_by_the_next_process(
    student: Student, world: World
) -> None:
    await with_bot(student, world)
    await world.suite.stop("nats")
    await student.create_task(urgent_in=SOON)
    await kill_all(world, "schedule")
    await world.suite.start("nats")
    await world.suite.start("schedule")

    preview = await student.first_preview()

    assert preview.state == preview_pb2.PREVIEW_STATE_READY
    assert len(await world.messages(student, count=1)) == 1
    assert set((await breaking.told(world, student, events_pb2.TaskChanged)).values()) == {1}


async def test_a_trigger_that_was_kept_is_told_by_the_next_process(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    await world.suite.stop("nats")
    answer = await student.trigger(task.task_id)
    await kill_all(world, "active_scheduler")
    await world.suite.start("nats")
    await world.suite.start("active_scheduler")

    trigger = await student.trigger_ended(answer.trigger.trigger_id)

    assert trigger.preview_id
    await breaking.published(world, "active_scheduler", student)
    triggered = await breaking.told(world, student, events_pb2.ActiveScheduleTriggered)
    assert list(triggered.values()) == [1]


async def test_a_sent_message_that_was_kept_is_told_by_the_next_process(
    student: Student, world: World
) -> None:
    await with_bot(student, world)
    task = await student.create_task()
    await breaking.script(world, student, {"hold": True})
    preview = await student.proposed(task.task_id)
    assert len(await world.messages(student, count=1)) == 1
    await world.suite.stop("nats")
    await breaking.release(world, student)
    await until(lambda: sent(world, student), what="a sent record")
    await kill_all(world, "notification")
    await world.suite.start("nats")
    await world.suite.start("notification")

    await notified(student, preview.preview_id, preview_pb2.NOTIFICATION_STATUS_SENT)

    assert len(await world.messages(student)) == 1


async def sent(world: World, student: Student) -> bool:
    return bool(
        await world.fetch(
            "notification",
            "SELECT 1 FROM notification_records WHERE user_id = $1 AND state = 'sent'",
            student.id,
        )
    )


# After the publish, before the mark


async def test_an_event_that_was_published_and_not_marked_is_told_once(
    student: Student, world: World
) -> None:
    when = f"NEW.user_id = {student.id} AND NEW.published_at IS NOT NULL"
    async with held(world.suite.dsn("schedule"), "outbox", event="UPDATE", when=when) as hold:
        task = await student.create_task(urgent_in=SOON)
        await hold.met()
        assert list((await breaking.told(world, student, events_pb2.TaskChanged)).values()) == [1]
        await kill_all(world, "schedule")
        await hold.release()
    await world.suite.start("schedule")

    await breaking.published(world, "schedule", student)
    await student.first_preview()

    told = await breaking.told(world, student, events_pb2.TaskChanged)
    assert list(told.values()) == [1]
    jobs = await world.fetch(
        "active_scheduler",
        "SELECT state FROM active_schedule_job_history WHERE user_id = $1 AND task_id = $2",
        student.id,
        task.task_id,
    )
    assert sorted(row["state"] for row in jobs) == ["pending", "triggered"]


# After the effect, before the ack


async def test_a_task_whose_ack_was_lost_arms_one_job(student: Student, world: World) -> None:
    consumer = "active_scheduler__task_changed"
    service, when = "active_scheduler", f"NEW.consumer = '{consumer}'"
    async with held(world.suite.dsn(service), "inbox", event="INSERT", when=when) as hold:
        task = await student.create_task()
        await hold.met()
        await world.suite.stop("nats")
        await hold.release()
        await until(lambda: armed(world, task.task_id), what="the job")
        await kill_all(world, service)
    await world.suite.start("nats")
    await world.suite.start(service)

    await world.quiet()

    assert await handled_again(world, service, consumer)
    assert len(await armed(world, task.task_id)) == 1


async def armed(world: World, task_id: int) -> list[object]:
    """Lines of history of a task's job."""
    query = "SELECT state FROM active_schedule_job_history WHERE task_id = $1"
    return list(await world.fetch("active_scheduler", query, task_id))


async def handled_again(world: World, service: str, consumer: str) -> bool:
    """Whether the processes that live now were brought something that had its effect before."""
    return await breaking.handled(world, service, consumer, "handled") >= 1


async def test_a_request_whose_ack_was_lost_sends_one_message(
    student: Student, world: World
) -> None:
    await with_bot(student, world)
    task = await student.create_task()
    consumer = "notification__notification_feishu_requested"
    service, when = "notification", f"NEW.consumer = '{consumer}'"
    async with held(world.suite.dsn(service), "inbox", event="INSERT", when=when) as hold:
        preview = await student.proposed(task.task_id)
        await hold.met()
        await world.suite.stop("nats")
        await hold.release()
        await until(lambda: sent(world, student), what="a sent record")
        await kill_all(world, service)
    await world.suite.start("nats")
    await world.suite.start(service)

    await notified(student, preview.preview_id, preview_pb2.NOTIFICATION_STATUS_SENT)
    await world.quiet()

    assert await handled_again(world, service, consumer)
    assert len(await world.messages(student)) == 1


# Mid-apply, and after the verdict


async def test_an_apply_that_was_cut_off_is_done_once(student: Student, world: World) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    when = f"NEW.user_id = {student.id}"
    dsn = world.suite.dsn("schedule")
    async with held(dsn, "schedule_events", event="INSERT", when=when) as hold:
        confirming = asyncio.ensure_future(student.confirm(preview))
        await hold.met()
        await kill_all(world, "schedule")
        await hold.release()
    await world.suite.start("schedule")
    answer = await confirming

    applied = await student.settled(preview.preview_id)

    assert applied.state == APPLIED
    assert applied.apply_id == answer.apply_id
    assert len(await student.task_blocks()) == 1


async def test_a_verdict_that_was_not_recorded_is_recorded_by_the_next_process(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    when = f"NEW.user_id = {student.id} AND NEW.state <> 'applying'"
    dsn = world.suite.dsn("active_scheduler")
    async with held(dsn, "apply_requests", event="UPDATE", when=when) as hold:
        confirming = asyncio.ensure_future(student.confirm(preview, key="once"))
        await hold.met()
        judged = await world.fetch(
            "schedule", "SELECT state FROM applies WHERE user_id = $1", student.id
        )
        await kill_all(world, "active_scheduler")
        await hold.release()
    await world.suite.start("active_scheduler")
    # The call is tried again under its key, by the client itself.
    await asyncio.gather(confirming, return_exceptions=True)

    applied = await student.settled(preview.preview_id)

    assert [row["state"] for row in judged] == ["applied"]
    assert applied.state == APPLIED
    again = await student.confirm(preview, key="once")
    assert again.apply_id == applied.apply_id
    assert len(await student.task_blocks()) == 1


# Mid-send


async def test_a_message_that_may_have_arrived_is_repeated_once_and_marked(
    student: Student, world: World
) -> None:
    """A custom bot has no key: what was under way is unknown, and one marked repeat goes out."""
    await with_bot(student, world)
    task = await student.create_task()
    await breaking.script(world, student, {"hold": True})
    preview = await student.proposed(task.task_id)
    (first,) = await world.messages(student, count=1)
    await kill_all(world, "notification")
    await breaking.release(world, student)
    await world.suite.start("notification")

    await notified(student, preview.preview_id, preview_pb2.NOTIFICATION_STATUS_SENT)

    first, second = await world.messages(student, count=2)
    assert first["links"] == second["links"]
    assert REPEAT in str(second)
    assert REPEAT not in str(first)


# While a trigger is processed


@pytest.mark.parametrize("where", ["claimed", "written"])
async def test_a_trigger_whose_process_died_is_taken_over(
    student: Student, world: World, where: str
) -> None:
    task = await student.create_task()
    table, event = {
        "claimed": ("active_schedule_triggers", "UPDATE"),
        "written": ("active_schedule_previews", "INSERT"),
    }[where]
    dsn = world.suite.dsn("active_scheduler")
    async with held(dsn, table, event=event, when=f"NEW.user_id = {student.id}") as hold:
        answer = await student.trigger(task.task_id)
        await hold.met()
        await kill_all(world, "active_scheduler")
        await hold.release()
    await world.suite.start("active_scheduler")

    trigger = await student.trigger_ended(answer.trigger.trigger_id)

    previews = await world.fetch(
        "active_scheduler",
        "SELECT id FROM active_schedule_previews WHERE user_id = $1",
        student.id,
    )
    assert [row["id"] for row in previews] == [trigger.preview_id]
