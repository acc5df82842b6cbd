"""Study plans, their trial run, and applies."""

from typing import Annotated

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parameters import PageSize, RowId
from services.gateway.web.parts import parts_of
from services.gateway.wire.class_bodies import (
    ApplyBody,
    RoughBuildBody,
    TaskClassBody,
    UpdateTaskClassBody,
)
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(prefix="/api/v1", tags=["study plans"])

ApplyId = Annotated[str, Path(min_length=1, max_length=64)]

_List = schedule_service_pb2.ListTaskClassesResponse
_Put = schedule_service_pb2.PutTaskClassResponse
_Get = schedule_service_pb2.GetTaskClassResponse
_Delete = schedule_service_pb2.DeleteTaskClassResponse
_Build = schedule_service_pb2.RoughBuildResponse
_Apply = schedule_service_pb2.ApplyChangesResponse
_GetApply = schedule_service_pb2.GetApplyResponse


@router.get("/task-classes", **openapi.answers_with(_List))
async def task_classes(
    request: Request, visitor: SignedIn, page_size: PageSize = 0, page_token: str = ""
) -> Response:
    """The study plans with their items, newest first."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ListTaskClassesRequest(page_size=page_size, page_token=page_token)
    method = parts.suite.schedule.ListTaskClasses
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.post("/task-classes", **openapi.answers_with(_Put, status=201), status_code=201)
async def create(
    request: Request, visitor: SignedIn, body: TaskClassBody, key: RequiredKey
) -> Response:
    """Adds a study plan."""
    parts = parts_of(request)
    asked = schedule_service_pb2.PutTaskClassRequest(request_id=key, task_class=body.message())
    made = await parts.suite.call(visitor, parts.suite.schedule.PutTaskClass, asked)
    return answers.data(made, 201)


@router.post("/task-classes/rough-build", **openapi.answers_with(_Build))
async def rough_build(request: Request, visitor: SignedIn, body: RoughBuildBody) -> Response:
    """A place for every item that waits, or why there is none. Writes nothing."""
    parts = parts_of(request)
    found = await parts.suite.call(visitor, parts.suite.schedule.RoughBuild, body.message())
    return answers.data(found)


@router.get("/task-classes/{task_class_id}", **openapi.answers_with(_Get))
async def one(request: Request, visitor: SignedIn, task_class_id: RowId) -> Response:
    """One study plan."""
    parts = parts_of(request)
    asked = schedule_service_pb2.GetTaskClassRequest(task_class_id=task_class_id)
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.GetTaskClass, asked))


@router.put("/task-classes/{task_class_id}", **openapi.answers_with(_Put))
async def update(
    request: Request,
    visitor: SignedIn,
    task_class_id: RowId,
    body: UpdateTaskClassBody,
    key: RequiredKey,
) -> Response:
    """Replaces a study plan and its items."""
    parts = parts_of(request)
    asked = schedule_service_pb2.PutTaskClassRequest(
        request_id=key,
        task_class_id=task_class_id,
        task_class=body.message(),
        if_version=body.if_version,
    )
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.PutTaskClass, asked))


@router.delete("/task-classes/{task_class_id}", **openapi.answers_with(_Delete))
async def delete(
    request: Request, visitor: SignedIn, task_class_id: RowId, key: RequiredKey
) -> Response:
    """Deletes a study plan with its items and its blocks that have not begun."""
    parts = parts_of(request)
    asked = schedule_service_pb2.DeleteTaskClassRequest(request_id=key, task_class_id=task_class_id)
    method = parts.suite.schedule.DeleteTaskClass
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.post("/applies", **openapi.answers_with(_Apply))
async def apply(request: Request, visitor: SignedIn, body: ApplyBody, key: RequiredKey) -> Response:
    """Judges changes and writes all of them or none; a refusal is an answer with its reasons."""
    parts = parts_of(request)
    method = parts.suite.schedule.ApplyChanges
    return answers.data(await parts.suite.call(visitor, method, body.message(key)))


@router.get("/applies/{apply_id}", **openapi.answers_with(_GetApply))
async def verdict(request: Request, visitor: SignedIn, apply_id: ApplyId) -> Response:
    """The stored verdict on an attempt."""
    parts = parts_of(request)
    asked = schedule_service_pb2.GetApplyRequest(apply_id=apply_id)
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.GetApply, asked))
