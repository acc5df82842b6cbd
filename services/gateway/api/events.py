"""A suggestion's changes of state, as server-sent events."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from libs.rpc.errors import RemoteError
from services.gateway.domain import ids
from services.gateway.domain.errors import AwayForNow, TooManyRequests
from services.gateway.web.access import SignedIn
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire.as_json import to_json
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(prefix="/api/v1", tags=["active scheduling"])

Watch = active_scheduler_service_pb2.WatchPreviewResponse
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_RETRY = b"retry: 1000\n\n"
_ALIVE = b": alive\n\n"
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


@router.get(
    "/active-schedule/previews/{preview_id}/events",
    response_model=None,
    dependencies=[Depends(_counted)],
    responses={200: {"content": {"text/event-stream": {}}, "description": "Server-sent events"}},
)
async def watch(request: Request, visitor: SignedIn, preview_id: str) -> Response:
    """The suggestion now, and again at each change of its state.

    Event `preview` carries the suggestion as JSON, its id is the version. The stream ends when
    the service does, and after some minutes; a browser comes again by itself and has to be
    signed in then.
    """
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.WatchPreviewRequest(preview_id=ids.preview_id(preview_id))
    changes = parts.suite.watch(visitor, parts.suite.active_scheduler.WatchPreview, asked)
    first = await _first(changes, parts.suite.call_seconds)
    body = _events(parts, first, changes)
    return StreamingResponse(body, media_type="text/event-stream", headers=_HEADERS)


async def _first(changes: AsyncIterator[Watch], seconds: float) -> Watch:
    """Waited for before the answer begins: a refusal still has a status of its own."""
    try:
        async with asyncio.timeout(seconds):
            return await anext(changes)
    except (TimeoutError, StopAsyncIteration) as error:
        raise AwayForNow from error


async def _events(
    parts: Parts, first: Watch, changes: AsyncIterator[Watch]
) -> AsyncIterator[bytes]:
    async with aclosing(_for_a_while(parts, changes)) as following:
        yield _RETRY + encoded(first)
        async for change in following:
            yield encoded(change) if change else _ALIVE


async def _for_a_while(parts: Parts, changes: AsyncIterator[Watch]) -> AsyncGenerator[Watch | None]:
    """Each change, and None after every pause, until time is up or either process ends."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + parts.policy.stream_seconds
    ends = asyncio.ensure_future(parts.waits.wait())
    change: asyncio.Future[Watch] | None = None
    try:
        while not ends.done() and (left := ends_at - loop.time()) > 0:
            change = change or asyncio.ensure_future(_next(changes))
            pause = min(left, parts.policy.stream_keepalive_seconds)
            either: list[asyncio.Future[Any]] = [ends, change]
            await asyncio.wait(either, timeout=pause, return_when=asyncio.FIRST_COMPLETED)
            if not change.done():
                yield None
                continue
            try:
                yield change.result()
            except (RemoteError, StopAsyncIteration):
                return
            change = None
    finally:
        ends.cancel()
        if change is not None:
            change.cancel()


async def _next(changes: AsyncIterator[Watch]) -> Watch:
    return await anext(changes)


def encoded(change: Watch) -> bytes:
    """One event on the wire."""
    data: dict[str, Any] = to_json(change)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"event: preview\nid: {change.preview.version}\ndata: {text}\n\n".encode()
