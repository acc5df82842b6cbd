"""Publishing many messages at once: all of them are written, then all acks are awaited.

A future and a timer for each message, as the client's own `publish` has them, cost more than the
message does; here a batch has one of each.
"""

import asyncio
import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import nats.errors
import nats.js.errors
from nats.aio.client import Client
from nats.aio.msg import Msg

# Others on this loop get their turn in between.
_STRETCH = 50
_NO_RESPONDERS = "503"

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
    answers: list[Answer | None]
    missing: int
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    def settle(self, place: int, answer: Answer) -> None:
        """The first answer counts."""
        if self.answers[place] is None:
            self.answers[place] = answer
            self.missing -= 1
            if self.missing == 0:
                self.complete.set()


@dataclass(slots=True)
class Pipeline:
    """Publishes batches on one connection; its acks come in on one subscription."""

    client: Client
    _inbox: str = field(default="", init=False)
    _numbers: "itertools.count[int]" = field(default_factory=itertools.count, init=False)
    _batches: dict[str, _Batch] = field(default_factory=dict, init=False)

    async def publish(
        self, messages: Iterable[Outgoing | Exception], *, seconds: float
    ) -> Sequence[Answer]:
        """The answers in the order of the messages, after at most `seconds`.

        A message without an answer by then has TimeoutError for one; whether the broker has it
        is not known. An exception in the place of a message is its own answer. Messages are asked
        for one by one, each right before it is written.
        """
        await self._listen()
        batch, name = _Batch([], 0), str(next(self._numbers))
        self._batches[name] = batch
        try:
            async with asyncio.timeout(seconds):
                await self._write(messages, batch, name)
                await batch.complete.wait()
        except TimeoutError:
            # What is told below, message by message.
            pass
        finally:
            del self._batches[name]
        return [nats.errors.TimeoutError() if one is None else one for one in batch.answers]

    async def _write(
        self, messages: Iterable[Outgoing | Exception], batch: _Batch, name: str
    ) -> None:
        # One more than there are, until all are written: acks come in meanwhile.
        batch.missing = 1
        for place, message in enumerate(messages):
            batch.answers.append(None)
            batch.missing += 1
            if isinstance(message, Exception):
                batch.settle(place, message)
                continue
            try:
                await self.client.publish(
                    message.subject,
                    message.payload,
                    reply=f"{self._inbox}.{name}.{place}",
                    headers=message.headers,
                )
            except (nats.errors.Error, OSError) as error:
                batch.settle(place, error)
            if place % _STRETCH == _STRETCH - 1:
                await asyncio.sleep(0)
        batch.missing -= 1
        if batch.missing == 0:
            batch.complete.set()

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
    try:
        told = json.loads(message.data)
        if "error" in told:
            return nats.js.errors.APIError(**told["error"])
        return int(told["seq"])
    except (ValueError, KeyError, TypeError) as error:
        return error
