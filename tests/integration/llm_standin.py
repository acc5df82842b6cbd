"""Ways into the model stand-in: inside the test's event loop, or running somewhere."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

from standins.llm.model import Model, Settings
from standins.llm.routes import Routes
from standins.serving.http_server import HttpServer


@dataclass
class StandIn:
    """A running stand-in and a client for its control API."""

    url: str
    client: httpx2.AsyncClient = field(repr=False)

    async def script(self, *steps: Mapping[str, object], model: str = "") -> None:
        """Line up steps."""
        # ASCII: halves of letters go through too.
        script = json.dumps({"model": model, "steps": list(steps)})
        answer = await self.client.post("/standin/script", content=script)
        assert answer.status_code == 200, answer.text

    async def honest(self) -> None:
        """No script, nothing held, nothing remembered, a decent planner."""
        await self.plays("planner")
        await self.client.delete("/standin/script")
        await self.client.post("/standin/release")
        await self.client.delete("/standin/requests")

    async def requests(self, **query: object) -> list[dict[str, Any]]:
        """What was asked."""
        params = {name: str(value) for name, value in query.items()}
        answer = await self.client.get("/standin/requests", params=params)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["requests"]
        return found

    async def arrived(self, count: int, **query: object) -> list[dict[str, Any]]:
        """The same, once so many are in."""
        found = await self.requests(count=count, wait_ms=20_000, **query)
        assert len(found) >= count
        return found

    async def plays(self, play: str, seed: int = 0) -> None:
        """What answers where nothing is scripted: planner, dull or rogue."""
        answer = await self.client.post("/standin/play", json={"play": play, "seed": seed})
        assert answer.status_code == 200, answer.text

    async def release(self) -> int:
        """Let held answers go."""
        answer = await self.client.post("/standin/release")
        released: int = answer.json()["released"]
        return released


@asynccontextmanager
async def reached(url: str) -> AsyncIterator[StandIn]:
    """A stand-in that runs already."""
    async with httpx2.AsyncClient(base_url=url, trust_env=False, timeout=40) as client:
        yield StandIn(url, client)


@asynccontextmanager
async def honest(url: str) -> AsyncIterator[StandIn]:
    """The same, honest before and after."""
    async with reached(url) as found:
        await found.honest()
        yield found
        await found.honest()


@asynccontextmanager
async def running(settings: Settings | None = None) -> AsyncIterator[StandIn]:
    """One of the test's own, on a free port of loopback."""
    model = Model(settings or Settings())
    server = HttpServer(Routes(model).respond, grace_seconds=0.05)
    host, port = await server.start("127.0.0.1", 0)
    try:
        async with reached(f"http://{host}:{port}") as standin:
            yield standin
    finally:
        model.held.drop()
        await server.stop()
