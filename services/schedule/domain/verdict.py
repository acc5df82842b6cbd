"""The verdict on one apply: judged once, stored as long as the user exists.

Source: spec active-scheduling.md, Confirm and apply.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from libs.planning.base_map import BaseEntryDiff
from libs.planning.changes import Change
from libs.planning.grid import Cell, Place
from libs.planning.validation import Refusal, RefusalCode


@dataclass(frozen=True, slots=True)
class VerdictRefusal:
    """One reason against the changes. `place` is the first cell at which it fails."""

    code: RefusalCode
    change_id: str = ""
    place: Place | None = None
    event_id: int = 0
    event_name: str = ""
    entries: tuple[BaseEntryDiff, ...] = ()
    detail: str = ""

    @classmethod
    def of(cls, refusal: Refusal) -> "VerdictRefusal":
        """The stored form of what the validator says."""
        cell, block = refusal.cell, refusal.block
        return cls(
            code=refusal.code,
            change_id=refusal.change_id,
            place=_place_of(cell) if cell else None,
            event_id=block.id if block else 0,
            event_name=block.name if block else "",
            entries=refusal.entries,
            detail=refusal.detail,
        )


@dataclass(frozen=True, slots=True)
class Verdict:
    """How an apply ended: applied with the blocks written, or refused with the reasons."""

    apply_id: str
    event_ids: tuple[int, ...]
    refusals: tuple[VerdictRefusal, ...]
    judged_at: datetime

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


def refusals_to_json(refusals: Sequence[VerdictRefusal]) -> str:
    """The stored form."""
    return json.dumps(
        [
            {
                "code": refusal.code.value,
                "change_id": refusal.change_id,
                "place": _place(refusal.place),
                "event_id": refusal.event_id,
                "event_name": refusal.event_name,
                "entries": [(e.key, e.expected, e.actual) for e in refusal.entries],
                "detail": refusal.detail,
            }
            for refusal in refusals
        ],
        ensure_ascii=False,
    )


def refusals_of(stored: Sequence[Mapping[str, Any]]) -> tuple[VerdictRefusal, ...]:
    """What `refusals_to_json` stored, as the JSON values that it is."""
    return tuple(
        VerdictRefusal(
            code=RefusalCode(one["code"]),
            change_id=one["change_id"],
            place=Place(*one["place"]) if one["place"] else None,
            event_id=one["event_id"],
            event_name=one["event_name"],
            entries=tuple(BaseEntryDiff(*entry) for entry in one["entries"]),
            detail=one["detail"],
        )
        for one in stored
    )


def _place_of(cell: Cell) -> Place:
    return Place(cell.semester_id, cell.week, cell.day, cell.section, cell.section)


def _place(place: Place | None) -> tuple[int, int, int, int, int] | None:
    if place is None:
        return None
    return place.semester_id, place.week, place.day, place.first, place.last
