"""Reading a wish: "期末前把这三门课的复习排进去，别排周日" → classes, period, what stays free."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from libs.planning.calendar import SectionClock
from services.agent.domain import (
    route_answer,
    route_signs,
    spoken,
    when_reading,
    when_telling,
    when_weekdays,
    wish_classes,
)
from services.agent.domain.numerals import NUMBER, value
from services.agent.domain.route_answer import Offered, Pending, PendingKind
from services.agent.domain.text import Text
from services.agent.domain.when import Doubt, Edge, Mention, Standpoint, Unit
from services.agent.domain.wish import Limit, NamedClass, Wish, WishAbout, WishQuestion

_EXCLUDES = re.compile(
    r"别|不要|不(?:能|想|排|安排|放|可以|行)|避开|避免|除了|除开|没空|没时间|有事|有课|休息|回家|请假|出去|空出来|留出来|留给|空着|腾出来"
    r"|\b(?:not|no|nothing|avoid|except|skip|free|don'?t|without|never)\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"只(?!是|要|有)|仅|\bonly\b", re.IGNORECASE)
_PREFERS = re.compile(
    r"尽量|最好|优先|希望|想|喜欢|(?:放|排|安排|集中|塞)(?:在|到)|多排|\b(?:prefer|preferably|mostly|ideally|on|in)\b",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"均匀|平均|分散|铺开|别(?:太|排)?(?:满|挤|密|累)|不要(?:太|排)?(?:满|挤|密|累)|轻松|松一?点|\b(?:evenly|spread|balanced)\b",
    re.IGNORECASE,
)
_AHEAD = re.compile(
    rf"(?:未来|接下来的?|今后|往后|这|近|最近)(?P<count>{NUMBER})个?(?P<unit>天|周|星期|礼拜|月)"
)
_TALK = re.compile(
    r"(?:你好|谢谢|请|麻烦|帮我|给我|一下|吧|啊|哦|呢|了|好吗|可以吗|行吗|就|这样|然后|但是?|不过|另外|还有|并且|而且|我|你|please|thanks?|and|but|[\s,，。:：~～!！?？])*",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"复习|学习|排|安排|计划|规划|学完|看完|做完|写完|revis|plan|schedule|study", re.IGNORECASE
)
_LENGTHS = {"天": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30}


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of the words between stops, as said and with quotes hidden, with its times."""

    words: str
    shown: str
    mentions: tuple[Mention, ...]

    @property
    def timeless(self) -> str:
        text = self.shown
        for one in self.mentions:
            text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
        return text


def read(
    words: str,
    at: Standpoint,
    classes: Sequence[NamedClass],
    *,
    recent: Sequence[int] = (),
) -> Wish:
    """What the words wish for; `recent` are the classes that were talked about before."""
    shown = spoken.hidden(spoken.plain(words))
    wish, requests = Wish(), []
    for part in spoken.clauses(shown):
        inside = shown[part.start : part.end]
        raw = words[part.start : part.end]
        clause = _Clause(raw, inside, when_reading.mentions(inside, at))
        said = raw.strip()
        if limits := _limited(wish, clause, at):
            wish = limits
        elif any(one.doubt is Doubt.RECURRING for one in clause.mentions):
            wish = replace(wish, not_understood=(*wish.not_understood, said))
        elif _REQUEST.search(inside) or clause.mentions or _names_a_class(said, classes):
            wish = _requested(wish, clause, at)
            requests.append(raw if spoken.HIDDEN in inside else clause.timeless)
        elif not _TALK.fullmatch(inside):
            wish = replace(wish, not_understood=(*wish.not_understood, said))
    found = wish_classes.meant("，".join(requests), classes, recent)
    questions = (*((found.question,) if found.question else ()), *wish.questions)
    return replace(
        wish,
        class_ids=found.ids,
        excluded_pairs=when_weekdays.pairs(wish.excluded_sections, at.clock),
        assumed=(*found.assumed, *wish.assumed),
        not_understood=(*found.unknown, *wish.not_understood),
        questions=questions,
    )


def answered(
    wish: Wish, choice_id: str, words: str, at: Standpoint, classes: Sequence[NamedClass]
) -> Wish:
    """The wish with its first question answered, by a choice or in words; the question stays where
    they do not answer it."""
    if not wish.questions:
        return wish
    question, left = wish.questions[0], replace(wish, questions=wish.questions[1:])
    offered = route_answer.read(words, Pending(PendingKind.CHOICE, question.choices))
    chosen = choice_id or (offered.choice_id if offered else "")
    if question.about is WishAbout.CLASSES:
        known = {str(one.id): one.id for one in classes}
        if chosen in known:
            return replace(left, class_ids=(known[chosen],))
        found = wish_classes.meant(f"把{words}排", classes, ())
        return replace(left, class_ids=found.ids) if found.ids and not found.assumed else wish
    if any(one.id == chosen for one in question.choices):
        return _until(left, date.fromisoformat(chosen), at)
    shown = spoken.hidden(spoken.plain(words))
    for mention in when_reading.mentions(shown, at):
        if last := _single_day(mention):
            return _until(left, last, at)
        left = _with_period(left, mention, words[mention.start : mention.end].strip(), at)
    known_now = left.first_day is not None or left.questions != wish.questions[1:]
    return left if known_now else wish


def _single_day(mention: Mention) -> date | None:
    """The day that was named by itself: the last one, where that was asked for."""
    if mention.doubt or len(mention.options) != 1 or mention.edge is Edge.AFTER:
        return None
    days = mention.options[0].days
    return days.last if days.first == days.last and mention.has_days else None


def _until(wish: Wish, last: date, at: Standpoint) -> Wish:
    return replace(wish, first_day=wish.first_day or at.today, last_day=last)


def _names_a_class(said: str, classes: Sequence[NamedClass]) -> bool:
    return any(one.name in said for one in classes)


def _limited(wish: Wish, clause: _Clause, at: Standpoint) -> Wish | None:
    """The wish with what a clause keeps free; None where it keeps nothing free."""
    text = clause.shown
    is_request = route_signs.asks_for_plan(text) and not route_signs.is_constraint(text)
    if _LEVEL.search(text) and not is_request:
        return replace(wish, level=True)
    if _ONLY.search(text):
        return _only(wish, text, at.clock)
    if not _EXCLUDES.search(text) or is_request:
        return None
    days = _days(text)
    runs = when_weekdays.sections(text, at.clock)
    dates = () if days else _dates(clause)
    if dates:
        return replace(wish, excluded_dates=(*wish.excluded_dates, *dates))
    if days and runs:
        limits = tuple(Limit(day, first, last) for day in days for first, last in runs)
        return replace(wish, excluded_limits=(*wish.excluded_limits, *limits))
    if days:
        return replace(wish, excluded_days=_joined(wish.excluded_days, days))
    if runs:
        return replace(
            wish, excluded_sections=tuple(dict.fromkeys((*wish.excluded_sections, *runs)))
        )
    return replace(wish, not_understood=(*wish.not_understood, clause.words.strip()))


def _only(wish: Wish, text: str, clock: SectionClock) -> Wish | None:
    """只排工作日, 只在晚上: all else stays free."""
    days, runs = _days(text), when_weekdays.sections(text, clock)
    if not days and not runs:
        return None
    others = tuple(day for day in range(1, 8) if day not in days) if days else ()
    free = _complement(runs, clock) if runs else ()
    return replace(
        wish,
        excluded_days=_joined(wish.excluded_days, others),
        excluded_sections=tuple(dict.fromkeys((*wish.excluded_sections, *free))),
    )


def _complement(
    runs: tuple[when_weekdays.Run, ...], clock: SectionClock
) -> tuple[when_weekdays.Run, ...]:
    """The runs of sections of a day that none of these holds."""
    free = [n for n in range(1, clock.count + 1) if not any(a <= n <= b for a, b in runs)]
    starts = [n for n in free if n - 1 not in free]
    ends = [n for n in free if n + 1 not in free]
    return tuple(zip(starts, ends, strict=True))


def _requested(wish: Wish, clause: _Clause, at: Standpoint) -> Wish:
    """The wish with the period and the likings that a clause of the request names."""
    if _LEVEL.search(clause.shown):
        wish = replace(wish, level=True)
    if _PREFERS.search(clause.shown):
        days, runs = _days(clause.shown), when_weekdays.sections(clause.shown, at.clock)
        if days or runs:
            return replace(
                wish,
                preferred_days=_joined(wish.preferred_days, days),
                preferred_sections=tuple(dict.fromkeys((*wish.preferred_sections, *runs))),
            )
    if ahead := _AHEAD.search(clause.shown):
        count = value(ahead["count"]) or 1
        last = at.today + timedelta(days=min(count, 400) * _LENGTHS[ahead["unit"]] - 1)
        return replace(wish, first_day=at.today, last_day=last)
    for mention in clause.mentions:
        wish = _with_period(wish, mention, clause.words[mention.start : mention.end].strip(), at)
    return wish


def _with_period(wish: Wish, mention: Mention, said: str, at: Standpoint) -> Wish:
    if mention.of_noun or (mention.has_time and not mention.has_days):
        return wish
    is_term = mention.doubt is Doubt.EVENT_UNKNOWN and len(mention.options) == 1
    if (mention.doubt and not is_term) or len(mention.options) != 1:
        return replace(wish, questions=(*wish.questions, _which_period(said, mention, at)))
    first, last = _period(mention, at)
    if is_term:
        end = when_telling.day(last or at.today, at)
        note = Text(f"期末按学期最后一天 {end.zh} 算", f"the end of the term is read as {end.en}")
        wish = replace(wish, assumed=(*wish.assumed, note))
    begins = first or wish.first_day or at.today
    ends = last or wish.last_day or (at.semester.last_day if at.semester else None)
    if ends is None or ends < begins:
        return replace(wish, questions=(*wish.questions, _which_period(said, mention, at)))
    return replace(wish, first_day=max(begins, at.today), last_day=ends)


def _period(mention: Mention, at: Standpoint) -> tuple[date | None, date | None]:
    """First and last day that a time leaves, None where it leaves that end open."""
    days = mention.options[0].days
    if mention.edge is Edge.AFTER:
        return days.first, None
    if mention.edge is Edge.BEFORE:
        is_strict = mention.unit is not Unit.DAY or mention.is_strict
        is_term = mention.doubt is Doubt.EVENT_UNKNOWN
        return None, days.first - timedelta(days=1) if is_strict and not is_term else days.last
    if mention.edge is Edge.BY and days.first == days.last:
        return None, days.last
    return days.first, days.last


def _which_period(said: str, mention: Mention, at: Standpoint) -> WishQuestion:
    days = dict.fromkeys(one.days.last for one in mention.options if one.days.last >= at.today)
    told = ((on, when_telling.day(on, at)) for on in days)
    return WishQuestion(
        WishAbout.PERIOD,
        Text(f"“{said}”是到哪一天？", f"Until which day is “{said}”?"),
        tuple(Offered(on.isoformat(), (text.zh, text.en)) for on, text in told),
    )


def _days(text: str) -> tuple[int, ...]:
    return tuple(sorted({day for one in when_weekdays.named(text) for day in one.days}))


def _dates(clause: _Clause) -> tuple[date, ...]:
    """Single days that a clause names, no weekday of every week."""
    found: list[date] = []
    for one in clause.mentions:
        if one.doubt is None and len(one.options) == 1 and one.has_days:
            days = one.options[0].days
            length = min((days.last - days.first).days, 30)
            found += [days.first + timedelta(days=n) for n in range(length + 1)]
    return tuple(dict.fromkeys(found))


def _joined(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({*one, *other}))
