"""Declares streams and durable consumers at the broker, as the administrator, from the contracts.

spec: architecture.md, Events. Safe to run again: what is as declared is left alone, what differs
is changed in place, what nobody declares any more is reported and kept.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import nats
import nats.errors
import nats.js.errors
from nats.js import JetStreamContext, api

from libs.events.contract import Contract, contracts_in, stream_of
from services.standalone import errors
from smartmate.events.v1 import events_pb2

DAY = 24 * 3600.0
CONNECT_WITHIN = 20.0
BETWEEN_ATTEMPTS = 0.02


@dataclass(frozen=True, slots=True)
class Limits:
    """What holds for every stream and consumer; durations in seconds."""

    max_age: float = 7 * DAY
    max_bytes: int = 1024**3
    duplicate_window: float = 600.0
    ack_wait: float = 30.0
    max_deliver: int = -1
    """Without end: consumers park a poisonous message themselves, and an outage counts nothing."""
    max_ack_pending: int = 64
    replicas: int = 1


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did; names of streams, and of consumers as stream/consumer."""

    created: tuple[str, ...]
    changed: tuple[str, ...]
    unknown: tuple[str, ...]


def stream_config(service: str, events: Iterable[Contract], limits: Limits) -> api.StreamConfig:
    """Return the stream of what one service says, with exactly its subjects."""
    return api.StreamConfig(
        name=stream_of(service),
        subjects=sorted(event.subject for event in events if event.said_by == service),
        retention=api.RetentionPolicy.LIMITS,
        storage=api.StorageType.FILE,
        discard=api.DiscardPolicy.NEW,
        max_age=limits.max_age,
        max_bytes=limits.max_bytes,
        duplicate_window=limits.duplicate_window,
        num_replicas=limits.replicas,
    )


def consumer_config(event: Contract, service: str, limits: Limits) -> api.ConsumerConfig:
    """Return the durable pull consumer of one service on one event."""
    return api.ConsumerConfig(
        durable_name=event.durable(service),
        filter_subject=event.subject,
        ack_policy=api.AckPolicy.EXPLICIT,
        deliver_policy=api.DeliverPolicy.ALL,
        ack_wait=limits.ack_wait,
        max_deliver=limits.max_deliver,
        max_ack_pending=limits.max_ack_pending,
        num_replicas=limits.replicas,
    )


STREAM_SETTINGS = (
    "subjects",
    "retention",
    "storage",
    "discard",
    "max_age",
    "max_bytes",
    "duplicate_window",
    "num_replicas",
)
CONSUMER_SETTINGS = (
    "filter_subject",
    "ack_policy",
    "deliver_policy",
    "ack_wait",
    "max_deliver",
    "max_ack_pending",
    "num_replicas",
)


def differences(wanted: Any, found: Any, names: Iterable[str]) -> tuple[str, ...]:
    """Return the settings that the broker holds otherwise than asked for."""
    return tuple(name for name in names if _held(wanted, name) != _held(found, name))


def _held(config: Any, name: str) -> Any:
    value = getattr(config, name)
    return sorted(value) if isinstance(value, list) else value


@contextlib.asynccontextmanager
async def administrator(url: str) -> AsyncIterator[JetStreamContext]:
    """Lend JetStream as the administrator; waits a little for a server that just started.

    Raises ServerUnreachable.
    """
    try:
        connection = await nats.connect(
            url,
            allow_reconnect=False,
            connect_timeout=5,
            name="smartmate-topology",
            error_cb=_ignored,
        )
    except nats.errors.Error as error:
        raise errors.ServerUnreachable("NATS", url.rpartition("@")[2], str(error)) from error
    try:
        context = connection.jetstream(timeout=10)
        await _answering(context, url)
        yield context
    finally:
        await connection.close()


async def declare(url: str, *, limits: Limits = Limits()) -> Report:
    """Bring streams and consumers to what the contracts say; raises TopologyRefused."""
    known = tuple(contracts_in(events_pb2.DESCRIPTOR))
    async with administrator(url) as context:
        return await _Declaration(context, limits, known).run()


class _Declaration:
    """One run against one broker."""

    def __init__(
        self, context: JetStreamContext, limits: Limits, known: tuple[Contract, ...]
    ) -> None:
        self._context = context
        self._limits = limits
        self._known = known
        self._created: list[str] = []
        self._changed: list[str] = []
        self._unknown: list[str] = []

    async def run(self) -> Report:
        sayers = dict.fromkeys(event.said_by for event in self._known)
        await asyncio.gather(*(self._stream(service) for service in sayers))
        return Report(
            created=tuple(sorted(self._created)),
            changed=tuple(sorted(self._changed)),
            unknown=tuple(sorted(self._unknown)),
        )

    async def _stream(self, service: str) -> None:
        wanted = stream_config(service, self._known, self._limits)
        name = str(wanted.name)
        with refusal(name):
            held = await self._found_or_created_stream(name, wanted)
            if differences(wanted, held, STREAM_SETTINGS):
                self._changed.append(name)
                held = (await self._context.update_stream(wanted)).config
            confirm(name, wanted, held, STREAM_SETTINGS)
            # What listens for a while and is gone is nobody's declaration.
            present = {
                str(info.name): info.config
                for info in await self._context.consumers_info(name)
                if info.config.durable_name
            }
        heard = [
            (event, hearer)
            for event in self._known
            if event.said_by == service
            for hearer in event.heard_by
        ]
        declared = {event.durable(hearer) for event, hearer in heard}
        self._unknown += (f"{name}/{other}" for other in present if other not in declared)
        await asyncio.gather(*(self._consumer(event, hearer, present) for event, hearer in heard))

    async def _found_or_created_stream(
        self, name: str, wanted: api.StreamConfig
    ) -> api.StreamConfig:
        try:
            return (await self._context.stream_info(name)).config
        except nats.js.errors.NotFoundError:
            self._created.append(name)
            return (await self._context.add_stream(wanted)).config

    async def _consumer(
        self, event: Contract, service: str, present: Mapping[str, api.ConsumerConfig]
    ) -> None:
        wanted = consumer_config(event, service, self._limits)
        name = f"{event.stream}/{wanted.durable_name}"
        held = present.get(str(wanted.durable_name))
        if held is None:
            self._created.append(name)
        elif differences(wanted, held, CONSUMER_SETTINGS):
            self._changed.append(name)
        else:
            return
        with refusal(name):
            await self._context.add_consumer(event.stream, wanted)
            # Read back: a duration in the wrong unit would show here and nowhere else.
            info = await self._context.consumer_info(event.stream, str(wanted.durable_name))
        confirm(name, wanted, info.config, CONSUMER_SETTINGS)


@contextlib.contextmanager
def refusal(name: str) -> Iterator[None]:
    """Turn what the broker answers about a declaration into TopologyRefused."""
    try:
        yield
    except nats.js.errors.APIError as error:
        raise errors.TopologyRefused(name, error.description or str(error)) from error
    except nats.errors.Error as error:
        raise errors.TopologyRefused(name, repr(error)) from error


def confirm(name: str, wanted: Any, held: Any, names: Iterable[str]) -> None:
    """Refuse when the broker holds something else than it was just told."""
    if wrong := differences(wanted, held, names):
        detail = ", ".join(f"{key} is {getattr(held, key)!r}" for key in wrong)
        raise errors.TopologyRefused(name, detail)


async def _answering(context: JetStreamContext, url: str) -> None:
    """Return when JetStream answers; it comes up a moment after the port."""
    try:
        async with asyncio.timeout(CONNECT_WITHIN):
            while True:
                try:
                    await context.account_info()
                    return
                except (nats.js.errors.ServiceUnavailableError, nats.errors.Error):
                    await asyncio.sleep(BETWEEN_ATTEMPTS)
    except TimeoutError as error:
        raise errors.ServerUnreachable("NATS", url.rpartition("@")[2], "no JetStream") from error


async def _ignored(error: Exception) -> None:
    """The awaited request raises the same; nats-py would print it too."""
