"""The forms of a conversation: saying something, choosing an answer, yes or no."""

from typing import Literal

from pydantic import Field

from services.gateway.wire.bodies import Body, Key
from services.gateway.wire.chat_bodies import LONGEST_TEXT
from smartmate.agent.v1 import agent_service_pb2

_LARGEST = 2**31 - 1
Live = Literal["", "yes"]
"""Whether the page follows what happens by itself, so that nothing is waited for."""


class SayForm(Body):
    """Words; `about` names what stood open when they were written."""

    conversation_id: str = Field("", max_length=100)
    about: str = Field("", max_length=100)
    preview_id: str = Field("", max_length=100)
    text: str = Field("", max_length=50_000)
    live: Live = ""
    idempotency_key: Key = None

    @property
    def problem(self) -> str:
        """What is wrong about the words; empty: nothing."""
        length = len(self.text.strip())
        return "" if 1 <= length <= LONGEST_TEXT else "long" if length else "empty"

    def message(self, key: str) -> agent_service_pb2.ChatRequest:
        """The request of one attempt."""
        return agent_service_pb2.ChatRequest(
            request_id=key,
            conversation_id=self.conversation_id,
            preview_id=self.preview_id,
            text=self.text.strip(),
        )


class ChooseForm(Body):
    """One of the answers that a question offers."""

    run_id: str = Field(max_length=100)
    number: int = Field(ge=1, le=_LARGEST)
    choice_id: str = Field(min_length=1, max_length=200)
    live: Live = ""
    idempotency_key: Key = None

    @property
    def about(self) -> str:
        """What it answers."""
        return f"{self.run_id}.q{self.number}"

    def message(self, key: str, conversation_id: str) -> agent_service_pb2.ChatRequest:
        """The request of one attempt: another press of the same page is another one."""
        answer = agent_service_pb2.QuestionAnswer(
            run_id=self.run_id, number=self.number, choice_id=self.choice_id
        )
        return agent_service_pb2.ChatRequest(
            request_id=key, conversation_id=conversation_id, answer=answer
        )


class AcceptForm(Body):
    """Yes or no to a confirm request."""

    run_id: str = Field(max_length=100)
    number: int = Field(ge=1, le=_LARGEST)
    accepted: Literal["yes", "no"]
    live: Live = ""
    idempotency_key: Key = None

    @property
    def about(self) -> str:
        """What it answers."""
        return f"{self.run_id}.c{self.number}"

    def message(self, key: str, conversation_id: str) -> agent_service_pb2.ChatRequest:
        """The request of one attempt."""
        reply = agent_service_pb2.ConfirmReply(
            run_id=self.run_id, number=self.number, accepted=self.accepted == "yes"
        )
        return agent_service_pb2.ChatRequest(
            request_id=key, conversation_id=conversation_id, confirm_reply=reply
        )
