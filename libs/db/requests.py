"""Stored answers: the same request_id gets the same answer, the effect happens once.

Source: spec architecture.md, `request_id`. Kept 7 days in table `requests`, in the transaction
of the effect. Only committed answers are kept; a refusal is judged anew.
"""

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sqlalchemy import text

from libs.db.database import Database, Tx
from libs.db.user_lock import run_in_turn

REQUESTS_V1 = """
CREATE TABLE requests (
    user_id bigint NOT NULL,
    rpc text NOT NULL,
    request_id text NOT NULL,
    hash bytea NOT NULL,
    answer bytea,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (user_id, rpc, request_id)
);
CREATE INDEX requests_by_age ON requests (created_at);
"""

# A row that another transaction is about to commit makes this statement wait for it.
_CLAIM = text("""
    INSERT INTO requests (user_id, rpc, request_id, hash)
    VALUES (:user_id, :rpc, :request_id, :hash)
    ON CONFLICT DO NOTHING RETURNING true
""")
_RECALL = text("""
    SELECT hash, answer FROM requests
    WHERE user_id = :user_id AND rpc = :rpc AND request_id = :request_id
""")
_REMEMBER = text("""
    UPDATE requests SET answer = :answer
    WHERE user_id = :user_id AND rpc = :rpc AND request_id = :request_id
""")
# The statement's instant can be looked up in an index; the clock's would read the whole table.
_PRUNE = text("""
    DELETE FROM requests WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM requests WHERE created_at < statement_timestamp() - interval '7 days'
        LIMIT :limit))
""")


class IdempotencyConflict(Exception):
    """The request_id was used for another request."""

    reason = "idempotency_conflict"

    def __init__(self, request_id: str) -> None:
        super().__init__(request_id)
        self.request_id = request_id


@dataclass(frozen=True, slots=True)
class RequestKey:
    """Names one attempt of one user at one RPC."""

    user_id: int
    rpc: str
    request_id: str
    hash: bytes

    @classmethod
    def of(cls, *, user_id: int, rpc: str, request_id: str, content: bytes) -> "RequestKey":
        """`content` is the request in a canonical form; equal content means the same request."""
        digest = hashlib.sha256(content).digest()
        return cls(user_id=user_id, rpc=rpc, request_id=request_id, hash=digest)


async def once(
    db: Database,
    key: RequestKey,
    work: Callable[[Tx], Awaitable[bytes]],
    *,
    users_row: bool = False,
) -> bytes:
    """Runs `work` in one transaction and stores its answer, or returns the stored one.

    `users_row` waits for the user's turn and takes the row lock first. Raises IdempotencyConflict
    when the id was used for other content.
    """

    async def attempt(tx: Tx) -> bytes:
        name = {"user_id": key.user_id, "rpc": key.rpc, "request_id": key.request_id}
        while await tx.scalar(_CLAIM, hash=key.hash, **name) is None:
            row = await tx.first(_RECALL, **name)
            if row is None:
                continue  # pruned since: the attempt is a new one
            if row.hash != key.hash:
                raise IdempotencyConflict(key.request_id)
            return bytes(row.answer)
        answer = await work(tx)
        await tx.execute(_REMEMBER, answer=answer, **name)
        return answer

    return await (run_in_turn(db, key.user_id, attempt) if users_row else db.run(attempt))


async def prune(tx: Tx, *, limit: int = 1000) -> int:
    """Deletes answers older than 7 days, at most `limit`; gives how many."""
    return await tx.execute(_PRUNE, limit=limit)
