"""How a person wants to be planned for, as far as words tell it without a model.

Spec: agent.md, plan; planning.md, rough build. What was not understood is named, never dropped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Protocol

from services.agent.domain import when_telling
from services.agent.domain.route_answer import Offered
from services.agent.domain.text import Text
from services.agent.domain.when import Standpoint
from services.agent.domain.when_weekdays import Run


class NamedClass(Protocol):
    """A task class, as far as naming it goes."""

    @property
    def id(self) -> int: ...

    @property
    def name(self) -> str: ...


class WishAbout(StrEnum):
    CLASSES = "classes"
    PERIOD = "period"


@dataclass(frozen=True, slots=True)
class WishQuestion:
    """What has to be known before there can be a plan; its choices are classes, or none."""

    about: WishAbout
    text: Text
    choices: tuple[Offered, ...] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """Sections first..last of a weekday (1 Monday to 7 Sunday) that stay free."""

    day: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Wish:
    """What was said. Days are 1 Monday to 7 Sunday, pairs the standard pairs of the day from 1.

    `first_day` and `last_day`, both included, are None where no period was named. Excluded is what
    must stay free, preferred what is only liked. `excluded_limits` are sections of single weekdays.
    """

    class_ids: tuple[int, ...] = ()
    first_day: date | None = None
    last_day: date | None = None
    excluded_days: tuple[int, ...] = ()
    excluded_sections: tuple[Run, ...] = ()
    excluded_pairs: tuple[int, ...] = ()
    excluded_limits: tuple[Limit, ...] = ()
    excluded_dates: tuple[date, ...] = ()
    preferred_days: tuple[int, ...] = ()
    preferred_sections: tuple[Run, ...] = ()
    level: bool = False
    assumed: tuple[Text, ...] = ()
    not_understood: tuple[str, ...] = ()
    questions: tuple[WishQuestion, ...] = ()


def told(wish: Wish, names: Mapping[int, str], at: Standpoint) -> Text:
    """What was understood, and what was not, in one paragraph."""
    parts = [*_classes(wish, names), *_period(wish, at), *_limits(wish, at), *wish.assumed]
    if wish.not_understood:
        said = "、".join(f"“{one}”" for one in wish.not_understood)
        parts.append(Text(f"没有看懂：{said}", f"not understood: {said}"))
    if not parts:
        return Text()
    return Text("；".join(one.zh for one in parts) + "。", "; ".join(one.en for one in parts) + ".")


def _classes(wish: Wish, names: Mapping[int, str]) -> Sequence[Text]:
    found = [names[one] for one in wish.class_ids if one in names]
    if not found:
        return ()
    zh, en = "、".join(f"「{one}」" for one in found), ", ".join(f"“{one}”" for one in found)
    return (Text(f"安排{zh}", f"plan {en}"),)


def _period(wish: Wish, at: Standpoint) -> Sequence[Text]:
    if wish.last_day is None or wish.first_day is None:
        return ()
    days = when_telling.days(wish.first_day, wish.last_day, at)
    return (Text(f"时间是 {days.zh}", f"in {days.en}"),)


def _limits(wish: Wish, at: Standpoint) -> Sequence[Text]:
    found = []
    if wish.excluded_days:
        zh, en = weekdays(wish.excluded_days)
        found.append(Text(f"{zh}不排", f"nothing on {en}"))
    for first, last in wish.excluded_sections:
        found.append(Text(f"第 {first}–{last} 节不排", f"nothing in sections {first}–{last}"))
    for one in wish.excluded_limits:
        zh, en = weekdays((one.day,))
        text = Text(
            f"{zh}第 {one.first}–{one.last} 节不排",
            f"nothing on {en}, sections {one.first}–{one.last}",
        )
        found.append(text)
    for on in wish.excluded_dates:
        day = when_telling.day(on, at)
        found.append(Text(f"{day.zh} 不排", f"nothing on {day.en}"))
    return found


def weekdays(days: Sequence[int]) -> tuple[str, str]:
    """周一、周三 and Mon, Wed."""
    zh = "、".join(when_telling.DAYS_ZH[day - 1] for day in days)
    return zh, ", ".join(when_telling.DAYS_EN[day - 1] for day in days)
