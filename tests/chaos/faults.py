"""What can be done to a suite from outside. Each fault lasts a while and mends itself.

Each takes the stage and its own source of chance, so that a seed gives the same choices again.
"""

import asyncio
import random
import shutil
import signal
import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import asyncpg
import httpx2

from tests.chaos.stage import REPLICAS, Stage

Fault = Callable[[Stage, random.Random], Awaitable[None]]

FEISHU: tuple[Mapping[str, Any], ...] = (
    {"code": 11232, "times": 3},
    {"code": 19021},
    {"http": 500, "times": 2},
    {"http": 429, "headers": {"x-ogw-ratelimit-reset": "1"}},
    {"reset": True, "times": 2},
    {"delay_ms": 1200, "times": 2},
    {"delay_ms": 2500},
    {"body": "<html>bad gateway</html>"},
    {"body": "{}"},
    {"accept_then_drop": True},
)


MODEL: tuple[Mapping[str, Any], ...] = (
    {"pick": 2},
    {"merge": {"selected_id": "nobody's"}, "times": 2},
    {"content": "我来安排：周三第 99 节。"},
    {"wrap": ["think", "fence"]},
    {"choices": "empty"},
    {"http": 429, "headers": {"retry-after": "9"}},
    {"http": 500, "times": 2},
    {"html": True},
    {"delay_ms": 9000},
    {"reset": True},
    {"endless": True},
)


def _replica(chance: random.Random) -> tuple[str, int]:
    service = chance.choice(sorted(REPLICAS))
    return service, chance.randrange(REPLICAS[service])


def _name(service: str, index: int) -> str:
    return f"{service}-{index}" if index else service


async def kill(stage: Stage, chance: random.Random) -> None:
    """kill -9 of one replica; the supervisor starts it again."""
    service, index = _replica(chance)
    async with stage.alone_with(_name(service, index)):
        stage.note(f"kill -9 {_name(service, index)}")
        await stage.suite.kill(service, index)
        await stage.suite.start(service, index)


async def kill_all(stage: Stage, chance: random.Random) -> None:
    """kill -9 of every replica of a service at once."""
    service = chance.choice(sorted(REPLICAS))
    stage.note(f"kill -9 every {service}")
    await asyncio.gather(*(_killed(stage, service, n) for n in range(REPLICAS[service])))


async def _killed(stage: Stage, service: str, index: int) -> None:
    async with stage.alone_with(_name(service, index)):
        await stage.suite.kill(service, index, restart=False)
        await stage.suite.start(service, index)


async def restart(stage: Stage, chance: random.Random) -> None:
    """SIGTERM, a while of absence, start."""
    service, index = _replica(chance)
    seconds = chance.uniform(0, 2)
    async with stage.alone_with(_name(service, index)):
        stage.note(f"restart {_name(service, index)} after {seconds:.1f} s")
        await stage.suite.stop(service, index)
        await asyncio.sleep(seconds)
        await stage.suite.start(service, index)


async def freeze(stage: Stage, chance: random.Random) -> None:
    """SIGSTOP for longer or shorter than its leases."""
    service, index = _replica(chance)
    await _frozen(stage, service, index, chance.choice((0.5, 2.0, 6.0)))


async def freeze_broker(stage: Stage, chance: random.Random) -> None:
    """The broker says nothing for a while."""
    await _frozen(stage, "nats", 0, chance.choice((0.3, 1.0, 4.0)))


async def _frozen(stage: Stage, name: str, index: int, seconds: float) -> None:
    async with stage.alone_with(_name(name, index)):
        stage.note(f"freeze {_name(name, index)} for {seconds:.1f} s")
        stage.suite.send(name, signal.SIGSTOP, index)
        try:
            await asyncio.sleep(seconds)
        finally:
            stage.suite.send(name, signal.SIGCONT, index)


async def stop_broker(stage: Stage, chance: random.Random) -> None:
    """The broker is stopped, or killed, and stays away."""
    await _away(stage, "nats", kills=chance.random() < 0.5, seconds=chance.uniform(0, 5))


async def stop_database(stage: Stage, chance: random.Random) -> None:
    """The same of the server with every database."""
    await _away(stage, "postgres", kills=chance.random() < 0.3, seconds=chance.uniform(0, 4))


async def _away(stage: Stage, name: str, *, kills: bool, seconds: float) -> None:
    async with stage.alone_with(name):
        stage.note(f"{'kill -9' if kills else 'stop'} {name} for {seconds:.1f} s")
        if kills:
            await stage.suite.kill(name, restart=False)
        else:
            await stage.suite.stop(name)
        await asyncio.sleep(seconds)
        await stage.suite.start(name)


async def close_database(stage: Stage, chance: random.Random) -> None:
    """One service's database ends its connections and takes no new ones."""
    service = chance.choice(("schedule", "active_scheduler", "notification"))
    seconds = chance.uniform(0.5, 4)
    async with stage.alone_with("postgres"):
        stage.note(f"close the database of {service} for {seconds:.1f} s")
        admin = await asyncpg.connect(stage.suite.postgres_admin)
        try:
            await admin.execute(f"ALTER DATABASE {service} ALLOW_CONNECTIONS false")
            await admin.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1",
                service,
            )
            await asyncio.sleep(seconds)
        finally:
            await admin.execute(f"ALTER DATABASE {service} ALLOW_CONNECTIONS true")
            await admin.close()


async def lose_tail(stage: Stage, chance: random.Random) -> None:
    """The broker comes back with what its streams held a while ago."""
    seconds = chance.uniform(0.5, 3)
    store = stage.suite.home.nats_store
    async with stage.alone_with("nats"):
        stage.note(f"lose what the streams take in {seconds:.1f} s")
        kept = Path(tempfile.mkdtemp(prefix="smartmate-chaos-")) / "kept"
        try:
            await stage.suite.stop("nats")
            await asyncio.to_thread(shutil.copytree, store, kept)
            await stage.suite.start("nats")
            await asyncio.sleep(seconds)
            await stage.suite.kill("nats", restart=False)
            await asyncio.to_thread(shutil.rmtree, store)
            await asyncio.to_thread(shutil.copytree, kept, store)
            await stage.suite.start("nats")
        finally:
            await asyncio.to_thread(shutil.rmtree, kept.parent)


async def feishu(stage: Stage, chance: random.Random) -> None:
    """The next messages of anybody meet something else than an honest answer."""
    fault = chance.choice(FEISHU)
    stage.note(f"Feishu: {fault}")
    await _ask(stage.suite.feishu_url, "POST", "script", {"token": "", "faults": [fault]})


async def model(stage: Stage, chance: random.Random) -> None:
    """The model says something else next time, or says it late."""
    step = chance.choice(MODEL)
    stage.note(f"model: {step}")
    await _ask(stage.suite.llm_url, "POST", "script", {"steps": [step]})


async def honest(stage: Stage) -> None:
    """Both stand-ins behave again."""
    for url in (stage.suite.feishu_url, stage.suite.llm_url):
        await _ask(url, "DELETE", "script")


async def _ask(url: str, method: str, what: str, body: Mapping[str, Any] | None = None) -> None:
    async with httpx2.AsyncClient(trust_env=False) as client:
        answer = await client.request(method, f"{url}/standin/{what}", json=body)
        answer.raise_for_status()
