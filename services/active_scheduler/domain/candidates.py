"""Which of the places that have room are offered: the best of each family, and how good it is.

Source: spec active-scheduling.md, Candidates.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from libs.planning import ranking
from libs.planning.changes import Change
from libs.planning.grid import Place
from services.active_scheduler.domain.facts import Facts

MOST = 3

# Weights of the score; a larger number is better. One table, so that they can be weighed.
_DEADLINE_FIT = 40
_FULL_MARGIN = timedelta(hours=12)
_SOON = timedelta(minutes=20)
_TIGHT = timedelta(hours=2)
_RISK_SOON = 15
_RISK_TIGHT = 20
_PER_TAKEN_SECTION = 2
_PER_WISH = 12
_MOST_WISHES = 2


class Family(StrEnum):
    EARLIEST = "earliest"
    LAST_SAFE = "last_safe"
    BEST_MATCH = "best_match"
    LEAST_DISTURBANCE = "least_disturbance"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A checked place for the target, with the change that would put it there."""

    id: str
    family: Family
    changes: tuple[Change, ...]
    place: Place
    base: Mapping[str, str]
    score: int
    starts_soon: bool
    tight: bool


@dataclass(frozen=True, slots=True)
class Weighed:
    """The score of a place, the larger the better, and what is risky about it."""

    score: int
    starts_soon: bool
    tight: bool


def choose(facts: Facts, places: Sequence[Place]) -> tuple[tuple[Family, Place], ...]:
    """Up to three of the places, each the best one of its family, none overlapping another."""
    chosen: list[tuple[Family, Place]] = []
    for family, suitable, key in _families(facts, places):
        free = [place for place in suitable if not any(place.overlaps(p) for _, p in chosen)]
        chosen += [(family, place) for place in ranking.best(free, 1, key=key)]
    return tuple(chosen[:MOST])


def _families(
    facts: Facts, places: Sequence[Place]
) -> Iterator[tuple[Family, Sequence[Place], Callable[[Place], ranking.Rank]]]:
    """Each family with the places that its name is true of, and which of them it prefers."""

    def starts(place: Place) -> float:
        return facts.world.grid.starts_at(place).timestamp()

    def taken(place: Place) -> int:
        return ranking.disturbance(facts.world.grid, place)

    yield Family.EARLIEST, places, starts
    if facts.deadline_ahead is not None:
        safe = [place for place in places if not _is_tight(facts, place)]
        yield Family.LAST_SAFE, safe, lambda place: -starts(place)
    # Of the places that fit the wishes best, the earliest.
    yield Family.BEST_MATCH, facts.preferences.best(places), starts
    least = min(map(taken, places), default=0)
    calmest = [place for place in places if taken(place) == least]
    yield Family.LEAST_DISTURBANCE, calmest, starts


def weigh(facts: Facts, place: Place) -> Weighed:
    """How good a place is for the target, other changes aside."""
    starts_soon = facts.world.grid.starts_at(place) - facts.now < _SOON
    tight = _is_tight(facts, place)
    score = _score(facts, place, starts_soon=starts_soon, tight=tight)
    return Weighed(score, starts_soon, tight)


def _margin(facts: Facts, place: Place) -> timedelta | None:
    deadline = facts.deadline_ahead
    return None if deadline is None else deadline - facts.world.grid.ends_at(place)


def _is_tight(facts: Facts, place: Place) -> bool:
    margin = _margin(facts, place)
    return margin is not None and margin < _TIGHT


def _score(facts: Facts, place: Place, *, starts_soon: bool, tight: bool) -> int:
    """Deadline fit + preference − risk − disturbance. Every candidate here has one change."""
    margin = _margin(facts, place)
    fit = 1.0 if margin is None else min(margin / _FULL_MARGIN, 1.0)
    score = round(_DEADLINE_FIT * fit)
    wishes = facts.preferences.weight(place)
    score += _PER_WISH * min(max(wishes, -_MOST_WISHES), _MOST_WISHES)
    score -= _RISK_SOON if starts_soon else 0
    score -= _RISK_TIGHT if tight else 0
    return score - _PER_TAKEN_SECTION * ranking.disturbance(facts.world.grid, place)
