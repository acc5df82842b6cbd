"""Masks of the sections of a day (bit 0 is section 1): where a run may start.

Spec: planning.md, Grid.
"""

from collections.abc import Iterator, Sequence

from libs.planning.order import AllowedRange


def runs(mask: int, parts: Sequence[int], length: int) -> int:
    """Mask of the sections from which `length` in a row are set, inside one of the parts."""
    starts = 0
    for part in parts:
        starts |= run_starts(mask & part, length)
    return starts


def run_starts(mask: int, length: int) -> int:
    """Mask of the sections from which `length` in a row are set."""
    run = mask
    for ahead in range(1, min(length, mask.bit_length() + 1)):
        run &= mask >> ahead
    return run


def bounded(starts: int, day: int, length: int, allowed: AllowedRange) -> int:
    """Those of the starts of runs of a length on a day that a range admits."""
    if allowed.after is not None:
        after = allowed.after.span
        if day < after.day:
            return 0
        if day == after.day:
            starts = starts >> after.last << after.last
    if allowed.before is not None:
        before = allowed.before.span
        if day > before.day:
            return 0
        if day == before.day:
            # The last start is the one whose run ends right before the neighbour.
            starts &= (1 << max(before.first - length, 0)) - 1
    return starts


def first_section(starts: int) -> int:
    """The lowest section of a mask that is not empty."""
    return (starts & -starts).bit_length()


def sections_of(mask: int) -> Iterator[int]:
    """The sections of a mask, ascending."""
    while mask:
        yield first_section(mask)
        mask &= mask - 1
