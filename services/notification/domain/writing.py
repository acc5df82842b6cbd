"""Writes the message: the assistant's words where they are fit, else the template.

Source: spec notification.md, Message: a summary that is empty, too long or holds a link is not
shown. The texts follow the design's card.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from libs.planning.calendar import DEFAULT_TIME_ZONE
from services.notification.domain.answer import (
    Answer,
    Matter,
    PlannedChange,
    Spot,
    Told,
    Topic,
)
from services.notification.domain.message import Change, Language, Message, with_keyword
from services.notification.domain.phrases import PHRASES, Phrases
from services.notification.domain.request import Request

MAX_SUMMARY = 500
"""Characters of a summary; a longer one is no summary."""
SHORT_NUMBER = 6
"""How many characters of an id people quote."""
_NEAR = timedelta(days=6)

_LINK = re.compile(
    r"://|\bwww\.|\]\(|<a\b|<at\b"
    r"|\b[a-z0-9-]+(\.[a-z0-9-]+)*\.(com|cn|net|org|io|me|cc|co|app|dev|top|xyz|link|site|info)\b",
    re.IGNORECASE | re.ASCII,
)
_WEEKDAYS = {
    Language.ZH_CN: ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    Language.EN_US: ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}


@dataclass(frozen=True, slots=True)
class Written:
    """A message, and whether the template had to stand in for the assistant's words."""

    message: Message
    by_template: bool


def write(
    request: Request,
    answer: Answer,
    *,
    language: Language,
    keyword: str,
    base_url: str,
    now: datetime,
) -> Written:
    """The message about a request, with the bot's keyword in its title.

    Times are told in the person's zone where it is known. `now` serves where no answer came.
    """
    phrases = PHRASES[language]
    if request.is_test:
        message = _test(request, phrases, language, base_url)
        return Written(with_keyword(message, keyword), by_template=False)
    if request.is_sign_in:
        message = _sign_in(request, phrases, language, base_url, now)
        return Written(with_keyword(message, keyword), by_template=False)
    told = answer if isinstance(answer, Told) else None
    topic = told.topic if told else Topic.SUGGESTION
    summary, by_template = _summary(request, told, language)
    changes = tuple(_change(one, told.now, language) for one in told.changes) if told else ()
    message = Message(
        title=phrases.titles[topic],
        subtitle="" if topic is Topic.NOTICE else phrases.subtitle,
        tag=_tag(told.changes, phrases) if told else "",
        summary=summary,
        changes=changes,
        valid_until=phrases.valid_until.format(_until(request, told, now)),
        button=phrases.buttons[topic],
        url=base_url + request.path,
        short_number=short_number(request.notification_id),
        language=language,
    )
    return Written(with_keyword(message, keyword), by_template=by_template)


def write_list(
    batch: Request,
    matters: Sequence[Matter],
    *,
    language: Language,
    keyword: str,
    base_url: str,
    now: datetime,
) -> Written:
    """One message about several matters, each with its words and its end; one as it would be alone.

    The link is the batch's: the list of what is open.
    """
    if len(matters) == 1:
        (one,) = matters
        return write(
            one.request,
            one.answer,
            language=language,
            keyword=keyword,
            base_url=base_url,
            now=now,
        )
    phrases = PHRASES[language]
    lines = [_line(matter, language, now) for matter in matters]
    message = Message(
        title=phrases.list_title.format(len(lines)),
        tag=phrases.list_tag.format(len(lines)),
        summary=phrases.list_summary.format(len(lines)),
        changes=tuple(Change("", line) for line, _ in lines),
        valid_until="",
        button=phrases.list_button,
        url=base_url + batch.path,
        short_number=short_number(batch.notification_id),
        language=language,
    )
    by_template = any(by_template for _, by_template in lines)
    return Written(with_keyword(message, keyword), by_template=by_template)


def _summary(request: Request, told: Told | None, language: Language) -> tuple[str, bool]:
    """The words of one matter, and whether the template had to find them."""
    words = told.summary.get(language, "").strip() if told else ""
    if is_fit(words):
        return words, False
    phrases, topic = PHRASES[language], told.topic if told else Topic.SUGGESTION
    return phrases.summaries[topic].format(_thing(request, told, phrases)), True


def _line(matter: Matter, language: Language, now: datetime) -> tuple[str, bool]:
    """Its end first: a long line is cut at the other one."""
    told = matter.answer if isinstance(matter.answer, Told) else None
    words, by_template = _summary(matter.request, told, language)
    phrases = PHRASES[language]
    until = phrases.list_until.format(_until(matter.request, told, now))
    return phrases.list_line.format(until, words), by_template


def _test(request: Request, phrases: Phrases, language: Language, base_url: str) -> Message:
    return Message(
        title=phrases.test_title,
        tag=phrases.test_tag,
        summary=phrases.test_summary,
        changes=(),
        valid_until="",
        button=phrases.test_button,
        url=base_url + request.path,
        short_number=short_number(request.notification_id),
        language=language,
    )


def _sign_in(
    request: Request, phrases: Phrases, language: Language, base_url: str, now: datetime
) -> Message:
    return Message(
        title=phrases.sign_in_title,
        tag=phrases.sign_in_tag,
        summary=phrases.sign_in_summary,
        changes=(),
        valid_until=phrases.sign_in_until.format(_until(request, None, now)),
        button=phrases.sign_in_button,
        url=base_url + request.path,
        short_number=short_number(request.notification_id),
        language=language,
    )


def is_fit(summary: str) -> bool:
    """Whether a summary may be shown: there is one, it is short, nothing in it is a link."""
    return bool(summary) and len(summary) <= MAX_SUMMARY and not _LINK.search(summary)


def short_number(notification_id: str) -> str:
    """The end of the id, by which people recognise a message."""
    return notification_id.rpartition("_")[2][-SHORT_NUMBER:].upper()


def _tag(changes: tuple[PlannedChange, ...], phrases: Phrases) -> str:
    if not changes:
        return ""
    only_adds = all(change.from_ is None for change in changes)
    return (phrases.added if only_adds else phrases.changed).format(len(changes))


def _thing(request: Request, told: Told | None, phrases: Phrases) -> str:
    title = told.target_title.strip() if told else ""
    if is_fit(title):
        return phrases.quoted.format(title)
    return phrases.things[request.target_kind]


def _until(request: Request, told: Told | None, now: datetime) -> str:
    """Time of day, with the date where it is not today's."""
    zone = ZoneInfo(told.time_zone if told else DEFAULT_TIME_ZONE)
    today = (told.now if told else now).astimezone(zone).date()
    until = (told.expires_at if told else request.valid_until).astimezone(zone)
    return f"{until:%H:%M}" if until.date() == today else f"{until:%m-%d %H:%M}"


def _change(change: PlannedChange, now: datetime, language: Language) -> Change:
    gap, free = PHRASES[language].gap, PHRASES[language].free
    if change.to is None:
        if change.from_ is None:
            return Change("", change.name)
        where = _place(change.from_, now, language)
        return Change(f"{where}{gap}{change.name}", f"{where}{gap}{free}")
    place, time = _place(change.to, now, language), _time(change.to)
    if change.from_ is None:
        taken = "、".join(change.taken_by) if change.taken_by else free
        return Change(f"{place}{gap}{taken}", f"{change.name}{gap}{time}")
    before = _place(change.from_, now, language)
    return Change(
        f"{before}{gap}{_time(change.from_)}{gap}{change.name}",
        f"{place}{gap}{time}{gap}{change.name}",
    )


def _place(spot: Spot, now: datetime, language: Language) -> str:
    """Weekday and sections, with the date where the weekday alone could mislead."""
    day = _WEEKDAYS[language][spot.starts_at.weekday()]
    if not timedelta(0) <= spot.starts_at - now <= _NEAR:
        day = f"{spot.starts_at:%m-%d} {day}"
    run = str(spot.first) if spot.first == spot.last else f"{spot.first}–{spot.last}"
    return f"{day} {run} 节" if language is Language.ZH_CN else f"{day}, sections {run}"


def _time(spot: Spot) -> str:
    return f"{spot.starts_at:%H:%M}–{spot.ends_at:%H:%M}"
