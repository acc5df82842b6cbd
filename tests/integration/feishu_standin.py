"""Runs the Feishu stand-in inside the test's event loop, on a free port of loopback."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2

from standins.feishu.bot import Bot, BotSettings
from standins.feishu.judge import BotRules
from standins.feishu.rates import Limits
from standins.feishu.routes import Routes
from standins.serving.http_server import HttpServer


@dataclass
class StandIn:
    """A running stand-in and a client for its control API."""

    address: str
    client: httpx2.AsyncClient = field(repr=False)

    def hook(self, token: str = "t1") -> str:
        """Webhook URL of a bot."""
        return f"http://{self.address}/open-apis/bot/v2/hook/{token}"

    async def script(self, *faults: Mapping[str, object], token: str = "") -> None:
        """Line up faults."""
        answer = await self.client.post(
            "/standin/script", json={"token": token, "faults": list(faults)}
        )
        assert answer.status_code == 200, answer.text

    async def messages(self, **query: object) -> list[dict[str, Any]]:
        """What was received."""
        params = {name: str(value) for name, value in query.items()}
        answer = await self.client.get("/standin/messages", params=params)
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()["messages"]
        return found

    async def arrived(self, count: int, **query: object) -> list[dict[str, Any]]:
        """The same, once so many are in."""
        found = await self.messages(count=count, wait_ms=10_000, **query)
        assert len(found) >= count
        return found

    async def release(self) -> int:
        """Let held answers go."""
        answer = await self.client.post("/standin/release")
        released: int = answer.json()["released"]
        return released


@asynccontextmanager
async def running(
    *,
    secret: str | None = None,
    keywords: tuple[str, ...] = (),
    per_second: int = 0,
    per_minute: int = 0,
    keep: int = 1000,
) -> AsyncIterator[StandIn]:
    """A stand-in without rate limits unless they are asked for."""
    bot = Bot(BotSettings(BotRules(secret, keywords), Limits(per_second, per_minute), keep))
    server = HttpServer(Routes(bot).respond, grace_seconds=0.05)
    host, port = await server.start("127.0.0.1", 0)
    address = f"{host}:{port}"
    async with httpx2.AsyncClient(base_url=f"http://{address}", trust_env=False) as client:
        try:
            yield StandIn(address, client)
        finally:
            bot.held.drop()
            await server.stop()
