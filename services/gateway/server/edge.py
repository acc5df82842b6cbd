"""uvicorn as a part of this process: started, made ready and stopped by the runtime."""

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from libs.process.settings import split_address
from libs.telemetry.ops import Readiness

_BACKLOG = 1024
_TICK_SECONDS = 0.005


class _Server(uvicorn.Server):
    """Leaves the signals to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(slots=True)
class Edge:
    """Serves one application on host:port; port 0 means any, see `port` after the start."""

    app: ASGIApp
    listen: str
    readiness: Readiness
    trusted_proxies: str = ""
    connections: int | None = None
    """How many there may be at a time; None: no limit."""
    port: int = field(default=0, init=False)
    _server: _Server | None = field(default=None, init=False)
    _serving: asyncio.Future[None] | None = field(default=None, init=False)

    async def start(self) -> None:
        """Binds and serves; OSError where the address is taken."""
        listener = _bound(self.listen)
        self.port = listener.getsockname()[1]
        config = uvicorn.Config(
            self.app,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            ws="none",
            http="h11",
            loop="asyncio",
            backlog=_BACKLOG,
            # The server counts the connection that asks among those that it compares.
            limit_concurrency=None if self.connections is None else self.connections + 1,
            proxy_headers=bool(self.trusted_proxies),
            forwarded_allow_ips=self.trusted_proxies or None,
        )
        self._server = _Server(config)
        self._serving = asyncio.ensure_future(self._server.serve(sockets=[listener]))
        while not self._server.started:
            await asyncio.sleep(_TICK_SECONDS)
            if self._serving.done():
                self._serving.result()
                raise RuntimeError("the HTTP server ended before it began")

    async def ready(self) -> None:
        """From now on /readyz says so."""
        self.readiness.ready = True

    async def unready(self) -> None:
        """From now on /readyz says that no more requests are wanted."""
        self.readiness.ready = False

    async def stop(self, grace: float) -> None:
        """Takes no new connection and waits up to `grace` seconds for the requests under way."""
        if self._server is None or self._serving is None:
            return
        self._server.config.timeout_graceful_shutdown = max(1, round(grace))
        self._server.should_exit = True
        await self._serving

    async def watch(self, stop: asyncio.Event) -> None:
        """A loop of the process that breaks when the server ends by itself."""
        if self._serving is None:
            raise RuntimeError("watched before the start")
        asked = asyncio.ensure_future(stop.wait())
        either: list[asyncio.Future[Any]] = [asked, self._serving]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        asked.cancel()
        if self._server is not None and not self._server.should_exit:
            for listener in self._server.servers:
                listener.close()
            raise RuntimeError("the HTTP server ended by itself")


def _bound(listen: str) -> socket.socket:
    host, port = split_address(listen)
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError:
        listener.close()
        raise
    listener.setblocking(False)
    return listener
