"""Which of many places is best. Spec: active-scheduling.md, Candidates."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from libs.planning.grid import Grid, Place


class Rank(Protocol):
    """Anything with an order: a number, or a tuple of numbers."""

    def __lt__(self, other: Any, /) -> bool:
        """Whether this rank comes before the other."""


def best(
    places: Iterable[Place], k: int, *, key: Callable[[Place], Rank], grid: Grid | None = None
) -> tuple[Place, ...]:
    """The k different places with the lowest key, best first; equal keys: the earlier first.

    The order of the input decides nothing. Earlier is by the instants of `grid` where it is
    given, else by the place itself, which is the same inside one semester. Raises ValueError for
    a negative k.
    """
    if k < 0:
        raise ValueError("k must not be negative")
    in_order = sorted(set(places))
    if grid is not None:
        in_order.sort(key=grid.starts_at)
    return tuple(sorted(in_order, key=key)[:k])


def disturbance(grid: Grid, place: Place) -> int:
    """How many sections of the place's day are taken: the emptier day is disturbed less."""
    return grid.occupied_mask(*place.on_day).bit_count()
