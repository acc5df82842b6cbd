"""Sentences for people, Chinese first with English beside them."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from libs.planning.calendar import Semester
from libs.planning.grid import Place

_WEEKDAYS_ZH = "一二三四五六日"
_WEEKDAYS_EN = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in both languages; empty in both where there is nothing to say."""

    zh: str = ""
    en: str = ""

    def __bool__(self) -> bool:
        return bool(self.zh or self.en)


SILENCE = Text()


def sections(place: Place) -> Text:
    """`3–4 节` and `sections 3–4`."""
    return section_words(place.first, place.last)


def section_words(first: int, last: int) -> Text:
    """The same for sections of no place."""
    if first == last:
        return Text(f"第 {first} 节", f"section {first}")
    return Text(f"{first}–{last} 节", f"sections {first}–{last}")


def weekday_words(day: int) -> Text:
    """A day of the week, 1 (Monday) to 7: `周二` and `Tue`."""
    return Text(f"周{_WEEKDAYS_ZH[day - 1]}", _WEEKDAYS_EN[day - 1])


def counted(number: int, noun: str = "section") -> str:
    """English for a number of things: `1 section`, `3 sections`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def place_words(place: Place, semester: Semester) -> Text:
    """Weekday and sections, enough within a day: `周二 3–4 节` and `Tue, sections 3–4`."""
    day = weekday_words(semester.date_of(place.week, place.day).isoweekday())
    words = sections(place)
    return Text(f"{day.zh} {words.zh}", f"{day.en}, {words.en}")


def date_words(on: date) -> Text:
    """A date without its year: `12月1日` and `12-01`."""
    return Text(f"{on.month}月{on.day}日", f"{on:%m-%d}")


def instant_words(at: datetime, zone: str) -> Text:
    """A date with weekday and time in a zone: `12月1日 周二 22:00`."""
    local = at.astimezone(ZoneInfo(zone))
    day = weekday_words(local.isoweekday())
    return Text(
        f"{local.month}月{local.day}日 {day.zh} {local:%H:%M}",
        f"{day.en} {local:%m-%d %H:%M}",
    )
