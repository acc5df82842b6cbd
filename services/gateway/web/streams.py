"""Server-sent events: counted by user, alive while nothing happens, over after a while.

A browser comes again by itself when a stream ends, and has to be signed in then.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, TypeVar, cast

from fastapi import Depends, Header
from starlette.requests import Request
from starlette.responses import StreamingResponse

from libs.rpc.errors import RemoteError
from services.gateway.domain.errors import AwayForNow, TooManyRequests
from services.gateway.web.access import SignedIn
from services.gateway.web.parts import Parts, parts_of

T = TypeVar("T")

RETRY = b"retry: 1000\n\n"
ALIVE = b": alive\n\n"
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/event-stream": {}}, "description": "Server-sent events"}
}
"""What /openapi.json says of the answer."""
LastEvent = Annotated[
    str | None,
    Header(alias="Last-Event-ID", description="The same, as a browser that comes again says it"),
]
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_BUSY_SECONDS = 5


async def _counted(request: Request, visitor: SignedIn) -> AsyncIterator[None]:
    """One of the visitor's streams, from before the first wait until the answer has ended.

    Raises TooManyRequests.
    """
    parts = parts_of(request)
    if parts.streams[visitor.user_id] >= parts.policy.streams_per_user:
        raise TooManyRequests(_BUSY_SECONDS)
    parts.streams[visitor.user_id] += 1
    try:
        yield
    finally:
        parts.streams[visitor.user_id] -= 1
        if not parts.streams[visitor.user_id]:
            del parts.streams[visitor.user_id]


COUNTED = Depends(_counted)
"""For routes that answer with a stream."""


async def first(changes: AsyncIterator[T], seconds: float) -> T:
    """Waited for before the answer begins: a refusal still has a status of its own.

    Raises RemoteError, and AwayForNow where nothing comes.
    """
    try:
        async with asyncio.timeout(seconds):
            return await anext(changes)
    except (TimeoutError, StopAsyncIteration) as error:
        raise AwayForNow from error


def answer(body: AsyncIterator[bytes]) -> StreamingResponse:
    """The stream as an answer."""
    return StreamingResponse(body, media_type="text/event-stream", headers=_HEADERS)


def number_of(header: str | None) -> int:
    """The number of an event as a browser repeats it; 0 for what is none."""
    given = header or ""
    return int(given) if given.isascii() and given.isdecimal() and len(given) <= 18 else 0


def encoded(event: str, data: object, id_: int | None = None) -> bytes:
    """One event on the wire."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    number = "" if id_ is None else f"id: {id_}\n"
    return f"event: {event}\n{number}data: {text}\n\n".encode()


@dataclass(slots=True)
class Following(Generic[T]):
    """Changes that a service tells, followed until time is up or either process ends."""

    parts: Parts
    changes: AsyncIterator[T]
    is_over: bool = field(default=False, init=False)
    """The service has told everything: there is no more to come."""

    async def each(self) -> AsyncGenerator[T | None]:
        """Each change, and None after every pause."""
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + self.parts.policy.stream_seconds
        ends = asyncio.ensure_future(self.parts.waits.wait())
        change: asyncio.Future[T] | None = None
        try:
            while not ends.done() and (left := ends_at - loop.time()) > 0:
                change = change or asyncio.ensure_future(_next(self.changes))
                pause = min(left, self.parts.policy.stream_keepalive_seconds)
                either: list[asyncio.Future[Any]] = [ends, change]
                await asyncio.wait(either, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
                if not change.done():
                    yield None
                    continue
                try:
                    yield change.result()
                except StopAsyncIteration:
                    self.is_over = True
                    return
                except RemoteError:
                    return
                change = None
        finally:
            ends.cancel()
            if change is not None and not change.done():
                change.cancel()
            else:
                await _close(self.changes)


async def _next(changes: AsyncIterator[T]) -> T:
    return await anext(changes)


async def _close(changes: AsyncIterator[T]) -> None:
    """Tells the service that nobody listens any more."""
    if hasattr(changes, "aclose"):
        await cast("AsyncGenerator[T]", changes).aclose()
