"""What a program says to the assistant, and the message that it becomes."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from services.gateway.wire.bodies import Body, Int32, Key
from smartmate.agent.v1 import agent_service_pb2

LONGEST_TEXT = 4000
LONGEST_ANSWER = 2000
Id = Annotated[str, Field(max_length=100)]


class ConfirmReplyBody(Body):
    """Yes or no to what a run waits for."""

    run_id: Id
    number: Int32 = Field(description="Of the confirm request within its run")
    accepted: bool = Field(strict=True)
    words: str = Field(
        "", max_length=LONGEST_ANSWER, description="Why not, or what instead; else empty"
    )


class QuestionAnswerBody(Body):
    """An answer to what a run waits for: one of its choices, or words."""

    run_id: Id
    number: Int32 = Field(description="Of the question within its run")
    choice_id: str = Field("", max_length=200)
    text: str = Field("", max_length=LONGEST_ANSWER)


class ChatBody(Body):
    """What is said: exactly one of text, confirm_reply and answer."""

    conversation_id: Id = Field("", description="Empty = a new one, which only text can begin")
    preview_id: Id = Field("", description="A suggestion that the words are about")
    text: str | None = Field(None, min_length=1, max_length=LONGEST_TEXT)
    confirm_reply: ConfirmReplyBody | None = None
    answer: QuestionAnswerBody | None = None
    idempotency_key: Key = None

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        said = (self.text, self.confirm_reply, self.answer)
        if sum(one is not None for one in said) != 1:
            raise ValueError("exactly one of text, confirm_reply and answer is wanted")
        return self

    def message(self, key: str) -> agent_service_pb2.ChatRequest:
        """The request of one attempt."""
        asked = agent_service_pb2.ChatRequest(
            request_id=key, conversation_id=self.conversation_id, preview_id=self.preview_id
        )
        if self.text is not None:
            asked.text = self.text
        if self.confirm_reply is not None:
            reply = agent_service_pb2.ConfirmReply(**self.confirm_reply.model_dump())
            asked.confirm_reply.CopyFrom(reply)
        if self.answer is not None:
            answer = agent_service_pb2.QuestionAnswer(**self.answer.model_dump())
            asked.answer.CopyFrom(answer)
        return asked
