"""Dry run, trigger and worker are one pipeline: equal facts, equal candidates, byte for byte."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import preview_pb2, trigger_pb2
from smartmate.schedule.v1 import change_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as schedule_pb2
from tests import telling
from tests.student import Student, course, new_key
from tests.telling import EVENT, ITEM, target
from tests.waiting import until
from tests.world import World

SERVICE = "active_scheduler"


def as_bytes(preview: preview_pb2.Preview) -> list[bytes]:
    """Candidates and question, as they go over the wire."""
    messages = [*preview.candidates, preview.question]
    return [one.SerializeToString(deterministic=True) for one in messages]


async def everything(world: World, student: Student) -> dict[str, Sequence[str]]:
    """Every row of this student in every table of both services, and how many rows there are."""
    found: dict[str, Sequence[str]] = {}
    for service in ("schedule", SERVICE):
        tables = await world.fetch(
            service,
            "SELECT table_name FROM information_schema.columns "
            "WHERE table_schema = 'public' AND column_name = 'user_id' ORDER BY 1",
        )
        for (table,) in tables:
            rows = await world.fetch(
                service,
                f"SELECT t::text AS row FROM {table} t WHERE user_id = $1 ORDER BY 1",
                student.id,
            )
            found[f"{service}.{table}"] = [row["row"] for row in rows]
    return found


async def end_window(world: World, student: Student) -> None:
    await world.fetch(
        SERVICE,
        "UPDATE trigger_dedupe SET until = clock_timestamp() WHERE user_id = $1",
        student.id,
    )


async def is_settled(world: World, student: Student) -> bool:
    """Whether nothing is on its way any more: all is told, and the task has its job."""
    unsent = "SELECT 1 FROM outbox WHERE user_id = $1 AND published_at IS NULL"
    jobs = "SELECT 1 FROM active_schedule_jobs WHERE user_id = $1"
    waiting = [await world.fetch(service, unsent, student.id) for service in ("schedule", SERVICE)]
    return not any(waiting) and bool(await world.fetch(SERVICE, jobs, student.id))


async def some_week(student: Student) -> None:
    today = student.today[1]
    await student.import_courses(
        course("大学物理", day=today, sections="3-4"),
        course("大学英语", day=today, sections="7-8"),
        course("离散数学", day=today % 7 + 1, sections="1-2"),
    )


@pytest.mark.parametrize("is_full", [False, True])
async def test_an_urgent_task_looks_alike_to_worker_trigger_and_dry_run(
    two_services: World, student: Student, is_full: bool
) -> None:
    await (telling.fill(student, range(2)) if is_full else some_week(student))
    task = await student.create_task(due_in=timedelta(days=4), urgent_in=timedelta(seconds=1))
    about = student.target(task.task_id)

    by_worker = await student.first_preview()
    await end_window(two_services, student)
    by_trigger = await student.proposed(task.task_id)
    by_dry_run = await telling.dry_run(student, about)

    assert by_worker.preview_id != by_trigger.preview_id
    expected = "ask_user" if is_full else "select_candidate"
    assert preview_pb2.DecisionAction.Name(by_worker.action).lower().endswith(expected)
    assert as_bytes(by_worker) == as_bytes(by_trigger) == as_bytes(by_dry_run.preview)
    first = await telling.led_to(student, by_worker.trigger_id)
    assert first[0].source == trigger_pb2.TRIGGER_SOURCE_WORKER_DUE_JOB


@pytest.mark.parametrize("kind", [EVENT, ITEM])
async def test_unfinished_work_looks_alike_to_feedback_trigger_and_dry_run(
    two_services: World, student: Student, kind: change_pb2.TargetKind
) -> None:
    await some_week(student)
    plan = await telling.study_plan(student, "第一章", "第二章", "第三章", excluded_pairs=[2])
    item = plan.items[0].task_item_id
    missed = await telling.had_item(two_services, student, item)
    for number, place in ((1, student.place(9, 10)), (2, student.place(5, 6, day_offset=3))):
        await telling.place_item(student, plan.items[number].task_item_id, place)
    about = target(kind, missed if kind == EVENT else item)

    _, by_feedback = await telling.told(student, about)
    request = pb.TriggerRequest(request_id=new_key(), type=telling.UNFINISHED, target=about)
    answer = await student.call(student.line.active.Trigger, request)
    _, by_trigger = await telling.led_to(student, answer.trigger.trigger_id)
    by_dry_run = await telling.dry_run(student, about)
    by_name = await telling.dry_run(student, about, type=telling.UNFINISHED)

    assert by_feedback.candidates
    assert as_bytes(by_feedback) == as_bytes(by_trigger)
    assert as_bytes(by_trigger) == as_bytes(by_dry_run.preview) == as_bytes(by_name.preview)
    assert by_dry_run.preview.target == by_feedback.target


@pytest.mark.parametrize("ahead", [None, timedelta(hours=3), timedelta(days=90)])
async def test_a_dry_run_writes_nothing_at_all(
    two_services: World, student: Student, ahead: timedelta | None
) -> None:
    """B056: by the real clock, by one of today and by one far beyond."""
    await some_week(student)
    plan = await telling.study_plan(student, "第一章", "第二章")
    item = plan.items[0].task_item_id
    missed = await telling.had_item(two_services, student, item)
    task = await student.create_task()
    await until(lambda: is_settled(two_services, student), what="every event to be told")
    before = await everything(two_services, student)

    mock = {} if ahead is None else {"mock_now_time": datetime.now(UTC) + ahead}
    for about in (student.target(task.task_id), target(EVENT, missed), target(ITEM, item)):
        found = await telling.dry_run(student, about, **mock)
        assert found.action == preview_pb2.DECISION_ACTION_SELECT_CANDIDATE

    assert await everything(two_services, student) == before
    assert before["schedule.tasks"]
    assert f"{SERVICE}.missed_blocks" in before


async def test_the_next_task_that_is_to_be_done_shares_its_block_and_one_that_is_done_does_not(
    two_services: World, student: Student
) -> None:
    await telling.fill(student, range(10), free={0: range(5, 11)})
    missed = await telling.had_block(two_services, student, "线性代数作业")
    done = await student.create_task("实验报告", due_in=None)
    await student.add(done.task_id, student.place(5, 6))
    request = schedule_pb2.CompleteTaskRequest(request_id=new_key(), task_id=done.task_id)
    await student.call(student.line.schedule.CompleteTask, request)
    for title, first, last in (("概率论作业", 7, 8), ("英语听力", 9, 10)):
        task = await student.create_task(title, due_in=None)
        await student.add(task.task_id, student.place(first, last))

    _, preview = await telling.told(student, target(EVENT, missed))

    assert preview.reason_code == "compress_only"
    (candidate,) = preview.candidates
    assert "概率论作业" in candidate.summary.zh_cn
    confirmed = (await student.confirm(preview)).preview
    assert confirmed.state == preview_pb2.PREVIEW_STATE_APPLIED


async def test_every_candidate_of_feedback_would_be_accepted_by_the_schedule(
    two_services: World, student: Student
) -> None:
    free = {0: range(9, 11), 1: range(5, 7), 2: range(5, 9)}
    await telling.fill(student, range(10), free=free)
    plan = await telling.study_plan(student, "第一章", "第二章", "第三章", ends_in=3)
    missed = await telling.had_item(two_services, student, plan.items[0].task_item_id)
    await telling.place_item(student, plan.items[1].task_item_id, student.place(9, 10))
    later = student.place(5, 6, day_offset=1)
    await telling.place_item(student, plan.items[2].task_item_id, later)

    _, preview = await telling.told(student, target(EVENT, missed))

    assert preview.reason_code == "reorder_found"
    (candidate,) = preview.candidates
    assert candidate.type == preview_pb2.CANDIDATE_TYPE_LOCAL_REORDER_MAKEUP
    assert len(candidate.changes) > 1
    confirmed = (await student.confirm(preview)).preview
    assert confirmed.state == preview_pb2.PREVIEW_STATE_APPLIED
    placed = sorted(
        (event.place.week, event.place.day_of_week, event.place.first_section, event.name)
        for event in await student.task_blocks()
        if event.event_id != missed
    )
    assert [name for *_, name in placed] == ["第一章", "第二章", "第三章"]
