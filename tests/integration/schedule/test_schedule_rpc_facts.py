"""The facts around one target, and the truth about many due tasks."""

from datetime import UTC, datetime, timedelta

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from smartmate.schedule.v1 import change_pb2, schedule_event_pb2, task_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import (
    POOL,
    Backend,
    Person,
    applied,
    course,
    fresh,
    refused,
)


def _target(task: task_pb2.Task) -> change_pb2.Target:
    return change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=task.task_id)


async def _facts(
    person: Person,
    task: task_pb2.Task,
    *,
    horizon: timedelta | None = None,
    mock_now: datetime | None = None,
) -> pb.GetSchedulingFactsResponse:
    request = pb.GetSchedulingFactsRequest(target=_target(task))
    if horizon is not None:
        request.horizon.FromTimedelta(horizon)
    if mock_now is not None:
        request.mock_now_time.FromDatetime(mock_now)
    answer: pb.GetSchedulingFactsResponse = await person.call("GetSchedulingFacts", request)
    return answer


async def test_facts_hold_the_target_as_it_is_stored(student: Person) -> None:
    at = datetime(2027, 1, 5, 12, tzinfo=UTC)
    task = await student.add_task("高数作业", estimated_sections=3, deadline_time=at)
    facts = await _facts(student, task)
    assert facts.target == pb.TargetFacts(
        target=_target(task),
        title="高数作业",
        placement_version=task.placement_version,
        deadline_time=at,
        estimated_sections=3,
        quadrant=task.quadrant,
        version=task.version,
    )
    bare = await _facts(student, await student.add_task())
    assert not bare.target.HasField("deadline_time")
    assert not bare.target.HasField("estimated_sections")


async def test_facts_hold_whole_days_of_the_horizon_and_no_more(student: Person) -> None:
    await student.import_rows(*(course(f"课{day}", day, "1-2", "1-16周") for day in range(1, 8)))
    task = await student.add_task()
    today = student.today.isoweekday()
    facts = await _facts(student, task)
    assert [event.place.day_of_week for event in facts.events] == [today, today % 7 + 1]
    assert list(facts.semesters) == [student.semester]
    hour = await _facts(student, task, horizon=timedelta(hours=1))
    assert [event.place.day_of_week for event in hour.events] == [today]
    further = await _facts(student, task, horizon=timedelta(days=9))
    assert len(further.events) == 10
    longest = await _facts(student, task, horizon=timedelta(days=60))
    assert len(longest.events) == 61


async def test_facts_hold_every_live_block_of_the_target(student: Person) -> None:
    task, other = await student.add_task(), await student.add_task()
    far = await student.apply(student.add(task, student.place(9, days=40)))
    near = await student.apply(student.add(other, student.place(9)))
    facts = await _facts(student, task)
    assert [event.event_id for event in facts.target_events] == list(far.event_ids)
    assert [event.event_id for event in facts.events] == list(near.event_ids)
    assert facts.next_task_event_id == near.event_ids[0]
    assert facts.events[0].type == schedule_event_pb2.SCHEDULE_EVENT_TYPE_TASK
    assert facts.events[0].source == _target(other)


async def test_the_next_block_of_work_is_none_beyond_the_horizon(student: Person) -> None:
    task, other = await student.add_task(), await student.add_task()
    assert applied(await student.apply(student.add(other, student.place(9, days=1))))
    facts = await _facts(student, task, horizon=timedelta(hours=20))
    assert facts.next_task_event_id == 0
    assert [event.name for event in facts.events] == [other.title]


async def test_a_mock_instant_takes_the_place_of_the_clock(student: Person) -> None:
    task = await student.add_task()
    verdict = await student.apply(student.add(task, student.place(9, days=20)))
    then = datetime.now(UTC) + timedelta(days=20)
    facts = await _facts(student, task, mock_now=then)
    assert facts.now_time.ToDatetime(UTC) == then
    assert [event.event_id for event in facts.events] == list(verdict.event_ids)
    outside = await _facts(student, task, mock_now=datetime(2100, 1, 1, tzinfo=UTC))
    assert list(outside.events) == []
    assert [one.semester_id for one in outside.semesters] == [student.semester.semester_id]


async def test_facts_across_two_semesters_hold_both(person: Person) -> None:
    await person.begin_semester(weeks=3)
    first = person.semester
    task = await person.add_task()
    assert applied(await person.apply(person.add(task, person.place(9))))
    after = datetime.fromisoformat(first.first_date).replace(tzinfo=UTC) + timedelta(weeks=3)
    request = pb.PutSemesterRequest(request_id=fresh())
    request.semester.CopyFrom(first)
    request.semester.semester_id = 0
    request.semester.first_date = after.date().isoformat()
    second = (await person.call("PutSemester", request)).semester
    facts = await _facts(person, task, mock_now=after - timedelta(hours=1), horizon=timedelta(2))
    assert list(facts.semesters) == [first, second]
    alone = await _facts(person, task, mock_now=after + timedelta(days=9))
    assert list(alone.semesters) == [first, second]


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.GetSchedulingFactsRequest(), "target.kind"),
        (
            pb.GetSchedulingFactsRequest(target=change_pb2.Target(kind=POOL, id=-1)),
            "target.id",
        ),
        (
            pb.GetSchedulingFactsRequest(
                target=change_pb2.Target(kind=POOL, id=1), horizon=Duration(seconds=60 * 86_400 + 1)
            ),
            "horizon",
        ),
        (
            pb.GetSchedulingFactsRequest(
                target=change_pb2.Target(kind=POOL, id=1), horizon=Duration()
            ),
            "horizon",
        ),
        (
            pb.GetSchedulingFactsRequest(
                target=change_pb2.Target(kind=POOL, id=1), horizon=Duration(seconds=-1)
            ),
            "horizon",
        ),
    ],
)
async def test_misshapen_questions_are_refused(
    person: Person, request_: pb.GetSchedulingFactsRequest, field: str
) -> None:
    error = await refused(person.call("GetSchedulingFacts", request_))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.violations[0].field == field


@pytest.mark.parametrize("kind", [1, 2, 3])
async def test_absent_targets_and_other_kinds_are_not_found(person: Person, kind: int) -> None:
    target = change_pb2.Target(kind=kind, id=1)  # type: ignore[arg-type]
    error = await refused(
        person.call("GetSchedulingFacts", pb.GetSchedulingFactsRequest(target=target))
    )
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "target_not_found")


async def test_due_tasks_come_in_the_order_asked_with_the_truth(backend: Backend) -> None:
    student, other = backend.someone(), backend.someone()
    await student.begin_semester()
    at = datetime(2027, 1, 5, 12, tzinfo=UTC)
    placed = await student.add_task(urgency_threshold_time=at, deadline_time=at)
    assert applied(await student.apply(student.add(placed, student.place(9))))
    done = await student.add_task()
    await student.call(
        "CompleteTask", pb.CompleteTaskRequest(request_id=fresh(), task_id=done.task_id)
    )
    gone = await student.add_task()
    await student.call("DeleteTask", pb.DeleteTaskRequest(request_id=fresh(), task_id=gone.task_id))
    open_ = await other.add_task(quadrant=task_pb2.QUADRANT_NEITHER)
    pairs = [
        (other.id, open_.task_id),
        (student.id, gone.task_id),
        (student.id, placed.task_id),
        (student.id, done.task_id),
        (other.id, placed.task_id),
        (0, 0),
        (-1, 2**62),
        (student.id, placed.task_id),
    ]
    request = pb.CheckDueTasksRequest(
        tasks=[pb.DueTask(user_id=user, task_id=task) for user, task in pairs]
    )
    answer = await backend.as_service("active_scheduler", "CheckDueTasks", request)
    assert [(one.task.user_id, one.task.task_id) for one in answer.tasks] == pairs
    assert [one.exists for one in answer.tasks] == [
        *(True, False, True, True),
        *(False, False, False, True),
    ]
    assert [one.scheduled for one in answer.tasks] == [
        *(False, False, True, False),
        *(False, False, False, True),
    ]
    assert [one.done for one in answer.tasks].index(True) == 3
    first, third = answer.tasks[0], answer.tasks[2]
    assert (first.quadrant, first.version) == (task_pb2.QUADRANT_NEITHER, open_.version)
    assert not first.HasField("urgency_threshold_time")
    assert third.deadline_time.ToDatetime(UTC) == third.urgency_threshold_time.ToDatetime(UTC) == at


async def test_at_most_five_hundred_due_tasks_are_asked_for(backend: Backend) -> None:
    tasks = [pb.DueTask(user_id=1, task_id=n) for n in range(501)]
    most = pb.CheckDueTasksRequest(tasks=tasks[:500])
    answer = await backend.as_service("active_scheduler", "CheckDueTasks", most)
    assert len(answer.tasks) == 500
    more = pb.CheckDueTasksRequest(tasks=tasks)
    error = await refused(backend.as_service("active_scheduler", "CheckDueTasks", more))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
