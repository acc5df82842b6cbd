"""Which week is asked for."""

from datetime import date as calendar_date
from typing import Annotated

from fastapi import Query

from libs.rpc.errors import invalid
from smartmate.schedule.v1 import schedule_service_pb2

AtWeek = Annotated[int | None, Query(ge=1, le=2**31 - 1, description="Number of a week")]
AtSemester = Annotated[
    int, Query(ge=0, le=2**63 - 1, description="Which semester's week; 0 = the current one")
]
AtDate = Annotated[calendar_date | None, Query(description="Any day of the week")]


def week_request(
    week: int | None, date: calendar_date | None, semester_id: int = 0
) -> schedule_service_pb2.GetWeekRequest:
    """The week of a number or of a date, else the current one. Raises InvalidRequest."""
    if week is not None and date is not None:
        raise invalid("date", "is not wanted beside week")
    if week is None and semester_id:
        raise invalid("semester_id", "is wanted beside week alone")
    if week is not None:
        at = schedule_service_pb2.WeekOfSemester(semester_id=semester_id, week=week)
        return schedule_service_pb2.GetWeekRequest(week_of_semester=at)
    if date is not None:
        return schedule_service_pb2.GetWeekRequest(date=date.isoformat())
    return schedule_service_pb2.GetWeekRequest()
