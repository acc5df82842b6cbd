"""A suggestion's changes of state, as server-sent events."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from libs.rpc.errors import RemoteError
from services.gateway.domain import ids
from services.gateway.domain.errors import AwayForNow, TooManyRequests
from services.gateway.domain.visitor import Visitor
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


@router.get(
    "/active-schedule/previews/{preview_id}/events",
    response_model=None,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Server-sent events"}},
)
async def watch(request: Request, visitor: SignedIn, preview_id: str) -> Response:
    """The suggestion now, and again at each change of its state.

    Event `preview` carries the suggestion as JSON, its id is the version. The stream ends when
    the service does; a browser comes again by itself.
    """
    parts = parts_of(request)
    if parts.streams[visitor.user_id] >= parts.policy.streams_per_user:
        raise TooManyRequests(_BUSY_SECONDS)
    asked = active_scheduler_service_pb2.WatchPreviewRequest(preview_id=ids.preview_id(preview_id))
    changes = parts.suite.watch(visitor, parts.suite.active_scheduler.WatchPreview, asked)
    first = await _first(changes, parts.suite.call_seconds)
    body = _events(parts, visitor, first, changes)
    return StreamingResponse(body, media_type="text/event-stream", headers=_HEADERS)


async def _first(changes: AsyncIterator[Watch], seconds: float) -> Watch:
    """Waited for before the answer begins: a refusal still has a status of its own."""
    try:
        async with asyncio.timeout(seconds):
            return await anext(changes)
    except (TimeoutError, StopAsyncIteration) as error:
        raise AwayForNow from error


async def _events(
    parts: Parts, visitor: Visitor, first: Watch, changes: AsyncIterator[Watch]
) -> AsyncIterator[bytes]:
    with _counted(parts, visitor):
        async with aclosing(_until_shutdown(parts, changes)) as following:
            yield _RETRY + encoded(first)
            async for change in following:
                yield encoded(change) if change else _ALIVE


@contextmanager
def _counted(parts: Parts, visitor: Visitor) -> Iterator[None]:
    parts.streams[visitor.user_id] += 1
    try:
        yield
    finally:
        parts.streams[visitor.user_id] -= 1
        if not parts.streams[visitor.user_id]:
            del parts.streams[visitor.user_id]


async def _until_shutdown(
    parts: Parts, changes: AsyncIterator[Watch]
) -> AsyncGenerator[Watch | None]:
    """Each change, and None after every pause, until the service or this process ends."""
    ends = asyncio.ensure_future(parts.waits.wait())
    change: asyncio.Future[Watch] | None = None
    try:
        while not ends.done():
            change = change or asyncio.ensure_future(_next(changes))
            pause = parts.policy.stream_keepalive_seconds
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
