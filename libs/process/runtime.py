"""Runs the parts of a service until a signal, and stops them in the order of the spec.

Source: spec quality.md, SIGTERM: not ready → no new claims → streams and waits end → calls
under way end → consumers finish what they hold → the relay drains → NATS → pools.
"""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from libs.db.database import Database
from libs.events.connection import Bus
from libs.events.hints import Hints
from libs.process.settings import ServiceSettings, split_address
from libs.telemetry import logs, traces
from libs.telemetry.ops import OpsServer, Readiness

_log = logs.get("process")

Loop = Callable[[asyncio.Event], Awaitable[None]]
"""A background loop; it returns soon after the event that it is given is set."""


class Edge(Protocol):
    """What takes calls: the gRPC server, or the HTTP edge."""

    async def start(self) -> None: ...
    async def ready(self) -> None: ...
    async def unready(self) -> None: ...
    async def stop(self, grace: float) -> None: ...


@dataclass(slots=True)
class Parts:
    """The parts of one service, joined in its `__main__`."""

    database: Database
    bus: Bus
    edge: Edge
    waits: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when streams and waiting calls have to end."""
    hints: Hints | None = None
    claimers: Sequence[Loop] = ()
    consumers: Sequence[Loop] = ()
    relays: Sequence[Loop] = ()
    closers: Sequence[Callable[[], Awaitable[None]]] = ()


def configure(settings: ServiceSettings, service: str) -> None:
    """Logging and tracing of this process."""
    logs.configure(service=service, log_format=settings.log_format, level=settings.log_level)
    traces.configure()


async def run(parts: Parts, settings: ServiceSettings) -> None:
    """Serves until SIGTERM or SIGINT. Raises where a part breaks for good."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, asked.set)
    readiness = Readiness()
    host, port = split_address(settings.ops_listen)
    with OpsServer(host, port, readiness):
        async with asyncio.TaskGroup() as group:
            await _serve(parts, settings, readiness, group, asked)
    for close in parts.closers:
        await close()
    await parts.bus.close()
    await parts.database.close()
    _log.info("stopped")


async def _serve(
    parts: Parts,
    settings: ServiceSettings,
    readiness: Readiness,
    group: asyncio.TaskGroup,
    asked: asyncio.Event,
) -> None:
    ends = [asyncio.Event() for _ in range(3)]
    tasks = [
        [group.create_task(_loop(loop, end)) for loop in loops]
        for end, loops in zip(ends, (parts.claimers, parts.consumers, parts.relays), strict=True)
    ]
    await parts.edge.start()
    await parts.edge.ready()
    readiness.ready = True
    _log.info("ready", listen=settings.listen)
    await _first(asked, parts.bus.fatal)
    if parts.bus.fatal.is_set():
        raise RuntimeError("the broker refused this service or closed the connection for good")

    _log.info("stopping")
    readiness.ready = False
    await parts.edge.unready()
    await _end(ends[0], tasks[0])
    parts.waits.set()
    await parts.edge.stop(settings.grace_seconds)
    await _end(ends[1], tasks[1])
    if parts.hints:
        await parts.hints.close()
    await _end(ends[2], tasks[2])


async def _loop(loop: Loop, end: asyncio.Event) -> None:
    await loop(end)


async def _end(event: asyncio.Event, tasks: Sequence[asyncio.Task[None]]) -> None:
    event.set()
    if tasks:
        await asyncio.wait(tasks)


async def _first(*events: asyncio.Event) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for wait in waits:
        wait.cancel()
