"""Events that come again late, and calls whose answer never came: each has had its effect once."""

from datetime import timedelta

import grpc
import pytest

from libs.events.contract import contract
from libs.events.envelope import MSG_ID
from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests.e2e.faults import breaking
from tests.holding import held
from tests.student import Student, new_key
from tests.world import World

LATER = (timedelta(), timedelta(seconds=301), timedelta(hours=1), timedelta(hours=6))
IMPATIENT_SECONDS = 1.0


async def test_a_request_that_comes_again_for_hours_and_after_a_restart_sends_one_message(
    student: Student, world: World
) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    task = await student.create_task()
    await student.proposed(task.task_id)
    await world.messages(student, count=1)
    await world.quiet()

    for age in LATER:
        await aged(world, student, age)
        await tell_again(world, student)
        await world.quiet()
    await breaking.kill_all(world, "notification")
    await world.suite.start("notification")
    await tell_again(world, student)
    await world.quiet()

    assert len(await world.messages(student)) == 1
    asked = await breaking.told(world, student, events_pb2.NotificationFeishuRequested)
    assert list(asked.values()) == [len(LATER) + 2]


async def aged(world: World, student: Student, age: timedelta) -> None:
    """So much time has passed since the notification service has heard and sent what it did."""
    for statement in (
        "UPDATE inbox SET received_at = received_at - $1::interval",
        "UPDATE notification_records SET created_at = created_at - $1::interval, "
        f"settled_at = settled_at - $1::interval WHERE user_id = {student.id}",
    ):
        await world.fetch("notification", statement, age)


async def tell_again(world: World, student: Student) -> None:
    """The broker takes the student's event once more, under a message id of its own."""
    what = contract(events_pb2.NotificationFeishuRequested)
    async with world.broker() as jetstream:
        (row,) = await world.fetch(
            "active_scheduler",
            "SELECT payload, headers FROM outbox WHERE user_id = $1 AND subject = $2",
            student.id,
            what.subject,
        )
        headers = {**breaking.as_headers(row["headers"]), MSG_ID: new_key()}
        await jetstream.publish(what.subject, row["payload"], headers=headers)


@pytest.mark.parametrize("cut", ["by its deadline", "by the death of the process"])
async def test_a_task_whose_answer_was_lost_is_created_once(
    student: Student, world: World, cut: str
) -> None:
    request = schedule_pb2.CreateTaskRequest(
        request_id=new_key(),
        task=schedule_pb2.TaskInput(title="概率论大作业", quadrant="QUADRANT_IMPORTANT"),
    )
    dsn, when = world.suite.dsn("schedule"), f"NEW.user_id = {student.id}"
    async with held(dsn, "tasks", event="INSERT", when=when) as hold:
        with pytest.raises(RemoteError) as silent:
            await student.call(student.line.schedule.CreateTask, request, seconds=IMPATIENT_SECONDS)
        if cut == "by the death of the process":
            await breaking.kill_all(world, "schedule")
        await hold.release()
    await world.suite.start("schedule")
    created = await student.call(student.line.schedule.CreateTask, request)
    again = await student.call(student.line.schedule.CreateTask, request)

    assert silent.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert created.task == again.task
    rows = await world.fetch("schedule", "SELECT id FROM tasks WHERE user_id = $1", student.id)
    assert [row["id"] for row in rows] == [created.task.task_id]


async def test_a_confirmation_whose_answer_was_lost_is_the_same_confirmation(
    student: Student, world: World
) -> None:
    """The caller's patience ends while the verdict is awaited; the attempt goes on without it."""
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    request = active_pb2.ConfirmPreviewRequest(
        request_id=new_key(),
        preview_id=preview.preview_id,
        candidate_id=preview.selected_candidate_id,
    )
    when = f"NEW.user_id = {student.id}"
    dsn = world.suite.dsn("schedule")
    async with held(dsn, "schedule_events", event="INSERT", when=when) as hold:
        with pytest.raises(RemoteError) as silent:
            await student.call(
                student.line.active.ConfirmPreview, request, seconds=IMPATIENT_SECONDS
            )
        await hold.release()
    again = await student.call(student.line.active.ConfirmPreview, request)
    applied = await student.settled(preview.preview_id)

    assert silent.value.code is grpc.StatusCode.DEADLINE_EXCEEDED
    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert again.apply_id == applied.apply_id
    assert len(await student.task_blocks()) == 1
