"""Study plans: the list, and one plan with its items."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated

from fastapi import APIRouter, Query
from grpc import StatusCode
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import weekday
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, applies, bodies, forms, plans, pool, zones
from services.gateway.web.access import SignedIn
from services.gateway.web.bodies import CSRF_FIELD
from services.gateway.web.negotiation import is_form, locale_of
from services.gateway.web.parameters import RowId, Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire import class_form, classes_page
from services.gateway.wire.class_form import ClassForm, Shown, TaskClass
from services.gateway.wire.classes_page import Speaker
from services.gateway.wire.entered import Refused, problems_of
from services.gateway.wire.told import Told
from services.gateway.wire.told import told as told_words
from smartmate.schedule.v1 import schedule_event_pb2, schedule_service_pb2

router = APIRouter(include_in_schema=False)

Count = Annotated[int, Query(ge=0, le=10_000)]
_LIST = "/task-classes"
_NEW = f"{_LIST}/new"
_ONE = f"{_LIST}/{{class_id}}"


@router.get(_LIST)
async def classes(
    request: Request,
    visitor: SignedIn,
    told: Token = "",
    removed: Count = 0,
    applied: Token = "",
    before: Token = "",
) -> Response:
    """The plans, newest first; `applied` names the apply that a trial run ended with."""
    parts, spoken = parts_of(request), locale_of(request)
    zone, found = await asyncio.gather(
        zones.zone_of(parts, visitor), plans.page_of(parts, visitor, before)
    )
    speaker = Speaker(spoken, zone, parts.clock.now())
    written = await applies.written(parts, visitor, applied, spoken) if applied else None
    return answers.page(
        request,
        "task_classes.html",
        visitor=visitor,
        lines=tuple(speaker.line(one) for one in found.task_classes),
        more=found.next_page_token,
        is_later=bool(before),
        told=_notice(spoken, told, removed),
        written=written,
    )


@router.get(_NEW)
async def new(request: Request, visitor: SignedIn) -> Response:
    """An empty form."""
    return await _form(request, visitor, Shown(ClassForm(), {}))


@router.post(_NEW)
async def create(request: Request, visitor: SignedIn) -> Response:
    """Writes a new plan down."""
    form = await _read(request)
    key = key_of(None, form.idempotency_key)
    try:
        stated = class_form.message(form)
        made = await plans.put(parts_of(request), visitor, key, stated)
    except (Refused, RemoteError) as error:
        return await _refused(request, visitor, form, None, error)
    return _to_one(made.task_class.task_class_id, {"told": "created"})


@router.get(_ONE)
async def one(
    request: Request, visitor: SignedIn, class_id: RowId, told: Token = "", removed: Count = 0
) -> Response:
    """One plan: its fields to change, and where its items are."""
    found = await plans.one(parts_of(request), visitor, class_id)
    if found is None:
        return _led("gone")
    shown = Shown(class_form.of_class(found), {})
    notice = _notice(locale_of(request), told, removed)
    return await _form(request, visitor, shown, found, notice=notice)


@router.post(_ONE)
async def update(request: Request, visitor: SignedIn, class_id: RowId) -> Response:
    """Changes a plan; one that was changed meanwhile is told beside what was entered."""
    parts, form = parts_of(request), await _read(request)
    key = key_of(None, form.idempotency_key)
    found = await plans.one(parts, visitor, class_id)
    if found is None:
        return _led("gone")
    try:
        stated = class_form.message(form, found)
        made = await plans.put(parts, visitor, key, stated, found, version=form.version)
    except (Refused, RemoteError) as error:
        return await _refused(request, visitor, form, found, error)
    return _to_one(class_id, {"told": "saved", "removed": len(made.removed_event_ids)})


@router.post(f"{_ONE}/delete")
async def delete(request: Request, visitor: SignedIn, class_id: RowId) -> Response:
    """Deletes a plan with its items."""
    parts = parts_of(request)
    asked = schedule_service_pb2.DeleteTaskClassRequest(
        request_id=await forms.read_key(request, of=class_id), task_class_id=class_id
    )
    try:
        gone = await parts.suite.call(visitor, parts.suite.schedule.DeleteTaskClass, asked)
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return _led("gone")
        raise
    return forms.led_to(_LIST, {"told": "deleted", "removed": len(gone.removed_event_ids)})


@router.post(f"{_ONE}/items/{{item_id}}/complete")
async def complete(
    request: Request, visitor: SignedIn, class_id: RowId, item_id: RowId
) -> Response:
    """Marks an item done."""
    return await _mark(request, visitor, class_id, item_id, done=True)


@router.post(f"{_ONE}/items/{{item_id}}/reopen")
async def reopen(request: Request, visitor: SignedIn, class_id: RowId, item_id: RowId) -> Response:
    """Opens an item again."""
    return await _mark(request, visitor, class_id, item_id, done=False)


async def _mark(
    request: Request, visitor: Visitor, class_id: int, item_id: int, *, done: bool
) -> Response:
    """Says whether an item is done, and shows the plan again."""
    key = await forms.read_key(request)
    told = await plans.mark(parts_of(request), visitor, class_id, item_id, key, done=done)
    return _led(told) if told == "gone" else _to_one(class_id, {"told": told})


async def _read(request: Request) -> ClassForm:
    if not is_form(request):
        raise HTTPException(415)
    given = await bodies.read_form(request)
    given.pop(CSRF_FIELD, None)
    return bodies.from_fields(ClassForm, class_form.fields(given))


async def _refused(
    request: Request,
    visitor: Visitor,
    form: ClassForm,
    found: TaskClass | None,
    error: Refused | RemoteError,
) -> Response:
    """The form as it was sent, with what is wrong about it. Raises what has no words here."""
    spoken = locale_of(request)
    if isinstance(error, RemoteError):
        if error.reason == "too_many_task_classes":
            return _led("full")
        if error.reason == "version_mismatch" and found is not None:
            return await _changed(request, visitor, form, found)
        if error.reason == "order_violation" and found is not None:
            notice = _order_notice(spoken, error, found)
            return await _form(request, visitor, Shown(form, {}), found, notice=notice, status=409)
        if error.code is StatusCode.NOT_FOUND:
            return _led("gone")
    problems = problems_of(error, class_form.FIELDS)
    shown = Shown(form, class_form.words_of(spoken, form, problems))
    return await _form(request, visitor, shown, found, status=400)


async def _changed(
    request: Request, visitor: Visitor, form: ClassForm, seen: TaskClass
) -> Response:
    """What was entered, and beside it what is stored now; saved again it stands."""
    parts, spoken = parts_of(request), locale_of(request)
    zone, found = await asyncio.gather(
        zones.zone_of(parts, visitor), plans.one(parts, visitor, seen.task_class_id)
    )
    if found is None:
        return _led("gone")
    joint = ", " if spoken is Locale.EN else "、"
    facts = joint.join(Speaker(spoken, zone, parts.clock.now()).facts(found))
    more = say(spoken, "class.changed_more", name=found.name, facts=facts)
    notice = Told("warn", "warn", say(spoken, "class.changed"), more)
    shown = Shown(form.model_copy(update={"version": found.version}), {})
    return await _form(request, visitor, shown, found, notice=notice, status=409)


def _order_notice(spoken: Locale, error: RemoteError, found: TaskClass) -> Told:
    contents = {str(item.task_item_id): item.content for item in found.items}
    more = say(
        spoken,
        "class.order_kept_more",
        item=contents.get(error.metadata.get("task_item_id", ""), ""),
        other=contents.get(error.metadata.get("other_task_item_id", ""), ""),
    )
    return Told("warn", "warn", say(spoken, "class.order_kept"), more)


def _notice(spoken: Locale, told: str, removed: int) -> Told | None:
    notice = told_words(spoken, "classes", told)
    if notice is None or not removed:
        return notice
    key = "classes.removed_1" if removed == 1 else "classes.removed"
    return notice.about(say(spoken, key, n=removed))


def _led(told: str) -> Response:
    return forms.led_to(_LIST, {"told": told})


def _to_one(class_id: int, query: Mapping[str, object]) -> Response:
    return forms.led_to(f"{_LIST}/{class_id}", query)


async def _form(
    request: Request,
    visitor: Visitor,
    shown: Shown,
    found: TaskClass | None = None,
    *,
    notice: Told | None = None,
    status: int = 200,
) -> Response:
    parts, spoken = parts_of(request), locale_of(request)
    semester, events = await asyncio.gather(
        zones.semester_of(parts, visitor), _blocks(parts, visitor, found)
    )
    speaker = Speaker(spoken, zones.zone_in(semester), parts.clock.now())
    return answers.page(
        request,
        "task_class.html",
        visitor=visitor,
        status=status,
        shown=shown,
        line=speaker.line(found) if found else None,
        items=speaker.items(found, events) if found else (),
        days=tuple((day, weekday(spoken, day)) for day in range(1, class_form.DAYS + 1)),
        pairs=classes_page.pairs_of(spoken, semester, shown.form.pairs),
        told=notice,
    )


async def _blocks(
    parts: Parts, visitor: Visitor, found: TaskClass | None
) -> Sequence[schedule_event_pb2.ScheduleEvent]:
    """The blocks among which those of the items are found; none for a plan without any."""
    if found is None or not any(item.event_ids for item in found.items):
        return ()
    return await pool.blocks_of(parts, visitor)
