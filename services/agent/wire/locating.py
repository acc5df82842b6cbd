"""Feedback to be located, as messages."""

from collections.abc import Iterable

from libs.planning.calendar import CalendarError, zone_named
from libs.rpc.errors import invalid
from services.agent.domain.locate import NearBlock, Pointed
from services.agent.domain.when import Standpoint
from services.agent.wire import values
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import feedback_pb2

MAX_WORDS = 500
MAX_BLOCKS = 200
_MAX_TITLE = 10_000
_MAX_SECTION = 100


def words(request: pb.LocateFeedbackRequest) -> str:
    """What was said. Raises InvalidRequest."""
    if not request.text.strip() or len(request.text) > MAX_WORDS:
        raise invalid("text", f"must be 1..{MAX_WORDS} characters")
    return request.text


def standpoint(request: pb.LocateFeedbackRequest) -> Standpoint:
    """When and where it was said. Raises InvalidRequest."""
    now = values.checked_instant(request.now_time, "now_time")
    try:
        return Standpoint(now, zone_named(request.time_zone))
    except CalendarError as error:
        raise invalid("time_zone", "must be an IANA name") from error


def blocks(request: pb.LocateFeedbackRequest) -> tuple[NearBlock, ...]:
    """What may be meant. Raises InvalidRequest."""
    if len(request.blocks) > MAX_BLOCKS:
        raise invalid("blocks", f"must be at most {MAX_BLOCKS}")
    if len({one.event_id for one in request.blocks}) < len(request.blocks):
        raise invalid("blocks", "must have different ids")
    return tuple(_block(one, f"blocks[{index}]") for index, one in enumerate(request.blocks))


def response(found: Pointed) -> pb.LocateFeedbackResponse:
    return pb.LocateFeedbackResponse(
        event_ids=found.ids,
        fallback_used=found.fallback_used,
        fallback_reason=found.reason,
        model=found.model,
    )


def _block(message: feedback_pb2.FeedbackBlock, field: str) -> NearBlock:
    if message.event_id < 1:
        raise invalid(f"{field}.event_id", "must be greater than 0")
    if not 1 <= message.first_section <= message.last_section <= _MAX_SECTION:
        raise invalid(field, "is not a place")
    starts_at = values.checked_instant(message.start_time, f"{field}.start_time")
    ends_at = values.checked_instant(message.end_time, f"{field}.end_time")
    if ends_at <= starts_at:
        raise invalid(f"{field}.end_time", "must be after the start")
    _short((message.title, message.task_class_name), field)
    return NearBlock(
        message.event_id,
        message.title,
        starts_at,
        ends_at,
        message.first_section,
        message.last_section,
        message.task_class_name,
    )


def _short(texts: Iterable[str], field: str) -> None:
    if any(len(one) > _MAX_TITLE for one in texts):
        raise invalid(field, f"must hold texts of at most {_MAX_TITLE} characters")
