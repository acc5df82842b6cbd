"""The gRPC service: decode, call the use case, encode."""

from collections.abc import Awaitable, Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, TypeAlias

import grpc

from libs.db import requests
from libs.db.database import Database, Tx, is_away
from libs.db.requests import IdempotencyConflict, RequestKey
from libs.rpc.errors import StatusTable
from libs.rpc.identity import GATEWAY, Access
from libs.rpc.server import Rules, user_id
from services.notification.channels.sealing import Sealer
from services.notification.domain import errors
from services.notification.handlers import channels, records, sign_in
from services.notification.handlers.trials import Trials
from services.notification.wire import channel as wire
from services.notification.wire import record as record_wire
from services.notification.wire import sign_in as sign_in_wire
from services.notification.wire import values
from smartmate.notification.v1 import notification_service_pb2 as pb
from smartmate.notification.v1.notification_service_pb2_grpc import NotificationServiceServicer

NAME = pb.DESCRIPTOR.services_by_name["NotificationService"].full_name

Context = grpc.aio.ServicerContext[Any, Any]
_Changing: TypeAlias = (
    pb.PutChannelRequest
    | pb.DeleteChannelRequest
    | pb.TestChannelRequest
    | pb.SendSignInLinkRequest
)

STATUSES: StatusTable = {
    errors.Absent: grpc.StatusCode.NOT_FOUND,
    errors.ChannelRefused: grpc.StatusCode.INVALID_ARGUMENT,
    errors.TooManyChannels: grpc.StatusCode.RESOURCE_EXHAUSTED,
    errors.SecretUnreadable: grpc.StatusCode.FAILED_PRECONDITION,
    IdempotencyConflict: grpc.StatusCode.ALREADY_EXISTS,
}

# A person's channels and records are the person's own affair: nobody acts for them.
_USERS = Access()
ACCESS = {
    "PutChannel": _USERS,
    "GetChannel": _USERS,
    "ListChannels": _USERS,
    "DeleteChannel": _USERS,
    "TestChannel": _USERS,
    "ListRecords": _USERS,
    "GetRecord": _USERS,
    # Nobody is signed in yet: the gateway alone may ask, and for nobody but itself.
    "SendSignInLink": Access(users=False, services=frozenset({GATEWAY})),
}

RULES = Rules(domain="smartmate.notification", access=ACCESS, statuses=STATUSES, is_away=is_away)


@dataclass(frozen=True, slots=True)
class ChannelRules:
    """Which channels may be put. `extra_hosts` are those of stand-ins; see `domain.url`."""

    extra_hosts: AbstractSet[str]
    console: bool


@dataclass(frozen=True, slots=True)
class Servicer(NotificationServiceServicer):
    """Every RPC of the contract."""

    db: Database
    sealer: Sealer
    channel_rules: ChannelRules
    trials: Trials

    async def PutChannel(
        self, request: pb.PutChannelRequest, context: Context
    ) -> pb.PutChannelResponse:
        channel_id = wire.checked_channel_id(request.channel_id)
        wanted = wire.wanted(
            request,
            extra_hosts=self.channel_rules.extra_hosts,
            console=self.channel_rules.console,
        )
        user = user_id()

        async def work(tx: Tx) -> bytes:
            channel = await channels.put(tx, self.sealer, user, channel_id, wanted)
            message = wire.channel_message(channel)
            return pb.PutChannelResponse(channel=message).SerializeToString()

        return pb.PutChannelResponse.FromString(await self._once("PutChannel", request, work))

    async def GetChannel(
        self, request: pb.GetChannelRequest, context: Context
    ) -> pb.GetChannelResponse:
        channel_id = values.checked_number(request.channel_id, "channel_id")
        async with self.db.transaction() as tx:
            channel = await channels.find(tx, user_id(), channel_id)
        return pb.GetChannelResponse(channel=wire.channel_message(channel))

    async def ListChannels(
        self, request: pb.ListChannelsRequest, context: Context
    ) -> pb.ListChannelsResponse:
        size = values.page_size(request.page_size)
        position, id_ = values.page_numbers(request.page_token, 2) or (0, 0)
        async with self.db.transaction() as tx:
            page, last = await channels.in_order(tx, user_id(), after=(position, id_), limit=size)
        return pb.ListChannelsResponse(
            channels=[wire.channel_message(one) for one in page],
            next_page_token=values.page_token(last.position, last.id) if last else "",
            offered_types=wire.offered(console=self.channel_rules.console),
        )

    async def DeleteChannel(
        self, request: pb.DeleteChannelRequest, context: Context
    ) -> pb.DeleteChannelResponse:
        channel_id = values.checked_number(request.channel_id, "channel_id")
        user = user_id()

        async def work(tx: Tx) -> bytes:
            await channels.delete(tx, user, channel_id)
            return pb.DeleteChannelResponse().SerializeToString()

        await self._once("DeleteChannel", request, work)
        return pb.DeleteChannelResponse()

    async def TestChannel(
        self, request: pb.TestChannelRequest, context: Context
    ) -> pb.TestChannelResponse:
        channel_id = values.checked_number(request.channel_id, "channel_id")
        user = user_id()

        async def work(tx: Tx) -> bytes:
            record = await self.trials.begin(tx, user, channel_id)
            message = record_wire.record_message(record)
            return pb.TestChannelResponse(record=message).SerializeToString()

        begun = pb.TestChannelResponse.FromString(await self._once("TestChannel", request, work))
        record = await self.trials.answered(user, begun.record.record_id)
        return pb.TestChannelResponse(record=record_wire.record_message(record))

    async def ListRecords(
        self, request: pb.ListRecordsRequest, context: Context
    ) -> pb.ListRecordsResponse:
        size = values.page_size(request.page_size)
        (before,) = values.page_numbers(request.page_token, 1) or (values.MAX_NUMBER,)
        of = request.notification_id
        if of:
            values.checked_id(of, "notification_id")
        async with self.db.transaction() as tx:
            page, following = await records.newest_first(
                tx, user_id(), notification_id=of, before=before, limit=size
            )
        return pb.ListRecordsResponse(
            records=[record_wire.record_message(one) for one in page],
            next_page_token="" if following is None else values.page_token(following),
        )

    async def GetRecord(
        self, request: pb.GetRecordRequest, context: Context
    ) -> pb.GetRecordResponse:
        record_id = values.checked_number(request.record_id, "record_id")
        async with self.db.transaction() as tx:
            record = await records.find(tx, user_id(), record_id)
        return pb.GetRecordResponse(record=record_wire.record_message(record))

    async def SendSignInLink(
        self, request: pb.SendSignInLinkRequest, context: Context
    ) -> pb.SendSignInLinkResponse:
        link = sign_in_wire.link(request)

        async def work(tx: Tx) -> bytes:
            await sign_in.take(tx, self.sealer, self.trials.wake, link)
            return pb.SendSignInLinkResponse().SerializeToString()

        await self._once("SendSignInLink", request, work, of=link.user_id)
        return pb.SendSignInLinkResponse()

    async def _once(
        self,
        rpc: str,
        request: _Changing,
        work: Callable[[Tx], Awaitable[bytes]],
        *,
        of: int | None = None,
    ) -> bytes:
        """Does it once for each request_id of a user: of the caller where no other is named."""
        key = RequestKey.of(
            user_id=user_id() if of is None else of,
            rpc=rpc,
            request_id=values.checked_id(request.request_id, "request_id"),
            content=request.SerializeToString(deterministic=True),
        )
        return await requests.once(self.db, key, work)
