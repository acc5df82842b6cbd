"""The gRPC service: decode, call the use case, encode."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from libs.db import requests
from libs.db.database import Database, Tx
from libs.db.requests import IdempotencyConflict, RequestKey
from libs.rpc.errors import StatusTable
from libs.rpc.identity import Access
from libs.rpc.server import Rules, caller, user_id
from services.active_scheduler.clients.schedule import is_away
from services.active_scheduler.domain import errors, pipeline, selection
from services.active_scheduler.handlers import previews, triggers
from services.active_scheduler.handlers.confirm import Confirmer
from services.active_scheduler.handlers.edits import EditChecker
from services.active_scheduler.handlers.looking import Looking
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.handlers.watch import Watcher
from services.active_scheduler.wire import edits as edits_wire
from services.active_scheduler.wire import preview as wire
from services.active_scheduler.wire import trigger as trigger_wire
from services.active_scheduler.wire import values
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.active_scheduler.v1 import trigger_pb2
from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
    ActiveSchedulerServiceServicer,
)

NAME = pb.DESCRIPTOR.services_by_name["ActiveSchedulerService"].full_name

Context = grpc.aio.ServicerContext[Any, Any]

STATUSES: StatusTable = {
    errors.Absent: grpc.StatusCode.NOT_FOUND,
    errors.StateForbids: grpc.StatusCode.FAILED_PRECONDITION,
    errors.InvalidEdit: grpc.StatusCode.FAILED_PRECONDITION,
    errors.UnsupportedTarget: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ShuttingDown: grpc.StatusCode.UNAVAILABLE,
    IdempotencyConflict: grpc.StatusCode.ALREADY_EXISTS,
}

OPERATOR = "operator"
_USERS = Access()
ACCESS = {
    "DryRun": _USERS,
    "Trigger": _USERS,
    "GetTrigger": _USERS,
    # The notification service asks whether a message is still worth sending, and for its words.
    "GetPreview": Access(delegates=frozenset({"notification"})),
    "ListPreviews": _USERS,
    "WatchPreview": _USERS,
    "CheckEdits": _USERS,
    "ConfirmPreview": _USERS,
    "IgnorePreview": _USERS,
    "RegeneratePreview": _USERS,
    "GetTrace": Access(role=OPERATOR),
}

RULES = Rules(
    domain="smartmate.active_scheduler", access=ACCESS, statuses=STATUSES, is_away=is_away
)


@dataclass(slots=True)
class Servicer(ActiveSchedulerServiceServicer):
    """Every RPC of the contract."""

    db: Database
    looking: Looking
    announce: Announce
    trigger_rules: TriggerRules
    confirmer: Confirmer
    watcher: Watcher
    edits: EditChecker

    async def DryRun(self, request: pb.DryRunRequest, context: Context) -> pb.DryRunResponse:
        target = triggers.checked(values.checked_target(request.target))
        facts = await self.looking.facts(caller(), target, mock_now=_mock_now(request))
        content = selection.unasked(pipeline.look(facts), reason="dry_run")
        response = pb.DryRunResponse(
            action=wire.ACTIONS[content.decision.action],
            reason_code=content.decision.reason,
            metrics=wire.metrics_message(content.metrics),
            issues=[wire.issue_message(issue) for issue in content.issues],
        )
        if content.decision.writes_preview:
            response.preview.CopyFrom(wire.content_message(content))
            response.preview.target.CopyFrom(request.target)
        return response

    async def Trigger(self, request: pb.TriggerRequest, context: Context) -> pb.TriggerResponse:
        type_ = trigger_wire.checked_type(request.type)
        target = values.checked_target(request.target)
        mock_now = _mock_now(request)
        user = user_id()

        async def work(tx: Tx) -> bytes:
            trigger, deduplicated = await triggers.raise_by_call(
                tx,
                self.announce,
                self.trigger_rules,
                user_id=user,
                type_=type_,
                target=target,
                request_id=request.request_id,
                mock_now=mock_now,
                payload=MessageToDict(request, preserving_proto_field_name=True),
            )
            return pb.TriggerResponse(
                trigger=trigger_wire.trigger_message(trigger), deduplicated=deduplicated
            ).SerializeToString()

        return pb.TriggerResponse.FromString(await self._once("Trigger", request, work))

    async def GetTrigger(
        self, request: pb.GetTriggerRequest, context: Context
    ) -> pb.GetTriggerResponse:
        trigger_id = values.checked_id(request.trigger_id, "trigger_id")
        async with self.db.transaction() as tx:
            trigger = await triggers.find(tx, user_id(), trigger_id)
        return pb.GetTriggerResponse(trigger=trigger_wire.trigger_message(trigger))

    async def GetPreview(
        self, request: pb.GetPreviewRequest, context: Context
    ) -> pb.GetPreviewResponse:
        preview_id = values.checked_id(request.preview_id, "preview_id")
        async with self.db.transaction() as tx:
            preview = await previews.find(tx, user_id(), preview_id)
        return pb.GetPreviewResponse(
            preview=wire.preview_message(preview), now_time=values.timestamp(preview.read_at)
        )

    async def ListPreviews(
        self, request: pb.ListPreviewsRequest, context: Context
    ) -> pb.ListPreviewsResponse:
        size = values.page_size(request.page_size)
        before = values.page_before(request.page_token)
        async with self.db.transaction() as tx:
            page, following = await previews.newest_first(
                tx, user_id(), before=before, open_only=request.open_only, limit=size
            )
        return pb.ListPreviewsResponse(
            previews=[wire.summary_message(one) for one in page],
            next_page_token="" if following is None else str(following),
        )

    async def WatchPreview(
        self, request: pb.WatchPreviewRequest, context: Context
    ) -> AsyncIterator[pb.WatchPreviewResponse]:
        preview_id = values.checked_id(request.preview_id, "preview_id")
        async for preview in self.watcher.watch(user_id(), preview_id):
            yield pb.WatchPreviewResponse(
                preview=wire.preview_message(preview), now_time=values.timestamp(preview.read_at)
            )

    async def CheckEdits(
        self, request: pb.CheckEditsRequest, context: Context
    ) -> pb.CheckEditsResponse:
        room = await self.edits.check(
            caller(),
            user_id(),
            values.checked_id(request.preview_id, "preview_id"),
            candidate_id=wire.checked_candidate_id(request.candidate_id),
            change_id=values.checked_id(request.change_id, "change_id"),
            edits_of_others=wire.edits(list(request.edited_changes)),
        )
        return edits_wire.room_message(room)

    async def ConfirmPreview(
        self, request: pb.ConfirmPreviewRequest, context: Context
    ) -> pb.ConfirmPreviewResponse:
        apply_id, preview = await self.confirmer.confirm(
            caller(),
            user_id(),
            values.checked_id(request.preview_id, "preview_id"),
            candidate_id=wire.checked_candidate_id(request.candidate_id),
            edits=wire.edits(list(request.edited_changes)),
            request_id=values.checked_id(request.request_id, "request_id"),
        )
        return pb.ConfirmPreviewResponse(apply_id=apply_id, preview=wire.preview_message(preview))

    async def IgnorePreview(
        self, request: pb.IgnorePreviewRequest, context: Context
    ) -> pb.IgnorePreviewResponse:
        preview_id = values.checked_id(request.preview_id, "preview_id")
        user = user_id()

        async def work(tx: Tx) -> bytes:
            preview = await previews.ignore(tx, self.announce, user, preview_id)
            message = wire.preview_message(preview)
            return pb.IgnorePreviewResponse(preview=message).SerializeToString()

        return pb.IgnorePreviewResponse.FromString(await self._once("IgnorePreview", request, work))

    async def RegeneratePreview(
        self, request: pb.RegeneratePreviewRequest, context: Context
    ) -> pb.RegeneratePreviewResponse:
        preview_id = values.checked_id(request.preview_id, "preview_id")
        user = user_id()

        async def work(tx: Tx) -> bytes:
            trigger = await triggers.regenerate(
                tx,
                self.announce,
                self.trigger_rules,
                user_id=user,
                preview_id=preview_id,
                request_id=request.request_id,
            )
            message = trigger_wire.trigger_message(trigger)
            return pb.RegeneratePreviewResponse(trigger=message).SerializeToString()

        return pb.RegeneratePreviewResponse.FromString(
            await self._once("RegeneratePreview", request, work)
        )

    async def GetTrace(self, request: pb.GetTraceRequest, context: Context) -> pb.GetTraceResponse:
        trigger_id = values.checked_id(request.trigger_id, "trigger_id")
        async with self.db.snapshot() as tx:
            trigger, steps = await triggers.trace(tx, trigger_id)
        return pb.GetTraceResponse(
            trigger=trigger_wire.trigger_message(trigger),
            user_id=trigger.user_id,
            steps=[
                trigger_pb2.TraceStep(
                    name=step.name,
                    step_time=values.timestamp(step.at),
                    id=step.id,
                    reason=step.reason,
                )
                for step in steps
            ],
        )

    async def _once(
        self,
        rpc: str,
        request: pb.TriggerRequest | pb.IgnorePreviewRequest | pb.RegeneratePreviewRequest,
        work: Callable[[Tx], Awaitable[bytes]],
    ) -> bytes:
        request_id = values.checked_id(request.request_id, "request_id")
        key = RequestKey.of(
            user_id=user_id(), rpc=rpc, request_id=request_id, content=_content(request)
        )
        return await requests.once(self.db, key, work)


def _content(request: Message) -> bytes:
    return request.SerializeToString(deterministic=True)


def _mock_now(request: pb.DryRunRequest | pb.TriggerRequest) -> datetime | None:
    if not request.HasField("mock_now_time"):
        return None
    return values.checked_instant(request.mock_now_time, "mock_now_time")
