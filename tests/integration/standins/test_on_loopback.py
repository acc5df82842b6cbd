"""A stand-in elsewhere, reached on the loopback of the program that needs it."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from services.standalone.ports import LOOPBACK, Ports, is_free
from tests.integration import feishu_standin
from tests.waiting import until, wait_until

# Runs for as long as its standard input is open.
PROGRAM = "code"


@pytest.fixture
def port(tmp_path: Path) -> int:
    """A port of loopback that nobody listens on."""
    return Ports(tmp_path / "ports.json").claim("relay")


@asynccontextmanager
async def program(way: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program with the way to a stand-in beside it."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "standins.on_loopback", way, PROGRAM),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def answers(port: int) -> bool:
    """Whether a stand-in is to be reached there."""
    async with httpx2.AsyncClient(trust_env=False) as client:
        try:
            answer = await client.get(f"http://{LOOPBACK}:{port}/standin/messages")
        except httpx2.TransportError:
            return False
        return answer.status_code == 200


async def test_the_stand_in_answers_on_loopback(port: int) -> None:
    async with feishu_standin.running() as standin, program(f"{port}={standin.address}"):
        await until(lambda: answers(port), what="an answer by the relay")


async def test_a_connection_is_reset_where_no_stand_in_is(port: int) -> None:
    async with program(f"{port}={LOOPBACK}:1"):
        await wait_until(lambda: not is_free(port), what="the relay")

        assert not await answers(port)


async def test_the_relay_ends_with_the_program(port: int) -> None:
    async with program(f"{port}={LOOPBACK}:1") as running:
        await wait_until(lambda: not is_free(port), what="the relay")
        running.kill()

        await wait_until(lambda: is_free(port), what="the end of the relay")
