"""An event on the wire: a protobuf payload under CloudEvents 1.0 headers (binary mode)."""

import json
import os
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Generic, TypeVar

from google.protobuf.message import DecodeError, Message

from libs.events.contract import contract
from libs.telemetry import traces

M = TypeVar("M", bound=Message)

MSG_ID = "Nats-Msg-Id"


class MalformedEvent(Exception):
    """Headers or payload cannot be read: the message's own fault, for good."""


def uuid7() -> uuid.UUID:
    """A time-ordered UUID (RFC 9562, version 7); made here, not in the database, so that every
    PostgreSQL will do."""
    milliseconds = time.time_ns() // 1_000_000
    chance = int.from_bytes(os.urandom(10)) >> 6
    value = (milliseconds & (2**48 - 1)) << 80 | 0x7 << 76
    value |= (chance >> 62) << 64 | 0b10 << 62 | chance & (2**62 - 1)
    return uuid.UUID(int=value)


def headers_for(
    message: Message, *, event_id: uuid.UUID, user_id: int, at: datetime
) -> dict[str, str]:
    """The headers of an event that is to be published."""
    shared = json.dumps(shared_headers(at))
    headers: dict[str, str] = json.loads(
        stored_headers(message, event_id=event_id, user_id=user_id, shared=shared)
    )
    return headers


def stored_headers(message: Message, *, event_id: uuid.UUID, user_id: int, shared: str) -> str:
    """All headers as JSON, with those of `shared_headers` in that form already.

    What is put together here is made of ids and names of our own: nothing has to be escaped.
    """
    what = contract(message)
    return (
        f'{{"{MSG_ID}":"{event_id}","ce-id":"{event_id}","ce-type":"{what.subject}",'
        f'"ce-source":"/smartmate/{what.said_by}","ce-subject":"{user_id}",{shared[1:]}'
    )


def shared_headers(at: datetime) -> dict[str, str]:
    """Those that events of one transaction have in common."""
    return {
        "ce-specversion": "1.0",
        "ce-time": at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "content-type": "application/protobuf",
        **traces.outgoing(),
    }


@dataclass(frozen=True, slots=True)
class Delivery(Generic[M]):
    """One delivery of one event to one durable consumer."""

    consumer: str
    event_id: uuid.UUID
    user_id: int
    message: M
    headers: Mapping[str, str]
    delivered: int
    """How often it was delivered, this time included."""


def read(
    kind: type[M], data: bytes, headers: Mapping[str, str] | None, *, consumer: str, delivered: int
) -> Delivery[M]:
    """Reads a received event. Raises MalformedEvent."""
    found = dict(headers or {})
    try:
        event_id = uuid.UUID(found["ce-id"])
        user_id = int(found["ce-subject"])
        message = kind.FromString(data)
    except (KeyError, ValueError, DecodeError) as error:
        raise MalformedEvent(f"{type(error).__name__}: {error}") from error
    if found.get("ce-type", contract(kind).subject) != contract(kind).subject:
        raise MalformedEvent("ce-type is of another event")
    # protobuf reads almost any bytes as an empty message; an event always names its user.
    if user_id <= 0 or getattr(message, "user_id", user_id) != user_id:
        raise MalformedEvent("ce-subject is not the user of the payload")
    return Delivery(consumer, event_id, user_id, message, found, delivered)
