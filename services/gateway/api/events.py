"""A suggestion's changes of state, as server-sent events."""

from collections.abc import AsyncIterator
from contextlib import aclosing

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.domain import ids
from services.gateway.web import streams
from services.gateway.web.access import SignedIn
from services.gateway.web.parts import parts_of
from services.gateway.web.streams import Following
from services.gateway.wire.as_json import to_json
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(prefix="/api/v1", tags=["active scheduling"])

Watch = active_scheduler_service_pb2.WatchPreviewResponse


@router.get(
    "/active-schedule/previews/{preview_id}/events",
    response_model=None,
    dependencies=[streams.COUNTED],
    responses=streams.DESCRIBED,
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
    first = await streams.first(changes, parts.suite.call_seconds)
    return streams.answer(_events(first, Following(parts, changes)))


async def _events(first: Watch, following: Following[Watch]) -> AsyncIterator[bytes]:
    async with aclosing(following.each()) as changes:
        yield streams.RETRY + _encoded(first)
        async for change in changes:
            yield _encoded(change) if change else streams.ALIVE


def _encoded(change: Watch) -> bytes:
    return streams.encoded("preview", to_json(change), change.preview.version)
