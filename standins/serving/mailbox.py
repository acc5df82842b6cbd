"""Everything that was received, the oldest forgotten first."""

import asyncio
from collections import OrderedDict
from typing import Generic, Protocol, TypeVar


class Received(Protocol):
    """One request and what became of it."""

    @property
    def number(self) -> int:
        """Place in the order of arrival, from 1."""

    @property
    def key(self) -> str:
        """What it was sent to."""


R = TypeVar("R", bound=Received)


class Mailbox(Generic[R]):
    """A bounded list with a bell for those who wait for the next change."""

    def __init__(self, *, keep: int) -> None:
        self._keep = keep
        self._received: OrderedDict[int, R] = OrderedDict()
        self._last = 0
        self._changes = 0
        self._bell = asyncio.Event()

    @property
    def version(self) -> int:
        """Grows with every change."""
        return self._changes

    def next_number(self) -> int:
        """A number for a request that is about to be added."""
        self._last += 1
        return self._last

    def add(self, received: R) -> None:
        """Remember; forgets the oldest beyond the bound."""
        self._received[received.number] = received
        while len(self._received) > self._keep:
            self._received.popitem(last=False)
        self._changed()

    def get(self, number: int) -> R | None:
        """What was received under a number, unless it is forgotten."""
        return self._received.get(number)

    def put(self, received: R) -> None:
        """Replace what stands under the same number, unless it is forgotten."""
        if received.number in self._received:
            self._received[received.number] = received
            self._changed()

    def clear(self) -> int:
        """Forget everything; returns how much that was."""
        count = len(self._received)
        self._received.clear()
        self._changed()
        return count

    def select(self, *, key: str | None = None, after: int = 0) -> tuple[R, ...]:
        """Oldest first, of one key or all, behind the number `after`."""
        return tuple(
            item
            for item in self._received.values()
            if item.number > after and key in (None, item.key)
        )

    async def change(self) -> None:
        """Return at the next change."""
        await self._bell.wait()

    def _changed(self) -> None:
        self._changes += 1
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()
