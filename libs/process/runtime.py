"""Runs the parts of a service until a signal, and stops them in the order of the spec.

Source: spec quality.md, SIGTERM: not ready → no new claims → streams and waits end → calls
under way end → consumers finish what they hold → the relay drains → NATS → pools.
"""

import asyncio
import contextlib
import gc
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from libs.db.database import Database
from libs.events.connection import Bus
from libs.events.hints import Hints
from libs.process.settings import ProcessSettings, split_address
from libs.telemetry import logs, traces
from libs.telemetry.ops import OpsServer, Readiness

_log = logs.get("process")
_COLLECT_AFTER = (20_000, 20, 20)
_SIGNALS = (signal.SIGTERM, signal.SIGINT)

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
    bus: Bus | None
    """None where no event is said or heard."""
    edge: Edge
    waits: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when streams and waiting calls have to end."""
    hints: Hints | None = None
    claimers: Sequence[Loop] = ()
    consumers: Sequence[Loop] = ()
    relays: Sequence[Loop] = ()
    closers: Sequence[Callable[[], Awaitable[None]]] = ()


def configure(settings: ProcessSettings, service: str) -> None:
    """Logging and tracing of this process."""
    logs.configure(service=service, log_format=settings.log_format, level=settings.log_level)
    traces.configure()


async def run(parts: Parts, settings: ProcessSettings) -> None:
    """Serves until SIGTERM or SIGINT. Raises where a part breaks for good.

    However it ends, whatever was opened is closed.
    """
    _spare_the_collector()
    readiness = Readiness()
    host, port = split_address(settings.ops_listen)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(parts.database.close)
        if parts.bus is not None:
            stack.push_async_callback(parts.bus.close)
        for close in reversed(parts.closers):
            stack.push_async_callback(close)
        # Stopped by then, unless a part broke: then calls under way are ended at once.
        stack.push_async_callback(parts.edge.stop, 0.0)
        stack.enter_context(OpsServer(host, port, readiness))
        with _signals() as asked:
            async with asyncio.TaskGroup() as group:
                await _serve(parts, settings, readiness, group, asked)
    _log.info("stopped")


def _spare_the_collector() -> None:
    """What was made to start lives as long as the process: it is never looked at again.

    Of what a call makes nearly nothing is in cycles, and the young are looked at by the hundreds.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)


@contextlib.contextmanager
def _signals() -> Iterator[asyncio.Event]:
    """An event that SIGTERM and SIGINT set."""
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, asked.set)
    try:
        yield asked
    finally:
        for number in _SIGNALS:
            loop.remove_signal_handler(number)


async def _serve(
    parts: Parts,
    settings: ProcessSettings,
    readiness: Readiness,
    group: asyncio.TaskGroup,
    asked: asyncio.Event,
) -> None:
    ends = [asyncio.Event() for _ in range(3)]
    stopping = asyncio.Event()
    tasks = [
        [group.create_task(_loop(loop, end, stopping)) for loop in loops]
        for end, loops in zip(ends, (parts.claimers, parts.consumers, parts.relays), strict=True)
    ]
    try:
        await parts.edge.start()
        await parts.edge.ready()
        readiness.ready = True
        _log.info("ready", listen=settings.listen)
        fatal = parts.bus.fatal if parts.bus is not None else asyncio.Event()
        await _first(asked, fatal)
        if fatal.is_set():
            raise RuntimeError("the broker refused this service or closed the connection for good")
    finally:
        readiness.ready = False
        stopping.set()

    _log.info("stopping")
    await parts.edge.unready()
    await _end(ends[0], tasks[0])
    parts.waits.set()
    await parts.edge.stop(settings.grace_seconds)
    await _end(ends[1], tasks[1])
    if parts.hints:
        await parts.hints.close()
    await _end(ends[2], tasks[2])


async def _loop(loop: Loop, end: asyncio.Event, stopping: asyncio.Event) -> None:
    await loop(end)
    if not stopping.is_set():
        raise RuntimeError("a background loop ended by itself")


async def _end(event: asyncio.Event, tasks: Sequence[asyncio.Task[None]]) -> None:
    event.set()
    if tasks:
        await asyncio.wait(tasks)


async def _first(*events: asyncio.Event) -> None:
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
