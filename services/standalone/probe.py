"""Asks a process whether it is ready, with nothing but a socket."""

import asyncio
from collections.abc import Awaitable, Callable

PATIENCE = 2.0
"""Seconds one question may take."""

Probe = Callable[[], Awaitable[bool]]


def http_ok(address: str, path: str = "/readyz") -> Probe:
    """Return the question whether GET `path` at host:port answers 200."""
    host, _, port = address.rpartition(":")

    async def ask() -> bool:
        request = f"GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        answer = await _exchange(host, int(port), request.encode())
        return answer.startswith(b"HTTP/1.") and answer[8:13] == b" 200 "

    return ask


def http_answers(address: str) -> Probe:
    """Return the question whether host:port speaks HTTP at all, whatever it says."""
    host, _, port = address.rpartition(":")

    async def ask() -> bool:
        request = f"GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        return (await _exchange(host, int(port), request.encode())).startswith(b"HTTP/1.")

    return ask


def greets(address: str, greeting: bytes) -> Probe:
    """Return the question whether host:port speaks first, beginning with `greeting`."""
    host, _, port = address.rpartition(":")

    async def ask() -> bool:
        return (await _exchange(host, int(port), b"")).startswith(greeting)

    return ask


async def _exchange(host: str, port: int, request: bytes) -> bytes:
    """Return the first line of the answer, empty when there is none in time."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(request)
                return await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError):
        return b""
