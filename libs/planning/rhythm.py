"""How the days of a plan feel: changes of category, runs, demanding blocks side by side.

Spec: planning.md, Health (analyze_health, rhythm).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from libs.planning.state import DayView, Entry, Intensity, PlanningState
from libs.planning.thresholds import THRESHOLDS


@dataclass(frozen=True, slots=True)
class DayRhythm:
    """One day: taken sections, changes of category from block to block, the longest run of taken

    sections, and pairs of demanding blocks without a free section between. A host with a guest is
    the guest's time.
    """

    day: int
    load: int
    switches: int
    longest_run: int
    heavy_neighbours: int

    def excess(self, sections: int) -> int:
        """By how much it is over the thresholds, all taken together; `sections` is a whole day."""
        return (
            max(self.load - day_limit(sections), 0)
            + max(self.switches - THRESHOLDS.switches, 0)
            + max(self.longest_run - THRESHOLDS.run, 0)
            + max(self.heavy_neighbours - THRESHOLDS.heavy_neighbours, 0)
        )


def day_limit(sections: int) -> int:
    """How many taken sections of a day are still well, on a clock of so many."""
    return THRESHOLDS.day_load * sections // 12


# Most states that are looked at share most of their days.
@lru_cache(maxsize=1024)
def rhythm_of(number: int, view: DayView) -> DayRhythm:
    """The rhythm of one day."""
    blocks = _felt(view.entries)
    return DayRhythm(
        day=number,
        load=view.load,
        switches=sum(1 for a, b in pairwise(blocks) if a.task.category != b.task.category),
        longest_run=_longest(view.occupied),
        heavy_neighbours=sum(1 for a, b in pairwise(blocks) if _are_heavy(a, b)),
    )


def rhythm(state: PlanningState) -> tuple[DayRhythm, ...]:
    """The days from today on that have anything in them."""
    return tuple(
        rhythm_of(number, state.day(number))
        for number in range(state.window.first_open_day, state.window.total_days + 1)
        if state.day(number).occupied
    )


def _felt(entries: Sequence[Entry]) -> list[Entry]:
    """The blocks as they are lived through: a host that has a guest in this block is left out."""
    guests = [entry for entry in entries if entry.task.embed_host is not None]
    return [
        entry
        for entry in entries
        if not any(
            guest.task.embed_host == entry.task.state_id
            and entry.span.first <= guest.span.first <= entry.span.last
            for guest in guests
        )
    ]


def _are_heavy(one: Entry, other: Entry) -> bool:
    high = Intensity.HIGH
    return (
        one.task.cognitive_intensity is high
        and other.task.cognitive_intensity is high
        and other.span.first <= one.span.last + 1
    )


def _longest(mask: int) -> int:
    length = 0
    while mask:
        mask &= mask >> 1
        length += 1
    return length
