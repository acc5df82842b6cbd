"""Weeks, today, semesters, and the import of a timetable."""

from datetime import date as calendar_date
from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.domain import idempotency
from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader, RequiredKey
from services.gateway.web.parts import parts_of
from services.gateway.web.weeks import AtDate, AtSemester, AtWeek, week_request
from services.gateway.wire.bodies import SemesterBody
from smartmate.schedule.v1 import schedule_service_pb2, timetable_pb2

router = APIRouter(prefix="/api/v1", tags=["schedule"])

_Week = schedule_service_pb2.GetWeekResponse
_Today = schedule_service_pb2.GetTodayResponse
_GetSemester = schedule_service_pb2.GetSemesterResponse
_PutSemester = schedule_service_pb2.PutSemesterResponse
_Import = schedule_service_pb2.ImportTimetableResponse

_DOCUMENT = {
    "requestBody": {
        "required": True,
        "description": "The file as it came, at most 2 MiB",
        "content": {"application/octet-stream": {"schema": {"type": "string"}}},
    }
}


@router.get("/week", **openapi.answers_with(_Week))
async def week(
    request: Request,
    visitor: SignedIn,
    week: AtWeek = None,
    date: AtDate = None,
    semester_id: AtSemester = 0,
) -> Response:
    """Everything that stands in one week; the current one where none is named."""
    parts = parts_of(request)
    asked = week_request(week, date, semester_id)
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.GetWeek, asked))


@router.get("/today", **openapi.answers_with(_Today))
async def today(request: Request, visitor: SignedIn) -> Response:
    """Everything that stands on the current date."""
    parts = parts_of(request)
    asked = schedule_service_pb2.GetTodayRequest()
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.GetToday, asked))


@router.get("/semester", **openapi.answers_with(_GetSemester))
async def semester(request: Request, visitor: SignedIn, date: AtDate = None) -> Response:
    """The semester of a date; of today where none is given."""
    parts = parts_of(request)
    asked = schedule_service_pb2.GetSemesterRequest(date=_iso(date))
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.GetSemester, asked))


@router.put("/semester", **openapi.answers_with(_PutSemester))
async def put_semester(
    request: Request, visitor: SignedIn, body: SemesterBody, key: RequiredKey
) -> Response:
    """Creates a semester, or changes the one named."""
    parts = parts_of(request)
    asked = schedule_service_pb2.PutSemesterRequest(request_id=key, semester=body.message())
    return answers.data(await parts.suite.call(visitor, parts.suite.schedule.PutSemester, asked))


@router.post("/timetable/import", **openapi.answers_with(_Import), openapi_extra=_DOCUMENT)
async def import_timetable(
    request: Request,
    visitor: SignedIn,
    semester_id: Annotated[int, Query(ge=1, le=2**63 - 1)],
    dry_run: bool = False,
    header: KeyHeader = None,
) -> Response:
    """Compares a timetable file with what is stored and, unless told otherwise, writes it."""
    parts = parts_of(request)
    asked = schedule_service_pb2.ImportTimetableRequest(
        request_id="" if dry_run and header is None else idempotency.key_of(header, None),
        semester_id=semester_id,
        format=timetable_pb2.TIMETABLE_FORMAT_ZHENGFANG_JSON,
        document=await request.body(),
        dry_run=dry_run,
    )
    return answers.data(
        await parts.suite.call(visitor, parts.suite.schedule.ImportTimetable, asked)
    )


def _iso(date: calendar_date | None) -> str:
    return date.isoformat() if date else ""
