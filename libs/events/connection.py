"""The connection of one service to NATS."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import nats
import nats.errors
from nats.aio.client import Client
from nats.js import JetStreamContext

from libs.telemetry import logs

_log = logs.get("events.connection")
_PROBE_SECONDS = 0.1
_FLUSH_SECONDS = 2


@dataclass(slots=True)
class Bus:
    """A connected client with its JetStream context.

    `fatal` is set when the broker refuses what this service must be allowed to do, or closes
    the connection for good: the process has to end.
    """

    client: Client
    jetstream: JetStreamContext
    service: str
    """Whose connection it is; its stream has that name in upper case."""
    fatal: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def connected(self) -> bool:
        return bool(self.client.is_connected)

    @property
    def reconnects(self) -> int:
        """How often the connection was made anew; counted before anything can be published."""
        return int(self.client.stats["reconnects"])

    async def close(self) -> None:
        """Flushes and closes, also while the broker is away.

        Pull subscriptions must have been unsubscribed before.
        """
        try:
            if self.connected:
                # The client's own drain waits 15 s for a broker that is frozen, and swallows the
                # cancellation of whoever is tired of it.
                await self.client.flush(timeout=_FLUSH_SECONDS)
        except (nats.errors.Error, OSError) as error:
            _log.warning("not_flushed", error=repr(error))
        finally:
            if not self.client.is_closed:
                await self.client.close()


async def _reachable(servers: Sequence[str]) -> None:
    """Waits until a port answers: a refused first connect costs the client two seconds."""
    while True:
        for server in servers:
            target = urlsplit(server)
            try:
                _, writer = await asyncio.open_connection(target.hostname, target.port or 4222)
                writer.close()
                await writer.wait_closed()
            except OSError:
                continue
            return
        await asyncio.sleep(_PROBE_SECONDS)


async def connect(url: str, *, service: str) -> Bus:
    """Connects, and waits for as long as the broker is not there.

    `url` may name several servers of one cluster, with commas between them. The client
    reconnects for ever; nothing is buffered while it is disconnected, so that a publish that
    failed has failed.
    """
    fatal = asyncio.Event()

    async def on_error(error: Exception) -> None:
        _log.warning("broker_error", error=type(error).__name__, detail=str(error))
        if "permissions violation" in str(error).lower():
            fatal.set()

    async def on_disconnect() -> None:
        _log.warning("broker_disconnected")

    async def on_reconnect() -> None:
        _log.info("broker_reconnected")

    async def on_close() -> None:
        fatal.set()

    servers = url.split(",")
    await _reachable(servers)
    client = await nats.connect(
        servers,
        name=service,
        inbox_prefix=f"_INBOX_{service}".encode(),
        error_cb=on_error,
        disconnected_cb=on_disconnect,
        reconnected_cb=on_reconnect,
        closed_cb=on_close,
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.25,
        ping_interval=15,
        max_outstanding_pings=2,
        pending_size=0,
    )
    return Bus(client, client.jetstream(timeout=5), service, fatal)
