"""Events that this service hears."""

import hashlib
from dataclasses import dataclass

from google.protobuf.message import DecodeError

from libs.events.consumer import Parked
from libs.events.envelope import Delivery, MalformedEvent
from libs.planning.validation import RefusalCode
from libs.rpc.errors import InvalidRequest
from services.schedule.domain.verdict import Ask, fingerprint
from services.schedule.wire import changes
from smartmate.events.v1 import events_pb2


@dataclass(frozen=True, slots=True)
class Unjudged:
    """An ask that is given up: whose it was, and what is said of it."""

    user_id: int
    apply_id: str
    code: RefusalCode
    hash: bytes
    detail: str


def read_ask(delivery: Delivery[events_pb2.ScheduleApplyRequested]) -> Ask:
    """What is to be applied. Raises MalformedEvent: no later delivery will read better."""
    try:
        if delivery.user_id < 1:
            raise MalformedEvent("the user is no user")
        return changes.read_ask(delivery.user_id, delivery.message)
    except InvalidRequest as error:
        raise MalformedEvent(str(error)) from error


def read_unjudged(parked: Parked) -> Unjudged | None:
    """Whom to tell that a request is given up; None where that cannot be read."""
    try:
        message = events_pb2.ScheduleApplyRequested.FromString(parked.data)
        apply_id = changes.read_apply_id(message.apply_id)
    except (DecodeError, InvalidRequest):
        return None
    if message.user_id < 1 or parked.headers.get("ce-subject") != str(message.user_id):
        return None
    return Unjudged(
        user_id=message.user_id,
        apply_id=apply_id,
        code=RefusalCode.INVALID_EDITED_CHANGES,
        hash=_hash(message, parked.data),
        detail=parked.reason,
    )


def _hash(message: events_pb2.ScheduleApplyRequested, data: bytes) -> bytes:
    """That of the changes, so that a call finds the verdict; of the payload where they are
    unreadable."""
    try:
        return fingerprint(changes.read_changes(message.changes))
    except InvalidRequest:
        return hashlib.sha256(data).digest()
