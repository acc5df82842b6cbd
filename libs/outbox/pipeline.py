"""Publishing many messages at once: all of them are written, then all acks are awaited.

A future and a timer for each message, as the client's own `publish` has them, cost more than the
message does; here a batch has one of each.
"""

import asyncio
import itertools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

T = TypeVar("T")

# Others on this loop get their turn in between.
_STRETCH = 125
_NO_RESPONDERS = "503"
# Every ack is read: what is as short and as regular needs no JSON reader.
_SEQUENCE = re.compile(rb'"seq":\s*(\d+)')

Answer = int | Exception
"""Its place in the stream, where a message was taken; else what became of it."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message that is to be published."""

    subject: str
    payload: bytes
    headers: dict[str, str]


@dataclass(slots=True)
class _Batch:
    """The answers to a batch; those that have not come yet are None."""

    answers: list[Answer | None] = field(default_factory=list)
    _missing: int = 0
    _none_missing: asyncio.Event = field(default_factory=asyncio.Event)

    def expect(self) -> int:
        """The place of one more answer."""
        self.answers.append(None)
        self._missing += 1
        return len(self.answers) - 1

    def settle(self, place: int, answer: Answer) -> None:
        """The first answer counts."""
        if self.answers[place] is None:
            self.answers[place] = answer
            self._missing -= 1
            if self._missing == 0:
                self._none_missing.set()

    async def complete(self) -> None:
        """Returns when every answer that is expected by now has come."""
        while self._missing:
            self._none_missing.clear()
            await self._none_missing.wait()


@dataclass(slots=True)
class Pipeline:
    """Publishes batches on one connection; its acks come in on one subscription."""

    client: Client
    _inbox: str = field(default="", init=False)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count, init=False)
    _batches: dict[str, _Batch] = field(default_factory=dict, init=False)

    async def publish(
        self, items: Iterable[T], outgoing: Callable[[T], Outgoing], *, seconds: float
    ) -> Sequence[Answer]:
        """The answers in the order of the items, after at most `seconds`.

        `outgoing` makes the message of an item right before it is written; what it raises is the
        item's answer. An item without an answer in time has TimeoutError for one: whether the
        broker has it is not known.
        """
        await self._listen()
        batch, name = _Batch(), str(next(self._numbers))
        self._batches[name] = batch
        try:
            async with asyncio.timeout(seconds):
                for place, item in enumerate(items):
                    await self._write(batch, f"{self._inbox}.{name}.{place}", item, outgoing)
                    if place % _STRETCH == _STRETCH - 1:
                        await asyncio.sleep(0)
                await batch.complete()
        except TimeoutError:
            # Told below, item by item.
            pass
        finally:
            del self._batches[name]
        return [nats.errors.TimeoutError() if one is None else one for one in batch.answers]

    async def _write(
        self, batch: _Batch, reply: str, item: T, outgoing: Callable[[T], Outgoing]
    ) -> None:
        place = batch.expect()
        try:
            message = outgoing(item)
            await self.client.publish(
                message.subject, message.payload, reply=reply, headers=message.headers
            )
        except Exception as error:  # noqa: BLE001  one that cannot be sent keeps no other back
            batch.settle(place, error)

    async def _listen(self) -> None:
        """Once; the subscription survives reconnects."""
        if not self._inbox:
            inbox = self.client.new_inbox()
            await self.client.subscribe(f"{inbox}.>", cb=self._acked)
            self._inbox = inbox

    async def _acked(self, message: Msg) -> None:
        name, _, place = message.subject[len(self._inbox) + 1 :].partition(".")
        if batch := self._batches.get(name):
            batch.settle(int(place), _answer(message))


def _answer(message: Msg) -> Answer:
    if message.headers and message.headers.get("Status") == _NO_RESPONDERS:
        return nats.js.errors.NoStreamResponseError()
    if b'"error"' not in message.data and (found := _SEQUENCE.search(message.data)):
        return int(found[1])
    try:
        told = json.loads(message.data)
        if "error" in told:
            return nats.js.errors.APIError(**told["error"])
        raise ValueError("an ack without a sequence")
    except (ValueError, TypeError) as error:
        return error
