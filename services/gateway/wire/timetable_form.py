"""What the pages of a timetable import send, and how a file travels in them.

Nothing is kept here between the dry run and the write: the file goes to the page and comes back
with the press of the button, packed, and so does the name of what the page showed.
"""

import base64
import binascii
import zlib
from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from libs.rpc.errors import invalid
from services.gateway.wire.timetable_page import COURSE, TASK
from smartmate.schedule.v1 import schedule_service_pb2, timetable_pb2

MAX_BYTES = 2 * 1024 * 1024
MAX_PACKED = MAX_BYTES - 64 * 1024
"""Longest packed file that leaves room for the other fields of the form."""
MAX_WEEKS = 30

_LONGEST_NAME = 120
_BLOCK = "block-"
_LONGEST_ID = 18

FORMATS: Mapping[str, timetable_pb2.TimetableFormat] = {
    "auto": timetable_pb2.TIMETABLE_FORMAT_UNSPECIFIED,
    "zhengfang": timetable_pb2.TIMETABLE_FORMAT_ZHENGFANG_JSON,
    "wakeup": timetable_pb2.TIMETABLE_FORMAT_WAKEUP,
}
"""By what the form calls them."""

FormatName = Literal["auto", "zhengfang", "wakeup"]


class WriteForm(BaseModel):
    """The one button below a dry run. Choices are read apart, by `choices`."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    idempotency_key: str = ""
    semester_id: int = Field(ge=1, le=2**63 - 1)
    format: FormatName = "auto"
    document: str = Field(max_length=MAX_BYTES)
    file_name: str = Field("", max_length=_LONGEST_NAME)
    base_version: str = Field(min_length=1, max_length=64)


class SemesterForm(BaseModel):
    """The first semester, as far as a timetable needs it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    idempotency_key: str = ""
    first_date: str = Field("", max_length=40)
    week_count: str = Field("", max_length=10)

    @property
    def monday(self) -> str:
        """The first day as ISO 8601; empty where it is no Monday."""
        try:
            day = date.fromisoformat(self.first_date.strip())
        except ValueError:
            return ""
        return day.isoformat() if day.isoweekday() == 1 else ""

    @property
    def weeks(self) -> int:
        """How many weeks; 0 where it is no number that a semester can have."""
        text = self.week_count.strip()
        found = int(text) if text.isascii() and text.isdecimal() else 0
        return found if found <= MAX_WEEKS else 0

    def problems(self) -> dict[str, str]:
        """Keys of what is wrong, by field."""
        found = {}
        if not self.monday:
            found["first_date"] = "timetable.problem_first_date"
        if not self.weeks:
            found["week_count"] = "timetable.problem_week_count"
        return found


def choices(fields: Mapping[str, str]) -> dict[str, str]:
    """What a person chose, by name of the field; anything else is no choice."""
    return {
        name: value
        for name, value in fields.items()
        if name.startswith(_BLOCK) and value in (COURSE, TASK)
    }


def displaced(chosen: Mapping[str, str]) -> list[int]:
    """The blocks of work that give way."""
    ids = (name.removeprefix(_BLOCK) for name, value in chosen.items() if value == COURSE)
    return sorted(
        int(text)
        for text in ids
        if text.isascii() and text.isdecimal() and len(text) <= _LONGEST_ID and int(text)
    )


def shown_name(name: str) -> str:
    """The name of a file as it is shown: one line, not too long."""
    return " ".join(name.replace("\0", " ").split())[:_LONGEST_NAME]


def pack(document: bytes) -> str:
    """A file as text that a form can carry."""
    return base64.urlsafe_b64encode(zlib.compress(document)).decode()


def unpack(text: str) -> bytes:
    """The file again. Raises InvalidRequest for what was not packed here, or is too large."""
    try:
        packed = base64.b64decode(text.encode("ascii"), altchars=b"-_", validate=True)
        inflating = zlib.decompressobj()
        document = inflating.decompress(packed, MAX_BYTES + 1)
    except (ValueError, binascii.Error, zlib.error) as error:
        raise invalid("document", "is not a file of this page") from error
    if len(document) > MAX_BYTES or not inflating.eof:
        raise invalid("document", "is not a whole file of this page")
    return document


def dry_run(
    semester_id: int, document: bytes, form: FormatName
) -> schedule_service_pb2.ImportTimetableRequest:
    """What would this file change?"""
    return schedule_service_pb2.ImportTimetableRequest(
        semester_id=semester_id, format=FORMATS[form], document=document, dry_run=True
    )


def write(
    form: WriteForm, document: bytes, chosen: Mapping[str, str], *, key: str
) -> schedule_service_pb2.ImportTimetableRequest:
    """Write what the page showed, with what was chosen there."""
    return schedule_service_pb2.ImportTimetableRequest(
        request_id=key,
        semester_id=form.semester_id,
        format=FORMATS[form.format],
        document=document,
        displaced_event_ids=displaced(chosen),
        base_version=form.base_version,
    )
