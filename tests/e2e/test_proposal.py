"""From a task to a preview: triggers, dedupe, candidates, dry run."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta

import grpc
import pytest

from libs.rpc.errors import RemoteError
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests.student import Student, course, new_key
from tests.world import World


async def test_a_task_that_crosses_its_threshold_becomes_a_preview_by_itself(
    student: Student,
) -> None:
    await student.import_courses(course("高等数学★", day=1, sections="1-2"))
    task = await student.create_task(urgent_in=timedelta(seconds=0.5))

    preview = await student.first_preview()

    assert preview.target.id == task.task_id
    assert preview.state == preview_pb2.PREVIEW_STATE_READY
    assert preview.action == preview_pb2.DECISION_ACTION_SELECT_CANDIDATE
    trigger = await student.trigger_ended(preview.trigger_id)
    assert trigger.source == trigger_pb2.TRIGGER_SOURCE_WORKER_DUE_JOB


async def test_candidates_are_of_different_families_and_places(student: Student) -> None:
    await student.import_courses(course("数据结构", day=student.today[1], sections="3-4"))
    task = await student.create_task(due_in=timedelta(hours=20))

    preview = await student.proposed(task.task_id)

    families = [candidate.family for candidate in preview.candidates]
    places = [
        (to.week, to.day_of_week, to.first_section)
        for to in (candidate.changes[0].to for candidate in preview.candidates)
    ]
    assert len(preview.candidates) == 3
    assert len(set(families)) == len(set(places)) == 3
    assert preview.selected_candidate_id == preview.candidates[0].candidate_id


async def test_every_candidate_would_be_accepted_by_the_schedule(student: Student) -> None:
    await student.import_courses(course("数据结构", day=student.today[1], sections="1-2"))
    task = await student.create_task()

    preview = await student.proposed(task.task_id)

    for candidate in preview.candidates:
        request = schedule_pb2.CheckChangesRequest(
            changes=candidate.changes, base=dict(candidate.base)
        )
        answer = await student.call(student.line.schedule.CheckChanges, request)
        assert not answer.refusals


async def test_a_preview_lives_for_one_hour(student: Student) -> None:
    task = await student.create_task()

    preview = await student.proposed(task.task_id)

    life = preview.expire_time.ToDatetime() - preview.generate_time.ToDatetime()
    assert abs(life - timedelta(hours=1)) < timedelta(seconds=1)


async def test_twenty_parallel_triggers_are_one(student: Student, world: World) -> None:
    task = await student.create_task()

    answers = await asyncio.gather(*(student.trigger(task.task_id) for _ in range(20)))

    assert len({answer.trigger.trigger_id for answer in answers}) == 1
    assert Counter(answer.deduplicated for answer in answers) == {True: 19, False: 1}
    await student.trigger_ended(answers[0].trigger.trigger_id)
    rows = await world.fetch(
        "active_scheduler",
        "SELECT id FROM active_schedule_previews WHERE user_id = $1",
        student.id,
    )
    assert len(rows) == 1


async def test_the_same_request_gets_the_same_trigger(student: Student) -> None:
    task = await student.create_task()
    key = new_key()

    first = await student.trigger(task.task_id, key=key)
    again = await student.trigger(task.task_id, key=key)

    assert first == again
    assert not again.deduplicated


async def test_a_request_id_cannot_be_used_for_another_target(student: Student) -> None:
    one, two = await student.create_task(), await student.create_task("线性代数作业")
    key = new_key()
    await student.trigger(one.task_id, key=key)

    with pytest.raises(RemoteError) as refused:
        await student.trigger(two.task_id, key=key)

    assert refused.value.code is grpc.StatusCode.ALREADY_EXISTS
    assert refused.value.reason == "idempotency_conflict"


async def test_a_mock_trigger_neither_suppresses_nor_supersedes_a_real_one(
    student: Student,
) -> None:
    task = await student.create_task()
    real = await student.proposed(task.task_id)
    mock_now = datetime.now(UTC) + timedelta(hours=3)

    answer = await student.trigger(task.task_id, mock_now_time=mock_now)
    mock = await student.trigger_ended(answer.trigger.trigger_id)

    assert not answer.deduplicated
    assert mock.is_mock_time
    assert (await student.preview(mock.preview_id)).is_mock_time
    assert (await student.preview(real.preview_id)).state == preview_pb2.PREVIEW_STATE_READY


async def test_a_foreign_target_is_rejected_and_frees_its_window(
    student: Student, world: World
) -> None:
    other = await world.student()
    task = await other.create_task()

    answer = await student.trigger(task.task_id)
    trigger = await student.trigger_ended(answer.trigger.trigger_id)

    assert trigger.state == trigger_pb2.TRIGGER_STATE_REJECTED
    assert trigger.reason == "target_not_found"
    assert not (await student.trigger(task.task_id)).deduplicated


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("completed", "target_completed"),
        ("scheduled", "already_scheduled"),
        ("unimportant", "not_urgent"),
    ],
)
async def test_nothing_is_proposed_where_nothing_is_wrong(
    student: Student, state: str, reason: str
) -> None:
    quadrant = "QUADRANT_NEITHER" if state == "unimportant" else "QUADRANT_URGENT_IMPORTANT"
    task = await student.create_task(quadrant=quadrant)
    if state == "completed":
        request = schedule_pb2.CompleteTaskRequest(request_id=new_key(), task_id=task.task_id)
        await student.call(student.line.schedule.CompleteTask, request)
    if state == "scheduled":
        await student.add(task.task_id, student.place(3, 4))

    answer = await student.trigger(task.task_id)
    trigger = await student.trigger_ended(answer.trigger.trigger_id)

    assert trigger.state == trigger_pb2.TRIGGER_STATE_CLOSED
    assert trigger.reason == reason
    assert not trigger.preview_id


async def test_a_full_window_is_told_with_what_took_the_room(student: Student) -> None:
    await student.import_courses(
        *(course(f"课{day}", day=day, sections="1-12") for day in range(1, 8))
    )
    task = await student.create_task()

    preview = await student.proposed(task.task_id)

    assert preview.action == preview_pb2.DECISION_ACTION_NOTIFY_ONLY
    assert not preview.candidates
    assert "课程占" in preview.summary.zh_cn
    with pytest.raises(RemoteError) as refused:
        await student.confirm(preview, candidate_id="c")
    assert refused.value.reason == "nothing_to_confirm"


async def test_a_dry_run_shows_what_a_trigger_would_and_writes_nothing(
    student: Student, world: World
) -> None:
    task = await student.create_task()
    request = active_pb2.DryRunRequest(target=student.target(task.task_id))

    answer = await student.call(student.line.active.DryRun, request)

    assert answer.action == preview_pb2.DECISION_ACTION_SELECT_CANDIDATE
    for table in ("active_schedule_triggers", "active_schedule_previews", "trigger_dedupe"):
        rows = await world.fetch(
            "active_scheduler", f"SELECT 1 FROM {table} WHERE user_id = $1", student.id
        )
        assert not rows
    preview = await student.proposed(task.task_id)
    dry = [candidate.candidate_id for candidate in answer.preview.candidates]
    assert [candidate.candidate_id for candidate in preview.candidates] == dry


async def test_a_newer_preview_supersedes_the_older_one(student: Student, world: World) -> None:
    task = await student.create_task()
    older = await student.proposed(task.task_id)
    await world.fetch(
        "active_scheduler",
        "UPDATE trigger_dedupe SET until = clock_timestamp() WHERE user_id = $1",
        student.id,
    )

    newer = await student.proposed(task.task_id)

    assert newer.preview_id != older.preview_id
    older = await student.preview(older.preview_id)
    assert older.state == preview_pb2.PREVIEW_STATE_SUPERSEDED
    with pytest.raises(RemoteError) as refused:
        await student.confirm(older)
    assert refused.value.reason == "preview_superseded"
