"""The thread as a person waits for it: trigger → message, confirm → applied.

All services run as processes, without a model, with the Feishu stand-in, whose clock at the
moment of acceptance is this machine's. One student after the other, each of them new.
"""

import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime

import httpx2

from bench import parts, people, timing
from bench.clients import line_to
from bench.figures import Figure, Goal
from bench.floors.echo import PAYLOAD
from bench.floors.hops import Hops
from bench.floors.transaction import Applies
from bench.people import Student
from services.standalone.suite import Suite

MESSAGES, CONFIRMS = 200, 100
TURNS = 5
HOPS = 3
_WARM = 5
_SERVICES = ("schedule", "active_scheduler", "notification")
_PATIENCE_MS = 20_000

Timed = Callable[[], Awaitable[float]]
"""Does something once and gives the seconds it took."""


async def message() -> list[Figure]:
    """Two figures: the median and the 99th of a hundred."""
    async with _students(MESSAGES + _WARM) as (suite, students, feishu):
        left = iter(students)

        async def tell() -> float:
            return await _told(next(left), feishu)

        async with Hops(await parts.floor_database(suite), suite.nats_admin) as hops:

            async def three() -> float:
                return sum(await timing.seconds_each(hops.one, HOPS))

            product, floor = await _by_turns(tell, three, MESSAGES)
    return [
        _figure("message_p50", 0.5, product, floor, Goal("≤", 8)),
        _figure("message_p99", 0.99, product, floor, Goal("≤", 20)),
    ]


async def confirm() -> list[Figure]:
    """One figure: the median."""
    async with _students(CONFIRMS + _WARM) as (suite, students, feishu), parts.echo() as echo:
        for student in students:
            await _told(student, feishu)
        previews = [(student, await student.preview()) for student in students]
        left = iter(previews)
        applies = Applies()
        await applies.open(await parts.floor_database(suite), 1)

        async def applied() -> float:
            student, preview = next(left)
            began = time.perf_counter()
            await student.confirm(preview)
            return time.perf_counter() - began

        async def least() -> float:
            began = time.perf_counter()
            await echo(PAYLOAD)
            for _ in range(2):
                await applies.apply(0)
            return time.perf_counter() - began

        try:
            product, floor = await _by_turns(applied, least, CONFIRMS)
        finally:
            await applies.close()
    return [_figure("confirm", 0.5, product, floor, Goal("≤", 3))]


@asynccontextmanager
async def _students(
    count: int,
) -> AsyncIterator[tuple[Suite, list[Student], httpx2.AsyncClient]]:
    """A suite with so many new students, and the stand-in's controls."""
    async with parts.suite_of(_SERVICES, feishu=True) as suite, line_to(suite) as line:
        students = [await people.student(suite, line) for _ in range(count)]
        async with httpx2.AsyncClient(
            base_url=suite.feishu_url, trust_env=False, timeout=_PATIENCE_MS / 1000 + 5
        ) as feishu:
            yield suite, students, feishu


async def _told(student: Student, feishu: httpx2.AsyncClient) -> float:
    """Seconds from the call that triggers to the moment at which the stand-in accepted."""
    began = time.time()
    await student.trigger()
    answer = await feishu.get(
        "/standin/messages",
        params={"token": str(student.id), "count": "1", "wait_ms": str(_PATIENCE_MS)},
    )
    received = answer.json()["messages"]
    if not received or received[0]["verdict"] != "accepted":
        raise RuntimeError(f"no message was accepted: {received}")
    return datetime.fromisoformat(received[0]["received_at"]).timestamp() - began


async def _by_turns(product: Timed, floor: Timed, count: int) -> tuple[list[float], list[float]]:
    """Samples of both sides, a stretch of each after the other."""
    found: tuple[list[float], list[float]] = ([], [])
    for _ in range(_WARM):
        await product()
        await floor()
    for _ in range(TURNS):
        for side, samples in zip((product, floor), found, strict=True):
            samples += [await side() for _ in range(count // TURNS)]
    return found


def _figure(
    name: str, share: float, product: list[float], floor: list[float], goal: Goal
) -> Figure:
    found, least = (timing.percentile(side, share) * 1000 for side in (product, floor))
    return Figure(name, found, least, "ms", goal)
