"""Who may call what."""

import grpc
import pytest
from google.protobuf.message import Message

from libs.rpc.errors import RemoteError
from libs.rpc.identity import SERVICE_HEADER, USER_HEADER
from services.schedule.server import ACCESS, NAME
from smartmate.schedule.v1 import change_pb2, schedule_service_pb2
from smartmate.schedule.v1 import schedule_service_pb2 as pb
from tests.integration.schedule.people import Backend, Person, refused

METHODS = schedule_service_pb2.DESCRIPTOR.services_by_name["ScheduleService"].methods
FOR_DELEGATES = {"ListEvents", "GetSchedulingFacts", "CheckChanges", "ApplyChanges", "GetApply"}


def _request(method: str) -> Message:
    found: Message = getattr(pb, f"{method}Request")()
    return found


def test_every_rpc_is_listed_and_no_other() -> None:
    assert set(ACCESS) == {method.name for method in METHODS}
    assert METHODS[0].containing_service.full_name == NAME


@pytest.mark.parametrize("method", sorted(ACCESS))
async def test_nobody_calls_without_a_token(backend: Backend, method: str) -> None:
    error = await refused(backend.call(method, _request(method), []))
    assert error.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("method", sorted(ACCESS))
async def test_a_user_token_alone_is_no_caller(person: Person, method: str) -> None:
    token = person.backend.issuers["gateway"].user_token(person.id)
    for metadata in (
        [(USER_HEADER, token)],
        [(SERVICE_HEADER, token)],
        [(SERVICE_HEADER, "nonsense"), (USER_HEADER, token)],
    ):
        error = await refused(person.backend.call(method, _request(method), metadata))
        assert error.code is grpc.StatusCode.UNAUTHENTICATED


@pytest.mark.parametrize("service", ["active_scheduler", "notification"])
async def test_only_the_gateway_says_that_a_user_is_signed_in(person: Person, service: str) -> None:
    issuer = person.backend.issuers[service]
    metadata = [
        (SERVICE_HEADER, issuer.service_token()),
        (USER_HEADER, issuer.user_token(person.id)),
    ]
    error = await refused(person.backend.call("GetToday", pb.GetTodayRequest(), metadata))
    assert error.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize("method", sorted(ACCESS.keys() - FOR_DELEGATES - {"CheckDueTasks"}))
async def test_a_service_acts_for_a_user_in_listed_calls_alone(person: Person, method: str) -> None:
    error = await refused(person.backend.call(method, _request(method), person.delegated))
    assert error.code is grpc.StatusCode.PERMISSION_DENIED


async def test_the_active_scheduler_acts_for_a_user(student: Person) -> None:
    task = await student.add_task()
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=task.task_id)
    facts = await student.backend.call(
        "GetSchedulingFacts", pb.GetSchedulingFactsRequest(target=target), student.delegated
    )
    assert facts.target.title == task.title
    request = pb.ApplyChangesRequest(
        apply_id="asa_1", changes=[student.add(task, student.place(9))]
    )
    answer = await student.backend.call("ApplyChanges", request, student.delegated)
    assert answer.verdict.event_ids


async def test_no_other_service_acts_for_a_user(student: Person) -> None:
    issuer = student.backend.issuers["notification"]
    metadata = [
        (SERVICE_HEADER, issuer.service_token()),
        (USER_HEADER, issuer.delegated_token(student.id)),
    ]
    for method in FOR_DELEGATES:
        error = await refused(student.backend.call(method, _request(method), metadata))
        assert error.code is grpc.StatusCode.PERMISSION_DENIED


async def test_due_tasks_are_told_to_the_active_scheduler_alone(person: Person) -> None:
    request = pb.CheckDueTasksRequest()
    backend = person.backend
    answer = await backend.as_service("active_scheduler", "CheckDueTasks", request)
    assert list(answer.tasks) == []
    calls = [
        backend.as_service("gateway", "CheckDueTasks", request),
        backend.as_service("notification", "CheckDueTasks", request),
        person.call("CheckDueTasks", request),
        backend.call("CheckDueTasks", request, person.delegated),
    ]
    for call in calls:
        error: RemoteError = await refused(call)
        assert error.code is grpc.StatusCode.PERMISSION_DENIED


async def test_what_belongs_to_another_user_is_not_found(student: Person) -> None:
    task = await student.add_task()
    other = student.backend.someone()
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=task.task_id)
    fields = pb.TaskInput(title="我的了", quadrant="QUADRANT_URGENT_IMPORTANT")
    for method, request in (
        ("GetTask", pb.GetTaskRequest(task_id=task.task_id)),
        ("UpdateTask", pb.UpdateTaskRequest(request_id="a", task_id=task.task_id, task=fields)),
        ("CompleteTask", pb.CompleteTaskRequest(request_id="a", task_id=task.task_id)),
        ("ReopenTask", pb.ReopenTaskRequest(request_id="a", task_id=task.task_id)),
        ("DeleteTask", pb.DeleteTaskRequest(request_id="a", task_id=task.task_id)),
        ("GetSchedulingFacts", pb.GetSchedulingFactsRequest(target=target)),
        ("GetSemester", pb.GetSemesterRequest()),
        ("GetToday", pb.GetTodayRequest()),
    ):
        error = await refused(other.call(method, request))
        assert error.code is grpc.StatusCode.NOT_FOUND, method
    assert (await student.call("GetTask", pb.GetTaskRequest(task_id=task.task_id))).task == task
