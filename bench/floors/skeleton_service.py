"""A service that does nothing: python -m bench.floors.skeleton_service NAME

It imports what the services import, none of the suite's own code, and opens what they open: a
database connection, the broker, a gRPC server with health (the gateway: HTTP with as many routes),
a port for operations. Reads the same environment, serves until SIGTERM.
"""

import asyncio
import importlib
import os
import signal
import sys
import threading
from typing import Any
from wsgiref.simple_server import make_server

SHARED = (
    "sqlalchemy.ext.asyncio",
    "asyncpg",
    "nats.js",
    "grpc.aio",
    "grpc_health.v1.health_pb2_grpc",
    "grpc_health.v1._async",
    "grpc_reflection.v1alpha.reflection",
    "grpc_status.rpc_status",
    "google.rpc.error_details_pb2",
    "google.protobuf.json_format",
    "joserfc.jwt",
    "opentelemetry.sdk.trace",
    "prometheus_client",
    "pydantic_settings",
    "structlog",
)
MORE = {
    "notification": ("httpx2", "cryptography.hazmat.primitives.ciphers.aead"),
    "gateway": ("fastapi", "fastapi.openapi.utils", "jinja2", "python_multipart", "uvicorn"),
}
ROUTES = 60
_PREFIX = "SMARTMATE_"


def _place(name: str) -> tuple[str, int]:
    host, _, port = os.environ[_PREFIX + name].rpartition(":")
    return host, int(port)


async def _database() -> Any:
    """An engine that has connected once."""
    from sqlalchemy import text
    from sqlalchemy.ext.asyncio import create_async_engine

    engine = create_async_engine(os.environ[_PREFIX + "DATABASE_URL"])
    async with engine.connect() as connection:
        await connection.execute(text("SELECT 1"))
    return engine


async def _broker(name: str) -> Any:
    import nats

    inbox = f"_INBOX_{name}".encode()
    return await nats.connect(os.environ[_PREFIX + "NATS_URL"], inbox_prefix=inbox)


async def _calls() -> Any:
    import grpc
    from grpc_health.v1 import health_pb2_grpc
    from grpc_health.v1._async import HealthServicer

    server = grpc.aio.server()
    health_pb2_grpc.add_HealthServicer_to_server(HealthServicer(), server)
    server.add_insecure_port(os.environ[_PREFIX + "LISTEN"])
    await server.start()
    return server


def _operations() -> None:
    from prometheus_client import make_wsgi_app

    server = make_server(*_place("OPS_LISTEN"), make_wsgi_app())
    threading.Thread(target=server.serve_forever, daemon=True).start()


async def _pages(end: asyncio.Event) -> None:
    """HTTP until the end: /readyz, and routes with a checked body."""
    import uvicorn
    from fastapi import FastAPI
    from pydantic import create_model

    app = FastAPI(openapi_url=None)

    async def answer() -> dict[str, str]:
        return {}

    app.get("/readyz")(answer)
    for number in range(ROUTES):
        body = create_model(f"Body{number}", name=(str, ...), count=(int, 0))

        async def told(given: Any) -> dict[str, str]:
            return {}

        told.__annotations__["given"] = body
        app.post(f"/route/{number}")(told)
    host, port = _place("LISTEN")
    server = uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_config=None))
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    serving = asyncio.ensure_future(server.serve())
    await end.wait()
    server.should_exit = True
    await serving


async def serve(name: str) -> None:
    """Opens everything and waits for the end."""
    end = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end.set)
    engine, broker = await _database(), await _broker(name)
    if name == "gateway":
        await _pages(end)
    else:
        server = await _calls()
        _operations()
        await end.wait()
        await server.stop(0)
    await broker.close()
    await engine.dispose()


if __name__ == "__main__":
    for _module in (*SHARED, *MORE.get(sys.argv[1], ())):
        importlib.import_module(_module)
    asyncio.run(serve(sys.argv[1]))
