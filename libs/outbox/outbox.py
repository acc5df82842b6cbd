"""The outbox: an event is a row in the transaction that made it true."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from google.protobuf.message import Message
from sqlalchemy import text

from libs.db.database import Tx
from libs.events import envelope
from libs.events.contract import contract

OUTBOX_V1 = """
CREATE TABLE outbox (
    id uuid PRIMARY KEY,
    subject text NOT NULL,
    user_id bigint NOT NULL,
    payload bytea NOT NULL,
    headers jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    attempts int NOT NULL DEFAULT 0,
    lease uuid,
    published_at timestamptz,
    stream_sequence bigint
);
CREATE INDEX outbox_unpublished ON outbox (next_attempt_at) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON outbox (published_at) WHERE published_at IS NOT NULL;
"""

_INSERT = text("""
    INSERT INTO outbox (id, subject, user_id, payload, headers)
    SELECT * FROM unnest(
        CAST(:ids AS uuid[]), CAST(:subjects AS text[]), CAST(:users AS bigint[]),
        CAST(:payloads AS bytea[]), CAST(:headers AS jsonb[]))
""")


def _nobody() -> None:
    return None


@dataclass(slots=True)
class Outbox:
    """Writes events; `wake` tells this process' relay after the commit that there is work."""

    wake: Callable[[], None] = field(default=_nobody)

    async def add(self, tx: Tx, *messages: Message) -> None:
        """Writes events in the given transaction, each with an id of its own.

        Every message has a field `user_id`; it becomes the event's subject header.
        """
        if not messages:
            return
        at = datetime.now(UTC)
        ids = [envelope.uuid7() for _ in messages]
        users: list[int] = [message.user_id for message in messages]  # type: ignore[attr-defined]
        headers = [
            json.dumps(envelope.headers_for(message, event_id=id_, user_id=user, at=at))
            for id_, user, message in zip(ids, users, messages, strict=True)
        ]
        await tx.execute(
            _INSERT,
            ids=ids,
            subjects=[contract(message).subject for message in messages],
            users=users,
            payloads=[message.SerializeToString(deterministic=True) for message in messages],
            headers=headers,
        )
        tx.after_commit(self.wake)
