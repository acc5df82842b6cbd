"""A sample student: an invented timetable in the form in which a 正方 system gives it."""

from datetime import date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("Asia/Shanghai")
WEEKS = 20
WEEKS_BEHIND = 9

NAME = "小满"
TASK = "概率论大作业"
TASK_SECTIONS = 2


def timetable() -> bytes:
    """The file as it would be uploaded."""
    return (Path(__file__).parent / "timetable.json").read_bytes()


def first_monday(now: datetime) -> date:
    """Of a semester in whose tenth week `now` lies."""
    today = now.astimezone(ZONE).date()
    return today - timedelta(days=today.weekday(), weeks=WEEKS_BEHIND)
