"""Runs of free sections, read off the masks of a planning state."""

from collections.abc import Iterator

from libs.planning.grid import mask_of
from libs.planning.order import Span
from libs.planning.state import PlanningState


def runs_of(mask: int) -> Iterator[tuple[int, int]]:
    """(first, last) of every longest run of set bits, ascending; bit 0 is section 1."""
    offset = 0
    while mask:
        gap = (mask & -mask).bit_length() - 1
        mask >>= gap
        length = (~mask & (mask + 1)).bit_length() - 1
        yield offset + gap + 1, offset + gap + length
        mask >>= length
        offset += gap + length


def free_runs(state: PlanningState, day: int) -> tuple[Span, ...]:
    """The longest free runs of a day; a day is continuous, lunch and dinner do not cut it."""
    return tuple(Span(day, *run) for run in runs_of(state.free_mask(day)))


def inside(span: Span, first: int, last: int) -> Span | None:
    """The part of a span that lies in sections first..last of its day."""
    low, high = max(span.first, first), min(span.last, last)
    return Span(span.day, low, high) if low <= high else None


def parts_of_a_day(state: PlanningState, *, exclude_breaks: bool) -> tuple[int, ...]:
    """Masks of the parts of a day that a block may not leave."""
    clock = state.window.clock
    if exclude_breaks:
        return tuple(mask_of(first, last) for first, last in clock.stretches)
    return (mask_of(1, clock.count),)
