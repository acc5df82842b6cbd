"""The answer to a question, as a program and as the page send it."""

from pydantic import Field

from services.gateway.wire.bodies import Body, Key
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2

LONGEST = 500
"""Characters of an answer in words."""
_LONGEST_READ = 5000


class AnswerBody(Body):
    """One of the choices, or words where the question has none."""

    choice_id: str = Field("", max_length=64)
    text: str = Field("", max_length=LONGEST)
    idempotency_key: Key = None


class AnswerForm(Body):
    """The same out of a form, whose words may be too long: then it says so."""

    choice_id: str = Field("", max_length=64)
    text: str = Field("", max_length=_LONGEST_READ)
    idempotency_key: Key = None

    @property
    def problem(self) -> str:
        """Code of what is wrong about it; empty = nothing."""
        text = self.text.strip()
        if len(text) > LONGEST:
            return "answer_long"
        return "" if text or self.choice_id else "answer_empty"


def message(
    preview_id: str, body: AnswerBody | AnswerForm, key: str
) -> active_scheduler_service_pb2.AnswerQuestionRequest:
    """The same for the service."""
    return active_scheduler_service_pb2.AnswerQuestionRequest(
        request_id=key,
        preview_id=preview_id,
        choice_id=body.choice_id,
        text=body.text.strip(),
    )
