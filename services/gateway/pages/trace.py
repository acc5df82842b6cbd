"""The trace: triggers and their whole ways with times. For operators; others find nothing here."""

from collections.abc import Mapping
from typing import Annotated, Literal
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from libs.planning.calendar import DEFAULT_TIME_ZONE
from libs.rpc.errors import RemoteError
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, traces, zones
from services.gateway.web.negotiation import locale_of
from services.gateway.web.operators import Operator
from services.gateway.web.parameters import LongToken
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire import trace_list, trace_page
from services.gateway.wire.bodies import TargetKindName
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2
from smartmate.schedule.v1 import change_pb2

router = APIRouter(prefix="/trace", include_in_schema=False)

LARGEST = 2**63 - 1
State = Literal[
    "",
    "pending",
    "processing",
    "preview_generated",
    "closed",
    "skipped",
    "failed",
    "rejected",
]
_PAGE = 50
_KINDS: Mapping[str, TargetKindName] = {
    "task_pool": "TARGET_KIND_TASK_POOL",
    "task_item": "TARGET_KIND_TASK_ITEM",
    "schedule_event": "TARGET_KIND_SCHEDULE_EVENT",
}


@router.get("")
async def triggers(
    request: Request,
    visitor: Operator,
    user: Annotated[str, Query(max_length=20, pattern=r"^\s*\d{0,19}\s*$")] = "",
    state: State = "",
    before: LongToken = "",
) -> Response:
    """Triggers, newest first, of one user or in one state where that is asked for."""
    parts, spoken = parts_of(request), locale_of(request)
    user_id = min(int(user.strip() or 0), LARGEST)
    asked = active_scheduler_service_pb2.ListTriggersRequest(
        user_id=user_id,
        states=[f"TRIGGER_STATE_{state.upper()}"] if state else [],
        page_size=_PAGE,
        page_token=before,
    )
    found = await traces.listed(parts, visitor, asked)
    kept = {name: value for name, value in (("user", user_id), ("state", state)) if value}
    more = {**kept, "before": found.next_page_token}
    return answers.page(
        request,
        "trace_list.html",
        visitor=visitor,
        lines=trace_list.build(spoken, found, await _zone(parts, visitor)),
        states=trace_list.states(spoken),
        state=state,
        user=user_id or "",
        more=f"?{urlencode(more)}" if found.next_page_token else "",
        first=f"/trace?{urlencode(kept)}" if before else "",
        kinds=tuple(_KINDS),
    )


@router.get("/target")
async def target(
    request: Request,
    visitor: Operator,
    user: Annotated[int, Query(ge=1, le=LARGEST)],
    kind: Literal["task_pool", "task_item", "schedule_event"],
    id: Annotated[int, Query(ge=1, le=LARGEST)],
) -> Response:
    """The way of a target, also of one that never fired."""
    parts = parts_of(request)
    found = await traces.of_target(parts, visitor, user, _KINDS[kind], id)
    about = change_pb2.Target(kind=_KINDS[kind], id=id)
    page = trace_page.build(locale_of(request), found, await _zone(parts, visitor), about)
    return answers.page(request, "trace.html", visitor=visitor, page=page)


@router.get("/{trigger_id}")
async def trigger(request: Request, visitor: Operator, trigger_id: str) -> Response:
    """The whole way of one trigger."""
    parts = parts_of(request)
    found = await traces.of_trigger(parts, visitor, trigger_id)
    page = trace_page.build(locale_of(request), found, await _zone(parts, visitor))
    return answers.page(request, "trace.html", visitor=visitor, page=page)


async def _zone(parts: Parts, visitor: Visitor) -> ZoneInfo:
    """The operator's own zone, the default one while nobody can tell."""
    try:
        return await zones.zone_of(parts, visitor)
    except RemoteError:
        return ZoneInfo(DEFAULT_TIME_ZONE)
