"""Which block a person's words mean, by rules.

Spec: active-scheduling.md, Triggers (unfinished_feedback); agent.md, chat (LocateFeedback). Every
sign in the words narrows the blocks: a title, a day, a part of it, sections, 刚才, 下一个. What was
not finished has begun; what is to be put off is not over. Several left are a question.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from services.agent.domain import locate_words, quick_match, spoken, when_reading
from services.agent.domain.day_words import PERIODS
from services.agent.domain.locate_words import Complaint, Order, Relative
from services.agent.domain.when import Looking, Mention, Standpoint

_NEAR_MINUTES = 10


@dataclass(frozen=True, slots=True)
class NearBlock:
    """A block of work that words may mean; `class_name` is empty where it has none."""

    id: int
    title: str
    starts_at: datetime
    ends_at: datetime
    first: int
    last: int
    class_name: str = ""

    def runs(self, now: datetime) -> bool:
        return self.starts_at <= now < self.ends_at


Blocks = tuple[NearBlock, ...]


@dataclass(frozen=True, slots=True)
class Located:
    """The blocks that fit, in order of time: one is meant, of several one is, of none nothing can
    be said. `reason` is the code of what decided."""

    ids: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Pointed:
    """The blocks that fit, as they are answered.

    `reason` says why rules answered, empty where the model did; `model` is the one that was asked,
    empty where none was.
    """

    ids: tuple[int, ...]
    reason: str = ""
    model: str = ""
    fallback_used: bool = False


def by_rules(words: str, blocks: Sequence[NearBlock], at: Standpoint) -> Located:
    """What the words mean, as far as rules can tell."""
    known = tuple(sorted(blocks, key=lambda one: (one.starts_at, one.id)))
    if not known:
        return Located((), "nothing_around")
    words = words[: spoken.LONGEST]
    mentions = when_reading.mentions(words, at, Looking.BACK)
    named = _named(words, mentions, known)
    if named is None:
        return Located((), "name_unknown")
    timed = _timed(named, mentions, at)
    if not timed:
        # What was named is there, not at that time: it is asked for.
        return Located(_ids(named) if named != known else (), "time_unknown")
    said = locate_words.read(words)
    close = _related(timed, said.relative, at.now)
    if not close:
        return Located(_ids(timed) if timed != known else (), "relation_unknown")
    left = _in_tense(close, said.complaint, at.now)
    if said.complaint is Complaint.EXHAUSTED or any(one.has_time for one in mentions):
        left = _today_first(left, mentions, at)
    left = _ordered(left, said.order)
    if len(left) == 1:
        return Located(_ids(left), "one_fits")
    return Located(_ids(left) if left != known else (), "several_fit")


def _ids(blocks: Iterable[NearBlock]) -> tuple[int, ...]:
    return tuple(one.id for one in blocks)


def _named(words: str, mentions: tuple[Mention, ...], blocks: Blocks) -> Blocks | None:
    """Those whose title is named, all where none is; None where another one is named."""
    names = locate_words.names(words, mentions)
    found = quick_match.matched(" ".join(names.said), blocks, _names_of)
    if found:
        return found
    parts = {
        block
        for one in names.said
        for block in quick_match.matched(one, blocks, _names_of)
        if quick_match.coverage(one, *_names_of(block)) >= 1
    }
    if parts:
        return tuple(block for block in blocks if block in parts)
    return None if names.is_sure else blocks


def _names_of(block: NearBlock) -> tuple[str, str]:
    return block.title, block.class_name


def _timed(blocks: Blocks, mentions: tuple[Mention, ...], at: Standpoint) -> Blocks:
    for mention in mentions:
        if mention.options:
            blocks = tuple(one for one in blocks if _is_at(one, mention, at))
    return blocks


def _is_at(block: NearBlock, mention: Mention, at: Standpoint) -> bool:
    on = block.starts_at.astimezone(at.zone).date()
    if mention.has_days and not any(
        option.days.first <= on <= option.days.last for option in mention.options
    ):
        return False
    if mention.sections is not None:
        first, last = mention.sections
        return block.first <= last and first <= block.last
    if mention.is_part_alone:
        return _starts_in(block, mention.part, at)
    return not mention.has_time or any(
        _runs_at(block, option.minutes, at) for option in mention.options if option.minutes
    )


def _starts_in(block: NearBlock, part: str, at: Standpoint) -> bool:
    first, last = PERIODS.get(part) or next(
        (bounds for word, bounds in PERIODS.items() if part in word), (0, 1440)
    )
    return first <= _minute(block.starts_at, at) < last


def _runs_at(block: NearBlock, minutes: tuple[int, int], at: Standpoint) -> bool:
    begins = _minute(block.starts_at, at)
    ends = begins + int((block.ends_at - block.starts_at).total_seconds() // 60)
    return begins - _NEAR_MINUTES <= minutes[1] and minutes[0] < ends


def _minute(instant: datetime, at: Standpoint) -> int:
    local = instant.astimezone(at.zone)
    return local.hour * 60 + local.minute


def _related(blocks: Blocks, relative: Relative | None, now: datetime) -> Blocks:
    """Those that lie to now as was said."""
    if relative is None:
        return blocks
    if relative is Relative.LAST:
        begun = [one for one in blocks if one.starts_at <= now]
        return _all_at(begun, max, lambda one: one.starts_at)
    if relative is Relative.NEXT:
        ahead = [one for one in blocks if one.starts_at > now]
        return _all_at(ahead, min, lambda one: one.starts_at)
    running = tuple(one for one in blocks if one.runs(now))
    return running or (blocks if relative is Relative.THIS else ())


def _all_at(
    blocks: list[NearBlock],
    chosen: Callable[..., NearBlock],
    key: Callable[[NearBlock], datetime],
) -> Blocks:
    """The first or last, and what begins with it."""
    if not blocks:
        return ()
    instant = key(chosen(blocks, key=key))
    return tuple(one for one in blocks if key(one) == instant)


def _in_tense(blocks: Blocks, complaint: Complaint | None, now: datetime) -> Blocks:
    """What was not finished has begun, what is put off is not over; all where none is so."""
    if complaint is Complaint.UNFINISHED:
        return tuple(one for one in blocks if one.starts_at <= now) or blocks
    if complaint in (Complaint.DELAY, Complaint.EXHAUSTED):
        return tuple(one for one in blocks if one.ends_at > now) or blocks
    return blocks


def _today_first(blocks: Blocks, mentions: tuple[Mention, ...], at: Standpoint) -> Blocks:
    """Where no day was named, what lies on this one."""
    if any(one.has_days for one in mentions):
        return blocks
    today = tuple(one for one in blocks if one.starts_at.astimezone(at.zone).date() == at.today)
    return today or blocks


def _ordered(blocks: Blocks, order: Order | None) -> Blocks:
    """第二个, 最后一个 of those that are left."""
    if order is None or not blocks:
        return blocks
    if order.number == -1:
        return blocks[-1:]
    return blocks[order.number - 1 : order.number] or blocks
