"""Questions about tasks and the schedule: what they are about, and which tasks answer them.

Spec: agent.md, chat (quick_task). "我这周有哪些作业" asks for the open tasks that are due this
week, "概率论什么时候交" for one title.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from services.agent.domain import note_words, quick_match, spoken, when_reading
from services.agent.domain.note_draft import Quadrant
from services.agent.domain.when import Doubt, Edge, Looking, Mention, Standpoint, Unit


class About(StrEnum):
    TASKS = "tasks"
    SCHEDULE = "schedule"
    """Courses and blocks of a time."""
    FREE = "free"
    """Where there is nothing."""


class Asks(StrEnum):
    LIST = "list"
    WHEN = "when"
    COUNT = "count"
    STATUS = "status"
    """Whether it is done."""
    MOST_URGENT = "most_urgent"


class Status(StrEnum):
    OPEN = "open"
    DONE = "done"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class PoolTask:
    """A task of the pool, as far as questions about it go."""

    id: int
    title: str
    quadrant: int
    deadline_at: datetime | None = None
    threshold_at: datetime | None = None
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. `words` are part of a title, empty for any. The time asked about is
    starts_at..ends_at, its end excluded; None = open. `unread`: a time that could not be read, as
    it was said."""

    about: About = About.TASKS
    asks: Asks = Asks.LIST
    words: str = ""
    starts_at: datetime | None = None
    ends_at: datetime | None = None
    status: Status = Status.OPEN
    quadrants: tuple[Quadrant, ...] = ()
    overdue: bool = False
    unread: str = ""


def read(words: str, at: Standpoint) -> Query:
    """What a question asks for."""
    shown = spoken.hidden(spoken.plain(words))
    mentions = when_reading.mentions(shown, at, Looking.AROUND)
    timed = next((one for one in mentions if one.options), None)
    starts_at, ends_at = _period(timed, at) if timed else (None, None)
    lost = next((one for one in mentions if not one.options and one.doubt is not Doubt.VAGUE), None)
    return Query(
        about=_about(shown),
        asks=_asks(shown),
        words=_title_words(words, shown, mentions),
        starts_at=starts_at,
        ends_at=ends_at,
        status=_status(shown),
        quadrants=_quadrants(shown),
        overdue=_OVERDUE.search(shown) is not None,
        unread=words[lost.start : lost.end] if lost and not timed else "",
    )


def selected(query: Query, tasks: Iterable[PoolTask], now: datetime) -> tuple[PoolTask, ...]:
    """The tasks that answer it: by deadline, those without one last, then by quadrant."""
    found = [one for one in tasks if _fits(query, one, now)]
    if query.words:
        found = list(quick_match.matched(query.words, found, lambda one: (one.title,)))
    found.sort(
        key=lambda one: (one.deadline_at is None, one.deadline_at or now, one.quadrant, one.id)
    )
    return tuple(found[:1]) if query.asks is Asks.MOST_URGENT else tuple(found)


def _fits(query: Query, task: PoolTask, now: datetime) -> bool:
    if query.status is not Status.ANY and task.is_done != (query.status is Status.DONE):
        return False
    if query.quadrants and task.quadrant not in query.quadrants:
        return False
    due = task.deadline_at
    if query.overdue and (due is None or due > now):
        return False
    if query.asks in (Asks.WHEN, Asks.STATUS):
        # The time of the question is what is asked for, or beside the point.
        return True
    if query.starts_at is not None and (due is None or due < query.starts_at):
        return False
    return query.ends_at is None or (due is not None and due < query.ends_at)


def _period(mention: Mention, at: Standpoint) -> tuple[datetime | None, datetime | None]:
    """From the first day named to the end of the last; 周五前 is open at one end."""
    option = mention.options[0]
    first, last = option.days.first, option.days.last
    begins, ends = at.instant(first, 0), _midnight_after(last, at)
    if option.minutes is not None and mention.has_time:
        begins = at.instant(first, option.minutes[0])
        ends = at.instant(last, option.minutes[1] + 1)
    if option.days.exact is not None:
        return at.now, option.days.exact
    if mention.edge is Edge.BEFORE:
        is_strict = mention.unit is not Unit.DAY or mention.is_strict
        return None, begins if is_strict or mention.has_time else ends
    if mention.edge is Edge.AFTER:
        return (ends if not mention.has_time else begins), None
    return begins, ends


def _midnight_after(on: date, at: Standpoint) -> datetime:
    return at.instant(on + timedelta(days=1), 0)


_FREE = re.compile(
    r"有空|空闲|[哪什几]么?[^,，。]{0,6}空|忙不忙|忙吗|没[课事]吗|\bfree\b|\bbusy\b", re.IGNORECASE
)
_SCHEDULE = re.compile(
    r"课表|日程|行程|有课|没课|什么课|哪些课|几节课|上什么|上课|怎么安排|安排了|排在|排到|安排在|(?<!作业)安排(?:是|有|吗)|\bclass(?:es)?\b|\bschedule\b|timetable",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"什么时候|啥时候|几点|几号|哪天|哪一天|何时|星期几|周几|多久|截止时间|\bwhen\b", re.IGNORECASE
)
_COUNT = re.compile(r"多少|几[个项门件份]|\bhow\s+many\b", re.IGNORECASE)
_STATUS = re.compile(
    r"(?:了|完|好)\s*(?:吗|没有?|么)\s*[?？]?\s*$|\bis\b.*\b(?:done|finished)\b", re.IGNORECASE
)
_URGENT = re.compile(
    r"最(?:急|紧急|紧迫|早|先)|最近(?:的|要|到期|截止)|\bmost\s+urgent\b|\bnext\s+deadline\b",
    re.IGNORECASE,
)
_OVERDUE = re.compile(r"逾期|过期|超时|拖欠|已经?过了?(?:截止|期)|overdue", re.IGNORECASE)
_DONE = re.compile(
    r"(?<![没未不还])(?:已经?(?:完成|做完|写完|交)|(?:完成|做完|写完|交)[了过])|\bcompleted\b|\bfinished\b",
    re.IGNORECASE,
)
_ANY = re.compile(r"所有(?:的)?(?:任务|作业)|全部(?:的)?(?:任务|作业)|\ball\b", re.IGNORECASE)


def _about(shown: str) -> About:
    if _FREE.search(shown):
        return About.FREE
    return About.SCHEDULE if _SCHEDULE.search(shown) else About.TASKS


def _asks(shown: str) -> Asks:
    for pattern, asks in (
        (_URGENT, Asks.MOST_URGENT),
        (_WHEN, Asks.WHEN),
        (_COUNT, Asks.COUNT),
        (_STATUS, Asks.STATUS),
    ):
        if pattern.search(shown):
            return asks
    return Asks.LIST


def _status(shown: str) -> Status:
    if _STATUS.search(shown):
        return Status.ANY
    return Status.DONE if _DONE.search(shown) else Status.OPEN


def _quadrants(shown: str) -> tuple[Quadrant, ...]:
    said = note_words.weight(shown)
    if said.important is not None and said.urgent is not None and said.spans:
        pairs = {(True, True): 1, (True, False): 2, (False, True): 3, (False, False): 4}
        return (Quadrant(pairs[said.important, said.urgent]),)
    if re.search(r"(?<!不)重要的", shown):
        return Quadrant.URGENT_IMPORTANT, Quadrant.IMPORTANT
    if re.search(r"(?<![不最])(?:紧急|急)的", shown):
        return Quadrant.URGENT_IMPORTANT, Quadrant.URGENT
    return ()


_TALK = re.compile(
    r"提醒一?下?我?|告诉我|帮我|给我|请|麻烦|查(?:一?下|看|询)?|看(?:一?下|看)|列(?:一?下|出)|显示|一下|(?:我|我们)(?:的|还|都)?|什么时候|啥时候|怎么安排的?|有(?:哪些|什么|几[个项门件份])|(?:哪些|什么|几[个项门件份节])"
    r"|逾期|过期|超时|日程|几点|几号|哪天|哪一天|何时|星期几|周几|多久|还?(?:有|剩下?|差)|多少|没(?:有)?(?:做|写|交|完成)?完?成?的?|需要|应该|得|要(?:交|做|写|完成)?的?|(?:截止|到期)(?:时间|日期)?的?"
    r"|(?:交|提交|上交|做|写|完成|考(?!试)|开始|截止|到期)(?:完|好|掉)?(?:了|的)?|最(?:急|紧急|重要|近|早)的?|(?:重要|紧急)(?:且|又|不)?(?:重要|紧急)?的?|所有|全部|已经?|都|吗|呢|么|啊|吧|来着|了|是|的|在|里|内|今后"
    r"|\b(?:what|which|when|how|many|do|does|did|is|are|am|i|have|has|my|the|all|show|list|due|to|left|me|tasks?|still|must|should|submit|of|in|on|for|a)\b",
    re.IGNORECASE,
)
_GENERIC = re.compile(
    r"(?:作业|任务|事情?|活儿?|东西|待办|ddl|deadlines?|安排|日程|课表?|清单|列表|计划|homework|assignments?|to-?dos?|things?)*",
    re.IGNORECASE,
)


def _title_words(words: str, shown: str, mentions: tuple[Mention, ...]) -> str:
    """What is left as part of a title: what was quoted, else what is not talk."""
    if quoted := [one for one in spoken.quoted(words) if one.strip()]:
        return quoted[0].strip()
    for one in mentions:
        shown = shown[: one.start] + " " * (one.end - one.start) + shown[one.end :]
    left = re.sub(r"[\s,，。.;；!！?？、:：~～]+", " ", _TALK.sub(" ", shown)).strip()
    runs = [one for one in left.split(" ") if len(one) > 1 and not _GENERIC.fullmatch(one)]
    return " ".join(runs)
