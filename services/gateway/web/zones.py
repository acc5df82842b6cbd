"""In which zone a person's times are meant: that of the semester."""

from zoneinfo import ZoneInfo

from libs.planning.calendar import DEFAULT_TIME_ZONE
from libs.rpc.errors import RemoteError
from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from smartmate.schedule.v1 import calendar_pb2, schedule_service_pb2


async def semester_of(parts: Parts, visitor: Visitor) -> calendar_pb2.Semester | None:
    """The semester of today, else the next, else the last one; None where there is none."""
    asked = schedule_service_pb2.GetSemesterRequest()
    try:
        return (await parts.suite.call(visitor, parts.suite.schedule.GetSemester, asked)).semester
    except RemoteError as error:
        if error.reason != "semester_not_found":
            raise
        return None


async def zone_of(parts: Parts, visitor: Visitor) -> ZoneInfo:
    """The zone of that semester, or the default one."""
    return zone_in(await semester_of(parts, visitor))


def zone_in(semester: calendar_pb2.Semester | None) -> ZoneInfo:
    """The zone of a semester, or the default one."""
    return ZoneInfo(semester.time_zone if semester else DEFAULT_TIME_ZONE)
