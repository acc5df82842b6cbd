"""The task pool: the list in four quadrants, and one task."""

import asyncio
from zoneinfo import ZoneInfo

from fastapi import APIRouter
from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.messages import has
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, forms, looks, pool, zones
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import RowId, Token
from services.gateway.web.parts import parts_of
from services.gateway.web.redirects import preview_path
from services.gateway.wire import task_form
from services.gateway.wire.entered import Refused, problems_of
from services.gateway.wire.task_form import Shown, TaskForm
from services.gateway.wire.tasks_page import Speaker
from services.gateway.wire.told import told as told_words
from smartmate.active_scheduler.v1 import trigger_pb2
from smartmate.schedule.v1 import schedule_service_pb2, task_pb2

router = APIRouter(include_in_schema=False)

_LIST = "/tasks"
_NEW = TaskForm()


@router.get(_LIST)
async def tasks(
    request: Request, visitor: SignedIn, told: Token = "", task: str = "", before: Token = ""
) -> Response:
    """The list, with a form for a new task."""
    return await _list(request, visitor, Shown(_NEW, {}), told=told, about=task, before=before)


@router.post(_LIST)
async def create(request: Request, visitor: SignedIn) -> Response:
    """Writes a new task down."""
    parts, form = parts_of(request), await forms.read(request, TaskForm)
    key, zone = key_of(None, form.idempotency_key), await zones.zone_of(parts, visitor)
    try:
        asked = schedule_service_pb2.CreateTaskRequest(
            request_id=key, task=task_form.message(form, zone)
        )
        made = await parts.suite.call(visitor, parts.suite.schedule.CreateTask, asked)
    except (Refused, RemoteError) as error:
        shown = _again(request, form, error)
        return await _list(request, visitor, shown, status=400)
    return forms.led_to(_LIST, {"told": "created", "task": made.task.task_id})


@router.get(f"{_LIST}/{{task_id}}")
async def one(request: Request, visitor: SignedIn, task_id: RowId, told: Token = "") -> Response:
    """One task: its fields to change, its place, and what can be done with it."""
    found, zone = await asyncio.gather(
        _task(request, visitor, task_id), zones.zone_of(parts_of(request), visitor)
    )
    if found is None:
        return forms.led_to(_LIST, {"told": "gone"})
    shown = Shown(task_form.of_task(found, zone), {})
    return await _one(request, visitor, found, zone, shown, told=told)


@router.post(f"{_LIST}/{{task_id}}")
async def update(request: Request, visitor: SignedIn, task_id: RowId) -> Response:
    """Changes a task; one that was changed meanwhile is shown beside what was entered."""
    parts, form = parts_of(request), await forms.read(request, TaskForm)
    key = key_of(None, form.idempotency_key)
    found, zone = await asyncio.gather(
        _task(request, visitor, task_id), zones.zone_of(parts, visitor)
    )
    if found is None:
        return forms.led_to(_LIST, {"told": "gone"})
    try:
        asked = schedule_service_pb2.UpdateTaskRequest(
            request_id=key,
            task_id=task_id,
            task=task_form.message(form, zone, found),
            if_version=form.version,
        )
        await parts.suite.call(visitor, parts.suite.schedule.UpdateTask, asked)
    except (Refused, RemoteError) as error:
        if isinstance(error, RemoteError) and error.reason == "version_mismatch":
            return await _changed(request, visitor, task_id, form, zone)
        shown = _again(request, form, error)
        return await _one(request, visitor, found, zone, shown, status=400)
    return forms.led_to(_LIST, {"told": "saved", "task": task_id})


@router.post(f"{_LIST}/{{task_id}}/complete")
async def complete(request: Request, visitor: SignedIn, task_id: RowId) -> Response:
    """Marks a task done."""
    parts = parts_of(request)
    asked = schedule_service_pb2.CompleteTaskRequest(
        request_id=await forms.read_key(request, of=task_id), task_id=task_id
    )
    try:
        await parts.suite.call(visitor, parts.suite.schedule.CompleteTask, asked)
    except RemoteError as error:
        return _gone(error)
    return forms.led_to(_LIST, {"told": "done", "task": task_id})


@router.post(f"{_LIST}/{{task_id}}/reopen")
async def reopen(request: Request, visitor: SignedIn, task_id: RowId) -> Response:
    """Opens a task again."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ReopenTaskRequest(
        request_id=await forms.read_key(request, of=task_id), task_id=task_id
    )
    try:
        await parts.suite.call(visitor, parts.suite.schedule.ReopenTask, asked)
    except RemoteError as error:
        return _gone(error)
    return forms.led_to(_LIST, {"told": "reopened", "task": task_id})


@router.post(f"{_LIST}/{{task_id}}/delete")
async def delete(request: Request, visitor: SignedIn, task_id: RowId) -> Response:
    """Deletes a task."""
    parts = parts_of(request)
    asked = schedule_service_pb2.DeleteTaskRequest(
        request_id=await forms.read_key(request, of=task_id), task_id=task_id
    )
    try:
        await parts.suite.call(visitor, parts.suite.schedule.DeleteTask, asked)
    except RemoteError as error:
        return _gone(error)
    return forms.led_to(_LIST, {"told": "deleted"})


@router.post(f"{_LIST}/{{task_id}}/plan")
async def plan(request: Request, visitor: SignedIn, task_id: RowId) -> Response:
    """Asks the assistant to find a time; leads to the suggestion, or tells why there is none."""
    parts = parts_of(request)
    key = await forms.read_key(request, of=task_id)
    try:
        found = await looks.at_task(parts, visitor, task_id, key)
    except RemoteError as error:
        if error.code is not StatusCode.FAILED_PRECONDITION:
            return _gone(error)
        return forms.led_to(_LIST, {"told": "looked_lately", "task": task_id})
    if found.preview_id:
        return answers.see_other(preview_path(found.preview_id))
    return forms.led_to(_LIST, {"told": _outcome(found), "task": task_id})


def _outcome(found: trigger_pb2.TriggerRecord) -> str:
    """What a look that led to no suggestion is told as."""
    if not found.HasField("finish_time"):
        return "looking"
    if found.state == trigger_pb2.TRIGGER_STATE_FAILED:
        return "look_failed"
    return found.reason if has(f"tasks.told_{found.reason}") else "nothing"


def _again(request: Request, form: TaskForm, error: Refused | RemoteError) -> Shown:
    """The form as it was sent, with what is wrong about it. Raises what has no field here."""
    return Shown(form, problems_of(error, task_form.FIELDS).words(locale_of(request)))


def _gone(error: RemoteError) -> Response:
    """To the list, where the task is not any more. Raises every other refusal."""
    if error.code is StatusCode.NOT_FOUND:
        return forms.led_to(_LIST, {"told": "gone"})
    raise error


async def _task(request: Request, visitor: Visitor, task_id: int) -> task_pb2.Task | None:
    parts = parts_of(request)
    asked = schedule_service_pb2.GetTaskRequest(task_id=task_id)
    try:
        return (await parts.suite.call(visitor, parts.suite.schedule.GetTask, asked)).task
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return None
        raise


async def _list(
    request: Request,
    visitor: Visitor,
    shown: Shown,
    *,
    told: str = "",
    about: str = "",
    before: str = "",
    status: int = 200,
) -> Response:
    parts, spoken = parts_of(request), locale_of(request)
    zone, found = await asyncio.gather(
        zones.zone_of(parts, visitor), pool.load(parts, visitor, before=before)
    )
    speaker = Speaker(spoken, zone, parts.clock.now())
    known = {str(task.task_id): task for task in (*found.open, *found.completed)}
    notice = told_words(spoken, "tasks", told)
    if notice and about in known:
        notice = notice.about(known[about].title)
    return answers.page(
        request,
        "tasks.html",
        visitor=visitor,
        status=status,
        page=speaker.build(found),
        shown=shown,
        told=notice,
        about=int(about) if about in known else 0,
        told_code=told,
        opened=bool(before) or told == "reopened",
    )


async def _one(
    request: Request,
    visitor: Visitor,
    task: task_pb2.Task,
    zone: ZoneInfo,
    shown: Shown,
    *,
    told: str = "",
    changed: bool = False,
    status: int = 200,
) -> Response:
    parts, spoken = parts_of(request), locale_of(request)
    speaker = Speaker(spoken, zone, parts.clock.now())
    events = await pool.blocks_of(parts, visitor)
    return answers.page(
        request,
        "task.html",
        visitor=visitor,
        status=status,
        line=speaker.line(task, speaker.placed(events)),
        shown=shown,
        changed=changed,
        zone=zone.key,
        told=told_words(spoken, "tasks", told),
    )


async def _changed(
    request: Request, visitor: Visitor, task_id: int, form: TaskForm, zone: ZoneInfo
) -> Response:
    """What was entered, and beside it what is stored now; saved again it stands."""
    found = await _task(request, visitor, task_id)
    if found is None:
        return forms.led_to(_LIST, {"told": "gone"})
    shown = Shown(form.model_copy(update={"version": found.version}), {})
    return await _one(request, visitor, found, zone, shown, changed=True, status=409)
