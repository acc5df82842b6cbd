"""Stored verdicts, and the writes of an accepted apply."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import text

from libs.db.database import Tx
from libs.outbox import outbox
from services.schedule.domain import effects as effects_
from services.schedule.domain import verdict as verdicts
from services.schedule.domain.block import NewBlock
from services.schedule.domain.effects import Effect
from services.schedule.domain.undo import BlockNow
from services.schedule.domain.verdict import Verdict
from services.schedule.store import blocks, rows

GET = """
    SELECT apply_id, encode(hash, 'hex') AS hash, event_ids, refusals, judged_at, undoes, kept
    FROM applies WHERE user_id = :user_id AND apply_id = :apply_id
"""
_GET = text(GET)
# One JSON parameter holds the rows.
_REMEMBER = """
    INSERT INTO applies (user_id, apply_id, hash, state, event_ids, refusals, judged_at, effects,
        undoes, kept)
    SELECT user_id, apply_id, decode(hash, 'hex'), state, event_ids, refusals, judged_at, effects,
        undoes, kept
    FROM json_to_recordset(CAST(:verdicts AS json)) AS v (user_id bigint, apply_id text,
        hash text, state text, event_ids bigint[], refusals jsonb, judged_at timestamptz,
        effects jsonb, undoes text, kept jsonb)
"""
_REMEMBER_ALONE = text(_REMEMBER)
_WRITE = text(f"WITH {blocks.NEW}, told AS ({outbox.INSERT}) {_REMEMBER}")
_EFFECTS = "SELECT apply_id, undoes, effects FROM applies"
_EFFECTS_OF = text(f"""
    {_EFFECTS} WHERE user_id = :user_id AND apply_id = :apply_id AND state = 'applied'
""")
_LATEST = text(f"""
    {_EFFECTS} a
    WHERE a.user_id = :user_id AND a.state = 'applied' AND a.undoes IS NULL
      AND NOT EXISTS (SELECT FROM applies u
        WHERE u.user_id = :user_id AND u.undoes = a.apply_id AND u.state = 'applied')
    ORDER BY a.judged_at DESC LIMIT 1
""")
_UNDO_OF = text("""
    SELECT apply_id FROM applies
    WHERE user_id = :user_id AND undoes = :apply_id AND state = 'applied'
""")
_BLOCKS_NOW = text("""
    SELECT id, name, live, placement_version FROM schedule_events
    WHERE user_id = :user_id AND id = ANY(:ids)
""")


@dataclass(frozen=True, slots=True)
class Stored:
    """A verdict and the fingerprint of the changes that it was given on."""

    verdict: Verdict
    hash: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """A verdict with what it did: `new` are blocks that are written with it, all of one version."""

    user_id: int
    verdict: Verdict
    hash: bytes
    effects: Sequence[Effect] = ()
    new: Sequence[NewBlock] = ()
    version: int = 0

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The new blocks as they are written."""
        apply_id = self.verdict.apply_id
        return blocks.new_rows(self.user_id, self.new, version=self.version, apply_id=apply_id)


@dataclass(frozen=True, slots=True)
class Undoable:
    """An applied apply and what it did; None where an earlier release did not keep that."""

    apply_id: str
    is_undo: bool
    effects: tuple[Effect, ...] | None


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
        undoes=row["undoes"] or "",
        kept=verdicts.kept_of(row["kept"] or ()),
    )
    return Stored(found, bytes.fromhex(row["hash"]))


async def remember(tx: Tx, written: Written) -> None:
    """Stores a refusal, or the verdict on changes that the caller has written."""
    await tx.execute(_REMEMBER_ALONE, verdicts=blocks.to_json([_row(written)]))


async def write(tx: Tx, written: Sequence[Written]) -> None:
    """Writes verdicts, new blocks with their sections, and what was told, in one statement.

    Raises CellTaken.
    """
    new = [row for one in written for row in one.rows]
    with blocks.guarding():
        await tx.execute(
            _WRITE,
            blocks=blocks.to_json(new),
            verdicts=blocks.to_json([_row(one) for one in written]),
            **outbox.told(tx),
        )


async def undoable(tx: Tx, user_id: int, apply_id: str) -> Undoable | None:
    """The applied apply of this id (the latest that was not taken back for an empty one)."""
    if apply_id:
        row = await tx.first(_EFFECTS_OF, user_id=user_id, apply_id=apply_id)
    else:
        row = await tx.first(_LATEST, user_id=user_id)
    if row is None:
        return None
    effects = None if row.effects is None else effects_.effects_of(row.effects)
    return Undoable(row.apply_id, row.undoes is not None, effects)


async def undo_of(tx: Tx, user_id: int, apply_id: str) -> str | None:
    """The apply that took this one back, or None."""
    found: str | None = await tx.scalar(_UNDO_OF, user_id=user_id, apply_id=apply_id)
    return found


async def blocks_now(tx: Tx, user_id: int, ids: Sequence[int]) -> Mapping[int, BlockNow]:
    """Blocks as they are now, live or not."""
    found = await tx.all(_BLOCKS_NOW, user_id=user_id, ids=list(ids))
    return {row.id: BlockNow(row.id, row.name, row.live, row.placement_version) for row in found}


def _row(written: Written) -> dict[str, Any]:
    verdict = written.verdict
    return {
        "user_id": written.user_id,
        "apply_id": verdict.apply_id,
        "hash": written.hash.hex(),
        "state": "applied" if verdict.applied else "refused",
        "event_ids": verdict.event_ids,
        "refusals": verdicts.refusals_to_json(verdict.refusals),
        "judged_at": verdict.judged_at.isoformat(),
        "effects": effects_.to_json(written.effects) if verdict.applied else None,
        "undoes": verdict.undoes or None,
        "kept": verdicts.kept_to_json(verdict.kept) if verdict.undoes else None,
    }
