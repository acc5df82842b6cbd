"""A user of the broker, as tests connect with it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import nats.errors
from nats.aio.client import Client
from nats.aio.subscription import Subscription

from services.standalone.permissions import OBSERVER
from services.standalone.suite import Suite


class User:
    """A connection that notes what the broker refuses."""

    def __init__(self) -> None:
        self.client = Client()
        self.refusals: list[str] = []
        self.refused = asyncio.Event()

    async def note(self, error: Exception) -> None:
        if "permissions violation" in str(error).lower():
            self.refusals.append(str(error))
            self.refused.set()

    async def refused_times(self, times: int) -> bool:
        """Wait until the broker has refused so often; its answer may come after a flush."""
        async with asyncio.timeout(5):
            while len(self.refusals) < times:
                self.refused.clear()
                await self.refused.wait()
        return len(self.refusals) == times


@asynccontextmanager
async def connected(suite: Suite, name: str) -> AsyncIterator[User]:
    """A service's own user, or the observer."""
    user = User()
    await user.client.connect(
        suite.observer_nats_url if name == OBSERVER else suite.nats_url(name),
        inbox_prefix=f"_INBOX_{name}".encode(),
        error_cb=user.note,
        allow_reconnect=False,
    )
    try:
        yield user
    finally:
        await user.client.close()


async def heard(sayer: User, subject: str, data: bytes, *ears: Subscription) -> list[bytes]:
    """What each subscription hears of an event.

    It is said again until all have heard it: a subscription that was just made may reach the
    broker after what another connection says.
    """
    found: dict[Subscription, bytes] = {}
    async with asyncio.timeout(30):
        while len(found) < len(ears):
            await sayer.client.jetstream().publish(subject, data)
            for ear in ears:
                try:
                    found[ear] = (await ear.next_msg(timeout=1)).data
                except nats.errors.TimeoutError:
                    continue
    return list(found.values())
