"""One scenario: students go about their day while parts break; then everything is asked for."""

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx2

from services.standalone import errors, home
from tests import audit
from tests.chaos import faults, stage
from tests.chaos.day import Day
from tests.chaos.scenarios import SCENARIOS, Weights
from tests.chaos.stage import REPLICAS, SERVERS, Stage
from tests.student import Student

HANDS = 2
"""Faults that may meet each other."""
STUDENTS = 5
TASKS_A_DAY = 3
PAUSE_SECONDS = (0.2, 2.5)
CALM_WITHIN_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done, what the students got done, and what is wrong."""

    scenario: str
    seed: int
    seconds: float
    faults: Counter[str]
    days: int
    done: Counter[str]
    wrong: tuple[str, ...]


@dataclass(slots=True)
class Crowd:
    """Students, one day after the other, until it is evening."""

    on: Stage
    seed: int
    days: list[Day] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    async def live(self, number: int, evening: asyncio.Event) -> None:
        """One after the other; whatever a student is not told in time is wrong."""
        chance = random.Random(self.seed * 1000 + number)
        while not evening.is_set():
            day = Day(Student(self.on.world.line), self.on.world, chance)
            self.days.append(day)
            try:
                await day.spend(TASKS_A_DAY)
            except Exception as error:  # noqa: BLE001  reported with everything else
                self.wrong.append(f"user {day.student.id}: {type(error).__name__}: {error}")


async def run(scenario: str, seed: int, seconds: float, say: Callable[[str], None]) -> Outcome:
    """Breaks things for so many seconds, mends them, and looks."""
    with home.temporary() as root:
        async with stage.built(root, say) as on:
            crowd = Crowd(on, seed)
            on.began = began = time.monotonic()
            evening = asyncio.Event()
            async with asyncio.TaskGroup() as group:
                for number in range(STUDENTS):
                    group.create_task(crowd.live(number, evening))
                async with asyncio.TaskGroup() as hands:
                    for number in range(HANDS):
                        chance = random.Random(seed * 10 + number)
                        weights = SCENARIOS[scenario]
                        hands.create_task(_break(on, weights, chance, seconds, crowd.wrong))
                on.note("evening: everything is mended")
                await _mend(on)
                evening.set()
            on.note("everybody has been answered")
            wrong = [*crowd.wrong, *await _wrong(on, crowd.days)]
            on.note("audited")
            if wrong:
                say(on.world.logged_errors())
    done = sum((day.done for day in crowd.days), Counter[str]())
    seconds = time.monotonic() - began
    return Outcome(scenario, seed, seconds, Counter(on.done), len(crowd.days), done, tuple(wrong))


async def _break(
    on: Stage, weights: Weights, chance: random.Random, seconds: float, wrong: list[str]
) -> None:
    kinds = list(weights)
    while time.monotonic() < on.began + seconds:
        await asyncio.sleep(chance.uniform(*PAUSE_SECONDS))
        fault = chance.choices(kinds, weights=list(weights.values()))[0]
        try:
            await fault(on, random.Random(chance.random()))
        except errors.StandaloneError as error:
            wrong.append(f"after {fault.__name__}: {error}")
        on.done[fault.__name__] += 1


async def _mend(on: Stage) -> None:
    """Everything runs, and Feishu is honest."""
    for name in (*SERVERS, *REPLICAS):
        for index in range(REPLICAS.get(name, 1)):
            on.suite.send(name, signal.SIGCONT, index)
    await asyncio.gather(*(on.suite.start(name) for name in SERVERS))
    await asyncio.gather(*(on.suite.start(name) for name in REPLICAS))
    await faults.honest(on)


async def _wrong(on: Stage, days: list[Day]) -> list[str]:
    """What is not as it was answered, or not as the audit wants it."""
    found: list[str] = []
    for check in (
        partial(on.world.quiet, within=CALM_WITHIN_SECONDS),
        partial(audit.clean, on.world.dsns(), within=CALM_WITHIN_SECONDS),
    ):
        try:
            await check()
        except AssertionError as error:
            found += str(error).splitlines()
    for day in days:
        found += await day.problems()
    return found + await _doubled(on)


async def _doubled(on: Stage) -> list[str]:
    """Messages that came twice, beyond the marked repeats of unknown ones."""
    repeats = await on.world.fetch(
        "notification", "SELECT count(*) FROM notification_records WHERE repeats > 0"
    )
    async with httpx2.AsyncClient(trust_env=False, timeout=30) as client:
        url = f"{on.suite.feishu_url}/standin/messages"
        answer = await client.get(url, params={"verdict": "accepted"})
    return [
        f"{one.rule}: {one.found}"
        for one in audit.doubled_messages(
            [_about_previews(message) for message in answer.json()["messages"]],
            unknown=repeats[0]["count"],
        )
    ]


def _about_previews(message: dict[str, Any]) -> dict[str, Any]:
    """The message with the links to single previews alone; the list of all comes many times."""
    links = [link for link in message["links"] if "/previews/asp_" in link["url"]]
    return {**message, "links": links}
