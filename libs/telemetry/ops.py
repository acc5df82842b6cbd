"""The operations port: /healthz (alive), /readyz (ready for calls) and /metrics."""

import socket
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from socketserver import TCPServer, ThreadingMixIn
from types import TracebackType
from typing import Any, Self
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import make_wsgi_app

StartResponse = Callable[..., Any]

# How long a shutdown waits for the thread to notice it, at most.
_STOP_SECONDS = 0.1


class _Server(ThreadingMixIn, WSGIServer):
    """A thread a connection: one that says nothing keeps no probe waiting."""

    daemon_threads = True

    def server_bind(self) -> None:
        """Without the reverse lookup of the host's name, which may take seconds."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]
        self.setup_environ()


class _ServerV6(_Server):
    address_family = socket.AF_INET6


class _QuietHandler(WSGIRequestHandler):
    timeout = 5
    """Seconds after which a silent connection is closed."""

    def log_message(self, format: str, *args: object) -> None:
        """Probes every second are no news."""


@dataclass(slots=True)
class Readiness:
    """Whether this process takes calls; set by the process, read by probes."""

    ready: bool = False


@dataclass(slots=True)
class OpsServer:
    """Serves the operations port from threads of its own, so that a busy loop still answers.

    `port` 0 takes any free one; it is the real one from the start on.
    """

    host: str
    port: int
    readiness: Readiness
    _server: WSGIServer | None = field(default=None, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)

    def __enter__(self) -> Self:
        metrics: Callable[[dict[str, Any], StartResponse], Iterable[bytes]] = make_wsgi_app()

        def app(environ: dict[str, Any], start: StartResponse) -> Iterable[bytes]:
            path = environ["PATH_INFO"]
            if path == "/metrics":
                return metrics(environ, start)
            if path == "/healthz":
                return _answer(start, True)
            if path == "/readyz":
                return _answer(start, self.readiness.ready)
            start("404 Not Found", [("Content-Type", "text/plain")])
            return [b"not found\n"]

        kind = _ServerV6 if ":" in self.host else _Server
        self._server = make_server(
            self.host, self.port, app, server_class=kind, handler_class=_QuietHandler
        )
        self.port = self._server.server_port
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(_STOP_SECONDS,), name="ops", daemon=True
        )
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server and self._thread:
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


def _answer(start: StartResponse, good: bool) -> list[bytes]:
    status = "200 OK" if good else "503 Service Unavailable"
    start(status, [("Content-Type", "text/plain")])
    return [b"ok\n" if good else b"not ready\n"]
