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
from libs.rpc.errors import StatusTable, invalid
from libs.rpc.identity import Access
from libs.rpc.server import Rules, caller, user_id
from services.active_scheduler.clients.schedule import is_away
from services.active_scheduler.domain import errors, selection
from services.active_scheduler.domain.trigger import Subject, checked, type_for
from services.active_scheduler.handlers import answers, feedback, previews, triggers
from services.active_scheduler.handlers.confirm import Confirmer
from services.active_scheduler.handlers.edits import EditChecker
from services.active_scheduler.handlers.looking import Looking
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.handlers.watch import Watcher
from services.active_scheduler.store.trace import Step
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
    errors.AnswerNotOffered: grpc.StatusCode.FAILED_PRECONDITION,
    errors.UnsupportedTarget: grpc.StatusCode.FAILED_PRECONDITION,
    errors.ShuttingDown: grpc.StatusCode.UNAVAILABLE,
    IdempotencyConflict: grpc.StatusCode.ALREADY_EXISTS,
}

Attempt = (
    pb.TriggerRequest
    | pb.SubmitFeedbackRequest
    | pb.AnswerQuestionRequest
    | pb.IgnorePreviewRequest
    | pb.BindPreviewConversationRequest
    | pb.RegeneratePreviewRequest
)
"""Requests that name their attempt."""

OPERATOR = "operator"
_USERS = Access()
ACCESS = {
    "DryRun": _USERS,
    "Trigger": _USERS,
    "SubmitFeedback": _USERS,
    "AnswerQuestion": _USERS,
    "GetTrigger": _USERS,
    # The notification service asks whether a message is still worth sending, and for its words.
    "GetPreview": Access(delegates=frozenset({"notification"})),
    "ListPreviews": _USERS,
    "WatchPreview": _USERS,
    "CheckEdits": _USERS,
    "ConfirmPreview": _USERS,
    "IgnorePreview": _USERS,
    "BindPreviewConversation": _USERS,
    "RegeneratePreview": _USERS,
    "ListTriggers": Access(role=OPERATOR),
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
        target = values.checked_target(request.target)
        type_ = trigger_wire.checked_type(request.type) if request.type else type_for(target)
        looked = await self.looking.look(
            caller(),
            Subject(type_, checked(type_, target)),
            user_id=user_id(),
            mock_now=_mock_now(request),
        )
        content = selection.unasked(looked.content, reason="dry_run")
        response = pb.DryRunResponse(
            action=wire.ACTIONS[content.decision.action],
            reason_code=content.decision.reason,
            metrics=wire.metrics_message(content.metrics),
            issues=[wire.issue_message(issue) for issue in content.issues],
        )
        if content.decision.writes_preview:
            response.preview.CopyFrom(wire.content_message(content))
            if looked.target is not None:
                response.preview.target.CopyFrom(values.target_message(looked.target))
            response.preview.trigger_type = trigger_wire.TRIGGER_TYPE_NUMBERS[type_]
        return response

    async def Trigger(self, request: pb.TriggerRequest, context: Context) -> pb.TriggerResponse:
        call = triggers.Call(
            user_id=user_id(),
            type=trigger_wire.checked_type(request.type),
            target=values.checked_target(request.target),
            request_id=request.request_id,
            mock_now=_mock_now(request),
            payload=_payload(request),
        )
        try:
            return await self._trigger(request, call, unscheduled=None)
        except triggers.MeetsApplied:
            ((found,), _) = await self.looking.schedule.check_due([(call.user_id, call.target.id)])
            return await self._trigger(request, call, unscheduled=not found.scheduled)

    async def _trigger(
        self, request: pb.TriggerRequest, call: triggers.Call, *, unscheduled: bool | None
    ) -> pb.TriggerResponse:
        async def work(tx: Tx) -> bytes:
            trigger, deduplicated = await triggers.raise_by_call(
                tx, self.announce, self.trigger_rules, call, unscheduled=unscheduled
            )
            return pb.TriggerResponse(
                trigger=trigger_wire.trigger_message(trigger), deduplicated=deduplicated
            ).SerializeToString()

        return pb.TriggerResponse.FromString(await self._once("Trigger", request, work))

    async def SubmitFeedback(
        self, request: pb.SubmitFeedbackRequest, context: Context
    ) -> pb.SubmitFeedbackResponse:
        words = trigger_wire.checked_words(request.text)
        target = values.checked_target(request.target) if request.HasField("target") else None
        if target is None and not words:
            raise invalid("text", "is required where there is no target")
        feedback_id = values.checked_id(request.feedback_id or request.request_id, "feedback_id")
        user = user_id()

        async def work(tx: Tx) -> bytes:
            trigger, deduplicated = await feedback.submit(
                tx,
                self.announce,
                self.trigger_rules,
                user_id=user,
                feedback_id=feedback_id,
                target=target,
                words=words,
                request_id=request.request_id,
                payload=_payload(request),
            )
            return pb.SubmitFeedbackResponse(
                trigger=trigger_wire.trigger_message(trigger), deduplicated=deduplicated
            ).SerializeToString()

        return pb.SubmitFeedbackResponse.FromString(
            await self._once("SubmitFeedback", request, work)
        )

    async def AnswerQuestion(
        self, request: pb.AnswerQuestionRequest, context: Context
    ) -> pb.AnswerQuestionResponse:
        preview_id = values.checked_id(request.preview_id, "preview_id")
        if request.choice_id:
            values.checked_id(request.choice_id, "choice_id")
        answering = answers.Answering(
            choice_id=request.choice_id,
            words=trigger_wire.checked_words(request.text),
            request_id=request.request_id,
            payload=_payload(request),
        )
        user = user_id()

        async def work(tx: Tx) -> bytes:
            answered = await answers.answer(
                tx,
                self.announce,
                self.trigger_rules,
                user_id=user,
                preview_id=preview_id,
                answering=answering,
            )
            return pb.AnswerQuestionResponse(
                trigger=trigger_wire.trigger_message(answered.trigger),
                preview=wire.preview_message(answered.preview),
                already_answered=answered.already,
            ).SerializeToString()

        return pb.AnswerQuestionResponse.FromString(
            await self._once("AnswerQuestion", request, work)
        )

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

    async def BindPreviewConversation(
        self, request: pb.BindPreviewConversationRequest, context: Context
    ) -> pb.BindPreviewConversationResponse:
        preview_id = values.checked_id(request.preview_id, "preview_id")
        conversation_id = values.checked_id(request.conversation_id, "conversation_id")
        user = user_id()

        async def work(tx: Tx) -> bytes:
            preview = await previews.bind(tx, user, preview_id, conversation_id)
            message = wire.preview_message(preview)
            return pb.BindPreviewConversationResponse(preview=message).SerializeToString()

        answer = await self._once("BindPreviewConversation", request, work)
        return pb.BindPreviewConversationResponse.FromString(answer)

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

    async def ListTriggers(
        self, request: pb.ListTriggersRequest, context: Context
    ) -> pb.ListTriggersResponse:
        if request.user_id < 0:
            raise invalid("user_id", "must not be negative")
        states = trigger_wire.checked_states(request.states)
        size = values.page_size(request.page_size)
        before = values.page_before(request.page_token)
        async with self.db.transaction() as tx:
            page, following = await triggers.newest_first(
                tx, user_id=request.user_id or None, states=states, before=before, limit=size
            )
        return pb.ListTriggersResponse(
            triggers=[trigger_wire.listing_message(one) for one in page],
            next_page_token="" if following is None else str(following),
        )

    async def GetTrace(self, request: pb.GetTraceRequest, context: Context) -> pb.GetTraceResponse:
        if not request.trigger_id and request.HasField("target"):
            return await self._trace_of_target(request)
        trigger_id = values.checked_id(request.trigger_id, "trigger_id")
        async with self.db.snapshot() as tx:
            trigger, steps = await triggers.trace(tx, trigger_id)
        return pb.GetTraceResponse(
            trigger=trigger_wire.trigger_message(trigger),
            user_id=trigger.user_id,
            steps=[_step(step) for step in steps],
        )

    async def _trace_of_target(self, request: pb.GetTraceRequest) -> pb.GetTraceResponse:
        target = values.checked_target(request.target)
        if request.user_id < 1:
            raise invalid("user_id", "must be greater than 0")
        async with self.db.snapshot() as tx:
            steps = await triggers.trace_of(tx, request.user_id, target)
        return pb.GetTraceResponse(user_id=request.user_id, steps=[_step(step) for step in steps])

    async def _once(
        self,
        rpc: str,
        request: Attempt,
        work: Callable[[Tx], Awaitable[bytes]],
    ) -> bytes:
        request_id = values.checked_id(request.request_id, "request_id")
        key = RequestKey.of(
            user_id=user_id(), rpc=rpc, request_id=request_id, content=_content(request)
        )
        return await requests.once(self.db, key, work)


def _step(step: Step) -> trigger_pb2.TraceStep:
    return trigger_pb2.TraceStep(
        name=step.name, step_time=values.timestamp(step.at), id=step.id, reason=step.reason
    )


def _payload(request: Message) -> dict[str, Any]:
    """The request as it was received."""
    return MessageToDict(request, preserving_proto_field_name=True)


def _content(request: Message) -> bytes:
    return request.SerializeToString(deterministic=True)


def _mock_now(request: pb.DryRunRequest | pb.TriggerRequest) -> datetime | None:
    if not request.HasField("mock_now_time"):
        return None
    return values.checked_instant(request.mock_now_time, "mock_now_time")
