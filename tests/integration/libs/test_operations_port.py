"""The operations port: alive, ready, metrics, and nothing that keeps it from answering."""

import asyncio
import socket
import time

import httpx2
import pytest
from prometheus_client import Counter

from libs.telemetry.ops import OpsServer, Readiness

COUNTED = Counter("smartmate_test_total", "Something that a test counts")


async def get(server: OpsServer, path: str) -> tuple[int, str]:
    async with httpx2.AsyncClient(trust_env=False, timeout=20) as client:
        host = f"[{server.host}]" if ":" in server.host else server.host
        answer = await client.get(f"http://{host}:{server.port}{path}")
        return answer.status_code, answer.text


async def test_a_living_process_says_so_before_and_after_it_is_ready() -> None:
    readiness = Readiness()
    with OpsServer("127.0.0.1", 0, readiness) as server:
        assert await get(server, "/healthz") == (200, "ok\n")
        assert await get(server, "/readyz") == (503, "not ready\n")
        readiness.ready = True
        assert await get(server, "/readyz") == (200, "ok\n")
        readiness.ready = False
        assert await get(server, "/readyz") == (503, "not ready\n")
        assert await get(server, "/healthz") == (200, "ok\n")


async def test_metrics_are_told() -> None:
    COUNTED.inc()
    with OpsServer("127.0.0.1", 0, Readiness()) as server:
        status, text = await get(server, "/metrics")
    assert status == 200
    assert "smartmate_test_total 1.0" in text


@pytest.mark.parametrize("path", ["/", "/admin", "/metrics/", "/healthz/.."])
async def test_there_is_nothing_else(path: str) -> None:
    with OpsServer("127.0.0.1", 0, Readiness()) as server:
        assert (await get(server, path))[0] == 404


async def test_it_answers_while_the_loop_is_busy() -> None:
    with OpsServer("127.0.0.1", 0, Readiness()) as server:
        loop = asyncio.get_running_loop()
        asked = loop.run_in_executor(None, _ask, server.port)
        # The loop does nothing else until the answer is there.
        ends_at = time.monotonic() + 20
        while not asked.done() and not _answers and time.monotonic() < ends_at:
            pass
        assert _answers == [b"HTTP/1.0 200 OK"]
        await asked


_answers: list[bytes] = []


def _ask(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        _answers.append(connection.recv(1024).split(b"\r\n")[0])


async def test_a_connection_that_says_nothing_keeps_nobody_waiting_and_no_process_alive() -> None:
    with OpsServer("127.0.0.1", 0, Readiness()) as server:
        silent = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(5)]
        async with asyncio.timeout(20):
            assert await get(server, "/healthz") == (200, "ok\n")
    for one in silent:
        one.close()


async def test_its_port_is_free_again_afterwards() -> None:
    with OpsServer("127.0.0.1", 0, Readiness()) as server:
        port = server.port
    with OpsServer("127.0.0.1", port, Readiness()) as server:
        assert await get(server, "/healthz") == (200, "ok\n")


async def test_a_taken_port_is_refused() -> None:
    with OpsServer("127.0.0.1", 0, Readiness()) as server, pytest.raises(OSError, match="in use"):
        OpsServer("127.0.0.1", server.port, Readiness()).__enter__()


async def test_it_listens_on_version_six_as_well() -> None:
    with OpsServer("::1", 0, Readiness()) as server:
        assert await get(server, "/healthz") == (200, "ok\n")
