"""A program that is no part of the suite listens as docs/events.md shows."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import nats
import nats.errors
import pytest

from scripts import events_doc
from services.standalone import environment
from services.standalone.permissions import OBSERVER, inbox_prefix
from smartmate.events.v1 import events_pb2
from tests.student import Student, course
from tests.world import World

STREAM, SUBJECT = "SCHEDULE", "smartmate.schedule.changed.v1"


async def kept(world: World) -> int:
    """How many of these events the stream keeps."""
    async with world.broker() as jetstream:
        info = await jetstream.stream_info(STREAM, subjects_filter=SUBJECT)
        return (info.state.subjects or {}).get(SUBJECT, 0)


@asynccontextmanager
async def listener(world: World, count: int) -> AsyncIterator[asyncio.subprocess.Process]:
    """The program of the page, as its reader would run it; ends after `count` events."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", events_doc.example(events_doc.PAGE.read_text(encoding="utf-8"))),
        env=environment.system(os.environ)
        | {"SMARTMATE_NATS_URL": world.suite.observer_nats_url, "COUNT": str(count)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def listening(process: asyncio.subprocess.Process) -> None:
    """Returns once the program is subscribed, which it says."""
    assert process.stdout is not None
    async with asyncio.timeout(30):
        assert await process.stdout.readline() == b"listening\n"


async def test_the_example_hears_what_is_told_while_it_listens(
    student: Student, world: World
) -> None:
    week, _ = student.today
    await student.import_courses(course("高等数学★", day=1, sections="1-2", weeks=f"{week}周"))
    task = await student.create_task()
    await world.quiet()

    async with listener(world, 1) as process:
        await listening(process)
        verdict = await student.add(task.task_id, student.place(3, 4), apply_id="asa_heard")
        assert not verdict.refusals
        async with asyncio.timeout(30):
            said, complaint = await process.communicate()

    assert (process.returncode, complaint) == (0, b"")
    (line,) = said.decode().splitlines()
    _, rest = line.split(maxsplit=1)
    cause = events_pb2.SCHEDULE_CHANGE_CAUSE_APPLY
    assert rest == f"{student.id} {cause} asa_heard {list(verdict.event_ids)}"


async def test_who_listens_may_not_speak(world: World) -> None:
    before, refusals = await kept(world), asyncio.Queue[str]()

    async def note(error: Exception) -> None:
        refusals.put_nowait(str(error).lower())

    client = await nats.connect(
        world.suite.observer_nats_url,
        inbox_prefix=inbox_prefix(OBSERVER).encode(),
        error_cb=note,
    )
    try:
        with pytest.raises(nats.errors.Error):
            await client.jetstream().publish(SUBJECT, b"forged", timeout=0.5)
        async with asyncio.timeout(10):
            assert "permissions violation" in await refusals.get()
    finally:
        await client.close()
    assert await kept(world) == before
