"""Measuring: closed loops, percentiles, rounds of product and floor by turns."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence

Side = Callable[[], Awaitable[float]]
"""Measures one side once and gives the figure."""


def percentile(samples: Sequence[float], share: float) -> float:
    """The value below which that share of the samples lies, by nearest rank."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


async def by_turns(*sides: Side, rounds: int) -> tuple[float, ...]:
    """The median of each side over rounds in which every side comes once.

    Every second round goes backwards, so that what drifts meets all sides alike.
    """
    found: list[list[float]] = [[] for _ in sides]
    for number in range(rounds):
        order = range(len(sides)) if number % 2 == 0 else range(len(sides) - 1, -1, -1)
        for place in order:
            found[place].append(await sides[place]())
    return tuple(statistics.median(one) for one in found)


async def per_second(
    call: Callable[[int], Awaitable[object]], *, in_flight: int, seconds: float, warm: float = 0.3
) -> float:
    """How often a second `call` ends, with so many workers calling it back to back.

    Calls that end in the first `warm` seconds do not count. `call` is handed its worker's number.
    """
    begins_at = time.perf_counter() + warm
    ends_at = begins_at + seconds
    done = 0

    async def work(number: int) -> None:
        nonlocal done
        while True:
            await call(number)
            now = time.perf_counter()
            if now >= ends_at:
                return
            if now >= begins_at:
                done += 1

    async with asyncio.TaskGroup() as group:
        for number in range(in_flight):
            group.create_task(work(number))
    return done / seconds


async def seconds_each(call: Callable[[], Awaitable[object]], count: int) -> list[float]:
    """How long each of so many calls takes, one after the other."""
    found = []
    for _ in range(count):
        began = time.perf_counter()
        await call()
        found.append(time.perf_counter() - began)
    return found
