"""Anything that can change the schedule, at random and at once: the laws hold afterwards."""

import asyncio
import random
from collections import Counter

import pytest

from tests.integration.schedule import laws
from tests.integration.schedule.people import Backend, applied
from tests.integration.schedule.plans import places, standing, undo
from tests.integration.schedule.wild import Wild

ROUNDS, ACTS, WORKERS = 6, 6, 3
UNDONE = 4


async def _acts(one: Wild) -> None:
    for _ in range(ACTS):
        await one.act()


async def _undo_restores(one: Wild) -> int:
    """Applies and takes back, alone, until it was done some times; gives how often."""
    done = 0
    for _ in range(60):
        before = places(await standing(one.person))
        earlier = one.done.copy()
        await one.apply()
        if one.done == earlier:
            continue
        verdict = await undo(one.person)
        assert applied(verdict), verdict
        assert places(await standing(one.person)) == before
        done += 1
        if done == UNDONE:
            break
    return done


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_whatever_is_done_in_parallel_the_laws_of_a_schedule_hold(
    backend: Backend, seed: int
) -> None:
    wild = [Wild(backend.someone(), random.Random(seed * 10 + n)) for n in range(2)]
    for one in wild:
        await one.person.begin_semester()
        await one.settle()
    for _ in range(ROUNDS):
        await asyncio.gather(*(_acts(one) for one in wild for _ in range(WORKERS)))
        for one in wild:
            await laws.hold(one.person)
    restored = [await _undo_restores(one) for one in wild]
    assert all(restored)
    for one in wild:
        await laws.hold(one.person)
    done = sum((Counter(one.done) for one in wild), Counter[str]())
    assert {"import_timetable", "override", "reorder", "ADD", "PLACE", "MOVE"} <= done.keys(), done
