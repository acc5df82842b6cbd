"""The rough build beside the best plan there is, and beside CP-SAT.

Items of equal length: the exact optimum, found by a min-cost flow of another make. Mixed lengths
and exclusions: what CP-SAT finds in a minute with two workers from a greedy plan, and the bound
that it proves. J hides most of what matters in a constant, so Σ |day − ideal| stands beside it.
Costs are sums over the seeds; times are of the thread alone.
"""

import asyncio
import gc
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.figures import Figure, Goal
from bench.plans import BEFORE, StudyPlan, equal_lengths, mixed_lengths
from libs.planning.rough_build import RoughPlan, rough_build

SIZES = (100, 300)
SEEDS, ALL_SEEDS = range(1, 4), range(1, 21)
ROUNDS = 5
CP_SECONDS = 60.0
_BOUND_MS = 150.0
_NOTHING = 10**9
"""What the other solver calls the cost of no solution."""

_ROOT = Path(__file__).resolve().parents[2]
_PEER = _ROOT / ".venv" / "peers" / "bin" / "python"


async def run() -> list[Figure]:
    """Seeds 1 to 3: about seven minutes, nearly all of them CP-SAT's."""
    return await _figures(SEEDS)


async def run_full() -> list[Figure]:
    """Seeds 1 to 20: about three quarters of an hour."""
    return await _figures(ALL_SEEDS)


async def _figures(seeds: Sequence[int]) -> list[Figure]:
    found: list[Figure] = []
    for size in SIZES:
        found += await _equal(size, seeds)
    for size in SIZES:
        found += await _mixed(size, seeds)
    return found


async def _equal(size: int, seeds: Sequence[int]) -> list[Figure]:
    """Cost, days away from the ideals, and time; beside the exact optimum's."""
    ours, theirs = _Sums(), _Sums()
    for seed in seeds:
        plan = equal_lengths(size, seed)
        for _ in range(ROUNDS):
            ours.add(plan, _built(plan))
        exact = await _asked(plan, "flow")
        theirs.ms.append(exact["ms"])
        theirs.cost += exact["cost"]
        theirs.away += exact["away"]
    name = f"rough_build_{size}"
    return [
        Figure(name, ours.cost / ROUNDS, theirs.cost, "J", Goal("≤", 1.0)),
        Figure(f"{name}_away", ours.away / ROUNDS, theirs.away, "days", Goal("≤", 1.05)),
        _time(f"{name}_ms", ours, theirs.ms),
    ]


async def _mixed(size: int, seeds: Sequence[int]) -> list[Figure]:
    """Cost beside that of CP-SAT and beside its bound, and time beside the minute.

    A plan for which CP-SAT finds nothing at all counts beside its bound alone.
    """
    ours, theirs, rivalled, bound = _Sums(), _Sums(), 0.0, 0.0
    for seed in seeds:
        plan = mixed_lengths(size, seed)
        for _ in range(ROUNDS):
            ours.add(plan, _built(plan))
        other = await _asked(plan, "cp")
        theirs.ms.append(other["ms"])
        bound += other["bound"]
        if other["cost"] < _NOTHING:
            theirs.cost += other["cost"]
            rivalled += plan.cost(_built(plan)[0])[0]
    if not theirs.cost:
        raise RuntimeError("CP-SAT found nothing for any plan")
    name = f"rough_build_mixed_{size}"
    return [
        Figure(name, rivalled, theirs.cost, "J", Goal("≤", 1.0)),
        # A solver that has proven nothing yet knows of J only that it is above nought.
        Figure(f"{name}_bound", ours.cost / ROUNDS, max(bound, 1.0), "J", Goal("≤", 1.02)),
        _time(f"{name}_ms", ours, theirs.ms),
    ]


class _Sums:
    """Costs summed over the plans, and the milliseconds of each."""

    def __init__(self) -> None:
        self.cost = 0.0
        self.away = 0.0
        self.ms: list[float] = []

    def add(self, plan: StudyPlan, built: tuple[RoughPlan, float]) -> None:
        """One rough build; raises ValueError for one that breaks a rule of the plan."""
        cost, away = plan.cost(built[0])
        self.cost += cost
        self.away += away
        self.ms.append(built[1])


def _built(plan: StudyPlan) -> tuple[RoughPlan, float]:
    """A rough build and its milliseconds, no garbage of others included."""
    classes, grid = plan.for_product()
    return _timed(lambda: rough_build(classes, grid, now=BEFORE))


def _timed(work: Callable[[], RoughPlan]) -> tuple[RoughPlan, float]:
    gc.collect()
    gc.freeze()
    began = time.thread_time()
    found = work()
    ms = (time.thread_time() - began) * 1000
    gc.unfreeze()
    return found, ms


async def _asked(plan: StudyPlan, method: str) -> dict[str, float]:
    """What the other solver says."""
    process = await asyncio.create_subprocess_exec(
        *(str(_PEER), "-P", str(_ROOT / "bench" / "floors" / "planner.py")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    asked = {"plan": plan.as_json(), "method": method, "seconds": CP_SECONDS}
    said, _ = await process.communicate(json.dumps(asked).encode())
    if process.returncode != 0:
        raise RuntimeError("the other solver failed")
    answer: dict[str, float] = json.loads(said)
    return answer


def _time(name: str, ours: _Sums, theirs: Sequence[float]) -> Figure:
    """The median of all builds, judged by itself."""
    return Figure(
        name,
        statistics.median(ours.ms),
        statistics.median(theirs),
        "ms",
        Goal("≤", _BOUND_MS, of="product"),
    )
