"""Weeks, today, semesters."""

from datetime import date as calendar_date

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parts import parts_of
from services.gateway.web.weeks import AtDate, AtSemester, AtWeek, week_request
from services.gateway.wire.bodies import SemesterBody
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(prefix="/api/v1", tags=["schedule"])

_Week = schedule_service_pb2.GetWeekResponse
_Today = schedule_service_pb2.GetTodayResponse
_GetSemester = schedule_service_pb2.GetSemesterResponse
_PutSemester = schedule_service_pb2.PutSemesterResponse


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


def _iso(date: calendar_date | None) -> str:
    return date.isoformat() if date else ""
