"""The page of a timetable import: a file, what it would change, and the one button that writes."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, cast

from fastapi import APIRouter, Query
from grpc import StatusCode
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, bodies, forms, zones
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import is_form, locale_of
from services.gateway.web.parts import parts_of
from services.gateway.web.uploads import is_upload, read_upload
from services.gateway.wire import timetable_form
from services.gateway.wire.calendar import semester as semester_of
from services.gateway.wire.timetable_form import FORMATS, FormatName, SemesterForm, WriteForm
from services.gateway.wire.timetable_page import Answer, Builder, Source
from services.gateway.wire.told import told as told_words
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2

router = APIRouter(include_in_schema=False)

_HERE = "/timetable"
_CODE = Annotated[str, Query(max_length=40)]
_MOVED = frozenset({"base_version_changed", "semester_changed", "slot_conflict"})
"""Reasons for which the person looks again at what would change."""


@router.get(_HERE)
async def look(request: Request, visitor: SignedIn, told: _CODE = "") -> Response:
    """Where a file is chosen; without a semester, where that is set up first."""
    return await _upload(request, visitor, told=told)


@router.get(f"{_HERE}/write")
async def nothing_there(visitor: SignedIn) -> Response:
    """Who comes here without a form begins anew."""
    return answers.see_other(_HERE)


@router.post(f"{_HERE}/semester")
async def put_semester(request: Request, visitor: SignedIn) -> Response:
    """The first semester, so that weeks have dates."""
    parts, form = parts_of(request), await forms.read(request, SemesterForm)
    key, problems = key_of(None, form.idempotency_key), form.problems()
    if problems:
        return await _upload(request, visitor, entered=form, problems=problems, status=400)
    asked = schedule_service_pb2.PutSemesterRequest(
        request_id=key,
        semester=calendar_pb2.Semester(first_date=form.monday, week_count=form.weeks),
    )
    try:
        await parts.suite.call(visitor, parts.suite.schedule.PutSemester, asked)
    except RemoteError as error:
        if error.reason != "semester_overlap":
            raise
        problems = {"first_date": "timetable.problem_semester"}
        return await _upload(request, visitor, entered=form, problems=problems, status=409)
    return forms.led_to(_HERE, {"told": "semester"})


@router.post(_HERE)
async def read(request: Request, visitor: SignedIn) -> Response:
    """The dry run: what would change. Nothing is written."""
    if not is_upload(request):
        raise HTTPException(415)
    given = await read_upload(request)
    text = given.fields.get("text", "")
    document = given.file or text.encode("utf-8", "surrogatepass")
    named = given.fields.get("format", "auto")
    form = cast("FormatName", named) if named in FORMATS else "auto"
    found = await zones.semester_of(parts_of(request), visitor)
    if found is None:
        return answers.see_other(_HERE)
    shown = {"text": "" if given.file else text, "format": form}
    if not document.strip():
        return await _upload(request, visitor, refused="timetable.nothing_given", shown=shown)
    name = timetable_form.shown_name(given.file_name if given.file else "")
    try:
        return await _compared(request, visitor, found, document, form=form, file_name=name)
    except RemoteError as error:
        if not _is_unreadable(error):
            raise
        words = _words(locale_of(request), error)
        return await _upload(request, visitor, why=words, shown=shown)


@router.post(f"{_HERE}/write")
async def write(request: Request, visitor: SignedIn) -> Response:
    """Writes what the page showed; where something has moved since, shows how things are now."""
    if not is_form(request):
        raise HTTPException(415)
    fields = await bodies.read_form(request)
    form = bodies.from_fields(WriteForm, fields)
    key, document = key_of(None, form.idempotency_key), timetable_form.unpack(form.document)
    chosen, parts = timetable_form.choices(fields), parts_of(request)
    asked = timetable_form.write(form, document, chosen, key=key)
    try:
        answer = await parts.suite.call(visitor, parts.suite.schedule.ImportTimetable, asked)
    except RemoteError as error:
        if error.reason == "semester_not_found":
            return answers.see_other(_HERE)
        if error.reason not in _MOVED:
            raise
        return await _again(request, visitor, form, document, chosen)
    return answers.page(
        request,
        "timetable_written.html",
        visitor=visitor,
        page=Builder(locale_of(request), answer).result(),
    )


async def _again(
    request: Request,
    visitor: Visitor,
    form: WriteForm,
    document: bytes,
    chosen: Mapping[str, str],
) -> Response:
    found = await zones.semester_of(parts_of(request), visitor)
    if found is None:
        return answers.see_other(_HERE)
    return await _compared(
        request,
        visitor,
        found,
        document,
        form=form.format,
        file_name=form.file_name,
        chosen=chosen,
        moved=True,
    )


async def _compared(
    request: Request,
    visitor: Visitor,
    semester: calendar_pb2.Semester,
    document: bytes,
    *,
    form: FormatName,
    file_name: str,
    chosen: Mapping[str, str] | None = None,
    moved: bool = False,
) -> Response:
    """The page of a dry run."""
    parts = parts_of(request)
    asked = timetable_form.dry_run(semester.semester_id, document, form)
    answer: Answer = await parts.suite.call(visitor, parts.suite.schedule.ImportTimetable, asked)
    packed = await asyncio.to_thread(timetable_form.pack, document)
    if len(packed) > timetable_form.MAX_PACKED:
        return await _upload(request, visitor, refused="timetable.too_large")
    source = Source(file_name, parts.clock.now(), semester_of(semester).zone)
    return answers.page(
        request,
        "timetable_diff.html",
        visitor=visitor,
        status=409 if moved else 200,
        page=Builder(locale_of(request), answer).page(source, chosen or {}),
        moved=moved,
        semester_id=semester.semester_id,
        document=packed,
        file_name=file_name,
        form=form,
    )


async def _upload(
    request: Request,
    visitor: Visitor,
    *,
    told: str = "",
    refused: str = "",
    why: str = "",
    shown: Mapping[str, str] | None = None,
    entered: SemesterForm | None = None,
    problems: Mapping[str, str] | None = None,
    status: int = 200,
) -> Response:
    """The page with the form; `refused` is a key and `why` a sentence about the last attempt."""
    spoken = locale_of(request)
    found = await zones.semester_of(parts_of(request), visitor)
    words = why or (say(spoken, refused) if refused else "")
    return answers.page(
        request,
        "timetable.html",
        visitor=visitor,
        status=400 if words else status,
        semester=_semester_words(spoken, found) if found else "",
        refused=words,
        shown=shown or {"text": "", "format": "auto"},
        formats=[(name, say(spoken, f"timetable.format_{name}")) for name in FORMATS],
        entered=entered or SemesterForm(week_count="20"),
        problems={name: say(spoken, key) for name, key in (problems or {}).items()},
        told=told_words(spoken, "timetable", told),
    )


def _semester_words(locale: Locale, found: calendar_pb2.Semester) -> str:
    first = semester_of(found).first_day
    return say(
        locale,
        "timetable.semester",
        first=f"{first.year}年{day_of_month(locale, first)}"
        if locale is Locale.ZH
        else f"{day_of_month(locale, first)} {first.year}",
        n=found.week_count,
    )


def _is_unreadable(error: RemoteError) -> bool:
    """Whether the file is at fault: the service has said so in words."""
    return error.code is StatusCode.INVALID_ARGUMENT and "message_zh_cn" in error.metadata


def _words(locale: Locale, error: RemoteError) -> str:
    name = "message_en_us" if locale is Locale.EN else "message_zh_cn"
    return error.metadata.get(name, "") or say(locale, "timetable.unreadable")
