"""Asking for a look at a task, and following it to what it found."""

import asyncio

from services.gateway.domain.visitor import Visitor
from services.gateway.web.parts import Parts
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2, trigger_pb2
from smartmate.schedule.v1 import change_pb2

LOOKS_SECONDS = (0.05, 0.2, 0.5, 1.0, 1.5)
"""Pauses between the looks at a trigger that a page waits for."""

_LIVE = frozenset({preview_pb2.PREVIEW_STATE_READY, preview_pb2.PREVIEW_STATE_APPLYING})

Trigger = trigger_pb2.TriggerRecord


async def followed(parts: Parts, visitor: Visitor, record: Trigger) -> Trigger:
    """The trigger once it led to a suggestion or ended, or as it is when patience is over."""
    asked = active_scheduler_service_pb2.GetTriggerRequest(trigger_id=record.trigger_id)
    for seconds in LOOKS_SECONDS:
        if record.preview_id or record.HasField("finish_time"):
            break
        await asyncio.sleep(seconds)
        method = parts.suite.active_scheduler.GetTrigger
        record = (await parts.suite.call(visitor, method, asked)).trigger
    return record


async def at_task(parts: Parts, visitor: Visitor, task_id: int, key: str) -> Trigger:
    """A look at a task, followed. Raises RemoteError.

    Where a look of late answers for this one and what it suggested is over, a new one takes its
    place.
    """
    asked = active_scheduler_service_pb2.TriggerRequest(
        request_id=key,
        type=trigger_pb2.TRIGGER_TYPE_IMPORTANT_URGENT_TASK,
        target=change_pb2.Target(kind=change_pb2.TARGET_KIND_TASK_POOL, id=task_id),
    )
    answer = await parts.suite.call(visitor, parts.suite.active_scheduler.Trigger, asked)
    record = await followed(parts, visitor, answer.trigger)
    if not (answer.deduplicated and record.preview_id):
        return record
    shown = active_scheduler_service_pb2.GetPreviewRequest(preview_id=record.preview_id)
    found = await parts.suite.call(visitor, parts.suite.active_scheduler.GetPreview, shown)
    if found.preview.state in _LIVE:
        return record
    again = active_scheduler_service_pb2.RegeneratePreviewRequest(
        request_id=key, preview_id=record.preview_id
    )
    method = parts.suite.active_scheduler.RegeneratePreview
    renewed = await parts.suite.call(visitor, method, again)
    return await followed(parts, visitor, renewed.trigger)
