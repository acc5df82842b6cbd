"""What an operator asks of the triggers of other people."""

from services.gateway.domain import ids
from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from services.gateway.wire.bodies import TargetKindName
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2
from smartmate.schedule.v1 import change_pb2

Listed = active_scheduler_service_pb2.ListTriggersResponse
Trace = active_scheduler_service_pb2.GetTraceResponse


async def listed(
    parts: Parts, visitor: Visitor, asked: active_scheduler_service_pb2.ListTriggersRequest
) -> Listed:
    """A page of triggers, newest first. Raises RemoteError."""
    return await parts.suite.call(visitor, parts.suite.active_scheduler.ListTriggers, asked)


async def of_trigger(parts: Parts, visitor: Visitor, trigger_id: str) -> Trace:
    """The way of one trigger. Raises TriggerNotFound, RemoteError."""
    asked = active_scheduler_service_pb2.GetTraceRequest(trigger_id=ids.trigger_id(trigger_id))
    return await parts.suite.call(visitor, parts.suite.active_scheduler.GetTrace, asked)


async def of_target(
    parts: Parts, visitor: Visitor, user_id: int, kind: TargetKindName, id_: int
) -> Trace:
    """The way of a target, whether or not it ever fired. Raises RemoteError."""
    target = change_pb2.Target(kind=kind, id=id_)
    asked = active_scheduler_service_pb2.GetTraceRequest(user_id=user_id, target=target)
    return await parts.suite.call(visitor, parts.suite.active_scheduler.GetTrace, asked)
