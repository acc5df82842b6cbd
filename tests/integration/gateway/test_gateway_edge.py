"""The HTTP server as a part of the process: start, stop, and an end that nobody asked for."""

import asyncio
from dataclasses import dataclass, field

import httpx2
import pytest
from starlette.types import Receive, Scope, Send

from libs.telemetry.ops import Readiness
from services.gateway.server.edge import Edge
from tests.unit.gateway.gateway_served import serve


@dataclass(slots=True)
class Slow:
    """An application that answers when it is told to."""

    asked: asyncio.Event = field(default_factory=asyncio.Event)
    answer: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.asked.set()
        await self.answer.wait()
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def edge_of(app: Slow, listen: str = "127.0.0.1:0") -> Edge:
    return Edge(app, listen, Readiness())


async def test_a_request_under_way_is_finished_before_the_end() -> None:
    app = Slow()
    edge = edge_of(app)
    await edge.start()
    async with httpx2.AsyncClient(trust_env=False) as client:
        request = asyncio.ensure_future(client.get(f"http://127.0.0.1:{edge.port}/"))
        await app.asked.wait()
        stopping = asyncio.ensure_future(edge.stop(10))
        await asyncio.sleep(0)
        app.answer.set()
        assert (await request).status_code == 204
        await stopping


async def test_a_request_that_takes_too_long_is_told_to_come_again() -> None:
    served, asked = serve(), asyncio.Event()

    async def slow() -> None:
        asked.set()
        await asyncio.Event().wait()

    served.app.add_api_route("/slow", slow)
    edge = Edge(served.app, "127.0.0.1:0", Readiness())
    await edge.start()
    async with httpx2.AsyncClient(trust_env=False) as client:
        request = asyncio.ensure_future(client.get(f"http://127.0.0.1:{edge.port}/slow"))
        await asked.wait()
        await edge.stop(0)
        answer = await request
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    await served.parts.suite.close()


async def test_a_body_that_does_not_come_costs_its_sender_the_connection() -> None:
    served = serve(receive_seconds=0.05)
    edge = Edge(served.app, "127.0.0.1:0", Readiness())
    await edge.start()
    reader, writer = await asyncio.open_connection("127.0.0.1", edge.port)
    head = ("POST /api/v1/tasks HTTP/1.1", "Host: x", "Content-Length: 9")
    writer.write("\r\n".join((*head, "Content-Type: application/json", "", "{")).encode())
    answer = await asyncio.wait_for(reader.read(), 5)
    assert answer.startswith(b"HTTP/1.1 408 ")
    writer.close()
    await edge.stop(1)
    await served.parts.suite.close()


async def test_connections_beyond_the_limit_are_told_to_come_again() -> None:
    app = Slow()
    edge = Edge(app, "127.0.0.1:0", Readiness(), connections=1)
    await edge.start()
    async with httpx2.AsyncClient(trust_env=False) as client:
        address = f"http://127.0.0.1:{edge.port}/"
        request = asyncio.ensure_future(client.get(address))
        await app.asked.wait()
        assert (await client.get(address)).status_code == 503
        app.answer.set()
        assert (await request).status_code == 204
    await edge.stop(1)


async def test_an_address_that_is_taken_is_told_at_the_start() -> None:
    first = edge_of(Slow())
    await first.start()
    with pytest.raises(OSError, match="in use"):
        await edge_of(Slow(), f"127.0.0.1:{first.port}").start()
    await first.stop(1)


async def test_the_loop_of_the_process_breaks_when_the_server_ends_by_itself() -> None:
    edge = edge_of(Slow())
    await edge.start()
    watching = asyncio.ensure_future(edge.watch(asyncio.Event()))
    assert edge._serving is not None
    edge._serving.cancel()
    with pytest.raises(RuntimeError, match="ended by itself"):
        await watching


async def test_the_loop_of_the_process_ends_quietly_when_it_is_asked_to() -> None:
    edge, stop = edge_of(Slow()), asyncio.Event()
    await edge.start()
    watching = asyncio.ensure_future(edge.watch(stop))
    await edge.stop(1)
    stop.set()
    await watching


async def test_stopping_what_never_started_is_no_error() -> None:
    await edge_of(Slow()).stop(1)
