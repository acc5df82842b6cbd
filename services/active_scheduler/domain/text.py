"""Sentences for people, Chinese first with English beside them."""

from dataclasses import dataclass
from datetime import datetime
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
    if place.length == 1:
        return Text(f"第 {place.first} 节", f"section {place.first}")
    return Text(f"{place.first}–{place.last} 节", f"sections {place.first}–{place.last}")


def counted(number: int, noun: str = "section") -> str:
    """English for a number of things: `1 section`, `3 sections`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def place_words(place: Place, semester: Semester) -> Text:
    """Weekday and sections, enough within a day: `周二 3–4 节` and `Tue, sections 3–4`."""
    weekday = semester.date_of(place.week, place.day).weekday()
    words = sections(place)
    return Text(f"周{_WEEKDAYS_ZH[weekday]} {words.zh}", f"{_WEEKDAYS_EN[weekday]}, {words.en}")


def instant_words(at: datetime, zone: str) -> Text:
    """A date with weekday and time in a zone: `12月1日 周二 22:00`."""
    local = at.astimezone(ZoneInfo(zone))
    return Text(
        f"{local.month}月{local.day}日 周{_WEEKDAYS_ZH[local.weekday()]} {local:%H:%M}",
        f"{_WEEKDAYS_EN[local.weekday()]} {local:%m-%d %H:%M}",
    )
