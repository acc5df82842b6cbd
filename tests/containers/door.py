"""A fixed address on this machine for containers whose published ports the engine chooses.

A port that was left to the engine may be another after a restart, and replicas cannot share one.
Connections to a door go to its containers in turn, wherever they listen by then; where none does
the connection is reset, as by a port without a listener.
"""

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from services.standalone.ports import LOOPBACK
from standins.on_loopback import Stream, joined
from tests.containers.engine import Engine

LOOK_AGAIN_SECONDS = 1.0
CONNECT_SECONDS = 1.0
"""While a container goes, its engine may still lead connections to where nobody is any more."""


@dataclass(slots=True)
class Back:
    """One port of one container."""

    engine: Engine
    container: str
    inside: int
    _published: int | None = None
    _looked_at: float = -LOOK_AGAIN_SECONDS

    async def open(self) -> Stream | None:
        """A connection, None where nobody listens."""
        for _ in range(2):
            if self._published is not None:
                with contextlib.suppress(OSError):
                    async with asyncio.timeout(CONNECT_SECONDS):
                        return await asyncio.open_connection(LOOPBACK, self._published)
            if not await self._moved():
                return None
        return None

    async def _moved(self) -> bool:
        """Looks, not too often, where the port is by now; tells whether that is news."""
        now = asyncio.get_running_loop().time()
        if now - self._looked_at < LOOK_AGAIN_SECONDS:
            return False
        self._looked_at = now
        before = self._published
        seen = await self.engine.look(self.container)
        self._published = seen.ports.get(self.inside)
        return self._published not in (None, before)


@dataclass(slots=True)
class Door:
    """Listens on loopback and passes on what comes."""

    backs: Sequence[Back]
    _turns: "itertools.count[int]" = field(default_factory=itertools.count)
    _server: asyncio.Server | None = None
    _open: set["asyncio.Task[None]"] = field(default_factory=set)

    async def listen(self, at: str = f"{LOOPBACK}:0") -> str:
        """Begins; gives host:port."""
        host, _, port = at.rpartition(":")
        self._server = await asyncio.start_server(self._come_in, host, int(port))
        host, chosen = self._server.sockets[0].getsockname()[:2]
        return f"{host}:{chosen}"

    async def close(self) -> None:
        """Ends every connection."""
        if self._server:
            self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _come_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            if back := await self._next():
                await joined((reader, writer), back)
        finally:
            self._open.discard(task)
            writer.transport.abort()

    async def _next(self) -> Stream | None:
        first = next(self._turns)
        for step in range(len(self.backs)):
            if found := await self.backs[(first + step) % len(self.backs)].open():
                return found
        return None
