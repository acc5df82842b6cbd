"""The task pool over gRPC, and what is said of it."""

from datetime import UTC, datetime, timedelta

import grpc
import pytest

from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from smartmate.schedule.v1 import task_pb2
from tests.integration.schedule.people import Backend, Person, applied, fresh, refused

IMPORTANT = task_pb2.QUADRANT_IMPORTANT
URGENT_IMPORTANT = task_pb2.QUADRANT_URGENT_IMPORTANT


def _input(title: str = "高数作业", **others: object) -> pb.TaskInput:
    return pb.TaskInput(title=title, quadrant=IMPORTANT, **others)  # type: ignore[arg-type]


async def _update(person: Person, task: task_pb2.Task, asked: pb.TaskInput) -> task_pb2.Task:
    request = pb.UpdateTaskRequest(request_id=fresh(), task_id=task.task_id, task=asked)
    found: task_pb2.Task = (await person.call("UpdateTask", request)).task
    return found


async def test_a_created_task_reads_back_and_is_told_of(person: Person) -> None:
    deadline = datetime(2027, 1, 5, 12, tzinfo=UTC)
    title = "📌期末复习🧑‍💻 𠮷野家"
    task = await person.add_task(title, estimated_sections=3, deadline_time=deadline)
    read = await person.call("GetTask", pb.GetTaskRequest(task_id=task.task_id))
    assert read.task == task
    assert task.title == title
    assert task.status == task_pb2.TASK_STATUS_OPEN
    assert task.version == task.placement_version
    (event,) = await person.told()
    assert isinstance(event, events_pb2.TaskChanged)
    assert (event.task_id, event.version) == (task.task_id, task.version)
    assert event.deadline_time.ToDatetime(UTC) == deadline
    assert event.estimated_sections == 3
    assert not event.HasField("urgency_threshold_time")


async def test_versions_are_microseconds_of_the_database_and_always_rise(person: Person) -> None:
    task = await person.add_task()
    (row,) = await person.backend.rows("SELECT extract(epoch FROM clock_timestamp()) AS now")
    assert abs(float(row["now"]) - task.version / 1e6) < 60
    ahead = task.version + 10**12
    await person.backend.execute(
        "UPDATE tasks SET version = :ahead WHERE user_id = :user AND id = :id",
        ahead=ahead,
        user=person.id,
        id=task.task_id,
    )
    assert (await _update(person, task, _input("别的"))).version == ahead + 1


async def test_what_the_suite_looks_at_again_rises_to_the_version_itself(person: Person) -> None:
    task = await person.add_task()
    urging = _input("高数作业", estimated_sections=2)
    await _update(person, task, urging)
    await _update(person, task, _input("改名", estimated_sections=2))
    for method, request in (
        ("CompleteTask", pb.CompleteTaskRequest),
        ("ReopenTask", pb.ReopenTaskRequest),
        ("DeleteTask", pb.DeleteTaskRequest),
    ):
        await person.call(method, request(request_id=fresh(), task_id=task.task_id))
    told = await person.told_of(events_pb2.TaskChanged)
    equal = [event.version == event.urgency_version for event in told]
    assert equal == [True, True, False, True, True, True]
    assert told[2].urgency_version == told[1].version


async def test_placement_version_rises_with_deadline_and_estimate_alone(person: Person) -> None:
    task = await person.add_task()
    at = datetime(2027, 1, 5, tzinfo=UTC)
    asked = _input("新名字", urgency_threshold_time=at)
    asked.quadrant = task_pb2.QUADRANT_NEITHER
    renamed = await _update(person, task, asked)
    assert renamed.version > task.version
    assert renamed.placement_version == task.placement_version
    asked.deadline_time.FromDatetime(at)
    due = await _update(person, task, asked)
    assert due.placement_version > renamed.placement_version
    asked.estimated_sections = 2
    assert (await _update(person, task, asked)).placement_version > due.placement_version


async def test_an_update_that_changes_nothing_says_nothing(person: Person) -> None:
    task = await person.add_task()
    assert await _update(person, task, _input()) == task
    assert len(await person.told()) == 1


async def test_an_update_with_an_old_version_is_refused(person: Person) -> None:
    task = await person.add_task()
    await _update(person, task, _input("一"))
    request = pb.UpdateTaskRequest(
        request_id=fresh(), task_id=task.task_id, task=_input("二"), if_version=task.version
    )
    error = await refused(person.call("UpdateTask", request))
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "version_mismatch")
    assert int(error.metadata["actual_version"]) > task.version


async def test_done_and_open_again_are_each_said_once(person: Person) -> None:
    task = await person.add_task()
    done = [
        (
            await person.call(
                "CompleteTask", pb.CompleteTaskRequest(request_id=fresh(), task_id=task.task_id)
            )
        ).task
        for _ in range(2)
    ]
    assert done[0].status == task_pb2.TASK_STATUS_COMPLETED
    assert done[0].HasField("complete_time")
    assert done[0] == done[1]
    opened = [
        (
            await person.call(
                "ReopenTask", pb.ReopenTaskRequest(request_id=fresh(), task_id=task.task_id)
            )
        ).task
        for _ in range(2)
    ]
    assert opened[0].status == task_pb2.TASK_STATUS_OPEN
    assert not opened[0].HasField("complete_time")
    assert opened[0] == opened[1]
    states = [event.status for event in await person.told()]
    assert states == [
        task_pb2.TASK_STATUS_OPEN,
        task_pb2.TASK_STATUS_COMPLETED,
        task_pb2.TASK_STATUS_OPEN,
    ]
    versions = [event.version for event in await person.told()]
    assert versions == sorted(set(versions))


async def test_important_reads_as_urgent_once_its_threshold_has_passed(person: Person) -> None:
    now = datetime.now(UTC)
    past = await person.add_task("过了", urgency_threshold_time=now - timedelta(hours=1))
    ahead = await person.add_task("没过", urgency_threshold_time=now + timedelta(days=1))
    assert (past.quadrant, past.effective_quadrant) == (IMPORTANT, URGENT_IMPORTANT)
    assert (ahead.quadrant, ahead.effective_quadrant) == (IMPORTANT, IMPORTANT)


async def test_a_new_title_renames_the_blocks_and_spoils_no_plan(student: Person) -> None:
    task = await student.add_task()
    verdict = await student.apply(student.add(task, student.place(9)))
    assert applied(verdict)
    before = (await student.call("GetToday", pb.GetTodayRequest())).events[0]
    renamed = await _update(student, task, _input("线代作业"))
    after = (await student.call("GetToday", pb.GetTodayRequest())).events[0]
    assert after.name == "线代作业"
    assert after.placement_version == before.placement_version
    told = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert told.cause == events_pb2.SCHEDULE_CHANGE_CAUSE_TASK
    assert [one.event_id for one in told.events] == list(verdict.event_ids)
    assert renamed.placement_version == task.placement_version


async def test_completing_a_task_leaves_its_blocks(student: Person) -> None:
    task = await student.add_task()
    await student.apply(student.add(task, student.place(9)))
    await student.call(
        "CompleteTask", pb.CompleteTaskRequest(request_id=fresh(), task_id=task.task_id)
    )
    today = await student.call("GetToday", pb.GetTodayRequest())
    assert [event.name for event in today.events] == ["高数作业"]
    assert len(await student.told_of(events_pb2.ScheduleChanged)) == 1


async def test_deleting_takes_what_lies_ahead_and_leaves_what_has_begun(student: Person) -> None:
    task = await student.add_task()
    ahead = await student.apply(student.add(task, student.place(9, 10)))
    begun = await _plant_past_block(student, task)
    answer = await student.call(
        "DeleteTask", pb.DeleteTaskRequest(request_id=fresh(), task_id=task.task_id)
    )
    assert list(answer.removed_event_ids) == list(ahead.event_ids)
    rows = await student.backend.rows(
        "SELECT id, live FROM schedule_events WHERE user_id = :id ORDER BY id", id=student.id
    )
    assert {row["id"]: row["live"] for row in rows} == {ahead.event_ids[0]: False, begun: True}
    cells = await student.backend.rows(
        "SELECT event_id FROM schedules WHERE user_id = :id", id=student.id
    )
    assert {row["event_id"] for row in cells} == {begun}
    changed = (await student.told_of(events_pb2.ScheduleChanged))[-1]
    assert [(one.event_id, one.removed) for one in changed.events] == [(ahead.event_ids[0], True)]
    gone = (await student.told_of(events_pb2.TaskChanged))[-1]
    assert gone.deleted
    assert gone.version > task.version
    error = await refused(student.call("GetTask", pb.GetTaskRequest(task_id=task.task_id)))
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "task_not_found")


async def _plant_past_block(student: Person, task: task_pb2.Task) -> int:
    """A block of the task in the week before, as an apply of then would have left it."""
    rows = await student.backend.rows(
        """
        WITH block AS (
            INSERT INTO schedule_events (user_id, semester_id, week, day_of_week, first_section,
                last_section, start_time, end_time, type, task_source_type, rel_id, name, version,
                placement_version)
            VALUES (:user, :semester, 2, 1, 1, 1, clock_timestamp() - interval '9 days',
                clock_timestamp() - interval '8 days', 'task', 'task_pool', :task, 'x', 1, 1)
            RETURNING *), cell AS (
            INSERT INTO schedules (user_id, semester_id, week, day_of_week, section, event_id)
            SELECT user_id, semester_id, week, day_of_week, first_section, id FROM block)
        SELECT id FROM block
        """,
        user=student.id,
        semester=student.semester.semester_id,
        task=task.task_id,
    )
    return int(rows[0]["id"])


async def test_tasks_are_listed_newest_first_page_by_page(person: Person) -> None:
    ids = [(await person.add_task(f"任务{n}")).task_id for n in range(5)]
    await person.call("CompleteTask", pb.CompleteTaskRequest(request_id=fresh(), task_id=ids[3]))
    seen, token = [], ""
    while True:
        page = await person.call("ListTasks", pb.ListTasksRequest(page_size=2, page_token=token))
        assert len(page.tasks) <= 2
        seen += [task.task_id for task in page.tasks]
        token = page.next_page_token
        if not token:
            break
    assert seen == ids[::-1]
    status = task_pb2.TASK_STATUS_OPEN
    opened = await person.call("ListTasks", pb.ListTasksRequest(status=status))
    assert [task.task_id for task in opened.tasks] == [ids[4], ids[2], ids[1], ids[0]]


async def test_the_same_request_id_gets_the_same_answer(person: Person) -> None:
    request = pb.CreateTaskRequest(request_id=fresh(), task=_input())
    first = await person.call("CreateTask", request)
    assert await person.call("CreateTask", request) == first
    assert len(await person.told()) == 1
    request.task.title = "别的"
    error = await refused(person.call("CreateTask", request))
    assert (error.code, error.reason) == (grpc.StatusCode.ALREADY_EXISTS, "idempotency_conflict")


async def test_a_request_id_is_the_users_own(backend: Backend) -> None:
    one, other = backend.someone(), backend.someone()
    request = pb.CreateTaskRequest(request_id=fresh(), task=_input())
    first = await one.call("CreateTask", request)
    second = await other.call("CreateTask", request)
    assert first.task.task_id != second.task.task_id


async def test_a_refused_request_is_judged_anew(person: Person) -> None:
    task = await person.add_task()
    request = pb.UpdateTaskRequest(
        request_id=fresh(), task_id=task.task_id, task=_input("二"), if_version=task.version + 1
    )
    await refused(person.call("UpdateTask", request))
    await person.backend.execute(
        "UPDATE tasks SET version = version + 1 WHERE user_id = :user AND id = :id",
        user=person.id,
        id=task.task_id,
    )
    assert (await person.call("UpdateTask", request)).task.title == "二"


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.CreateTaskRequest(task=_input()), "request_id"),
        (pb.CreateTaskRequest(request_id="x" * 65, task=_input()), "request_id"),
        (pb.CreateTaskRequest(request_id="a\0b", task=_input()), "request_id"),
        (pb.CreateTaskRequest(request_id="r"), "task.title"),
        (pb.CreateTaskRequest(request_id="r", task=_input(" \t")), "task.title"),
        (pb.CreateTaskRequest(request_id="r", task=_input("长" * 201)), "task.title"),
        (pb.CreateTaskRequest(request_id="r", task=_input("a\0b")), "task.title"),
        (pb.CreateTaskRequest(request_id="r", task=pb.TaskInput(title="x")), "task.quadrant"),
        (
            pb.CreateTaskRequest(request_id="r", task=_input(estimated_sections=5)),
            "task.estimated_sections",
        ),
        (
            pb.CreateTaskRequest(
                request_id="r",
                task=_input(
                    deadline_time=datetime(2027, 1, 1, tzinfo=UTC),
                    urgency_threshold_time=datetime(2027, 1, 2, tzinfo=UTC),
                ),
            ),
            "task.urgency_threshold_time",
        ),
        (
            pb.CreateTaskRequest(
                request_id="r", task=_input(deadline_time=datetime(9000, 1, 1, tzinfo=UTC))
            ),
            "task.deadline_time",
        ),
    ],
)
async def test_a_misshapen_task_is_refused_with_its_field(
    person: Person, request_: pb.CreateTaskRequest, field: str
) -> None:
    error = await refused(person.call("CreateTask", request_))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [violation.field for violation in error.violations] == [field]
    assert await person.told() == []
