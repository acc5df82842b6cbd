"""An event that cannot be handled is parked, the next one passes, and a replay mends it."""

import json
import os
import sys
from asyncio import subprocess
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from libs.events import envelope
from libs.events.contract import contract
from services.standalone import environment
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.events.v1 import events_pb2
from tests.e2e.faults import breaking
from tests.holding import failing
from tests.student import Student
from tests.waiting import until
from tests.world import World

SOON = timedelta(seconds=1)
SERVICE = "active_scheduler"


async def smartmate(world: World, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    """`smartmate …` in another terminal: its exit code, its lines, its complaint."""
    process = await subprocess.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "services.standalone", *arguments),
        env=environment.system(os.environ) | {"SMARTMATE_HOME": str(world.suite.home.root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said, complained = await process.communicate()
    lines = [json.loads(line) for line in said.decode().splitlines()]
    return process.returncode or 0, lines, complained.decode()


async def parked_about(world: World, student: Student, *, service: str = SERVICE) -> Any:
    """The one dead letter about a student, once it is there."""

    async def found() -> Any:
        letters = await breaking.dead_letters(world, service)
        own = [one for one in letters if f'"ce-subject": "{student.id}"' in str(one["headers"])]
        assert len(own) <= 1
        return own[0] if own else None

    return await until(found, what="a dead letter")


async def test_a_poisonous_event_is_parked_the_next_passes_and_a_replay_mends_it(
    student: Student, world: World
) -> None:
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    dsn = world.suite.dsn(SERVICE)
    when = f"NEW.user_id = {student.id} AND NEW.trigger_at IS NOT NULL"
    async with failing(dsn, "active_schedule_jobs", event="INSERT", when=when):
        task = await student.create_task(urgent_in=SOON)
        next_one = await student.create_task("背单词")
        letter = await parked_about(world, student)
        await until(lambda: job_of(world, next_one.task_id), what="the job of the next event")
        assert not await job_of(world, task.task_id)

    code, fates, _ = await smartmate(
        world, "replay", "--dead-letter", SERVICE, str(letter["id"]), "--json"
    )

    assert (code, [one["fate"] for one in fates]) == (0, ["handled"])
    preview = await student.first_preview()
    assert preview.state == preview_pb2.PREVIEW_STATE_READY
    assert len(await world.messages(student, count=1)) == 1
    assert set((await breaking.told(world, student, events_pb2.TaskChanged)).values()) == {1}
    code, fates, _ = await smartmate(
        world, "replay", "--dead-letter", SERVICE, str(letter["id"]), "--json"
    )
    assert (code, [one["fate"] for one in fates]) == (1, ["replayed_before"])


async def job_of(world: World, task_id: int) -> list[object]:
    query = "SELECT 1 FROM active_schedule_jobs WHERE task_id = $1"
    return list(await world.fetch(SERVICE, query, task_id))


@pytest.mark.parametrize("payload", [b"{}", b"", b"\xff\xff"], ids=repr)
async def test_an_unreadable_event_is_parked_at_once(
    student: Student, world: World, payload: bytes
) -> None:
    what = contract(events_pb2.TaskChanged)
    event_id = envelope.uuid7()
    headers = {"ce-id": str(event_id), "ce-type": what.subject, "ce-subject": str(student.id)}
    async with world.broker() as jetstream:
        await jetstream.publish(what.subject, payload, headers=headers)
    task = await student.create_task()

    letter = await parked_about(world, student)

    assert (letter["event_id"], letter["reason"]) == (str(event_id), "malformed")
    await until(lambda: job_of(world, task.task_id), what="the job of the next event")


async def test_a_parked_trigger_fails_and_its_job_looks_again(
    student: Student, world: World
) -> None:
    """Whether the consumer or the sweeper comes to it: it ends."""
    when = f"NEW.user_id = {student.id}"
    dsn = world.suite.dsn(SERVICE)
    async with failing(dsn, "active_schedule_previews", event="INSERT", when=when):
        task = await student.create_task(urgent_in=SOON)
        await until(lambda: failed_triggers(world, student), what="a failed trigger")
    jobs = await world.fetch(
        SERVICE,
        "SELECT state, reason, due_at > clock_timestamp() AS is_later FROM active_schedule_jobs "
        "WHERE task_id = $1",
        task.task_id,
    )
    assert [tuple(row) for row in jobs] == [("pending", "trigger_failed", True)]
    # Its window is free again: the person need not wait for the job.
    assert (await student.proposed(task.task_id)).state == preview_pb2.PREVIEW_STATE_READY


async def failed_triggers(world: World, student: Student) -> list[object]:
    query = "SELECT 1 FROM active_schedule_triggers WHERE user_id = $1 AND state = 'failed'"
    return list(await world.fetch(SERVICE, query, student.id))


async def test_a_parked_apply_has_a_verdict_and_the_preview_is_ready_again(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    when = f"NEW.user_id = {student.id}"
    dsn = world.suite.dsn("schedule")
    async with failing(dsn, "schedule_events", event="INSERT", when=when):
        await student.confirm(preview)
        await parked_about(world, student, service="schedule")
        refused = await student.settled(preview.preview_id)

    assert refused.state == preview_pb2.PREVIEW_STATE_READY
    assert [one.code for one in refused.last_refusals]
    again = await student.confirm(refused)
    assert again.preview.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert len(await student.task_blocks()) == 1


async def test_published_events_once_more_change_nothing(student: Student, world: World) -> None:
    """The broker takes the copies, and every inbox knows them."""
    await student.put_bot(world.hook(student), world.suite.feishu_secret)
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    await world.messages(student, count=1)
    await student.confirm(preview)
    await world.quiet()
    since = (datetime.now(UTC) - timedelta(minutes=1)).isoformat()

    for service in ("schedule", "active_scheduler", "notification"):
        code, (counts,), _ = await smartmate(world, "replay", service, "--since", since, "--json")
        assert code == 0
        assert counts["published"] > 0

    await world.quiet()
    triggered = await breaking.told(world, student, events_pb2.ActiveScheduleTriggered)
    assert list(triggered.values()) == [2]
    assert len(await student.task_blocks()) == 1
    assert len(await world.messages(student)) == 1
    applied = await student.preview(preview.preview_id)
    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_what_is_older_than_the_inboxes_is_not_published_again(world: World) -> None:
    since = (datetime.now(UTC) - timedelta(days=9)).isoformat()

    code, lines, complaint = await smartmate(world, "replay", "schedule", "--since", since)

    assert (code, lines) == (1, [])
    assert "older_than_inbox" in complaint
