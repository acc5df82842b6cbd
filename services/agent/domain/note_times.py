"""From a time that was named to a deadline, to a moment to be reminded, or to a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from services.agent.domain import when_telling
from services.agent.domain.note_draft import Assumption, Choice, Field, Question
from services.agent.domain.text import Text
from services.agent.domain.when import (
    END_OF_DAY,
    Doubt,
    Edge,
    Mention,
    Option,
    Standpoint,
    Unit,
    days_of,
)

_MORNING = 8 * 60
_REMINDED = {360: 8 * 60, 690: 12 * 60, 780: 14 * 60, 1020: 18 * 60, 1080: 19 * 60}
"""When one is reminded in a part of the day that begins with the minute."""


@dataclass(frozen=True, slots=True)
class Timed:
    """An instant, or the question that stands in its way, and what was assumed."""

    instant: datetime | None = None
    question: Question | None = None
    assumed: tuple[Assumption, ...] = ()


def deadline(mention: Mention, said: str, at: Standpoint) -> Timed:
    """When something is due that is told to be done by a time, `said` as it was written."""
    mention = _pointed(mention)
    if mention.doubt is None and len(mention.options) == 1:
        instant = due(mention.options[0], mention, at)
        if instant > at.now:
            return Timed(instant, assumed=tuple(_assumed(mention, said, instant, at)))
        mention = Mention(mention.start, mention.end, (), doubt=Doubt.PAST)
    instants = tuple(due(option, mention, at) for option in mention.options)
    return Timed(question=_question(Field.DEADLINE, mention.doubt, said, instants, at))


def reminder(mention: Mention, said: str, at: Standpoint) -> Timed:
    """When a person is reminded who wants it at a time."""
    mention = _pointed(mention)
    instants = tuple(_reminded(option, at) for option in mention.options)
    if mention.doubt is None and len(instants) == 1:
        return Timed(max(instants[0], at.now))
    return Timed(question=_question(Field.THRESHOLD, mention.doubt, said, instants, at))


def due(option: Option, mention: Mention, at: Standpoint) -> datetime:
    """The instant that a reading means as a deadline.

    A day is over at 23:59. 周日前 lets Sunday in; before Sunday, 下周前 and 国庆前 end before it.
    """
    days, minutes = option.days, option.minutes
    if days.exact is not None:
        return days.exact
    if minutes is not None:
        ends_before = mention.is_part_alone and mention.edge is not Edge.BEFORE
        return at.instant(days.last, minutes[1] if ends_before else minutes[0])
    if mention.edge is Edge.BEFORE and (mention.unit is not Unit.DAY or mention.is_strict):
        return at.instant(days.first - timedelta(days=1), END_OF_DAY)
    return at.instant(days.last, END_OF_DAY)


def either(found: tuple[tuple[Mention, str], ...], at: Standpoint) -> Question:
    """The question which of several times is the deadline."""
    instants = tuple(
        due(option, mention, at) for mention, _ in found for option in mention.options[:1]
    )
    said = "、".join(words for _, words in found)
    text = Text(
        f"说到了几个时间（{said}），截止是哪一个？",
        f"Several times were named ({said}). Which one is the deadline?",
    )
    return Question(Field.DEADLINE, "which_time", text, _choices(instants, at))


def of_noun(mention: Mention, said: str, at: Standpoint) -> Question:
    """The question whether 周三的作业 is due on that Wednesday."""
    instants = tuple(due(option, mention, at) for option in mention.options)
    text = Text(f"“{said}”就是截止时间吗？", f"Is “{said}” the deadline?")
    return Question(Field.DEADLINE, "of_noun", text, (*_choices(instants, at), none_of_them()))


def picked(question: Question, mentions: Sequence[Mention], at: Standpoint) -> Choice | None:
    """The one choice that lies at the times that were named: 晚上, to 八点 or 二十点."""
    fitting = [
        choice
        for choice in question.choices
        if choice.at is not None
        and mentions
        and all(_lies_at(choice.at, mention, at) for mention in mentions)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _lies_at(instant: datetime, mention: Mention, at: Standpoint) -> bool:
    local = instant.astimezone(at.zone)
    minute = local.hour * 60 + local.minute
    on_day = not mention.has_days or any(
        option.days.first <= local.date() <= option.days.last for option in mention.options
    )
    if not mention.has_time:
        return on_day
    return on_day and any(
        option.minutes is not None and option.minutes[0] <= minute <= option.minutes[1]
        for option in mention.options
    )


def none_of_them() -> Choice:
    """There is no deadline."""
    return Choice("none", Text("没有截止时间", "No deadline"))


def _pointed(mention: Mention) -> Mention:
    """With the ends that a whole week or month may mean, where nothing says which day of it."""
    if mention.doubt or mention.edge is not Edge.ON or mention.has_time or not mention.options:
        return mention
    if mention.unit is not Unit.SPAN:
        return mention
    last = mention.options[0].days.last
    ends = [last - timedelta(days=2), last] if last.isoweekday() == 7 else [last]
    return Mention(
        mention.start,
        mention.end,
        tuple(Option(days_of(on)) for on in ends),
        doubt=Doubt.VAGUE,
    )


def _reminded(option: Option, at: Standpoint) -> datetime:
    days, minutes = option.days, option.minutes
    if days.exact is not None:
        return days.exact
    if minutes is None:
        return at.instant(days.first, _MORNING)
    is_part = minutes[0] < minutes[1]
    minute = _REMINDED.get(minutes[0], minutes[0]) if is_part else minutes[0]
    return at.instant(days.first, minute)


def _assumed(
    mention: Mention, said: str, instant: datetime, at: Standpoint
) -> Iterator[Assumption]:
    local = instant.astimezone(at.zone)
    if mention.is_part_alone:
        text = Text(f"“{said}”按 {local:%H:%M} 算", f"“{said}” is read as {local:%H:%M}")
        yield Assumption("part_of_day", text)
        return
    is_day = mention.unit is Unit.DAY and not mention.has_time and not mention.is_strict
    if is_day and mention.edge is Edge.BEFORE:
        text = Text(f"“{said}”算到当天结束", f"“{said}” lets that day in")
        yield Assumption("inclusive_day", text)


_WHAT = {
    Field.DEADLINE: Text("截止", "deadline"),
    Field.THRESHOLD: Text("提醒的时间", "time of the reminder"),
    Field.TITLE: Text("要记的事", "task"),
}


def _question(
    about: Field, doubt: Doubt | None, said: str, instants: tuple[datetime, ...], at: Standpoint
) -> Question:
    what = _WHAT[about]
    asks = Text(f"{what.zh}是哪个时候？", f"When is the {what.en}?")
    before = _BEFORE.get(doubt or Doubt.VAGUE, _BEFORE[Doubt.VAGUE])
    text = Text(before.zh.format(said=said) + asks.zh, before.en.format(said=said) + asks.en)
    choices = _choices(instants, at)
    if about is Field.DEADLINE and doubt in (Doubt.RECURRING, Doubt.EVENT_UNKNOWN, Doubt.VAGUE):
        choices = (*choices, none_of_them())
    return Question(about, (doubt or Doubt.VAGUE).value, text, choices)


_BEFORE = {
    Doubt.PAST: Text("“{said}”已经过去了。", "“{said}” is over. "),
    Doubt.TODAY_OR_NEXT: Text(
        "“{said}”可能是今天，也可能是下一个。", "“{said}” may be today or the next one. "
    ),
    Doubt.TWO_READINGS: Text("“{said}”有两种意思。", "“{said}” can mean two days. "),
    Doubt.HALF_OF_DAY: Text(
        "“{said}”可能是上午，也可能是晚上。", "“{said}” may be in the morning or in the evening. "
    ),
    Doubt.NO_SUCH_DAY: Text("没有“{said}”这一天。", "There is no such day as “{said}”. "),
    Doubt.NO_SUCH_TIME: Text("没有“{said}”这个时间。", "There is no such time as “{said}”. "),
    Doubt.VAGUE: Text("“{said}”还不够具体。", "“{said}” is not exact enough. "),
    Doubt.EVENT_UNKNOWN: Text("还不知道“{said}”是哪一天。", "The day of “{said}” is not known. "),
    Doubt.DISAGREE: Text("“{said}”的日期和星期对不上。", "Date and weekday of “{said}” disagree. "),
    Doubt.RECURRING: Text(
        "还不能记重复的任务（“{said}”），只能记一次。",
        "Recurring tasks (“{said}”) cannot be noted yet, a single one can. ",
    ),
}


def _choices(instants: tuple[datetime, ...], at: Standpoint) -> tuple[Choice, ...]:
    unique = [one for one in dict.fromkeys(instants) if one > at.now]
    return tuple(
        Choice(f"t{number}", when_telling.moment(one, at), one)
        for number, one in enumerate(unique, start=1)
    )
