"""The study plans of a visitor."""

import asyncio
from collections.abc import Sequence

from grpc import StatusCode

from libs.rpc.errors import RemoteError
from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from services.gateway.wire import class_form
from smartmate.schedule.v1 import schedule_service_pb2, task_class_pb2

TaskClass = task_class_pb2.TaskClass


async def page_of(
    parts: Parts, visitor: Visitor, before: str
) -> schedule_service_pb2.ListTaskClassesResponse:
    """A page of plans, newest first."""
    asked = schedule_service_pb2.ListTaskClassesRequest(page_token=before)
    return await parts.suite.call(visitor, parts.suite.schedule.ListTaskClasses, asked)


async def one(parts: Parts, visitor: Visitor, class_id: int) -> TaskClass | None:
    """A plan, or None where this person has none of that id."""
    asked = schedule_service_pb2.GetTaskClassRequest(task_class_id=class_id)
    try:
        found = await parts.suite.call(visitor, parts.suite.schedule.GetTaskClass, asked)
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return None
        raise
    return found.task_class


async def some(parts: Parts, visitor: Visitor, class_ids: Sequence[int]) -> Sequence[TaskClass]:
    """The plans of some ids that are there, in that order."""
    found = await asyncio.gather(*(one(parts, visitor, class_id) for class_id in class_ids))
    return [plan for plan in found if plan is not None]


async def put(
    parts: Parts,
    visitor: Visitor,
    key: str,
    stated: schedule_service_pb2.TaskClassInput,
    seen: TaskClass | None = None,
    *,
    version: int = 0,
) -> schedule_service_pb2.PutTaskClassResponse:
    """Writes a plan, a new one where none is named. Raises RemoteError."""
    asked = schedule_service_pb2.PutTaskClassRequest(
        request_id=key,
        task_class_id=seen.task_class_id if seen else 0,
        task_class=stated,
        if_version=version,
    )
    return await parts.suite.call(visitor, parts.suite.schedule.PutTaskClass, asked)


async def mark(
    parts: Parts, visitor: Visitor, class_id: int, item_id: int, key: str, *, done: bool
) -> str:
    """Says whether an item is done; all else of its plan stays as it is stored at that moment.

    Gives what became of it: done, reopened, gone (the plan), or nothing where the item is gone or
    somebody else was quicker. Raises RemoteError.
    """
    found = await one(parts, visitor, class_id)
    if found is None:
        return "gone"
    stated = class_form.with_item(found, item_id, done=done)
    if stated is None:
        return ""
    word = "done" if done else "reopened"
    try:
        await put(
            parts, visitor, f"{key}.{item_id}.{word[0]}", stated, found, version=found.version
        )
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return "gone"
        if error.reason in ("version_mismatch", "idempotency_conflict"):
            return ""
        raise
    return word
