"""The page that waits for what a look finds."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.domain import ids
from services.gateway.web import answers
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parts import parts_of
from services.gateway.web.redirects import preview_path
from services.gateway.wire import look_page
from services.gateway.wire.look_page import LOOKS
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(include_in_schema=False)


@router.get(f"{LOOKS}/{{trigger_id}}")
async def look(request: Request, visitor: SignedIn, trigger_id: str) -> Response:
    """On to the suggestion where there is one by now; else how the look stands."""
    parts = parts_of(request)
    asked = active_scheduler_service_pb2.GetTriggerRequest(trigger_id=ids.trigger_id(trigger_id))
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.GetTrigger, asked)
    if found.trigger.preview_id:
        return answers.see_other(preview_path(found.trigger.preview_id))
    page = look_page.build(locale_of(request), found.trigger)
    return answers.page(request, "look.html", visitor=visitor, page=page)
