"""Where words are spoken in tests: Monday 2026-11-30, 09:00 in Shanghai, week 13 of 20."""

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from libs.planning.calendar import DEFAULT_CLOCK, Semester
from services.agent.domain.when import Standpoint

ZONE = ZoneInfo("Asia/Shanghai")
SEMESTER = Semester(1, date(2026, 9, 7), 20, "Asia/Shanghai", DEFAULT_CLOCK, 1)


def at(
    text: str = "2026-11-30T09:00", zone: ZoneInfo = ZONE, semester: Semester | None = SEMESTER
) -> Standpoint:
    """A standpoint from its local time."""
    return Standpoint(instant(text, zone), zone, semester)


def instant(text: str, zone: ZoneInfo = ZONE) -> datetime:
    """An instant from its local text."""
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def local(moment: datetime | None, zone: ZoneInfo = ZONE) -> str:
    """Its local text; empty for none."""
    return "" if moment is None else f"{moment.astimezone(zone):%Y-%m-%dT%H:%M}"
