"""Instants as people enter and read them: in the semester's zone, near ones by their day."""

from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from services.gateway.domain.locale import Locale
from services.gateway.domain.places import day_of_month, weekday

_FIRST_YEAR, _LAST_YEAR = 1970, 2199
_LONGEST = 40
_NEAR_DAYS = 6
_NAMED = {-1: ("昨天", "yesterday"), 0: ("今天", "today"), 1: ("明天", "tomorrow")}


class Unreadable(ValueError):
    """What was entered is no instant; `key` names the words that say so."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def day(locale: Locale, on: date, *, today: date) -> str:
    """今天, 明天, 周四 within the next days, else 12月18日; with the year where it is another."""
    away = (on - today).days
    if away in _NAMED:
        return _NAMED[away][locale is Locale.EN]
    if 0 < away <= _NEAR_DAYS:
        return weekday(locale, on.isoweekday())
    words = day_of_month(locale, on)
    if abs(away) < 180:
        return words
    return f"{words} {on.year}" if locale is Locale.EN else f"{on.year}年{words}"


def moment(locale: Locale, at: datetime, zone: ZoneInfo, *, now: datetime) -> str:
    """明天 22:00, by the wall clock of a zone."""
    local = at.astimezone(zone)
    return f"{day(locale, local.date(), today=now.astimezone(zone).date())} {local:%H:%M}"


def entered(at: datetime | None, zone: ZoneInfo) -> str:
    """An instant as a field of a form holds it, empty for none."""
    return at.astimezone(zone).strftime("%Y-%m-%dT%H:%M") if at else ""


def read(text: str, zone: ZoneInfo) -> datetime | None:
    """What was entered in such a field, in UTC; None where it is empty. Raises Unreadable.

    Of an hour that comes twice the first one is meant.
    """
    given = text.strip().replace(" ", "T")
    if not given:
        return None
    try:
        local = datetime.fromisoformat(given[:_LONGEST])
    except ValueError as error:
        raise Unreadable("problem.moment") from error
    if local.tzinfo is not None or not _FIRST_YEAR <= local.year <= _LAST_YEAR:
        raise Unreadable("problem.moment")
    at = local.replace(tzinfo=zone).astimezone(UTC)
    if at.astimezone(zone).replace(tzinfo=None) != local:
        raise Unreadable("problem.moment_skipped")
    return at


def clock_entered(minutes: int) -> str:
    """Minutes after midnight as a field of a form holds them: 08:00."""
    return f"{minutes // 60:02}:{minutes % 60:02}"


def read_clock(text: str) -> int | None:
    """What was entered in such a field, in minutes; None where it is empty. Raises Unreadable."""
    given = text.strip()
    if not given:
        return None
    try:
        at = time.fromisoformat(given[:_LONGEST])
    except ValueError as error:
        raise Unreadable("problem.section_time") from error
    if at.tzinfo is not None or at.second or at.microsecond:
        raise Unreadable("problem.section_time")
    return at.hour * 60 + at.minute
