"""Instants counted from now: 三小时后, 半小时内, in 20 minutes."""

import re
from datetime import timedelta

from services.agent.domain import when_days as days
from services.agent.domain.numerals import HAN, NUMBER, WORD, value
from services.agent.domain.when import DayReading, Days, Doubt, Edge, Looking, Standpoint, Unit
from services.agent.domain.when_forms import Form, form

_MOST_MINUTES = 60 * 24 * 366


def _read(minutes: int, at: Standpoint, edge: Edge | None) -> DayReading:
    """The whole minute that begins then, or the next one."""
    if minutes > _MOST_MINUTES:
        return days.NO_SUCH_DAY
    exact = at.now + timedelta(minutes=minutes)
    if exact.second or exact.microsecond:
        exact = exact.replace(second=0, microsecond=0) + timedelta(minutes=1)
    on = exact.astimezone(at.zone).date()
    return DayReading((Days(on, on, exact),), Unit.DAY, edge=edge)


def _zh(match: re.Match[str], at: Standpoint, looking: Looking) -> DayReading | None:
    count = value(match["count"]) if match["count"] else 0
    if count is None:
        return DayReading((), doubt=Doubt.VAGUE)
    length = 1 if match["unit"].startswith("分") else 15 if match["unit"].startswith("刻") else 60
    half = length // 2 if match["half"] else 0
    return _read(count * length + half, at, Edge.BY if "内" in match["edge"] else None)


def _en(match: re.Match[str], at: Standpoint, looking: Looking) -> DayReading | None:
    told = match["count"].lower()
    half = told.startswith("half")
    count = 1 if told in ("a", "an") else 0 if half else value(told) or 0
    length = 1 if match["unit"].lower().startswith("min") else 60
    return _read(count * length + (length // 2 if half else 0), at, None)


def _vague(match: re.Match[str], at: Standpoint, looking: Looking) -> DayReading | None:
    return days.VAGUE


_AFTER = r"(?P<edge>之后|以后|过后|后|之内|以内|内)"

FORMS: tuple[Form[DayReading], ...] = (
    form(
        rf"(?<![\d{HAN}第.])(?P<count>{NUMBER})个?(?P<half>半)?(?P<unit>小时|钟头|分钟|刻钟){_AFTER}",
        _zh,
    ),
    form(rf"(?P<count>)(?P<half>半)个?(?P<unit>小时|钟头){_AFTER}", _zh),
    form(r"等一?会儿?|待会儿?|一会儿|过一?会儿?", _vague),
    form(
        rf"\bin\s+(?P<count>\d{{1,6}}|half\s+an|an?|(?:{WORD})\b)\s+(?P<unit>hour|minute|min)s?\b",
        _en,
    ),
)
