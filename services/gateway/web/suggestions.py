"""A suggestion as a part of another page."""

from dataclasses import replace

from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web import questions, rooms
from services.gateway.web.parts import Parts
from services.gateway.wire import standing
from services.gateway.wire.preview_page import Builder
from services.gateway.wire.preview_shown import PreviewPage
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

_log = logs.get("gateway.suggestions")


async def beside(
    parts: Parts,
    visitor: Visitor,
    spoken: Locale,
    preview_id: str,
    *,
    candidate: str = "",
    told: str = "",
) -> PreviewPage | None:
    """A suggestion as its own page shows it, where its blocks stay where they are proposed.

    None where it is gone, or nobody can tell: the page around it is of use without it.
    """
    asked = active_scheduler_service_pb2.GetPreviewRequest(preview_id=preview_id)
    try:
        found = await parts.suite.call(visitor, parts.suite.active_scheduler.GetPreview, asked)
    except RemoteError as error:
        _log.warning("suggestion_unknown", preview_id=preview_id, reason=error.reason)
        return None
    events = await rooms.beside_written(parts, visitor, found.preview)
    builder = Builder(
        spoken,
        standing.with_beside(found, events),
        asked=candidate,
        told=told,
        room=await rooms.of_page(parts, visitor, found.preview, candidate),
        look=await questions.follow_up(parts, visitor, found.preview),
    )
    return replace(builder.page(), move=None)
