"""That something was not finished, as a program and as the pages say it."""

from datetime import date as calendar_date

from pydantic import Field

from services.gateway.wire.bodies import Body, Key, TargetBody
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2
from smartmate.schedule.v1 import change_pb2

LONGEST = 500
"""Characters of what a person tells."""
_LONGEST_READ = 5000


class FeedbackBody(Body):
    """A block, an item, or words alone; one of them has to be there."""

    target: TargetBody | None = None
    text: str = Field("", max_length=LONGEST)
    feedback_id: str = Field(
        "", max_length=64, description="Names the act of telling; empty = the idempotency key"
    )
    idempotency_key: Key = None

    def message(self, key: str) -> active_scheduler_service_pb2.SubmitFeedbackRequest:
        """The same for the service."""
        return active_scheduler_service_pb2.SubmitFeedbackRequest(
            request_id=key,
            feedback_id=self.feedback_id,
            target=self.target.message() if self.target else None,
            text=self.text,
        )


class FeedbackForm(Body):
    """The same in words, from the week in which `date` lies."""

    text: str = Field("", max_length=_LONGEST_READ)
    date: calendar_date | None = None
    idempotency_key: Key = None


def of_words(text: str, key: str) -> active_scheduler_service_pb2.SubmitFeedbackRequest:
    """Words alone."""
    return active_scheduler_service_pb2.SubmitFeedbackRequest(request_id=key, text=text)


def of_block(event_id: int, key: str) -> active_scheduler_service_pb2.SubmitFeedbackRequest:
    """A press at a block."""
    target = change_pb2.Target(kind=change_pb2.TARGET_KIND_SCHEDULE_EVENT, id=event_id)
    return active_scheduler_service_pb2.SubmitFeedbackRequest(request_id=key, target=target)
