"""Idle memory and start of the whole suite, as `smartmate up` runs it; beside a skeleton.

The skeleton starts the same PostgreSQL and NATS on the same data, and services that import the
same packages and do nothing.
"""

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from bench.figures import Figure, Goal
from services.standalone import environment, home, measure, ports, probe
from services.standalone.settings import SERVICES

IDLE_SECONDS = 30
STARTS = 5
SUITE_MIB = 450
_READY_WITHIN = 120.0
_END_WITHIN = 30.0
_LOOK_AGAIN_SECONDS = 0.01
_PROC = Path("/proc")


async def memory() -> list[Figure]:
    """A figure for each service, and one for the suite."""
    with home.temporary() as root:
        place = _Place(root)
        with place.product() as process:
            await place.ready()
            await asyncio.sleep(IDLE_SECONDS)
            product = _mib(process.pid)
            plan = place.write_plan(process.pid)
        with place.skeleton(plan) as process:
            await place.ready()
            await asyncio.sleep(IDLE_SECONDS)
            floor = _mib(process.pid)
    return [
        Figure(f"memory_{name}", product[name], floor[name], "MiB", Goal("≤", 1.2))
        for name in SERVICES
    ] + [
        Figure(
            "memory_suite",
            sum(product.values()),
            sum(floor.values()),
            "MiB",
            Goal("≤", SUITE_MIB, of="product"),
        )
    ]


async def start() -> list[Figure]:
    """One figure: the median of second starts, from exec to the gateway's readiness."""
    with home.temporary() as root:
        place = _Place(root)
        with place.product() as process:
            await place.ready()
            plan = place.write_plan(process.pid)
        product, floor = [], []
        for _ in range(STARTS):
            with place.product():
                product.append(await place.ready())
            with place.skeleton(plan):
                floor.append(await place.ready())
    found, least = statistics.median(product), statistics.median(floor)
    return [Figure("start", found, least, "s", Goal("≤", 2))]


@dataclass(slots=True)
class _Place:
    """A data directory, and the address at which the gateway of either side answers."""

    root: Path
    address: str = ""
    _began: float = 0.0

    def __post_init__(self) -> None:
        self.address = f"127.0.0.1:{ports.Ports(self.root / 'bench-ports.json').claim('gateway')}"

    def product(self) -> AbstractContextManager[subprocess.Popen[bytes]]:
        return self._run("services.standalone", "up", "--listen", self.address)

    def skeleton(self, plan: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
        return self._run("bench.floors.skeleton", str(plan))

    @contextmanager
    def _run(self, *module: str) -> Iterator[subprocess.Popen[bytes]]:
        told = environment.system(os.environ) | {"SMARTMATE_HOME": str(self.root)}
        self._began = time.perf_counter()
        process = subprocess.Popen(
            (sys.executable, "-P", "-m", *module),
            env=told,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(_END_WITHIN)

    async def ready(self) -> float:
        """Seconds since exec, once the gateway says that it is ready."""
        ask = probe.http_ok(self.address)
        while not await ask():
            if (waited := time.perf_counter() - self._began) > _READY_WITHIN:
                raise TimeoutError(f"not ready after {waited:.0f} s")
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        return time.perf_counter() - self._began

    def write_plan(self, product: int) -> Path:
        """The plan of the skeleton, read off the product as it runs."""
        found = _processes(product)
        account = home.unprivileged_account()
        told = {name: _environment(found[name]) for name in SERVICES}
        plan = {
            "servers": [
                {
                    "command": _command(found["postgres"]),
                    "port": urlsplit(told["schedule"]["SMARTMATE_DATABASE_URL"]).port,
                    "user": account.name if account else None,
                },
                {
                    "command": _command(found["nats"]),
                    "port": urlsplit(told["schedule"]["SMARTMATE_NATS_URL"]).port,
                    "user": None,
                },
            ],
            "services": told,
        }
        path = self.root / "skeleton.json"
        path.write_text(json.dumps(plan))
        path.chmod(0o600)
        return path


def _mib(root: int) -> dict[str, float]:
    """MiB by name of all that runs under a supervisor, which counts too."""
    return measure.by_name(_processes(root)) | {"supervisor": _alone(root)}


def _alone(pid: int) -> float:
    rollup = (_PROC / str(pid) / "smaps_rollup").read_text()
    return measure.pss_in(rollup) / 1024


def _processes(root: int) -> dict[str, int]:
    """Name to pid of the supervisor's children."""
    found = {}
    for entry in _PROC.iterdir():
        if entry.name.isdigit() and _parent(entry) == root:
            found[_name(_command(int(entry.name)))] = int(entry.name)
    return found


def _parent(entry: Path) -> int:
    try:
        return measure.parent_in((entry / "stat").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _command(pid: int) -> list[str]:
    return (_PROC / str(pid) / "cmdline").read_text().rstrip("\0").split("\0")


def _environment(pid: int) -> dict[str, str]:
    entries = (_PROC / str(pid) / "environ").read_text().rstrip("\0").split("\0")
    return {name: value for name, _, value in (entry.partition("=") for entry in entries)}


def _name(command: list[str]) -> str:
    """How a child is called: by its service, or by its program."""
    if "-m" in command:
        module = command[command.index("-m") + 1]
        return command[-1] if module.startswith("bench.") else module.rpartition(".")[2]
    return {"nats-server": "nats"}.get(Path(command[0]).name, Path(command[0]).name)
