"""Things that meet: two triggers that end in reverse, and what happens beside an apply."""

import asyncio

import pytest

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from tests.holding import held
from tests.student import Student, new_key
from tests.world import World

SERVICE = "active_scheduler"


async def window_over(world: World, student: Student) -> None:
    """The 30 minutes in which a second trigger is the first one have passed."""
    await world.fetch(
        SERVICE,
        "UPDATE trigger_dedupe SET until = clock_timestamp() WHERE user_id = $1",
        student.id,
    )


async def test_of_two_triggers_the_later_one_counts_whichever_ends_first(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    first_alone = f"""
        NEW.user_id = {student.id} AND NEW.state = 'processing' AND NOT EXISTS (
            SELECT 1 FROM active_schedule_triggers t
            WHERE t.user_id = NEW.user_id AND t.id <> NEW.id)
    """
    dsn = world.suite.dsn(SERVICE)
    async with held(dsn, "active_schedule_triggers", event="UPDATE", when=first_alone) as hold:
        earlier = await student.trigger(task.task_id)
        await hold.met()
        await window_over(world, student)
        later = await student.proposed(task.task_id)
        await hold.release()
    ended = await student.trigger_ended(earlier.trigger.trigger_id)

    assert (ended.state, ended.reason) == (trigger_pb2.TRIGGER_STATE_CLOSED, "superseded")
    assert (await student.preview(later.preview_id)).state == preview_pb2.PREVIEW_STATE_READY


@pytest.mark.parametrize("meanwhile", ["superseded", "ignored"])
async def test_what_is_being_applied_is_neither_superseded_nor_ignored(
    student: Student, world: World, meanwhile: str
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    when = f"NEW.user_id = {student.id} AND NEW.state <> 'applying'"
    dsn = world.suite.dsn(SERVICE)
    async with held(dsn, "apply_requests", event="UPDATE", when=when) as hold:
        confirming = asyncio.ensure_future(student.confirm(preview))
        await hold.met()
        if meanwhile == "superseded":
            await window_over(world, student)
            await student.trigger(task.task_id)
        else:
            with pytest.raises(RemoteError) as refused:
                await ignore(student, preview.preview_id)
            assert refused.value.reason == "preview_applying"
        state = (await student.preview(preview.preview_id)).state
        await hold.release()
    await confirming

    assert state == preview_pb2.PREVIEW_STATE_APPLYING
    applied = await student.settled(preview.preview_id)
    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert len(await student.task_blocks()) == 1


async def test_a_success_supersedes_the_proposal_that_was_made_beside_it(
    student: Student, world: World
) -> None:
    """The later trigger looked before the block was there, and wrote while it was being written."""
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    when = f"NEW.user_id = {student.id}"
    async with held(
        world.suite.dsn("schedule"), "schedule_events", event="INSERT", when=when
    ) as hold:
        confirming = asyncio.ensure_future(student.confirm(preview))
        await hold.met()
        await window_over(world, student)
        beside = await student.proposed(task.task_id)
        assert beside.state == preview_pb2.PREVIEW_STATE_READY
        await hold.release()
    await confirming
    applied = await student.settled(preview.preview_id)

    assert applied.state == preview_pb2.PREVIEW_STATE_APPLIED
    other = await student.preview(beside.preview_id)
    assert other.state == preview_pb2.PREVIEW_STATE_SUPERSEDED
    with pytest.raises(RemoteError) as refused:
        await student.confirm(other)
    assert refused.value.reason == "preview_superseded"
    assert len(await student.task_blocks()) == 1


async def test_an_ignored_proposal_is_not_applied(student: Student) -> None:
    """Both at once: one of them is first, and the other one is told so."""
    task = await student.create_task()
    preview = await student.proposed(task.task_id)

    answers = await asyncio.gather(
        student.confirm(preview), ignore(student, preview.preview_id), return_exceptions=True
    )

    settled = await student.settled(preview.preview_id)
    refusals = [answer for answer in answers if isinstance(answer, RemoteError)]
    assert len(refusals) == 1
    is_applied = settled.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert refusals[0].reason in (
        ("preview_applying", "preview_applied") if is_applied else ("preview_ignored",)
    )
    assert len(await student.task_blocks()) == int(is_applied)


async def ignore(student: Student, preview_id: str) -> None:
    request = active_pb2.IgnorePreviewRequest(request_id=new_key(), preview_id=preview_id)
    await student.call(student.line.active.IgnorePreview, request)
