"""The event that asks for a message, as a domain value."""

import re

from libs.events.envelope import MalformedEvent
from services.notification.domain.request import Request, TargetKind
from services.notification.wire import values
from smartmate.events.v1 import events_pb2
from smartmate.schedule.v1 import change_pb2

# What a path holds that goes behind the base URL unchanged: no host, no query, nothing to escape.
_PATH = re.compile(r"/[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*")
_MAX_PATH = 300

_TARGET_KINDS = {
    change_pb2.TARGET_KIND_TASK_POOL: TargetKind.TASK_POOL,
    change_pb2.TARGET_KIND_TASK_ITEM: TargetKind.TASK_ITEM,
    change_pb2.TARGET_KIND_SCHEDULE_EVENT: TargetKind.SCHEDULE_EVENT,
}


def request(message: events_pb2.NotificationFeishuRequested) -> Request:
    """Raises MalformedEvent: such a message is parked, for nothing in it gets better."""
    try:
        valid_until = values.instant(message.valid_until_time)
    except (ValueError, OverflowError) as error:
        raise MalformedEvent("valid_until_time is not an instant") from error
    if not (message.HasField("valid_until_time") and 1970 <= valid_until.year <= 2200):
        raise MalformedEvent("valid_until_time is not an instant of this time")
    if message.user_id <= 0:
        raise MalformedEvent("user_id must be greater than 0")
    if len(message.path) > _MAX_PATH or not _PATH.fullmatch(message.path):
        raise MalformedEvent("path is not a plain path")
    return Request(
        notification_id=_id(message.notification_id, "notification_id"),
        user_id=message.user_id,
        trigger_id=_id(message.trigger_id, "trigger_id", optional=True),
        preview_id=_id(message.preview_id, "preview_id", optional=True),
        # A kind of a newer peer has no words of its own yet.
        target_kind=_TARGET_KINDS.get(message.target_kind, TargetKind.UNRECOGNISED),
        valid_until=valid_until,
        path=message.path,
    )


def _id(value: str, field: str, *, optional: bool = False) -> str:
    if optional and not value:
        return value
    if not 1 <= len(value) <= values.MAX_ID_LENGTH or not value.isprintable():
        raise MalformedEvent(f"{field} must be 1..{values.MAX_ID_LENGTH} printable characters")
    return value
