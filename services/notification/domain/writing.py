"""Writes the message: the assistant's words where they are fit, else the template.

Source: spec notification.md, Message: a summary that is empty, too long or holds a link is not
shown. The texts follow the design's card.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from libs.planning.calendar import DEFAULT_TIME_ZONE
from services.notification.domain.answer import (
    Absent,
    PlannedChange,
    Silence,
    Spot,
    Told,
    Topic,
)
from services.notification.domain.message import Change, Language, Message, with_keyword
from services.notification.domain.request import Request, TargetKind

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
class _Phrases:
    """What the message says of itself, in one language; `{}` is filled with data."""

    titles: Mapping[Topic, str]
    buttons: Mapping[Topic, str]
    summaries: Mapping[Topic, str]
    things: Mapping[TargetKind, str]
    subtitle: str
    quoted: str
    valid_until: str
    added: str
    changed: str
    free: str
    gap: str


_PHRASES = {
    Language.ZH_CN: _Phrases(
        titles={
            Topic.SUGGESTION: "SmartMate：有一条调整建议",
            Topic.QUESTION: "SmartMate：有一件事要你来定",
            Topic.NOTICE: "SmartMate：有一件事先告诉你",
        },
        buttons={
            Topic.SUGGESTION: "看对照，再决定",
            Topic.QUESTION: "去回答",
            Topic.NOTICE: "看看详情",
        },
        summaries={
            Topic.SUGGESTION: "{}有一条安排建议，等你看过再定。",
            Topic.QUESTION: "{}该怎么安排，有一个问题要你来定。",
            Topic.NOTICE: "{}暂时没有合适的位置，先告诉你一声。",
        },
        things={
            TargetKind.TASK_POOL: "一项任务",
            TargetKind.TASK_ITEM: "学习计划里的一项",
            TargetKind.SCHEDULE_EVENT: "日程里的一项安排",
            TargetKind.UNRECOGNISED: "你的日程",
        },
        subtitle="还没有写入日程，等你看过再定",
        quoted="「{}」",
        valid_until="{} 前有效，过后可以重新生成",
        added="新增 {} 项",
        changed="改动 {} 项",
        free="空闲",
        gap="　",
    ),
    Language.EN_US: _Phrases(
        titles={
            Topic.SUGGESTION: "SmartMate: a suggestion",
            Topic.QUESTION: "SmartMate: your call",
            Topic.NOTICE: "SmartMate: just so you know",
        },
        buttons={
            Topic.SUGGESTION: "Compare and decide",
            Topic.QUESTION: "Answer",
            Topic.NOTICE: "See the details",
        },
        summaries={
            Topic.SUGGESTION: "There is a suggestion about {}; you decide.",
            Topic.QUESTION: "How to plan {} is your call; there is a question.",
            Topic.NOTICE: "There is no fitting place yet for {}.",
        },
        things={
            TargetKind.TASK_POOL: "a task",
            TargetKind.TASK_ITEM: "an item of a study plan",
            TargetKind.SCHEDULE_EVENT: "a block of your schedule",
            TargetKind.UNRECOGNISED: "your schedule",
        },
        subtitle="Nothing is written yet; you decide",
        quoted="“{}”",
        valid_until="Valid until {}, then you can make a new one",
        added="{} added",
        changed="{} changed",
        free="free",
        gap="  ",
    ),
}


@dataclass(frozen=True, slots=True)
class Written:
    """A message, and whether the template had to stand in for the assistant's words."""

    message: Message
    by_template: bool


def write(
    request: Request,
    answer: Told | Silence | Absent,
    *,
    language: Language,
    keyword: str,
    base_url: str,
    now: datetime,
) -> Written:
    """The message about a request, with the bot's keyword in its title.

    Times are told in the person's zone where it is known. `now` serves where no answer came.
    """
    told = answer if isinstance(answer, Told) else None
    phrases = _PHRASES[language]
    topic = told.topic if told else Topic.SUGGESTION
    words = told.summary.get(language, "").strip() if told else ""
    fit = is_fit(words)
    changes = tuple(_change(one, told.now, language) for one in told.changes) if told else ()
    message = Message(
        title=phrases.titles[topic],
        subtitle="" if topic is Topic.NOTICE else phrases.subtitle,
        tag=_tag(told.changes, phrases) if told else "",
        summary=words if fit else phrases.summaries[topic].format(_thing(request, told, phrases)),
        changes=changes,
        valid_until=phrases.valid_until.format(_until(request, told, now)),
        button=phrases.buttons[topic],
        url=base_url + request.path,
        short_number=short_number(request.notification_id),
        language=language,
    )
    return Written(with_keyword(message, keyword), by_template=not fit)


def is_fit(summary: str) -> bool:
    """Whether a summary may be shown: there is one, it is short, nothing in it is a link."""
    return bool(summary) and len(summary) <= MAX_SUMMARY and not _LINK.search(summary)


def short_number(notification_id: str) -> str:
    """The end of the id, by which people recognise a message."""
    return notification_id.rpartition("_")[2][-SHORT_NUMBER:].upper()


def _tag(changes: tuple[PlannedChange, ...], phrases: _Phrases) -> str:
    if not changes:
        return ""
    only_adds = all(change.from_ is None for change in changes)
    return (phrases.added if only_adds else phrases.changed).format(len(changes))


def _thing(request: Request, told: Told | None, phrases: _Phrases) -> str:
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
    gap, free = _PHRASES[language].gap, _PHRASES[language].free
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
