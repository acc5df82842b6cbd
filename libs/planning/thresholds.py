"""From when on something counts: every threshold of the health of a plan, in one table.

Spec: planning.md, Health.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """`gain_percent`: by how much a single move must lower the variance to be worth it.

    A day is an issue with more than `day_load` taken sections of 12 (other clocks in proportion),
    `switches` changes of category, `run` sections in a row, or `heavy_neighbours` pairs of
    demanding blocks without a free section between. A plan is tight with fewer than `loose_ways`
    legal moves and swaps for each task that may move at all.
    """

    gain_percent: int = 2
    day_load: int = 10
    switches: int = 4
    run: int = 6
    heavy_neighbours: int = 0
    loose_ways: int = 3
    candidates: int = 5


THRESHOLDS = Thresholds()
"""Those that hold."""
