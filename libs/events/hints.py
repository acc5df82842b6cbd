"""Hints: plain subscriptions without guarantee, for those who wait.

Who waits subscribes first, then reads, then reads again at each hint and at growing intervals;
a hint that is lost costs time, never truth. Source: spec architecture.md, Hints.
"""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import nats.errors
from google.protobuf.message import DecodeError, Message
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from libs.events.connection import Bus
from libs.events.contract import contract


@dataclass(slots=True, eq=False)
class Waiter:
    """Someone who waits for news about one key."""

    event: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait(self, seconds: float) -> bool:
        """True when a hint came within `seconds`; False when the time is up."""
        try:
            await asyncio.wait_for(self.event.wait(), seconds)
        except TimeoutError:
            return False
        self.event.clear()
        return True


@dataclass(slots=True)
class Hints:
    """Hears hints of some kinds and wakes whoever waits for their key.

    The key is the value of `key_field` of the event's message.
    """

    bus: Bus
    _waiters: dict[str, set[Waiter]] = field(default_factory=lambda: defaultdict(set))
    _subscriptions: list[Subscription] = field(default_factory=list)

    async def hear(self, kinds: Iterable[type[Message]], *, key_field: str) -> None:
        """Subscribes; the subscription survives reconnects."""
        for kind in kinds:
            await self._hear(kind, key_field)

    async def _hear(self, kind: type[Message], key_field: str) -> None:
        async def on_message(message: Msg) -> None:
            try:
                key = str(getattr(kind.FromString(message.data), key_field))
            except DecodeError:
                return  # a hint that cannot be read is a hint that was lost
            self.wake(key)

        subscription = await self.bus.client.subscribe(contract(kind).subject, cb=on_message)
        self._subscriptions.append(subscription)

    def wake(self, key: str) -> None:
        """Wakes whoever waits for `key` in this process."""
        for waiter in self._waiters.get(key, ()):
            waiter.event.set()

    @asynccontextmanager
    async def waiting(self, key: str) -> AsyncIterator[Waiter]:
        """Registers a waiter for as long as the block lasts."""
        waiter = Waiter()
        self._waiters[key].add(waiter)
        try:
            yield waiter
        finally:
            self._waiters[key].discard(waiter)
            if not self._waiters[key]:
                del self._waiters[key]

    async def close(self) -> None:
        """Unsubscribes; a connection that is gone has no subscriptions left."""
        for subscription in self._subscriptions:
            with suppress(nats.errors.ConnectionClosedError, nats.errors.BadSubscriptionError):
                await subscription.unsubscribe()
        self._subscriptions.clear()
