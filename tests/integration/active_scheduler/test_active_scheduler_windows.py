"""The 30 minutes in which a second trigger for a target is the first one, and what ends them."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests import telling
from tests.holding import held
from tests.student import Student, new_key
from tests.waiting import until
from tests.world import World

SERVICE = "active_scheduler"
WORKER = trigger_pb2.TRIGGER_SOURCE_WORKER_DUE_JOB


async def shift_window(world: World, student: Student, seconds: float) -> None:
    """As if the trigger that holds it had come so much earlier."""
    await world.fetch(
        SERVICE,
        "UPDATE trigger_dedupe SET until = until - make_interval(secs => $2) WHERE user_id = $1",
        student.id,
        seconds,
    )


async def job_of(world: World, student: Student) -> dict[str, Any]:
    rows = await world.fetch(
        SERVICE,
        "SELECT state, reason, due_at, trigger_id FROM active_schedule_jobs WHERE user_id = $1",
        student.id,
    )
    return dict(rows[0]) if rows else {}


async def make_due(world: World, student: Student) -> None:
    await world.fetch(
        SERVICE,
        "UPDATE active_schedule_jobs SET due_at = clock_timestamp() WHERE user_id = $1",
        student.id,
    )


async def test_twenty_at_once_are_one(two_services: World, student: Student) -> None:
    task = await student.create_task()
    answers = await asyncio.gather(*(student.trigger(task.task_id) for _ in range(20)))
    assert len({one.trigger.trigger_id for one in answers}) == 1
    assert Counter(one.deduplicated for one in answers) == {True: 19, False: 1}


async def test_the_window_runs_from_the_trigger_and_knows_no_hours(
    two_services: World, student: Student
) -> None:
    """09:59 and 10:01 lie in one window, 09:59 and 10:29 as well, 09:59 and 10:30 do not."""
    task = await student.create_task()
    first = await student.trigger(task.task_id)
    rows = await two_services.fetch(
        SERVICE, "SELECT until FROM trigger_dedupe WHERE user_id = $1", student.id
    )
    began = first.trigger.create_time.ToDatetime(UTC)
    assert abs(rows[0]["until"] - began - timedelta(minutes=30)) < timedelta(seconds=1)

    for minutes in (2, 27):
        await shift_window(two_services, student, minutes * 60)
        again = await student.trigger(task.task_id)
        assert (again.deduplicated, again.trigger.trigger_id) == (
            True,
            first.trigger.trigger_id,
        )
    await shift_window(two_services, student, 60)
    later = await student.trigger(task.task_id)
    assert not later.deduplicated
    assert later.trigger.trigger_id != first.trigger.trigger_id


async def test_a_mock_trigger_suppresses_nothing(two_services: World, student: Student) -> None:
    task = await student.create_task(urgent_in=timedelta(seconds=2))
    mock_now = datetime.now(UTC) + timedelta(hours=3)
    mock = await student.trigger(task.task_id, mock_now_time=mock_now)

    async def fired() -> Any:
        job = await job_of(two_services, student)
        return job if job.get("state") == "triggered" else None

    job = await until(fired, what="the job's trigger")
    assert job["trigger_id"] != mock.trigger.trigger_id
    real = await student.trigger(task.task_id)
    assert (real.deduplicated, real.trigger.trigger_id) == (True, job["trigger_id"])


async def test_a_due_job_that_meets_a_window_fires_after_it(
    two_services: World, student: Student
) -> None:
    task = await student.create_task(urgent_in=timedelta(seconds=2))
    holder = await student.trigger(task.task_id)

    async def waiting() -> Any:
        job = await job_of(two_services, student)
        return job if job.get("reason") == "deduplicated" else None

    job = await until(waiting, what="the job to wait for the window's end")
    rows = await two_services.fetch(
        SERVICE, "SELECT until FROM trigger_dedupe WHERE user_id = $1", student.id
    )
    assert (job["state"], job["due_at"]) == ("pending", rows[0]["until"])

    await shift_window(two_services, student, 1800)
    await make_due(two_services, student)

    async def fired() -> Any:
        job = await job_of(two_services, student)
        return job if job["state"] == "triggered" else None

    job = await until(fired, what="the job's own trigger")
    assert job["trigger_id"] != holder.trigger.trigger_id
    ended = await student.trigger_ended(job["trigger_id"])
    assert ended.source == WORKER
    steps = await telling.trace(student, job["trigger_id"])
    assert ("job.pending", "deduplicated") in steps
    assert ("job.triggered", "") in steps


@pytest.mark.parametrize("how", ["revoke", "undo", "revoke regenerated"])
async def test_what_was_taken_back_is_looked_at_at_once(
    two_services: World, student: Student, how: str
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    holder = preview.trigger_id
    if how == "revoke regenerated":
        request = pb.RegeneratePreviewRequest(request_id=new_key(), preview_id=preview.preview_id)
        linked = (await student.call(student.line.active.RegeneratePreview, request)).trigger
        _, preview = await telling.led_to(student, linked.trigger_id)
    applied = (await student.confirm(preview)).preview
    still = await student.trigger(task.task_id)
    assert (still.deduplicated, still.trigger.trigger_id) == (True, holder)

    if how != "undo":
        (event_id,) = applied.applied_event_ids
        request = schedule_pb2.RevokeEventRequest(request_id=new_key(), event_id=event_id)
        await student.call(student.line.schedule.RevokeEvent, request)
    else:
        undo = schedule_pb2.UndoApplyRequest(apply_id=new_key(), undone_apply_id=applied.apply_id)
        await student.call(student.line.schedule.UndoApply, undo)
    again = await student.trigger(task.task_id)

    assert not again.deduplicated
    _, new = await telling.led_to(student, again.trigger.trigger_id)
    assert new.candidates
    assert (await student.preview(preview.preview_id)).state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_a_refused_preview_that_was_replaced_meanwhile_is_not_offered_again(
    two_services: World, student: Student
) -> None:
    """What is being applied is not superseded; once it is refused, it gives way to the newer."""
    task = await student.create_task()
    old = await student.proposed(task.task_id)
    other = await student.create_task("英语听力")
    place = old.candidates[0].changes[0].to
    await student.add(other.task_id, place)
    when = f"NEW.user_id = {student.id} AND NEW.state <> 'applying'"
    dsn = two_services.suite.dsn(SERVICE)
    async with held(dsn, "apply_requests", event="UPDATE", when=when) as hold:
        confirming = asyncio.ensure_future(student.confirm(old))
        await hold.met()
        await shift_window(two_services, student, 1800)
        new = await student.proposed(task.task_id)
        assert (await student.preview(old.preview_id)).state == preview_pb2.PREVIEW_STATE_APPLYING
        await hold.release()
    await confirming

    refused = await student.settled(old.preview_id)
    assert refused.state == preview_pb2.PREVIEW_STATE_SUPERSEDED
    assert refused.last_refusals
    assert refused.apply_id == ""
    confirmed = (await student.confirm(new)).preview
    assert confirmed.state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_the_job_of_what_was_taken_back_fires_within_the_window(
    two_services: World, student: Student
) -> None:
    task = await student.create_task(urgent_in=timedelta(seconds=1))
    preview = await student.first_preview()
    applied = (await student.confirm(preview)).preview
    (event_id,) = applied.applied_event_ids
    request = schedule_pb2.RevokeEventRequest(request_id=new_key(), event_id=event_id)
    await student.call(student.line.schedule.RevokeEvent, request)

    async def looked_again() -> Any:
        newest = await student.first_preview()
        return newest if newest.preview_id != preview.preview_id else None

    new = await until(looked_again, what="a look at what was taken back")
    assert new.target == student.target(task.task_id)


async def test_an_undone_apply_is_told_on_its_preview(
    two_services: World, student: Student
) -> None:
    task = await student.create_task()
    preview = await student.proposed(task.task_id)
    applied = (await student.confirm(preview)).preview
    assert not applied.HasField("undo_time")
    undo = schedule_pb2.UndoApplyRequest(apply_id=new_key(), undone_apply_id=applied.apply_id)
    verdict = (await student.call(student.line.schedule.UndoApply, undo)).verdict

    async def told() -> Any:
        found = await student.preview(preview.preview_id)
        return found if found.HasField("undo_time") else None

    undone = await until(told, what="the undo on the preview")
    assert undone.state == preview_pb2.PREVIEW_STATE_APPLIED
    assert undone.undo_time == verdict.judge_time
    assert undone.version > applied.version
    assert ("preview.undone", "") in await telling.trace(student, preview.trigger_id)


async def test_quiet_hours_hold_a_due_job_back_until_they_end(
    two_services: World, student: Student
) -> None:
    now = datetime.now(UTC)
    minutes = now.hour * 60 + now.minute
    settings = {
        "quiet_hours": {
            "start_minute_of_day": (minutes - 60) % 1440,
            "end_minute_of_day": (minutes + 120) % 1440,
        },
        "time_zone": "UTC",
    }
    await put_settings(student, settings)
    await student.create_task(urgent_in=timedelta(seconds=1))

    async def quiet() -> Any:
        job = await job_of(two_services, student)
        return job if job.get("reason") == "quiet_hours" else None

    job = await until(quiet, what="the job to be quiet")
    ends = now.replace(second=0, microsecond=0) + timedelta(hours=2)
    assert (job["state"], job["due_at"]) == ("pending", ends)
    assert job["trigger_id"] is None

    await put_settings(student, {"time_zone": "UTC"})
    await make_due(two_services, student)
    preview = await student.first_preview()
    steps = await telling.trace(student, preview.trigger_id)
    assert ("job.pending", "quiet_hours") in steps
    assert [name for name, _ in steps].index("job.triggered") > [
        reason for _, reason in steps
    ].index("quiet_hours")


async def put_settings(student: Student, settings: Any) -> None:
    request = schedule_pb2.PutUserSettingsRequest(request_id=new_key(), settings=settings)
    await student.call(student.line.schedule.PutUserSettings, request)


async def test_a_length_that_was_never_estimated_is_what_the_person_chose(
    two_services: World, student: Student
) -> None:
    await put_settings(student, {"default_estimated_sections": 3})
    task = await student.create_task(sections=None)
    preview = await student.proposed(task.task_id)
    assert preview.planned_sections == 3
    assert "estimate_assumed" in preview.warnings


async def test_operators_list_triggers_of_all_and_of_one_newest_first(
    two_services: World, student: Student
) -> None:
    tasks = [await student.create_task(f"任务{number}") for number in range(3)]
    ids = [(await student.trigger(task.task_id)).trigger.trigger_id for task in tasks]
    for id_ in ids:
        await student.trigger_ended(id_)
    method = student.line.active.ListTriggers

    pages, token = [], ""
    for _ in range(3):
        request = pb.ListTriggersRequest(user_id=student.id, page_size=1, page_token=token)
        page = await telling.as_operator(student, method, request)
        pages += page.triggers
        token = page.next_page_token
    assert [one.trigger.trigger_id for one in pages] == ids[::-1]
    assert {(one.user_id, one.priority) for one in pages} == {(student.id, 1)}
    assert token == ""

    request = pb.ListTriggersRequest(page_size=200)
    of_all = await telling.as_operator(student, method, request)
    assert set(ids) <= {one.trigger.trigger_id for one in of_all.triggers}
    failed = trigger_pb2.TRIGGER_STATE_FAILED
    request = pb.ListTriggersRequest(user_id=student.id, states=[failed])
    assert not (await telling.as_operator(student, method, request)).triggers
