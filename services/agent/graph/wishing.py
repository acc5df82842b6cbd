"""What words wish for, as the scope of a plan: what they say plainly counts, whoever plans."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, TypeVar

from services.agent.domain import wish_reading
from services.agent.domain.known import ClassBrief
from services.agent.domain.run import Note
from services.agent.domain.scope import Scope
from services.agent.domain.when import Standpoint
from services.agent.domain.wish import Wish

T = TypeVar("T", bound=Any)


def read(note: Note, at: Standpoint, classes: Sequence[ClassBrief], before: Scope) -> Wish:
    """The wish of some words with the answers to its questions so far; reading is exact."""
    found = wish_reading.read(note.words, at, classes, recent=before.class_ids)
    for choice, said in note.answers:
        found = wish_reading.answered(found, choice, said, at, classes)
    return found


def scope_of(wish: Wish, before: Scope) -> Scope:
    """The scope of a wish; what was to stay free before stays so, the newest dates count."""
    dates = _dates(wish) or before.period
    first, last = dates or (None, None)
    limits = tuple((one.day, one.first, one.last) for one in wish.excluded_limits)
    scope = Scope(
        class_ids=wish.class_ids,
        first=first,
        last=last,
        excluded_days=_both(before.excluded_days, wish.excluded_days),
        excluded_pairs=_both(before.excluded_pairs, wish.excluded_pairs),
        excluded_sections=_both(before.excluded_sections, wish.excluded_sections),
        excluded_limits=_both(before.excluded_limits, limits),
        excluded_dates=_both(before.excluded_dates, wish.excluded_dates),
    )
    return replace(scope, excluded_days=_days(scope.excluded_days, wish.excluded_days))


def _dates(wish: Wish) -> tuple[date, date] | None:
    if wish.first_day is None or wish.last_day is None:
        return None
    return wish.first_day, wish.last_day


def _days(days: tuple[int, ...], newest: tuple[int, ...]) -> tuple[int, ...]:
    """The weekdays that stay free; where no day would be left, the newest ones alone."""
    if len(days) < 7:
        return days
    return newest if len(newest) < 7 else ()


def _both(before: tuple[T, ...], now: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(sorted({*before, *now}))
