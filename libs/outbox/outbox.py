"""The outbox: an event is a row in the transaction that made it true."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

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

INSERT = """
    INSERT INTO outbox (id, subject, user_id, payload, headers)
    SELECT * FROM unnest(
        CAST(:told_ids AS uuid[]), CAST(:told_subjects AS text[]), CAST(:told_users AS bigint[]),
        CAST(:told_payloads AS bytea[]), CAST(:told_headers AS jsonb[]))
"""
"""For a statement of a hot transaction that writes its events too; `told` has the parameters."""

_INSERT = text(INSERT)
_to_json = json.JSONEncoder().encode


def _nobody() -> None:
    return None


@dataclass(slots=True)
class Outbox:
    """Writes events; `wake` tells this process' relay after the commit that there is work."""

    wake: Callable[[], None] = field(default=_nobody)

    async def add(self, tx: Tx, *messages: Message) -> None:
        """Writes events in the given transaction, each with an id of its own.

        Every message has a field `user_id`; it becomes the event's subject header. All events of
        a transaction are written by one statement, right before its commit.
        """
        if not messages:
            return
        if Outbox not in tx.kept:
            tx.before_commit(partial(_write, tx))
            tx.after_commit(self.wake)
        # Those of this moment: a transaction may hold the work of several traces.
        shared = _to_json(envelope.shared_headers(datetime.now(UTC)))
        tx.kept.setdefault(Outbox, []).extend((message, shared) for message in messages)


async def _write(tx: Tx) -> None:
    if tx.kept[Outbox]:
        await tx.execute(_INSERT, **told(tx))


def told(tx: Tx) -> dict[str, Any]:
    """The parameters of INSERT for all events so far; whoever asks writes them."""
    kept, tx.kept[Outbox] = tx.kept[Outbox], []
    messages = [message for message, _ in kept]
    ids = [envelope.uuid7() for _ in messages]
    headers = [
        envelope.stored_headers(message, event_id=id_, user_id=message.user_id, shared=shared)
        for id_, (message, shared) in zip(ids, kept, strict=True)
    ]
    return {
        "told_ids": ids,
        "told_subjects": [contract(message).subject for message in messages],
        "told_users": [message.user_id for message in messages],
        "told_payloads": [message.SerializeToString(deterministic=True) for message in messages],
        "told_headers": headers,
    }
