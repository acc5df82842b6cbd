"""The times that a text names, each with all that it may mean.

Day and time that stand together are one mention: 下周三（12月9日）晚上八点前. What speaks of one
moment has to agree; where 12月9日 is no Thursday, both days are options and the doubt says so.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from services.agent.domain import when_days_en, when_days_zh, when_edges, when_hours, when_times
from services.agent.domain.when import (
    DayReading,
    Days,
    Doubt,
    Edge,
    Looking,
    Mention,
    Option,
    Standpoint,
    TimeReading,
    Unit,
    days_of,
)
from services.agent.domain.when_forms import Found, found
from services.agent.domain.when_times import Said

_DAY_FORMS = (*when_days_zh.FORMS, *when_hours.FORMS, *when_days_en.FORMS)
_MASK = "▢"
_GLUE = re.compile(r"[\s,，的是在（(:：]*(?:(?:at|on|in|of|by)\s+)?(?:the\s+)?")
_SAME_DAY = re.compile(r"[\s,，（(的]*(?:即|也就是|就是)?")
_RANGE = re.compile(r"[）)]?\s*(?:到|至|[-~—–]+|to|through)\s*", re.IGNORECASE)
_CLOSING = re.compile(r"\s*[）)]")


@dataclass(frozen=True, slots=True)
class _Draft:
    """Tokens that stand together."""

    start: int
    end: int
    days: DayReading | None = None
    said: Said | None = None


def mentions(text: str, at: Standpoint, looking: Looking = Looking.AHEAD) -> tuple[Mention, ...]:
    """The times of a text, in its order."""
    by_day = list(found(_DAY_FORMS, text, at, looking))
    masked = _masked(text, by_day)
    by_time = found(when_times.FORMS, masked, at, looking)
    drafts = [_Draft(one.start, one.end, days=one.read) for one in by_day]
    drafts += [_Draft(one.start, one.end, said=one.read) for one in by_time]
    drafts.sort(key=lambda one: one.start)
    return tuple(_finished(draft, text, at, looking) for draft in _joined(drafts, text))


def _masked(text: str, tokens: Iterable[Found[DayReading]]) -> str:
    for one in tokens:
        text = text[: one.start] + _MASK * (one.end - one.start) + text[one.end :]
    return text


def _joined(drafts: list[_Draft], text: str) -> Iterator[_Draft]:
    """The tokens that speak of one time made one."""
    waiting: _Draft | None = None
    for draft in drafts:
        both = _together(waiting, draft, text) if waiting else None
        if waiting and both is None:
            yield waiting
        waiting = both or draft
    if waiting:
        yield waiting


def _together(one: _Draft, other: _Draft, text: str) -> _Draft | None:
    between = text[one.end : other.start]
    end = other.end
    if "（" in between or "(" in between:
        closing = _CLOSING.match(text, end)
        end = closing.end() if closing else end
    if one.days and other.days:
        days = _both_days(one, other, between)
        return _Draft(one.start, end, days, other.said) if days else None
    if one.said and other.said and _RANGE.fullmatch(between):
        said = _time_range(one.said, other.said)
        return _Draft(one.start, end, one.days, said) if said else None
    if not _GLUE.fullmatch(between):
        return None
    if one.said and other.said:
        said = _both_said(one.said, other.said)
        return _Draft(one.start, end, one.days, said) if said else None
    return _Draft(one.start, end, one.days or other.days, one.said or other.said)


def _both_days(one: _Draft, other: _Draft, between: str) -> DayReading | None:
    first, last = one.days, other.days
    assert first is not None
    assert last is not None
    if one.said is not None or not first.options or not last.options:
        return None
    if _RANGE.fullmatch(between):
        return _range(first, last)
    if not _SAME_DAY.fullmatch(between):
        return None
    if first.any_week and last.any_week:
        return None
    for named, dated in ((first, last), (last, first)):
        if named.any_week and any(
            _same_weekday(a, b) for a in named.options for b in dated.options
        ):
            return dated
    shared = [one for one in last.options if any(_holds(each, one) for each in first.options)]
    shared += [one for one in first.options if any(_holds(each, one) for each in last.options)]
    if shared:
        return DayReading(tuple(dict.fromkeys(shared)), last.unit)
    return DayReading((*first.options, *last.options), doubt=Doubt.DISAGREE)


def _holds(whole: Days, part: Days) -> bool:
    return whole.first <= part.first and part.last <= whole.last


def _same_weekday(named: Days, dated: Days) -> bool:
    """周三 beside a date further off than the next Wednesday."""
    return named.first == named.last and named.first.weekday() == dated.first.weekday()


def _range(first: DayReading, last: DayReading) -> DayReading | None:
    begins, ends = first.options[0].first, last.options[-1].last
    if ends < begins:
        ends += timedelta(days=7)
    if ends < begins:
        return None
    doubt = first.doubt if first.doubt is not Doubt.TODAY_OR_NEXT else None
    return DayReading((Days(begins, ends),), Unit.DAY, doubt)


def _both_said(one: Said, other: Said) -> Said | None:
    """A part of the day and an hour in it, whichever is said first."""
    part, hour = (one, other) if one.hour is None else (other, one)
    if part.hour is not None or part.sections or hour.sections or hour.hour is None or hour.part:
        return None
    return replace(hour, part=part.part, is_24=False)


def _time_range(one: Said, other: Said) -> Said | None:
    """5点半到6点: the first, until the other."""
    if one.hour is None or other.hour is None or one.until is not None:
        return None
    hours = when_times.hours(other)
    return replace(one, until=(hours[0], other.minute)) if hours and other.minute < 60 else None


def _finished(draft: _Draft, text: str, at: Standpoint, looking: Looking) -> Mention:
    days = draft.days or DayReading((days_of(at.today),))
    time = when_times.read(draft.said, at) if draft.said else TimeReading(())
    edges = when_edges.around(text, draft.start, draft.end)
    edge = edges.edge or days.edge or Edge.ON
    moved = _shifted(days, edges.days_before) if edges.days_before else days
    if moved.unit is Unit.WEEKEND and edge is Edge.BEFORE and not draft.said:
        moved, edge = _before_weekend(moved), Edge.BY
    doubt = moved.doubt or time.doubt
    options = _options(moved, time, timed=draft.said is not None)
    mention = Mention(
        start=edges.start,
        end=edges.end,
        options=options,
        unit=moved.unit,
        edge=edge,
        doubt=doubt,
        of_noun=edges.of_noun,
        part=draft.said.part if draft.said else "",
        sections=draft.said.sections if draft.said and not draft.said.part else None,
        is_strict=edges.is_strict,
        has_days=draft.days is not None,
        has_time=draft.said is not None,
        is_part_alone=draft.said is not None and draft.said.is_part_alone,
    )
    return _ahead(mention, at) if looking is Looking.AHEAD else mention


def _options(days: DayReading, time: TimeReading, *, timed: bool) -> tuple[Option, ...]:
    if not timed:
        return tuple(Option(one) for one in days.options)
    return tuple(Option(one, minutes) for one in days.options for minutes in time.options)


def _shifted(days: DayReading, before: int) -> DayReading:
    by = timedelta(days=before)
    return replace(days, options=tuple(days_of(one.first - by) for one in days.options))


def _before_weekend(days: DayReading) -> DayReading:
    """Before Saturday, or before it is over."""
    options = tuple(
        days_of(on) for one in days.options for on in (one.first - timedelta(days=1), one.last)
    )
    return DayReading(options, doubt=Doubt.TWO_READINGS)


_GONE_BY_CHOICE = frozenset({Doubt.HALF_OF_DAY, Doubt.TODAY_OR_NEXT, Doubt.TWO_READINGS})


def _ahead(mention: Mention, at: Standpoint) -> Mention:
    """Without the options that are over, where one is left."""
    left = tuple(one for one in mention.options if ends_at(one, at) > at.now)
    if len(left) == len(mention.options):
        return mention
    if left:
        sure = len(left) == 1 and mention.doubt in _GONE_BY_CHOICE
        return replace(mention, options=left, doubt=None if sure else mention.doubt)
    if mention.has_days:
        return replace(mention, options=(), doubt=Doubt.PAST)
    tomorrow = days_of(at.today + timedelta(days=1))
    later = tuple(replace(one, days=tomorrow) for one in mention.options)
    return replace(mention, options=later, doubt=Doubt.PAST)


def ends_at(option: Option, at: Standpoint) -> datetime:
    """When a reading is over."""
    if option.days.exact is not None:
        return option.days.exact
    if option.minutes is None:
        return at.instant(option.days.last, 1440)
    return at.instant(option.days.last, option.minutes[1])
