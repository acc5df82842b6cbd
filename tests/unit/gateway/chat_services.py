"""Services that talk by hand, and somebody who looks at their pages."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from google.protobuf.message import Message

from libs.rpc.errors import RemoteError
from services.gateway.domain.visitor import Visitor
from services.gateway.web import access
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2 as active_pb2
from smartmate.agent.v1 import agent_service_pb2 as agent_pb2
from smartmate.agent.v1 import chat_pb2
from smartmate.schedule.v1 import schedule_service_pb2
from tests.unit.gateway import chat_samples as chat
from tests.unit.gateway import gateway_samples as samples
from tests.unit.gateway import room_samples
from tests.unit.gateway.class_services import VISITOR
from tests.unit.gateway.gateway_served import Served
from tests.unit.gateway.test_gateway_preview_http import ByHand

Told = Sequence[chat_pb2.ChatEvent] | RemoteError


class Talking(ByHand):
    """Services with streams that a test writes down: `told` by run, `said` by what is said."""

    told: dict[str, Told]
    said: Callable[[agent_pb2.ChatRequest], Told]

    def watch(self, visitor: Visitor, method: Any, request: Any) -> AsyncIterator[Any]:
        self.asked.append(request)
        if isinstance(request, agent_pb2.ChatRequest):
            return _chat(self.said(request))
        if isinstance(request, active_pb2.WatchPreviewRequest):
            return _watched()
        return _resume(self.told.get(request.run_id, ()), request.after_sequence)


async def _chat(told: Told) -> AsyncIterator[agent_pb2.ChatResponse]:
    if isinstance(told, RemoteError):
        raise told
    yield agent_pb2.ChatResponse(conversation=chat.conversation())
    for event in told:
        yield agent_pb2.ChatResponse(event=event)


async def _watched() -> AsyncIterator[active_pb2.WatchPreviewResponse]:
    yield active_pb2.WatchPreviewResponse(preview=samples.preview())
    await asyncio.Event().wait()


async def _resume(told: Told, after: int) -> AsyncIterator[agent_pb2.ResumeResponse]:
    if isinstance(told, RemoteError):
        raise told
    for event in told:
        if event.sequence > after:
            yield agent_pb2.ResumeResponse(event=event)


def prepared(served: Served) -> Talking:
    """One conversation that waits for a yes; the student is signed in by a browser."""
    found = served.parts.suite
    assert isinstance(found, Talking)
    served.app.dependency_overrides[access.signed_in] = lambda: VISITOR
    found.served, found.asked = served, []
    stands(found, *chat.PROPOSED)
    found.said = lambda _: chat.events(*chat.WORKING)
    found.answers |= {
        "GetSemester": schedule_service_pb2.GetSemesterResponse(semester=samples.semester()),
        "ListConversations": agent_pb2.ListConversationsResponse(
            conversations=[chat.conversation()]
        ),
        "DeleteConversation": agent_pb2.DeleteConversationResponse(),
        "GetRunState": agent_pb2.GetRunStateResponse(),
        "GetPreview": samples.answer(samples.preview()),
        "CheckEdits": room_samples.room(),
        "ConfirmPreview": active_pb2.ConfirmPreviewResponse(apply_id="asa_1"),
        "IgnorePreview": active_pb2.IgnorePreviewResponse(),
        "ListMemory": agent_pb2.ListMemoryResponse(items=[chat.item()]),
        "RecallMemory": agent_pb2.RecallMemoryResponse(items=[chat.item()]),
        "PutMemory": agent_pb2.PutMemoryResponse(item=chat.item()),
        "DeleteMemory": agent_pb2.DeleteMemoryResponse(),
    }
    return found


def stands(suite: Talking, *contents: Message, **more: Any) -> None:
    """The conversation's only run has come to this."""
    if not hasattr(suite, "answers"):
        suite.answers = {}
    suite.answers["GetConversation"] = chat.opened(*contents, **more)
    suite.told = {chat.RUN: chat.events(*contents)}
