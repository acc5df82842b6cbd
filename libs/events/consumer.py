"""A durable pull consumer: fetch, handle, acknowledge after the commit.

Source: spec architecture.md, Events, Failure; facts on nats-py in reference interfaces D.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import nats.errors
from google.protobuf.message import Message
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from opentelemetry.trace import SpanKind
from prometheus_client import Counter

from libs.events import envelope
from libs.events.connection import Bus
from libs.events.contract import contract
from libs.events.envelope import Delivery, MalformedEvent
from libs.telemetry import logs, traces

M = TypeVar("M", bound=Message)

_log = logs.get("events.consumer")
_HANDLED = Counter(
    "smartmate_events_handled_total", "Deliveries by outcome", ["consumer", "outcome"]
)


@dataclass(frozen=True, slots=True)
class Parked:
    """A message that cannot be handled, with all that is needed to handle it later."""

    consumer: str
    subject: str
    data: bytes
    headers: dict[str, str]
    delivered: int
    reason: str
    error: str
    sequence: int = 0
    """Its place in the stream; names a message whose headers do not."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How a consumer behaves; each is a setting so that tests can shorten it."""

    workers: int = 2
    """Messages that are handled side by side."""
    expiry_seconds: float = 5.0
    max_faults: int = 5
    """Deliveries that fail by the message's own fault until it is parked."""
    away_first_seconds: float = 0.2
    away_most_seconds: float = 15.0
    in_progress_seconds: float = 10.0
    """Well below the ack_wait of the durable consumer (30 s)."""


Handler = Callable[[Delivery[M]], Awaitable[None]]
Park = Callable[[Parked], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Hearer(Generic[M]):
    """What a service does with one kind of event."""

    kind: type[M]
    handle: Handler[M]


# A fetch that is under way when the consumer is stopped may be about to bring a message.
_LAST_LOOK_SECONDS = 0.1
_FAULTS_KEPT = 4096


@dataclass(slots=True)
class Consumer(Generic[M]):
    """One durable consumer of one kind of event.

    `handle` commits its effect together with its inbox row before it returns. An error for
    which `is_away` holds naks with growing delay for as long as it lasts and pauses fetching;
    one that is the deployment's (`is_unfit`) does the same, loudly; one over which another user's
    message may succeed (`is_contended`, asked first) does not pause. These count towards nothing.
    Any other error counts, and at the `max_faults`-th `park` stores
    the message before it is terminated. Faults are counted in this process: a restart or a
    replica beside begins anew, so that a message is parked late rather than early.
    """

    bus: Bus
    service: str
    kind: type[M]
    handle: Handler[M]
    park: Park
    is_away: Callable[[BaseException], bool]
    is_contended: Callable[[BaseException], bool]
    is_unfit: Callable[[BaseException], bool]
    limits: Limits = Limits()
    _faults: dict[int, int] = field(default_factory=dict, init=False)

    @property
    def name(self) -> str:
        return contract(self.kind).durable(self.service)

    async def run(self, stop: asyncio.Event) -> None:
        """Consumes until `stop`; finishes what it holds, then unsubscribes."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self.limits.workers):
                group.create_task(self._run_worker(stop))

    async def _run_worker(self, stop: asyncio.Event) -> None:
        subscription = await self._bind(stop, contract(self.kind).stream)
        if subscription is None:
            return
        away = 0
        try:
            while not stop.is_set():
                if await self._next(subscription, stop):
                    away = 0
                    continue
                away += 1
                await _pause(stop, self._away_delay(away if self.bus.connected else 0))
        finally:
            await self._unsubscribe(subscription)

    async def _bind(
        self, stop: asyncio.Event, stream: str
    ) -> JetStreamContext.PullSubscription | None:
        tries = 0
        while not stop.is_set():
            try:
                info = await self.bus.jetstream.consumer_info(stream, self.name)
                return await self.bus.jetstream.pull_subscribe_bind(
                    durable=info.name, stream=stream
                )
            except (nats.errors.Error, OSError) as error:
                tries += 1
                _log.warning("consumer_not_there", consumer=self.name, error=repr(error))
                await _pause(stop, self._away_delay(tries))
        return None

    async def _unsubscribe(self, subscription: JetStreamContext.PullSubscription) -> None:
        """Before any drain: a late status in the queue would hold it up for its whole timeout."""
        try:
            await subscription.unsubscribe()
        except nats.errors.Error as error:
            _log.warning("not_unsubscribed", consumer=self.name, error=repr(error))

    async def _next(
        self, subscription: JetStreamContext.PullSubscription, stop: asyncio.Event
    ) -> bool:
        """Handles the next message, where there is one; False when something is away."""
        try:
            message = await self._fetch(subscription, stop)
        except (nats.errors.Error, OSError) as error:
            _log.warning("fetch_failed", consumer=self.name, error=repr(error))
            return False
        return message is None or await self._deliver(message)

    async def _fetch(
        self, subscription: JetStreamContext.PullSubscription, stop: asyncio.Event
    ) -> Msg | None:
        """The next message, or None when none came until `stop` or for a while."""
        # One at a time: asked for several, the client holds the first ones back until its time is
        # up (measured: up to 4 s with 16, 9 ms with 1), and with a heartbeat it loses some until
        # their ack_wait is over. Several workers make up for it.
        fetch = asyncio.ensure_future(subscription.fetch(1, timeout=self.limits.expiry_seconds))
        waiter = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait({fetch, waiter}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({fetch}, timeout=_LAST_LOOK_SECONDS)
            return fetch.result()[0] if fetch.done() else None
        except TimeoutError:
            # Idle, or a peer that is frozen: the client's pings will tell.
            return None
        finally:
            fetch.cancel()
            waiter.cancel()

    async def _deliver(self, message: Msg) -> bool:
        """Handles one message; False when something that it needs is away."""
        try:
            delivery = envelope.read(
                self.kind,
                message.data,
                message.headers,
                consumer=self.name,
                delivered=message.metadata.num_delivered,
            )
            with traces.span(
                f"consume {contract(self.kind).type}",
                carrier=delivery.headers,
                kind=SpanKind.CONSUMER,
            ):
                await self._handle_in_progress(message, delivery)
        except MalformedEvent as error:
            return await self._park(message, "malformed", error)
        except Exception as error:  # noqa: BLE001  one of the two outer loops of the suite
            return await self._failed(message, error)
        self._faults.pop(message.metadata.sequence.stream, None)
        return await self._settle(message.ack_sync(timeout=5), "handled")

    async def _handle_in_progress(self, message: Msg, delivery: Delivery[M]) -> None:
        """Handles while telling the broker, at intervals, that it is being worked on."""
        work = asyncio.ensure_future(self.handle(delivery))
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=self.limits.in_progress_seconds)
                if not work.done():
                    await self._in_progress(message)
            work.result()
        finally:
            await _cancelled(work)

    async def _in_progress(self, message: Msg) -> None:
        """What is lost here only brings the message again, which is harmless."""
        try:
            await message.in_progress()
        except (nats.errors.Error, OSError) as error:
            _log.warning("in_progress_lost", consumer=self.name, error=repr(error))

    async def _failed(self, message: Msg, error: Exception) -> bool:
        if self.is_contended(error):
            _log.warning("contended", consumer=self.name, error=repr(error))
            return await self._again(message, "contended")
        if self.is_unfit(error):
            _log.error("deployment_unfit", consumer=self.name, exc_info=error)
        elif self.is_away(error):
            _log.warning("dependency_away", consumer=self.name, error=repr(error))
        else:
            return await self._at_fault(message, error)
        await self._again(message, "away")
        return False

    async def _at_fault(self, message: Msg, error: Exception) -> bool:
        faults = self._count_fault(message.metadata.sequence.stream)
        _log.error("delivery_failed", consumer=self.name, faults=faults, exc_info=error)
        if faults >= self.limits.max_faults:
            return await self._park(message, "handler_failed", error)
        delay = min(2.0 ** min(faults - 1, 20), self.limits.away_most_seconds)
        return await self._settle(message.nak(delay=delay), "failed")

    def _count_fault(self, sequence: int) -> int:
        """How often this message failed by its own fault; deliveries say nothing about that."""
        faults = self._faults.pop(sequence, 0) + 1
        if len(self._faults) >= _FAULTS_KEPT:
            # The oldest: it was settled by a replica beside, or will be counted anew.
            del self._faults[next(iter(self._faults))]
        self._faults[sequence] = faults
        return faults

    async def _park(self, message: Msg, reason: str, error: Exception) -> bool:
        parked = Parked(
            consumer=self.name,
            subject=message.subject,
            data=message.data,
            headers=dict(message.headers or {}),
            delivered=message.metadata.num_delivered,
            reason=reason,
            error=f"{type(error).__name__}: {error}"[:500],
            sequence=message.metadata.sequence.stream,
        )
        try:
            await self.park(parked)
        except Exception as problem:  # noqa: BLE001  nothing is terminated that was not stored
            _log.error("parking_failed", consumer=self.name, exc_info=problem)
            await self._again(message, "away")
            return self.is_contended(problem)
        self._faults.pop(parked.sequence, None)
        _log.error("event_parked", consumer=self.name, reason=reason, error=parked.error)
        return await self._settle(message.term(), "parked")

    async def _again(self, message: Msg, outcome: str) -> bool:
        """Has the message come again, later each time; no fault of its own."""
        delay = self._away_delay(message.metadata.num_delivered)
        return await self._settle(message.nak(delay=delay), outcome)

    async def _settle(self, answer: Awaitable[Any], outcome: str) -> bool:
        """Tells the broker; when that is lost the message comes again, which is harmless."""
        try:
            await answer
        except (nats.errors.Error, OSError) as error:
            _log.warning("settling_lost", consumer=self.name, outcome=outcome, error=repr(error))
        _HANDLED.labels(consumer=self.name, outcome=outcome).inc()
        return True

    def _away_delay(self, tries: int) -> float:
        most = min(
            self.limits.away_first_seconds * 2.0 ** min(tries, 20), self.limits.away_most_seconds
        )
        return random.uniform(most / 2, most)


async def _cancelled(task: asyncio.Future[Any]) -> None:
    """Cancels what still runs, and waits until it has cleaned up after itself."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task})


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    """Waits, but not longer than until `stop`."""
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
