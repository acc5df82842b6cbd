"""A service as a process: ready when it serves, stopped in order, closed however it ends."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import text

from libs.db.database import Database
from libs.events import connection
from libs.events.connection import Bus
from libs.events.hints import Hints
from libs.process import runtime
from libs.process.runtime import Loop, Parts
from libs.process.settings import ServiceSettings
from services.standalone import ports
from services.standalone.suite import Suite
from smartmate.events.v1 import events_pb2
from tests.waiting import until, wait_until

ONE = text("SELECT 1")


class NotedDatabase(Database):
    """A database that notes when it is closed."""

    notes: list[str]
    bus: Bus

    async def close(self) -> None:
        self.notes.append(f"pool closes, broker closed: {self.bus.client.is_closed}")
        await super().close()


@dataclass(slots=True)
class NotedEdge:
    """Takes no calls and notes what it is told."""

    notes: list[str]
    on_start: Callable[[], None] = lambda: None
    may_start: asyncio.Event | None = None

    async def start(self) -> None:
        if self.may_start:
            await self.may_start.wait()
        self.on_start()
        self.notes.append("edge starts")

    async def ready(self) -> None:
        self.notes.append("edge is ready")

    async def unready(self) -> None:
        self.notes.append("edge is unready")

    async def stop(self, grace: float) -> None:
        self.notes.append(f"edge stops within {grace:g}")


@dataclass(slots=True)
class Rig:
    """A process that is nothing but its parts, and the notes they take."""

    bus: Bus
    database: NotedDatabase
    settings: ServiceSettings
    notes: list[str] = field(default_factory=list)
    edge: NotedEdge = field(init=False)

    def __post_init__(self) -> None:
        self.database.notes, self.database.bus = self.notes, self.bus
        self.edge = NotedEdge(self.notes)

    def loop(self, name: str) -> Loop:
        """Runs until it is told, then uses what it may still use."""

        async def run(stop: asyncio.Event) -> None:
            self.notes.append(f"{name} begins")
            await stop.wait()
            async with self.database.transaction() as tx:
                await tx.execute(ONE)
            await self.bus.client.flush()
            self.notes.append(f"{name} ends")

        return run

    def parts(self, **others: object) -> Parts:
        return Parts(self.database, self.bus, self.edge, **others)  # type: ignore[arg-type]

    async def note_close(self) -> None:
        self.notes.append(f"channel closes, broker closed: {self.bus.client.is_closed}")

    @property
    def is_ready(self) -> bool:
        return "edge is ready" in self.notes

    def assert_closed(self) -> None:
        assert self.bus.client.is_closed
        assert self.notes[-1] == "pool closes, broker closed: True"
        # Whoever runs next finds the signals as they were.
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def settings_for(suite: Suite) -> ServiceSettings:
    free = next(port for port in range(28_000, 29_000) if ports.is_free(port))
    return ServiceSettings(
        database_url=suite.database_url("schedule"),
        nats_url=suite.nats_url("schedule"),
        listen="127.0.0.1:0",
        ops_listen=f"127.0.0.1:{free}",
        public_keys=Path("public.json"),
        private_key=Path("private.json"),
        grace_seconds=7,
    )


async def rig_on(suite: Suite) -> Rig:
    bus = await connection.connect(suite.nats_url("active_scheduler"), service="active_scheduler")
    database = NotedDatabase(suite.database_url("schedule"), application="kit", pool_size=5)
    return Rig(bus, database, settings_for(suite))


@pytest.fixture
async def rig(shared_servers: Suite) -> AsyncIterator[Rig]:
    rig = await rig_on(shared_servers)
    yield rig
    await rig.bus.close()
    await rig.database.close()


async def probe(rig: Rig, path: str) -> int:
    """What an orchestrator gets to see; 0 when nothing answers."""
    async with httpx2.AsyncClient(trust_env=False, timeout=20) as client:
        try:
            return (await client.get(f"http://{rig.settings.ops_listen}{path}")).status_code
        except httpx2.TransportError:
            return 0


def terminate(number: signal.Signals = signal.SIGTERM) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_the_parts_in_their_order(rig: Rig, number: signal.Signals) -> None:
    waits = asyncio.Event()
    hints = Hints(rig.bus)
    await hints.hear([events_pb2.PreviewChanged], key_field="preview_id")

    async def end_waits() -> None:
        await waits.wait()
        rig.notes.append("waits end")

    waiting = asyncio.ensure_future(end_waits())
    parts = rig.parts(
        waits=waits,
        hints=hints,
        claimers=[rig.loop("claimer")],
        consumers=[rig.loop("consumer")],
        relays=[rig.loop("relay")],
        closers=[rig.note_close],
    )
    running = asyncio.ensure_future(runtime.run(parts, rig.settings))
    await wait_until(lambda: rig.is_ready)
    terminate(number)
    async with asyncio.timeout(20):
        await running
    await waiting
    begun = {"claimer begins", "consumer begins", "relay begins"}
    assert begun <= set(rig.notes)
    assert [note for note in rig.notes if note not in begun] == [
        "edge starts",
        "edge is ready",
        "edge is unready",
        "claimer ends",
        "edge stops within 7",
        "waits end",
        "consumer ends",
        "relay ends",
        "edge stops within 0",
        "channel closes, broker closed: False",
        "pool closes, broker closed: True",
    ]
    assert hints._subscriptions == []
    rig.assert_closed()


async def test_probes_see_a_process_that_is_alive_then_ready_then_not(rig: Rig) -> None:
    holding, go_on = asyncio.Event(), asyncio.Event()

    async def slow_claimer(stop: asyncio.Event) -> None:
        await stop.wait()
        holding.set()
        await go_on.wait()

    rig.edge.may_start = asyncio.Event()
    parts = rig.parts(claimers=[slow_claimer])
    running = asyncio.ensure_future(runtime.run(parts, rig.settings))

    async def lives() -> bool:
        return await probe(rig, "/healthz") == 200

    await until(lives)
    assert await probe(rig, "/readyz") == 503
    rig.edge.may_start.set()

    async def ready() -> bool:
        return await probe(rig, "/readyz") == 200

    await until(ready)
    terminate()
    await holding.wait()
    assert await probe(rig, "/readyz") == 503
    assert await probe(rig, "/healthz") == 200
    # Asked again while it stops, it goes on stopping.
    terminate()
    go_on.set()
    await running
    assert await probe(rig, "/healthz") == 0
    rig.assert_closed()


async def failure(rig: Rig, parts: Parts) -> list[BaseException]:
    """The errors that end the process."""
    async with asyncio.timeout(20):
        with pytest.raises(BaseExceptionGroup) as failed:
            await runtime.run(parts, rig.settings)
    return list(failed.value.exceptions)


@pytest.mark.parametrize("kind", ["claimers", "consumers", "relays"])
async def test_a_loop_that_breaks_ends_the_process_with_its_error(rig: Rig, kind: str) -> None:
    cleaned: list[str] = []

    async def broken(stop: asyncio.Event) -> None:
        await wait_until(lambda: rig.is_ready)
        raise KeyError("broken")

    async def other(stop: asyncio.Event) -> None:
        try:
            await stop.wait()
        finally:
            cleaned.append("other")

    parts = rig.parts(**{kind: [broken, other]}, closers=[rig.note_close])
    (error,) = await failure(rig, parts)
    assert isinstance(error, KeyError)
    assert cleaned == ["other"]
    assert rig.notes[-3:] == [
        "edge stops within 0",
        "channel closes, broker closed: False",
        "pool closes, broker closed: True",
    ]
    assert await probe(rig, "/healthz") == 0
    rig.assert_closed()


async def test_a_loop_that_ends_by_itself_ends_the_process(rig: Rig) -> None:
    async def idle(stop: asyncio.Event) -> None:
        await wait_until(lambda: rig.is_ready)

    (error,) = await failure(rig, rig.parts(consumers=[idle]))
    assert isinstance(error, RuntimeError)
    rig.assert_closed()


async def test_a_loop_may_end_a_little_before_it_is_told(rig: Rig) -> None:
    async def watch(stop: asyncio.Event) -> None:
        await wait_until(lambda: "edge stops within 7" in rig.notes)

    running = asyncio.ensure_future(runtime.run(rig.parts(relays=[watch]), rig.settings))
    await wait_until(lambda: rig.is_ready)
    terminate()
    await running
    rig.assert_closed()


async def test_an_edge_that_cannot_start_ends_the_process(rig: Rig) -> None:
    def refuse() -> None:
        raise RuntimeError("the port is taken")

    rig.edge.on_start = refuse
    (error,) = await failure(rig, rig.parts(relays=[rig.loop("relay")]))
    assert str(error) == "the port is taken"
    assert not rig.is_ready
    rig.assert_closed()


async def test_what_the_broker_refuses_ends_the_process(rig: Rig) -> None:
    running = asyncio.ensure_future(failure(rig, rig.parts(relays=[rig.loop("relay")])))
    await wait_until(lambda: rig.is_ready)
    await rig.bus.client.publish("smartmate.notification.settled.v1", b"not its own")
    (error,) = await running
    assert isinstance(error, RuntimeError)
    rig.assert_closed()


async def test_a_part_that_cannot_be_closed_keeps_no_other_open(rig: Rig) -> None:
    async def refuse() -> None:
        raise ValueError("cannot be closed")

    running = asyncio.ensure_future(
        runtime.run(rig.parts(closers=[refuse, rig.note_close]), rig.settings)
    )
    await wait_until(lambda: rig.is_ready)
    terminate()
    with pytest.raises(ValueError, match="cannot be closed"):
        await running
    assert "channel closes, broker closed: False" in rig.notes
    rig.assert_closed()


async def test_a_process_ends_in_order_though_its_broker_is_away(mortal_servers: Suite) -> None:
    rig = await rig_on(mortal_servers)
    hints = Hints(rig.bus)
    await hints.hear([events_pb2.PreviewChanged], key_field="preview_id")
    running = asyncio.ensure_future(runtime.run(rig.parts(hints=hints), rig.settings))
    await wait_until(lambda: rig.is_ready)
    await mortal_servers.stop("nats")
    await wait_until(lambda: not rig.bus.connected)
    terminate()
    async with asyncio.timeout(20):
        await running
    rig.assert_closed()
    await mortal_servers.start("nats")
