"""Calendar files, RFC 5545: one entry for each block, with the rules of the semester's zone.

Equal blocks give equal bytes: the stamp of an entry is the instant of its version. The library is
loaded by the first export, since few processes ever make one.
"""

import unicodedata
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from libs.planning.grid import BlockKind
from services.schedule.domain.block import ScheduledBlock
from services.schedule.domain.own_uids import uid_of
from services.schedule.domain.views import CalendarView
from smartmate.schedule.v1 import schedule_service_pb2 as pb

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from icalendar import Event

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CATEGORIES = {BlockKind.COURSE: "课程", BlockKind.TASK: "任务"}
# An entry may end on the day after the last one where the zone pushes its sections.
_MARGIN = timedelta(days=2)


def calendar(found: CalendarView) -> pb.ExportCalendarResponse:
    """The file. It takes some milliseconds, so it is made in a thread of its own."""
    from icalendar import Calendar, Timezone

    semester = found.semester
    file = Calendar()
    file.add("prodid", "-//SmartMate//Schedule//ZH")
    file.add("version", "2.0")
    file.add("calscale", "GREGORIAN")
    file.add("x-wr-timezone", semester.time_zone)
    file.add_component(
        Timezone.from_tzid(
            semester.time_zone,
            first_date=semester.first_day - _MARGIN,
            last_date=semester.last_day + _MARGIN,
        )
    )
    for one in found.blocks:
        file.add_component(_entry(one, semester.zone))
    return pb.ExportCalendarResponse(
        document=file.to_ical(),
        file_name=f"smartmate-{semester.first_day.isoformat()}.ics",
        event_count=len(found.blocks),
    )


def _entry(one: ScheduledBlock, zone: "ZoneInfo") -> "Event":
    from icalendar import Event

    entry = Event()
    entry.add("uid", uid_of(one.block.id))
    entry.add("dtstamp", _EPOCH + timedelta(microseconds=one.version))
    entry.add("summary", _line(one.block.name))
    entry.add("dtstart", one.starts_at.astimezone(zone))
    entry.add("dtend", one.ends_at.astimezone(zone))
    if one.location:
        entry.add("location", _line(one.location))
    if one.teacher:
        entry.add("description", _line(one.teacher))
    entry.add("categories", [_CATEGORIES[one.block.kind]])
    return entry


def _line(words: str) -> str:
    """One line: no control character has a place in a calendar file."""
    return "".join(" " if unicodedata.category(one) == "Cc" else one for one in words)
