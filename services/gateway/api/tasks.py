"""The task pool."""

from typing import Literal

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parameters import PageSize, RowId
from services.gateway.web.parts import parts_of
from services.gateway.wire.bodies import TaskBody, UpdateTaskBody
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(prefix="/api/v1/tasks", tags=["tasks"])

Status = Literal["TASK_STATUS_UNSPECIFIED", "TASK_STATUS_OPEN", "TASK_STATUS_COMPLETED"]

_List = schedule_service_pb2.ListTasksResponse
_Create = schedule_service_pb2.CreateTaskResponse
_Get = schedule_service_pb2.GetTaskResponse
_Update = schedule_service_pb2.UpdateTaskResponse
_Complete = schedule_service_pb2.CompleteTaskResponse
_Reopen = schedule_service_pb2.ReopenTaskResponse
_Delete = schedule_service_pb2.DeleteTaskResponse


@router.get("", **openapi.answers_with(_List))
async def tasks(
    request: Request,
    visitor: SignedIn,
    status: Status = "TASK_STATUS_UNSPECIFIED",
    page_size: PageSize = 0,
    page_token: str = "",
) -> Response:
    """The tasks, newest first."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ListTasksRequest(
        status=status, page_size=page_size, page_token=page_token
    )
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.ListTasks, asked))


@router.post("", **openapi.answers_with(_Create, status=201), status_code=201)
async def create(request: Request, visitor: SignedIn, body: TaskBody, key: RequiredKey) -> Response:
    """Adds a task."""
    parts = parts_of(request)
    asked = schedule_service_pb2.CreateTaskRequest(request_id=key, task=body.message())
    made = await parts.suite.call(visitor, parts.suite.schedule.CreateTask, asked)
    return answers.data(made, 201)


@router.get("/{task_id}", **openapi.answers_with(_Get))
async def one(request: Request, visitor: SignedIn, task_id: RowId) -> Response:
    """One task."""
    parts = parts_of(request)
    asked = schedule_service_pb2.GetTaskRequest(task_id=task_id)
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.GetTask, asked))


@router.put("/{task_id}", **openapi.answers_with(_Update))
async def update(
    request: Request, visitor: SignedIn, task_id: RowId, body: UpdateTaskBody, key: RequiredKey
) -> Response:
    """Replaces the fields of a task."""
    parts = parts_of(request)
    asked = schedule_service_pb2.UpdateTaskRequest(
        request_id=key, task_id=task_id, task=body.message(), if_version=body.if_version
    )
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.UpdateTask, asked))


@router.post("/{task_id}/complete", **openapi.answers_with(_Complete))
async def complete(
    request: Request, visitor: SignedIn, task_id: RowId, key: RequiredKey
) -> Response:
    """Marks a task done."""
    parts = parts_of(request)
    asked = schedule_service_pb2.CompleteTaskRequest(request_id=key, task_id=task_id)
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.CompleteTask, asked))


@router.post("/{task_id}/reopen", **openapi.answers_with(_Reopen))
async def reopen(request: Request, visitor: SignedIn, task_id: RowId, key: RequiredKey) -> Response:
    """Opens a task again."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ReopenTaskRequest(request_id=key, task_id=task_id)
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.ReopenTask, asked))


@router.delete("/{task_id}", **openapi.answers_with(_Delete))
async def delete(request: Request, visitor: SignedIn, task_id: RowId, key: RequiredKey) -> Response:
    """Deletes a task and its blocks that have not begun."""
    parts = parts_of(request)
    asked = schedule_service_pb2.DeleteTaskRequest(request_id=key, task_id=task_id)
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.DeleteTask, asked))
