"""Notifications: channels, their tests, and what was sent."""

import asyncio
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from grpc import StatusCode
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from libs.rpc.errors import RemoteError
from services.gateway.domain.idempotency import key_of
from services.gateway.domain.locale import Locale
from services.gateway.domain.visitor import Visitor
from services.gateway.web import answers, forms, zones
from services.gateway.web.access import SignedIn
from services.gateway.web.negotiation import locale_of
from services.gateway.web.parameters import RowId, Token
from services.gateway.web.parts import Parts, parts_of
from services.gateway.wire import channel_form
from services.gateway.wire.channel_form import BOT, CONSOLE, ChannelForm, Shown
from services.gateway.wire.channels_page import Speaker
from services.gateway.wire.entered import Problems, problems_of
from services.gateway.wire.told import Told
from services.gateway.wire.told import told as told_words
from smartmate.notification.v1 import channel_pb2, notification_service_pb2

router = APIRouter(include_in_schema=False)

RecordId = Annotated[int, Query(ge=0, le=2**63 - 1)]
_LIST = "/notifications"
_NEW = f"{_LIST}/new"
_ONE = f"{_LIST}/channels/{{channel_id}}"
_RECORDS = 20


@router.get(_LIST)
async def channels(
    request: Request, visitor: SignedIn, told: Token = "", tested: RecordId = 0, before: Token = ""
) -> Response:
    """The channels in the order in which they are tried, and the last messages."""
    parts, spoken = parts_of(request), locale_of(request)
    stub = parts.suite.notification
    records = notification_service_pb2.ListRecordsRequest(page_size=_RECORDS, page_token=before)
    zone, listed, sent = await asyncio.gather(
        zones.zone_of(parts, visitor),
        _listed(parts, visitor),
        parts.suite.call(visitor, stub.ListRecords, records),
    )
    speaker = Speaker(spoken, zone, parts.clock.now())
    return answers.page(
        request,
        "channels.html",
        visitor=visitor,
        page=speaker.build(listed, sent),
        told=await _tested(parts, visitor, speaker, tested) or told_words(spoken, "channels", told),
        is_later=bool(before),
    )


@router.get(_NEW)
async def new(
    request: Request, visitor: SignedIn, kind: Literal["bot", "console"] = "bot"
) -> Response:
    """A form for a new channel, in the language of the page."""
    spoken = locale_of(request)
    form = ChannelForm(
        type=CONSOLE if kind == "console" else BOT,
        language="LANGUAGE_EN_US" if spoken is Locale.EN else "LANGUAGE_ZH_CN",
    )
    return _form(request, visitor, Shown(form, {}))


@router.post(_NEW)
async def create(request: Request, visitor: SignedIn) -> Response:
    """Adds a channel."""
    form = await forms.read(request, ChannelForm)
    key = key_of(None, form.idempotency_key)
    if form.type == BOT and not form.webhook_url.strip():
        problems = Problems()
        problems.add(*channel_form.URL_MISSING)
        shown = Shown(form, problems.words(locale_of(request)))
        return _form(request, visitor, shown, status=400)
    return await _put(request, visitor, form, key, None)


@router.get(_ONE)
async def one(request: Request, visitor: SignedIn, channel_id: RowId) -> Response:
    """A form for a channel; its address and secret stay where they are."""
    found = await _channel(parts_of(request), visitor, channel_id)
    if found is None:
        return _led("gone")
    return _form(request, visitor, Shown(channel_form.of_channel(found), {}, found))


@router.post(_ONE)
async def change(request: Request, visitor: SignedIn, channel_id: RowId) -> Response:
    """Changes a channel."""
    form = await forms.read(request, ChannelForm)
    key = key_of(None, form.idempotency_key)
    found = await _channel(parts_of(request), visitor, channel_id)
    if found is None:
        return _led("gone")
    return await _put(request, visitor, form, key, found)


@router.post(f"{_ONE}/test")
async def test(request: Request, visitor: SignedIn, channel_id: RowId) -> Response:
    """Sends a test message and leads to how it ended."""
    parts = parts_of(request)
    asked = notification_service_pb2.TestChannelRequest(
        request_id=await forms.read_key(request, of=channel_id), channel_id=channel_id
    )
    try:
        found = await parts.suite.call(visitor, parts.suite.notification.TestChannel, asked)
    except RemoteError as error:
        return _gone(error)
    return forms.led_to(_LIST, {"tested": found.record.record_id})


@router.post(f"{_ONE}/delete")
async def delete(request: Request, visitor: SignedIn, channel_id: RowId) -> Response:
    """Deletes a channel with its address and secret."""
    parts = parts_of(request)
    asked = notification_service_pb2.DeleteChannelRequest(
        request_id=await forms.read_key(request, of=channel_id), channel_id=channel_id
    )
    try:
        await parts.suite.call(visitor, parts.suite.notification.DeleteChannel, asked)
    except RemoteError as error:
        return _gone(error)
    return _led("deleted")


async def _put(
    request: Request,
    visitor: Visitor,
    form: ChannelForm,
    key: str,
    stored: channel_pb2.Channel | None,
) -> Response:
    """Writes a channel; a form that is refused is shown again, without what is secret."""
    parts = parts_of(request)
    asked = channel_form.message(form, key, stored.channel_id if stored else 0)
    try:
        await parts.suite.call(visitor, parts.suite.notification.PutChannel, asked)
    except RemoteError as error:
        if error.reason == "too_many_channels":
            return _led("full")
        problems = problems_of(error, channel_form.FIELDS)
        shown = Shown(form, problems.words(locale_of(request)), stored)
        return _form(request, visitor, shown, status=400)
    return _led("saved" if stored else "added")


def _form(request: Request, visitor: Visitor, shown: Shown, *, status: int = 200) -> Response:
    return answers.page(request, "channel.html", visitor=visitor, status=status, shown=shown)


def _led(told: str) -> RedirectResponse:
    return forms.led_to(_LIST, {"told": told})


def _gone(error: RemoteError) -> RedirectResponse:
    """To the list, where the channel is not any more. Raises every other refusal."""
    if error.code is StatusCode.NOT_FOUND:
        return _led("gone")
    raise error


async def _listed(parts: Parts, visitor: Visitor) -> notification_service_pb2.ListChannelsResponse:
    asked = notification_service_pb2.ListChannelsRequest()
    return await parts.suite.call(visitor, parts.suite.notification.ListChannels, asked)


async def _channel(parts: Parts, visitor: Visitor, channel_id: int) -> channel_pb2.Channel | None:
    asked = notification_service_pb2.GetChannelRequest(channel_id=channel_id)
    method = parts.suite.notification.GetChannel
    try:
        return (await parts.suite.call(visitor, method, asked)).channel
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return None
        raise


async def _tested(parts: Parts, visitor: Visitor, speaker: Speaker, record_id: int) -> Told | None:
    """How a test ended; nothing for a record that is not this person's test."""
    if not record_id:
        return None
    asked = notification_service_pb2.GetRecordRequest(record_id=record_id)
    method = parts.suite.notification.GetRecord
    try:
        found = (await parts.suite.call(visitor, method, asked)).record
    except RemoteError as error:
        if error.code is StatusCode.NOT_FOUND:
            return None
        raise
    return speaker.tested(found) if found.notification_id.startswith("test_") else None
