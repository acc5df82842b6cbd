"""The verdict on one apply: judged once, stored as long as the user exists.

Source: spec active-scheduling.md, Confirm and apply.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from libs.planning.base_map import BaseEntryDiff
from libs.planning.changes import Change
from libs.planning.grid import Cell, Place
from libs.planning.validation import Refusal, RefusalCode


@dataclass(frozen=True, slots=True)
class VerdictRefusal:
    """One reason against the changes. `place` is the first cell at which it fails.

    `after`, `before` and `reason` belong to an order that would break: where the block might go,
    and why not here, in Chinese.
    """

    code: RefusalCode
    change_id: str = ""
    place: Place | None = None
    event_id: int = 0
    event_name: str = ""
    entries: tuple[BaseEntryDiff, ...] = ()
    detail: str = ""
    after: Place | None = None
    before: Place | None = None
    reason: str = ""

    @classmethod
    def of(cls, refusal: Refusal) -> "VerdictRefusal":
        """The stored form of what the validator says."""
        cell, block = refusal.cell, refusal.block
        return cls(
            code=refusal.code,
            change_id=refusal.change_id,
            place=_place_of(cell) if cell else None,
            # A block that is only asked for has no id yet.
            event_id=max(block.id, 0) if block else 0,
            event_name=block.name if block else "",
            entries=refusal.entries,
            detail=refusal.detail,
            after=refusal.after,
            before=refusal.before,
            reason=refusal.reason,
        )


class KeptReason(StrEnum):
    """Why an undo leaves a block as it is."""

    CHANGED_SINCE = "changed_since"
    HAS_BEGUN = "has_begun"
    BELONGS_TOGETHER = "belongs_together"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Kept:
    """A block that an undo leaves as it is."""

    event_id: int
    name: str
    reason: KeptReason


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an apply ended: applied with the blocks written, or refused with the reasons.

    `undoes` is the apply that an undo takes back, `kept` what of it stays as it is.
    """

    apply_id: str
    event_ids: tuple[int, ...]
    refusals: tuple[VerdictRefusal, ...]
    judged_at: datetime
    undoes: str = ""
    kept: tuple[Kept, ...] = ()

    @property
    def applied(self) -> bool:
        """Every change was written."""
        return not self.refusals


@dataclass(frozen=True, slots=True)
class Ask:
    """What is to be applied, by whom, on which base, and until when."""

    user_id: int
    apply_id: str
    changes: tuple[Change, ...]
    base: Mapping[str, str]
    not_after: datetime | None = None

    @property
    def fingerprint(self) -> bytes:
        """Equal for equal changes in equal order; the rest of the request is no part of it."""
        return fingerprint(self.changes)


def fingerprint(changes: Sequence[Change]) -> bytes:
    """SHA-256 of what the changes do; who may edit them and their risk are no part of it."""
    stated = [
        (
            change.change_id,
            change.type.value,
            (change.target.kind.value, change.target.id),
            _place(change.to),
            _place(change.from_),
            change.host_id,
        )
        for change in changes
    ]
    return hashlib.sha256(json.dumps(stated, separators=(",", ":")).encode()).digest()


def refusals_to_json(refusals: Sequence[VerdictRefusal]) -> list[dict[str, Any]]:
    """The stored form, as JSON values."""
    return [
        {
            "code": refusal.code.value,
            "change_id": refusal.change_id,
            "place": _place(refusal.place),
            "event_id": refusal.event_id,
            "event_name": refusal.event_name,
            "entries": [(e.key, e.expected, e.actual) for e in refusal.entries],
            "detail": refusal.detail,
            "after": _place(refusal.after),
            "before": _place(refusal.before),
            "reason": refusal.reason,
        }
        for refusal in refusals
    ]


def refusals_of(stored: Sequence[Mapping[str, Any]]) -> tuple[VerdictRefusal, ...]:
    """What `refusals_to_json` gave, once it was stored."""
    return tuple(
        VerdictRefusal(
            code=RefusalCode(one["code"]),
            change_id=one["change_id"],
            place=Place(*one["place"]) if one["place"] else None,
            event_id=one["event_id"],
            event_name=one["event_name"],
            entries=tuple(BaseEntryDiff(*entry) for entry in one["entries"]),
            detail=one["detail"],
            # Verdicts of an earlier release do not say these.
            after=Place(*one["after"]) if one.get("after") else None,
            before=Place(*one["before"]) if one.get("before") else None,
            reason=one.get("reason", ""),
        )
        for one in stored
    )


def kept_to_json(kept: Sequence[Kept]) -> list[tuple[int, str, str]]:
    """The stored form, as JSON values."""
    return [(one.event_id, one.name, one.reason.value) for one in kept]


def kept_of(stored: Sequence[Sequence[Any]]) -> tuple[Kept, ...]:
    """What `kept_to_json` gave, once it was stored."""
    return tuple(Kept(event_id, name, KeptReason(reason)) for event_id, name, reason in stored)


def _place_of(cell: Cell) -> Place:
    return Place(cell.semester_id, cell.week, cell.day, cell.section, cell.section)


def _place(place: Place | None) -> tuple[int, int, int, int, int] | None:
    if place is None:
        return None
    return place.semester_id, place.week, place.day, place.first, place.last
