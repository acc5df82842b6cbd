"""Weekdays that words name, whichever week they lie in: 周三, 周一三五, 周一到周五, 周末."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from libs.planning.calendar import SectionClock
from services.agent.domain.day_words import WEEKDAYS
from services.agent.domain.numerals import NUMBER, value

Run = tuple[int, int]
"""First and last section."""

_WEEK = r"(?:周|星期|礼拜)"
_ZH = re.compile(
    rf"(?<![一两几下上这本第\d])(?:每个?|逢)?{_WEEK}(?P<first>[一二三四五六日天])"
    rf"(?:\s*(?:到|至|[-~—])\s*{_WEEK}?(?P<last>[一二三四五六日天])"
    rf"|(?P<more>(?:\s*[、和与,，及]?\s*{_WEEK}?[一二三四五六日天](?![\u4e00-\u9fff]?[门个节次点]))*))"
    rf"|(?<![下上这本])(?P<weekend>{_WEEK}末|双休日?)|(?P<work>工作日|平日|平时上课日)|(?P<every>每天|天天|每日)"
)
_EN = re.compile(
    r"\b(?P<day>mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|rs|rsday|urday)?s?\b|\b(?P<weekend>weekends?)\b"
    r"|\b(?P<work>weekdays)\b|\b(?P<every>every\s*day|daily)\b",
    re.IGNORECASE,
)
_SECTIONS = re.compile(
    rf"(?:(?P<part>上午|下午|晚上)的?)?(?:第(?P<only>{NUMBER})(?:\s*[-~到至、和]\s*第?(?P<until>{NUMBER}))?"
    rf"|(?P<first>{NUMBER})\s*[-~到至]\s*(?P<last>{NUMBER}))\s*节|(?P<early>早八|早课)|(?P<final>最后一节)"
    r"|\bsections?\s+(?P<en>\d{1,2})(?:\s*(?:-|to)\s*(?P<en_last>\d{1,2}))?",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"(?P<morning>早上|清晨|早晨|上午|\bmornings?\b)|(?P<noon>中午|午休|\bnoon\b)|(?P<afternoon>下午|午后|\bafternoons?\b)"
    r"|(?P<evening>晚上|晚间|夜里|夜间|傍晚|今晚|明晚|晚(?=别|不)|(?<=[一二三四五六日天末])晚|晚课|\bevenings?\b|\bnights?\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Named:
    """Days 1 Monday to 7 Sunday that stand at start..end."""

    start: int
    end: int
    days: tuple[int, ...]


def named(text: str) -> Iterator[Named]:
    """The weekdays of a text, in its order."""
    matches = [*_ZH.finditer(text), *_EN.finditer(text)]
    for match in sorted(matches, key=lambda one: one.start()):
        yield Named(match.start(), match.end(), _days(match))


def sections(text: str, clock: SectionClock) -> tuple[Run, ...]:
    """The runs of sections that a text names, by number or by part of the day."""
    found = [run for match in _SECTIONS.finditer(text) if (run := _run(match, clock))]
    rest = _SECTIONS.sub(lambda match: " " * len(match[0]), text)
    found += [run for match in _PARTS.finditer(rest) if (run := _part(match, clock))]
    return tuple(dict.fromkeys(found))


def pairs(runs: tuple[Run, ...], clock: SectionClock) -> tuple[int, ...]:
    """The standard pairs, from 1, that runs of sections touch."""
    return tuple(
        number
        for number, (first, last) in enumerate(clock.standard_pairs, start=1)
        if any(begins <= last and first <= ends for begins, ends in runs)
    )


def _days(match: re.Match[str]) -> tuple[int, ...]:
    found = match.groupdict()
    if found.get("weekend"):
        return 6, 7
    if found.get("work"):
        return 1, 2, 3, 4, 5
    if found.get("every"):
        return 1, 2, 3, 4, 5, 6, 7
    if found.get("day"):
        return (WEEKDAYS[match["day"].lower()],)
    first = WEEKDAYS[match["first"]]
    if match["last"]:
        last = WEEKDAYS[match["last"]]
        wrapped = (
            range(first, last + 1) if first <= last else (*range(first, 8), *range(1, last + 1))
        )
        return tuple(wrapped)
    more = [WEEKDAYS[sign] for sign in re.findall("[一二三四五六日天]", match["more"] or "")]
    return tuple(sorted({first, *more}))


def _run(match: re.Match[str], clock: SectionClock) -> Run | None:
    if match["early"]:
        return clock.standard_pairs[0]
    if match["final"]:
        return clock.count, clock.count
    told = match["only"] or match["first"] or match["en"]
    until = match["until"] or match["last"] or match["en_last"]
    first, last = value(told), value(until or told)
    if first is None or last is None:
        return None
    before = _before(match["part"] or "", clock)
    run = (before + first, before + last)
    return run if 1 <= run[0] <= run[1] <= clock.count else None


def _before(part: str, clock: SectionClock) -> int:
    """How many sections lie before a part of the day: 下午第一节 counts from lunch."""
    return {"下午": clock.lunch_after, "晚上": clock.dinner_after}.get(part, 0)


def _part(match: re.Match[str], clock: SectionClock) -> Run | None:
    morning, afternoon, evening = clock.stretches
    if match["morning"]:
        return morning
    if match["afternoon"]:
        return afternoon
    return evening if match["evening"] else None
