"""Starts a program in a container as if a stand-in of another container ran on its own loopback.

    python -m standins.on_loopback 8090=feishu:8090 services.notification

Without TLS a service talks to a stand-in on loopback alone, and tests are no reason to soften that
rule. What comes to the port on loopback goes on to the stand-in; the program takes the place of
this one, so that signals reach it, and the relay ends with it.
"""

import argparse
import asyncio
import ctypes
import os
import signal
import sys

LOOPBACK = "127.0.0.1"
CHUNK_BYTES = 65536
PR_SET_PDEATHSIG = 1

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def joined(one: Stream, other: Stream) -> None:
    """Copies in both directions until both sides have ended, or one is gone; then closes both."""
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_copy(one[0], other[1]))
            group.create_task(_copy(other[0], one[1]))
    except* OSError:
        pass  # one side is gone; the other is told by the abort
    finally:
        for _, writer in (one, other):
            writer.transport.abort()


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(CHUNK_BYTES):
        target.write(data)
        await target.drain()
    target.write_eof()


async def relay(port: int, host: str, to_port: int) -> None:
    """Listens on loopback and passes every connection on, for ever."""

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            back = await asyncio.open_connection(host, to_port)
        except OSError:
            writer.transport.abort()
            return
        await joined((reader, writer), back)

    server = await asyncio.start_server(pass_on, LOOPBACK, port)
    async with server:
        await server.serve_forever()


def main() -> None:
    """Starts the relay beside, then becomes the program."""
    parser = argparse.ArgumentParser(prog="python -m standins.on_loopback", description=__doc__)
    parser.add_argument("way", help="PORT=HOST:PORT, from loopback to the stand-in")
    parser.add_argument("module", help="what to run")
    options = parser.parse_args()
    port, _, goal = str(options.way).partition("=")
    host, _, to_port = goal.rpartition(":")
    if os.fork() == 0:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        asyncio.run(relay(int(port), host, int(to_port)))
    os.execv(sys.executable, (sys.executable, "-m", str(options.module)))


if __name__ == "__main__":
    main()
