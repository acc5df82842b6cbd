"""Stored verdicts, and the writes of an accepted apply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.outbox import outbox
from services.schedule.domain import verdict as verdicts
from services.schedule.domain.block import NewBlock
from services.schedule.domain.verdict import Verdict
from services.schedule.store import blocks, rows

GET = """
    SELECT apply_id, encode(hash, 'hex') AS hash, event_ids, refusals, judged_at FROM applies
    WHERE user_id = :user_id AND apply_id = :apply_id
"""
_GET = text(GET)
_REMEMBER = """
    INSERT INTO applies (user_id, apply_id, hash, state, event_ids, refusals, judged_at)
    VALUES (:user_id, :apply_id, :hash, :state, CAST(:event_ids AS bigint[]),
        CAST(:refusals AS jsonb), :judged_at)
"""
_REFUSE = text(_REMEMBER)
_WRITE = text(f"WITH {blocks.NEW}, told AS ({outbox.INSERT}) {_REMEMBER}")


@dataclass(frozen=True, slots=True)
class Stored:
    """A verdict and the fingerprint of the changes that it was given on."""

    verdict: Verdict
    hash: bytes


async def get(tx: Tx, user_id: int, apply_id: str) -> Stored | None:
    """The stored verdict on an attempt, or None."""
    row = await tx.first(_GET, user_id=user_id, apply_id=apply_id)
    return None if row is None else stored(row._mapping)


def stored(row: rows.Values) -> Stored:
    """A row of `applies`, or its JSON form."""
    found = Verdict(
        apply_id=row["apply_id"],
        event_ids=tuple(row["event_ids"]),
        refusals=verdicts.refusals_of(row["refusals"]),
        judged_at=rows.instant(row["judged_at"]),
    )
    return Stored(found, bytes.fromhex(row["hash"]))


async def refuse(tx: Tx, user_id: int, verdict: Verdict, *, hash_: bytes) -> None:
    """Stores a refusal; nothing else is written."""
    await tx.execute(_REFUSE, **_values(user_id, verdict, hash_))


async def write(
    tx: Tx,
    user_id: int,
    verdict: Verdict,
    new: Sequence[NewBlock],
    *,
    hash_: bytes,
    version: int,
) -> None:
    """Writes the blocks, their sections, the verdict and what was told of them, in one statement.

    Raises CellTaken.
    """
    with blocks.guarding():
        await tx.execute(
            _WRITE,
            blocks=blocks.new_rows(new, version=version),
            **outbox.told(tx),
            **_values(user_id, verdict, hash_),
        )


def _values(user_id: int, verdict: Verdict, hash_: bytes) -> dict[str, Any]:
    return {
        "user_id": user_id,
        "apply_id": verdict.apply_id,
        "hash": hash_,
        "state": "applied" if verdict.applied else "refused",
        "event_ids": list(verdict.event_ids),
        "refusals": verdicts.refusals_to_json(verdict.refusals),
        "judged_at": verdict.judged_at,
    }
