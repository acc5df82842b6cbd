"""Calls to other services: identity, deadline, trace, retries of UNAVAILABLE alone."""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from libs.rpc import deadline, identity
from libs.rpc.errors import from_call
from libs.telemetry import traces

Req = TypeVar("Req", bound=Message)
Res = TypeVar("Res", bound=Message)

MAX_MESSAGE_BYTES = 8 * 1024 * 1024
_TRIES = 5
_FIRST_BACKOFF_SECONDS = 0.1

# A name that resolves to several replicas is used round robin; retries are made below, where
# the deadline and the request_id are known.
_SERVICE_CONFIG = json.dumps({"loadBalancingConfig": [{"round_robin": {}}]})

# A peer that vanished without a word is noticed while a call waits for it; of a watch on which
# nothing is said as well, so that pings need no data between them. The library heeds the time-out
# of pings alone (measured: their 60 s passed, whatever that of keepalive was).
_KEEPALIVE = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
)


def channel(target: str, *, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """One channel per target for the life of the process; closed last."""
    options = [
        ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.service_config", _SERVICE_CONFIG),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 500),
        # A container that starts again has another address; the default waits 30 s to ask for it.
        ("grpc.dns_min_time_between_resolutions_ms", 500),
        *_KEEPALIVE,
    ]
    if credentials is not None:
        return grpc.aio.secure_channel(target, credentials, options=options)
    return grpc.aio.insecure_channel(target, options=options)


class Client:
    """Makes calls in the name of one service."""

    def __init__(self, issuer: identity.Issuer) -> None:
        self._issuer = issuer

    async def call(
        self,
        method: grpc.aio.UnaryUnaryMultiCallable[Req, Res],
        request: Req,
        *,
        on_behalf_of: identity.Caller | int | None,
        seconds: float,
    ) -> Res:
        """One unary call, within `seconds` and what the current call has left.

        UNAVAILABLE is tried again, at most 5 times in all: safe, since a request that changes
        something carries its request_id or apply_id. Raises RemoteError.
        """
        budget = deadline.remaining(seconds)
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + budget
        for attempt in range(1, _TRIES + 1):
            try:
                return await method(
                    request,
                    timeout=max(0.001, ends_at - loop.time()),
                    metadata=self._metadata(on_behalf_of),
                )
            except grpc.aio.AioRpcError as error:
                wait = random.uniform(0.5, 1) * _FIRST_BACKOFF_SECONDS * 2**attempt
                hopeless = attempt == _TRIES or loop.time() + wait >= ends_at
                told = from_call(error)
                if told.code is not grpc.StatusCode.UNAVAILABLE or hopeless:
                    raise told from error
                await asyncio.sleep(wait)
        raise AssertionError("unreachable: the last try returns or raises")

    async def stream(
        self,
        method: grpc.aio.UnaryStreamMultiCallable[Req, Res],
        request: Req,
        *,
        on_behalf_of: identity.Caller | int | None,
        seconds: float | None = None,
    ) -> AsyncIterator[Res]:
        """One server-streaming call. Raises RemoteError where the stream breaks."""
        call = method(request, timeout=seconds, metadata=self._metadata(on_behalf_of))
        try:
            async for answer in call:
                yield answer
        except grpc.aio.AioRpcError as error:
            raise from_call(error) from error
        finally:
            call.cancel()

    def _metadata(self, on_behalf_of: identity.Caller | int | None) -> list[tuple[str, str]]:
        return [*identity.outgoing(self._issuer, on_behalf_of), *traces.outgoing().items()]
