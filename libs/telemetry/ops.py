"""The operations port: /healthz (alive), /readyz (ready for calls) and /metrics."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import make_wsgi_app

StartResponse = Callable[..., Any]


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Probes every second are no news."""


@dataclass(slots=True)
class Readiness:
    """Whether this process takes calls; set by the process, read by probes."""

    ready: bool = False


@dataclass(slots=True)
class OpsServer:
    """Serves the operations port from a thread of its own, so that a busy loop still answers."""

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

        self._server = make_server(self.host, self.port, app, handler_class=_QuietHandler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="ops", daemon=True)
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
