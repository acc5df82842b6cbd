"""The active scheduler, as agent uses it: always for the person whose words led to it."""

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from libs.rpc.client import Client
from libs.rpc.identity import Caller
from services.agent.clients.schedule import told
from services.agent.domain.errors import PreviewNotFound, ServiceRefused
from services.agent.domain.preview import Look, PreviewBrief
from services.agent.wire import preview as wire
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as pb
from smartmate.schedule.v1 import change_pb2

if TYPE_CHECKING:
    from smartmate.active_scheduler.v1.active_scheduler_service_pb2_grpc import (
        ActiveSchedulerServiceAsyncStub,
    )

_SECONDS = 5.0
_LONGEST_WORDS = 500


@dataclass(frozen=True, slots=True)
class SchedulerClient:
    """Calls to the active scheduler. Raises ServiceAway and ServiceRefused."""

    client: Client
    stub: "ActiveSchedulerServiceAsyncStub"

    async def feedback(
        self, caller: Caller, feedback_id: str, event_id: int | None, words: str
    ) -> Look:
        """Tells that a block was not finished, or words alone; once for each feedback_id."""
        request = pb.SubmitFeedbackRequest(
            request_id=feedback_id, feedback_id=feedback_id, text=words[:_LONGEST_WORDS]
        )
        if event_id is not None:
            request.target.CopyFrom(
                change_pb2.Target(kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=event_id)
            )
        answer = await self._call(self.stub.SubmitFeedback, request, caller)
        return wire.look(answer.trigger)

    async def answer(
        self, caller: Caller, request_id: str, preview_id: str, *, choice: str, words: str
    ) -> Look:
        """Answers the question of a preview; gives the look that follows."""
        request = pb.AnswerQuestionRequest(
            request_id=request_id,
            preview_id=preview_id,
            choice_id=choice,
            text=words[:_LONGEST_WORDS],
        )
        answer = await self._call(self.stub.AnswerQuestion, request, caller)
        return wire.look(answer.trigger)

    async def look(self, caller: Caller, trigger_id: str) -> Look:
        """Where a trigger stands."""
        request = pb.GetTriggerRequest(trigger_id=trigger_id)
        answer = await self._call(self.stub.GetTrigger, request, caller)
        return wire.look(answer.trigger)

    async def preview(self, caller: Caller, preview_id: str) -> PreviewBrief:
        """One preview. Raises PreviewNotFound."""
        try:
            answer = await self._call(
                self.stub.GetPreview, pb.GetPreviewRequest(preview_id=preview_id), caller
            )
        except ServiceRefused as refused:
            if refused.is_absent:
                raise PreviewNotFound(preview_id) from refused
            raise
        return wire.brief(answer.preview)

    async def bind(self, caller: Caller, preview_id: str, conversation_id: str) -> None:
        """Notes that a preview is talked about in a conversation. Raises PreviewNotFound."""
        request = pb.BindPreviewConversationRequest(
            request_id=uuid.uuid4().hex,
            preview_id=preview_id,
            conversation_id=conversation_id,
        )
        try:
            await self._call(self.stub.BindPreviewConversation, request, caller)
        except ServiceRefused as refused:
            if refused.is_absent:
                raise PreviewNotFound(preview_id) from refused
            raise

    async def _call(self, method: Any, request: Any, caller: Caller) -> Any:
        return await told(self.client.call, method, request, caller, _SECONDS)
