"""Another gateway beside that of the suite, as a second replica would be."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2

from services.standalone import environment, spawn
from services.standalone.ports import LOOPBACK
from tests.waiting import until
from tests.world import World


@asynccontextmanager
async def another_gateway(world: World) -> AsyncIterator[str]:
    """Starts it and gives its address; it ends with the block, or with this process."""
    with socket.socket() as chosen:
        chosen.bind((LOOPBACK, 0))
        listen = f"{LOOPBACK}:{chosen.getsockname()[1]}"
    root = world.suite.home.root
    process = spawn.start(
        spawn.Program(
            name="another-gateway",
            command=environment.command("gateway"),
            environment=world.suite.environment("gateway")
            | {"SMARTMATE_LISTEN": listen, "SMARTMATE_OPS_LISTEN": f"{LOOPBACK}:0"},
            log=root / "another-gateway.log",
            directory=root,
        )
    )
    try:
        await until(lambda: _is_ready(listen), what="another gateway")
        yield f"http://{listen}"
    finally:
        process.terminate()
        await asyncio.to_thread(process.wait, 30)


async def _is_ready(listen: str) -> bool:
    async with httpx2.AsyncClient(trust_env=False) as client:
        try:
            return (await client.get(f"http://{listen}/readyz")).status_code == 200
        except httpx2.TransportError:
            return False
