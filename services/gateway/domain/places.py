"""Words for dates, times and places in the schedule."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from services.gateway.domain.locale import Locale

_WEEKDAYS_ZH = "一二三四五六日"
_WEEKDAYS_EN = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS_EN = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


@dataclass(frozen=True, slots=True)
class Spot:
    """Sections first..last of one date."""

    on: date
    first: int
    last: int


def weekday(locale: Locale, day: int) -> str:
    """周二 or Tue; 1 = Monday."""
    if locale is Locale.EN:
        return _WEEKDAYS_EN[day - 1]
    return f"周{_WEEKDAYS_ZH[day - 1]}"


def weekday_letter(locale: Locale, day: int) -> str:
    """The weekday where there is little room."""
    return weekday(locale, day).removeprefix("周")


def day_of_month(locale: Locale, on: date) -> str:
    """12月1日 or 1 Dec."""
    if locale is Locale.EN:
        return f"{on.day} {_MONTHS_EN[on.month - 1]}"
    return f"{on.month}月{on.day}日"


def short_date(locale: Locale, on: date) -> str:
    """12/1, or 1 Dec: where there is little room."""
    return day_of_month(locale, on) if locale is Locale.EN else f"{on.month}/{on.day}"


def sections(locale: Locale, first: int, last: int) -> str:
    """3–4 节, 第 3 节, sections 3–4, section 3."""
    if locale is Locale.EN:
        return f"section {first}" if first == last else f"sections {first}–{last}"
    return f"第 {first} 节" if first == last else f"{first}–{last} 节"


def place(locale: Locale, spot: Spot, *, today: date) -> str:
    """周二 3–4 节; with the date where it lies outside the week of `today`."""
    day = weekday(locale, spot.on.isoweekday())
    words = sections(locale, spot.first, spot.last)
    here = _monday(spot.on) == _monday(today)
    if locale is Locale.EN:
        return f"{day}, {words}" if here else f"{day} {day_of_month(locale, spot.on)}, {words}"
    joined = f"{day}{words}" if spot.first == spot.last else f"{day} {words}"
    return joined if here else f"{day_of_month(locale, spot.on)}{joined}"


def places(locale: Locale, spots: Sequence[Spot], *, today: date) -> str:
    """Several places in a row."""
    joint = "; " if locale is Locale.EN else "、"
    return joint.join(place(locale, spot, today=today) for spot in spots)


def clock(at: datetime, zone: ZoneInfo) -> str:
    """18:32, by the wall clock of a zone."""
    return at.astimezone(zone).strftime("%H:%M")


def moment(locale: Locale, at: datetime, zone: ZoneInfo, *, today: date) -> str:
    """18:32 on the date of `today`, else with its date."""
    local = at.astimezone(zone)
    time = local.strftime("%H:%M")
    if local.date() == today:
        return time
    return f"{day_of_month(locale, local.date())} {time}"


def _monday(on: date) -> date:
    return on - timedelta(days=on.weekday())
