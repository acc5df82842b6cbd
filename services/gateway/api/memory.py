"""What the assistant remembers."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, memories, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parameters import LongToken, PageSize, RowId
from services.gateway.web.parts import parts_of
from services.gateway.wire.memory_form import MemoryBody, TypeName
from smartmate.agent.v1 import agent_service_pb2

router = APIRouter(prefix="/api/v1/memory", tags=["memory"])

Types = Annotated[list[TypeName] | None, Query(alias="type", description="None = all")]

_List = agent_service_pb2.ListMemoryResponse
_Recall = agent_service_pb2.RecallMemoryResponse
_Put = agent_service_pb2.PutMemoryResponse
_Delete = agent_service_pb2.DeleteMemoryResponse


@router.get("", **openapi.answers_with(_List))
async def items(
    request: Request,
    visitor: SignedIn,
    types: Types = None,
    page_size: PageSize = 0,
    page_token: LongToken = "",
) -> Response:
    """What is remembered, newest first."""
    asked = agent_service_pb2.ListMemoryRequest(
        types=types or (), page_size=page_size, page_token=page_token
    )
    return answers.data(await memories.listed(parts_of(request), visitor, asked))


@router.get("/recall", **openapi.answers_with(_Recall))
async def recall(
    request: Request,
    visitor: SignedIn,
    query: Annotated[str, Query(max_length=1000, description="Empty = everything")] = "",
    types: Types = None,
    include_timed: Annotated[
        bool, Query(description="Items that speak of days or sections too, whatever their words")
    ] = False,
    limit: PageSize = 0,
) -> Response:
    """What bears on something, best match first, then the newest."""
    asked = agent_service_pb2.RecallMemoryRequest(
        query=query, types=types or (), include_timed=include_timed, limit=limit
    )
    return answers.data(await memories.recalled(parts_of(request), visitor, asked))


@router.post("", **openapi.answers_with(_Put, status=201), status_code=201)
async def remember(
    request: Request, visitor: SignedIn, body: MemoryBody, key: RequiredKey
) -> Response:
    """Remembers something."""
    made = await memories.put(parts_of(request), visitor, body.message(key))
    return answers.data(made, 201)


@router.put("/{memory_id}", **openapi.answers_with(_Put))
async def change(
    request: Request, visitor: SignedIn, memory_id: RowId, body: MemoryBody, key: RequiredKey
) -> Response:
    """Replaces what an item says."""
    made = await memories.put(parts_of(request), visitor, body.message(key, memory_id))
    return answers.data(made)


@router.delete("/{memory_id}", **openapi.answers_with(_Delete))
async def forget(
    request: Request, visitor: SignedIn, memory_id: RowId, key: RequiredKey
) -> Response:
    """Forgets an item for good."""
    await memories.forget(parts_of(request), visitor, memory_id, key)
    return answers.data(_Delete())
