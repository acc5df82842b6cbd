"""One block of the week, and what a person does with it by hand."""

from datetime import date as calendar_date
from typing import Annotated

from fastapi import APIRouter, Query
from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.messages import has
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, forms, plans
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import RowId, Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.web.weeks import week_request
from services.gateway.wire import event_page
from services.gateway.wire.blocks import Event
from services.gateway.wire.event_forms import EmbeddingForm, EventForm
from services.gateway.wire.event_page import Source
from services.gateway.wire.told import told as told_words
from smartmate.schedule.v1 import schedule_service_pb2, task_pb2

router = APIRouter(include_in_schema=False)

_WEEK = "/week"
_EVENT = f"{_WEEK}/events/{{event_id}}"


@router.get(_EVENT)
async def one(
    request: Request,
    visitor: SignedIn,
    event_id: RowId,
    date: Annotated[calendar_date, Query()],
    told: Token = "",
) -> Response:
    """A block, found in the week of its date."""
    parts, spoken = parts_of(request), locale_of(request)
    found = await parts.suite.call(visitor, parts.suite.schedule.GetWeek, week_request(None, date))
    event = event_page.find(found, event_id)
    if event is None:
        return _to_week(date, told or "event_not_found")
    source = await _source(parts, visitor, event)
    return answers.page(
        request,
        "event.html",
        visitor=visitor,
        page=event_page.build(spoken, found, event, source),
        told=told_words(spoken, "week", told),
    )


@router.post(f"{_EVENT}/complete")
async def complete(request: Request, visitor: SignedIn, event_id: RowId) -> Response:
    """Marks the task or the item of a block done."""
    parts, form = parts_of(request), await forms.read(request, EventForm)
    if form.item:
        return await _mark_item(parts, visitor, form, done=True)
    asked = schedule_service_pb2.CompleteTaskRequest(
        request_id=f"{key_of(None, form.idempotency_key)}.{form.task}", task_id=form.task
    )
    try:
        await parts.suite.call(visitor, parts.suite.schedule.CompleteTask, asked)
    except RemoteError as error:
        return _refused(error, form.date)
    return _to_week(form.date, "done")


@router.post(f"{_EVENT}/reopen")
async def reopen(request: Request, visitor: SignedIn, event_id: RowId) -> Response:
    """Opens the task or the item of a block again."""
    parts, form = parts_of(request), await forms.read(request, EventForm)
    if form.item:
        return await _mark_item(parts, visitor, form, done=False)
    asked = schedule_service_pb2.ReopenTaskRequest(
        request_id=f"{key_of(None, form.idempotency_key)}.{form.task}", task_id=form.task
    )
    try:
        await parts.suite.call(visitor, parts.suite.schedule.ReopenTask, asked)
    except RemoteError as error:
        return _refused(error, form.date)
    return _to_week(form.date, "reopened")


@router.post(f"{_EVENT}/revoke")
async def revoke(request: Request, visitor: SignedIn, event_id: RowId) -> Response:
    """Takes a block of work off the schedule, back to where it came from."""
    parts, form = parts_of(request), await forms.read(request, EventForm)
    asked = schedule_service_pb2.RevokeEventRequest(
        request_id=key_of(None, form.idempotency_key),
        event_id=event_id,
        if_placement_version=form.version,
    )
    try:
        await parts.suite.call(visitor, parts.suite.schedule.RevokeEvent, asked)
    except RemoteError as error:
        return _refused(error, form.date)
    return _to_week(form.date, "revoked")


@router.post(f"{_EVENT}/delete")
async def delete(request: Request, visitor: SignedIn, event_id: RowId) -> Response:
    """Deletes a block: one meeting of a course, or a block of work."""
    parts, form = parts_of(request), await forms.read(request, EventForm)
    asked = schedule_service_pb2.DeleteEventRequest(
        request_id=key_of(None, form.idempotency_key),
        event_id=event_id,
        if_placement_version=form.version,
    )
    try:
        gone = await parts.suite.call(visitor, parts.suite.schedule.DeleteEvent, asked)
    except RemoteError as error:
        return _refused(error, form.date)
    return _to_week(form.date, "deleted_host" if gone.pending_events else "deleted")


@router.post(f"{_WEEK}/courses/{{course_id}}/embedding")
async def embedding(request: Request, visitor: SignedIn, course_id: RowId) -> Response:
    """Says whether a course may host tasks."""
    parts, form = parts_of(request), await forms.read(request, EmbeddingForm)
    may_host = form.may_host == "yes"
    asked = schedule_service_pb2.SetCourseEmbeddingRequest(
        request_id=key_of(None, form.idempotency_key),
        course_id=course_id,
        can_be_embedded=may_host,
    )
    told = "opened" if may_host else "closed"
    try:
        await parts.suite.call(visitor, parts.suite.schedule.SetCourseEmbedding, asked)
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return _to_week(form.date, "event_not_found")
        if not has(f"week.told_{error.reason}"):
            raise
        told = error.reason
    return forms.led_to(
        f"{_WEEK}/events/{form.event}", {"date": form.date.isoformat(), "told": told}
    )


def _to_week(date: calendar_date, told: str) -> RedirectResponse:
    return forms.led_to(_WEEK, {"date": date.isoformat(), "told": told})


def _refused(error: RemoteError, date: calendar_date) -> RedirectResponse:
    """Back to the week with the reason. Raises what the week has no words for."""
    if error.code is StatusCode.NOT_FOUND:
        return _to_week(date, "event_not_found")
    if has(f"week.told_{error.reason}"):
        return _to_week(date, error.reason)
    raise error


async def _mark_item(
    parts: Parts, visitor: Visitor, form: EventForm, *, done: bool
) -> RedirectResponse:
    key = key_of(None, form.idempotency_key)
    told = await plans.mark(parts, visitor, form.plan, form.item, key, done=done)
    words = {"done": "item_done", "reopened": "item_reopened", "gone": "event_not_found"}
    return _to_week(form.date, words.get(told, ""))


async def _source(parts: Parts, visitor: Visitor, event: Event) -> Source:
    """What a block was made from, as far as it is there still."""
    if event.task_class_id:
        return Source(plan=await plans.one(parts, visitor, event.task_class_id))
    return Source(task=await _task(parts, visitor, event_page.pool_task_of(event)))


async def _task(parts: Parts, visitor: Visitor, task_id: int) -> task_pb2.Task | None:
    """The task of the pool, where the block has one that is there still."""
    if not task_id:
        return None
    asked = schedule_service_pb2.GetTaskRequest(task_id=task_id)
    try:
        return (await parts.suite.call(visitor, parts.suite.schedule.GetTask, asked)).task
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return None
        raise
