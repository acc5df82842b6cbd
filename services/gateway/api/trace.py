"""Triggers and their ways as JSON, for operators alone; for everybody else they are not found."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi, traces
from services.gateway.web.operators import Operator
from services.gateway.web.parameters import LongToken
from services.gateway.web.parts import parts_of
from services.gateway.wire.bodies import TargetKindName
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

router = APIRouter(prefix="/api/v1/active-schedule", tags=["operators"])

LARGEST = 2**63 - 1
UserId = Annotated[int, Query(ge=0, le=LARGEST, description="0 = of all")]
StateName = Literal[
    "TRIGGER_STATE_PENDING",
    "TRIGGER_STATE_PROCESSING",
    "TRIGGER_STATE_PREVIEW_GENERATED",
    "TRIGGER_STATE_CLOSED",
    "TRIGGER_STATE_SKIPPED",
    "TRIGGER_STATE_FAILED",
    "TRIGGER_STATE_REJECTED",
]

_List = active_scheduler_service_pb2.ListTriggersResponse
_Trace = active_scheduler_service_pb2.GetTraceResponse


@router.get("/triggers", **openapi.answers_with(_List))
async def triggers(
    request: Request,
    visitor: Operator,
    user_id: UserId = 0,
    state: Annotated[list[StateName] | None, Query(description="None = in any state")] = None,
    page_size: Annotated[int, Query(ge=0, le=200)] = 0,
    page_token: LongToken = "",
) -> Response:
    """Triggers of one user or of all, newest first; for operators."""
    asked = active_scheduler_service_pb2.ListTriggersRequest(
        user_id=user_id, states=state or (), page_size=page_size, page_token=page_token
    )
    return answers.data(await traces.listed(parts_of(request), visitor, asked))


@router.get("/triggers/{trigger_id}/trace", **openapi.answers_with(_Trace))
async def trace(request: Request, visitor: Operator, trigger_id: str) -> Response:
    """The whole way of one trigger, with times; for operators."""
    return answers.data(await traces.of_trigger(parts_of(request), visitor, trigger_id))


@router.get("/trace", **openapi.answers_with(_Trace))
async def of_target(
    request: Request,
    visitor: Operator,
    user_id: Annotated[int, Query(ge=1, le=LARGEST)],
    kind: TargetKindName,
    id: Annotated[int, Query(ge=1, le=LARGEST)],
) -> Response:
    """The job of a target and all its triggers, whether or not it ever fired; for operators."""
    found = await traces.of_target(parts_of(request), visitor, user_id, kind, id)
    return answers.data(found)
