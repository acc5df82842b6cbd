"""The look that follows up an answer."""

from libs.rpc.errors import RemoteError
from libs.telemetry import logs
from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2, trigger_pb2

_log = logs.get("gateway.questions")


async def follow_up(
    parts: Parts, visitor: Visitor, preview: preview_pb2.Preview
) -> trigger_pb2.TriggerRecord | None:
    """The look that an answer led to; None where there is none, or nobody can tell.

    The page is of use without it: it shows what was answered.
    """
    trigger_id = preview.question.answer_trigger_id
    if not trigger_id:
        return None
    asked = active_scheduler_service_pb2.GetTriggerRequest(trigger_id=trigger_id)
    try:
        found = await parts.suite.call(visitor, parts.suite.active_scheduler.GetTrigger, asked)
    except RemoteError as error:
        _log.warning("look_unknown", trigger_id=trigger_id, reason=error.reason)
        return None
    return found.trigger
