"""Where words are spoken: now, in the person's zone and semester."""

from datetime import datetime
from zoneinfo import ZoneInfo

from services.agent.domain.when import Standpoint
from services.agent.graph.desk import Desk

_ZONE = ZoneInfo("Asia/Shanghai")
"""Of a person without a semester."""


async def standpoint(desk: Desk, at: datetime | None = None) -> Standpoint:
    """For words that are said now, or were said at an instant."""
    semester = await desk.tools.schedule.semester(desk.caller)
    zone = semester.zone if semester is not None else _ZONE
    return Standpoint(at or desk.tools.now(), zone, semester)
