"""Channels, and what was sent on them."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from services.gateway.web import answers, openapi
from services.gateway.web.access import SignedIn
from services.gateway.web.keys import RequiredKey
from services.gateway.web.parameters import PageSize, RowId, Token
from services.gateway.web.parts import parts_of
from services.gateway.wire.bodies import ChannelBody
from smartmate.notification.v1 import notification_service_pb2

router = APIRouter(prefix="/api/v1", tags=["notifications"])


_List = notification_service_pb2.ListChannelsResponse
_Get = notification_service_pb2.GetChannelResponse
_Put = notification_service_pb2.PutChannelResponse
_Delete = notification_service_pb2.DeleteChannelResponse
_Test = notification_service_pb2.TestChannelResponse
_Records = notification_service_pb2.ListRecordsResponse
_Record = notification_service_pb2.GetRecordResponse


@router.get("/channels", **openapi.answers_with(_List))
async def channels(
    request: Request, visitor: SignedIn, page_size: PageSize = 0, page_token: str = ""
) -> Response:
    """The channels, in the order in which they are tried; secrets are never told."""
    parts = parts_of(request)
    asked = notification_service_pb2.ListChannelsRequest(page_size=page_size, page_token=page_token)
    method = parts.suite.notification.ListChannels
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.post("/channels", **openapi.answers_with(_Put))
async def put_channel(
    request: Request, visitor: SignedIn, body: ChannelBody, key: RequiredKey
) -> Response:
    """Creates a channel, or changes the one named."""
    parts = parts_of(request)
    method = parts.suite.notification.PutChannel
    return answers.data(await parts.suite.call(visitor, method, body.message(key)))


@router.get("/channels/{channel_id}", **openapi.answers_with(_Get))
async def channel(request: Request, visitor: SignedIn, channel_id: RowId) -> Response:
    """One channel; secrets are never told."""
    parts = parts_of(request)
    asked = notification_service_pb2.GetChannelRequest(channel_id=channel_id)
    method = parts.suite.notification.GetChannel
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.delete("/channels/{channel_id}", **openapi.answers_with(_Delete))
async def delete_channel(
    request: Request, visitor: SignedIn, channel_id: RowId, key: RequiredKey
) -> Response:
    """Deletes a channel."""
    parts = parts_of(request)
    asked = notification_service_pb2.DeleteChannelRequest(request_id=key, channel_id=channel_id)
    method = parts.suite.notification.DeleteChannel
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.post("/channels/{channel_id}/test", **openapi.answers_with(_Test))
async def test_channel(
    request: Request, visitor: SignedIn, channel_id: RowId, key: RequiredKey
) -> Response:
    """Sends a test message on a channel and tells how that ended, or where it stands by now."""
    parts = parts_of(request)
    asked = notification_service_pb2.TestChannelRequest(request_id=key, channel_id=channel_id)
    method = parts.suite.notification.TestChannel
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.get("/notifications", **openapi.answers_with(_Records))
async def records(
    request: Request,
    visitor: SignedIn,
    notification_id: Token = "",
    page_size: PageSize = 0,
    page_token: str = "",
) -> Response:
    """What was sent, newest first."""
    parts = parts_of(request)
    asked = notification_service_pb2.ListRecordsRequest(
        notification_id=notification_id, page_size=page_size, page_token=page_token
    )
    method = parts.suite.notification.ListRecords
    return answers.data(await parts.suite.call(visitor, method, asked))


@router.get("/notifications/{record_id}", **openapi.answers_with(_Record))
async def record(request: Request, visitor: SignedIn, record_id: RowId) -> Response:
    """One message and what became of it."""
    parts = parts_of(request)
    asked = notification_service_pb2.GetRecordRequest(record_id=record_id)
    method = parts.suite.notification.GetRecord
    return answers.data(await parts.suite.call(visitor, method, asked))
