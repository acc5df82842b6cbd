"""A bare gRPC server that gives back the bytes it is given: python -m bench.floors.echo

Says its port on a line of standard output, then serves until it is ended.
"""

import asyncio
import sys
from typing import Any

import grpc

_SERVICE, _NAME = "bench.Floor", "Echo"
METHOD = f"/{_SERVICE}/{_NAME}"
PAYLOAD = b"x" * 1024


async def _echo(request: bytes, _context: Any) -> bytes:
    return request


async def serve() -> None:
    """Serves on a free port of loopback."""
    server = grpc.aio.server()
    handler: Any = grpc.unary_unary_rpc_method_handler(_echo)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(_SERVICE, {_NAME: handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(serve())
