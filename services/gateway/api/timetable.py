"""The import of a timetable, for programs."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.domain import idempotency
from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import KeyHeader
from services.gateway.web.parts import parts_of
from smartmate.schedule.v1 import schedule_service_pb2

router = APIRouter(prefix="/api/v1", tags=["schedule"])

_Import = schedule_service_pb2.ImportTimetableResponse
_Format = Literal[
    "TIMETABLE_FORMAT_UNSPECIFIED",
    "TIMETABLE_FORMAT_ZHENGFANG_JSON",
    "TIMETABLE_FORMAT_WAKEUP",
]
_DOCUMENT = {
    "requestBody": {
        "required": True,
        "description": "The file as it came, in any encoding that is known, at most 2 MiB",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}

Semester = Annotated[
    int,
    Query(ge=0, le=2**63 - 1, description="0 = the semester of today, else the next or last one"),
]
Displaced = Annotated[
    list[Annotated[int, Field(ge=1, le=2**63 - 1)]],
    Query(max_length=500, description="Blocks of work that give way to classes of the file"),
]
Seen = Annotated[
    str,
    Query(
        max_length=64,
        description="base_version of a dry run: refused (base_version_changed) where the write "
        "would not do what that one told",
    ),
]


@router.post("/timetable", **openapi.answers_with(_Import), openapi_extra=_DOCUMENT)
@router.post("/timetable/import", **openapi.answers_with(_Import), openapi_extra=_DOCUMENT)
async def import_timetable(
    request: Request,
    visitor: SignedIn,
    semester_id: Semester = 0,
    format: _Format = "TIMETABLE_FORMAT_UNSPECIFIED",
    dry_run: bool = False,
    displaced_event_ids: Displaced = [],  # noqa: B006  read, never changed
    base_version: Seen = "",
    header: KeyHeader = None,
) -> Response:
    """Compares a timetable file with what is stored and, unless told otherwise, writes it.

    A dry run needs no Idempotency-Key.
    """
    parts = parts_of(request)
    asked = schedule_service_pb2.ImportTimetableRequest(
        request_id="" if dry_run and header is None else idempotency.key_of(header, None),
        semester_id=semester_id,
        format=format,
        document=await request.body(),
        dry_run=dry_run,
        displaced_event_ids=displaced_event_ids,
        base_version=base_version,
    )
    if not semester_id:
        current = schedule_service_pb2.GetSemesterRequest()
        found = await parts.suite.call(visitor, parts.suite.schedule.GetSemester, current)
        asked.semester_id = found.semester.semester_id
    return answers.data(
        await parts.suite.call(visitor, parts.suite.schedule.ImportTimetable, asked)
    )
