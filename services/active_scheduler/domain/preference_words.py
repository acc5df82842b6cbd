"""What the person prefers, or a class keeps free, told of the places of a proposal.

Spec: active-scheduling.md, Context (preferences), Candidates; seed 001, 13.8: a preference that is
not met is named.
"""

from services.active_scheduler.domain.case import Case
from services.active_scheduler.domain.options import Option, OptionType
from services.active_scheduler.domain.preferences import Wish
from services.active_scheduler.domain.text import Text, section_words, weekday_words

_LENGTH = 40


def named(wish: Wish) -> Text:
    """A wish as a phrase: in the person's own words where there are any."""
    if wish.text:
        said = wish.text if len(wish.text) <= _LENGTH else wish.text[: _LENGTH - 1] + "…"
        return Text(f"「{said}」", f"“{said}”")
    days = [weekday_words(day) for day in wish.days]
    when = [Text("、".join(day.zh for day in days), "on " + ", ".join(day.en for day in days))]
    if wish.first:
        hours = section_words(wish.first, wish.last)
        when = [*(when if days else []), Text(hours.zh, f"in {hours.en}")]
    zh, en = " ".join(one.zh for one in when), " ".join(one.en for one in when)
    return Text(f"{zh}合适", f"{en} suits") if wish.suits else Text(f"{zh}不排", f"nothing {en}")


def kept(case: Case, option: Option) -> tuple[Text, ...]:
    """The wishes that the places of a proposal respect."""
    return tuple(named(wish) for wish in _judged(case, option)[0])


def broken(case: Case, option: Option) -> tuple[Text, ...]:
    """The wishes that they do not."""
    return tuple(named(wish) for wish in _judged(case, option)[1])


def _judged(case: Case, option: Option) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
    if option.type is OptionType.DROP:
        return (), ()
    places = (*option.work, *(one.to for one in option.moved))
    return case.facts.preferences.judged(places)
