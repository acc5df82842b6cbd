"""What the person prefers, as far as it is remembered: soft, it ranks places and forbids none.

Spec: active-scheduling.md, Context.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from libs.planning.grid import Place


class PreferenceSource(StrEnum):
    NONE = "none"
    MEMORY = "memory"
    TASK_CLASS = "task_class"


@dataclass(frozen=True, slots=True)
class Wish:
    """A time that suits, or one to be kept free; no days = any day, first 0 = any section."""

    suits: bool
    days: tuple[int, ...] = ()
    first: int = 0
    last: int = 0
    text: str = ""
    """As the person said it; empty where it was read off a class."""

    @property
    def speaks_of_time(self) -> bool:
        return bool(self.days or self.first)

    def weight(self, place: Place) -> int:
        """1 where the place lies wholly in a time that suits, -1 where it touches one to be
        kept free, else 0."""
        if self.days and place.day not in self.days:
            return 0
        if self.suits:
            inside = not self.first or (self.first <= place.first and place.last <= self.last)
            return 1 if inside else 0
        touches = not self.first or (self.first <= place.last and place.first <= self.last)
        return -1 if touches else 0

    def is_met(self, place: Place) -> bool:
        """Whether the place lies in what suits, or leaves free what is to be kept free."""
        return self.weight(place) == (1 if self.suits else 0)


@dataclass(frozen=True, slots=True)
class Preferences:
    """Wishes that speak of times, and everything that was recalled in the person's words."""

    source: PreferenceSource = PreferenceSource.NONE
    wishes: tuple[Wish, ...] = ()
    texts: tuple[str, ...] = ()
    unavailable: bool = False
    """They could not be asked for."""

    def weight(self, place: Place) -> int:
        """How well a place fits: the sum over all wishes."""
        return sum(wish.weight(place) for wish in self.wishes)

    def met(self, place: Place) -> int:
        """How many wishes a place fulfils: suits, or keeps free what is to be kept free."""
        return sum(wish.is_met(place) for wish in self.wishes)

    def judged(self, places: Sequence[Place]) -> tuple[tuple[Wish, ...], tuple[Wish, ...]]:
        """The wishes that all of the places fulfil, and the others."""
        kept = tuple(one for one in self.wishes if all(one.is_met(place) for place in places))
        return kept, tuple(one for one in self.wishes if one not in kept)

    def best(self, places: Sequence[Place]) -> tuple[Place, ...]:
        """The places that fit best; none where all of them fit alike and suit no wish."""
        weights = [self.weight(place) for place in places]
        most = max(weights, default=0)
        if most <= 0 and most == min(weights, default=0):
            return ()
        return tuple(p for p, weight in zip(places, weights, strict=True) if weight == most)


NOTHING = Preferences()
UNAVAILABLE = Preferences(unavailable=True)
