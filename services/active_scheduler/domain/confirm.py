"""What a confirmation asks to apply: the candidate as proposed, or with edited places.

Source: spec active-scheduling.md, Confirm and apply. An edit may change the place of a change
that is editable, never its target, type or length; titles and texts of the client are ignored.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from libs.planning import base_map
from libs.planning.changes import Change, World
from libs.planning.grid import Place
from services.active_scheduler.domain.errors import InvalidEdit
from services.active_scheduler.domain.preview import Candidate, Content


@dataclass(frozen=True, slots=True)
class Edit:
    """Another place for one change."""

    change_id: str
    to: Place


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be applied, with the base that still binds."""

    candidate_id: str
    changes: tuple[Change, ...]
    base: Mapping[str, str]

    @property
    def hash(self) -> bytes:
        """Equal for equal candidate and equal normalised changes, whatever order they came in."""
        parts = sorted(
            (change.change_id, change.type.value, *_place(change.to)) for change in self.changes
        )
        return hashlib.sha256(json.dumps([self.candidate_id, parts]).encode()).digest()


def request(
    content: Content, candidate: Candidate, edits: Sequence[Edit], now: datetime
) -> Request:
    """The request of a confirmation. Raises InvalidEdit."""
    wanted = _by_change(candidate, edits)
    changes = tuple(
        replace(change, to=_edited(content, change, wanted[change.change_id], now))
        if change.change_id in wanted
        else change
        for change in candidate.changes
    )
    if changes == candidate.changes:
        return Request(candidate.id, changes, candidate.base)
    return Request(candidate.id, changes, _binding(content, candidate, changes))


def _by_change(candidate: Candidate, edits: Sequence[Edit]) -> dict[str, Place]:
    known = {change.change_id for change in candidate.changes}
    wanted: dict[str, Place] = {}
    for edit in edits:
        if edit.change_id not in known:
            raise InvalidEdit(edit.change_id, "unknown_change")
        if edit.change_id in wanted:
            raise InvalidEdit(edit.change_id, "edited_twice")
        wanted[edit.change_id] = edit.to
    return wanted


def _edited(content: Content, change: Change, to: Place, now: datetime) -> Place:
    if to == change.to:
        return to
    if not change.editable or change.to is None:
        raise InvalidEdit(change.change_id, "not_editable")
    if to.length != change.to.length:
        raise InvalidEdit(change.change_id, "length")
    semester = content.semester(to.semester_id)
    if semester is None or not semester.contains(to):
        raise InvalidEdit(change.change_id, "out_of_semester")
    deadline = content.deadline
    _, ends_at = semester.span(to.week, to.day, to.first, to.last)
    # A deadline that has not passed binds an edit as it binds a candidate.
    if deadline is not None and deadline > now and ends_at > deadline:
        raise InvalidEdit(change.change_id, "deadline")
    return to


def _binding(content: Content, candidate: Candidate, changes: tuple[Change, ...]) -> dict[str, str]:
    """Rows bind as at the preview; cells that were left drop out, new ones are judged alone."""
    world = World(content.semesters, (), {})
    return base_map.base_after_edit(
        candidate.base,
        kept_cells=base_map.touched_cells(changes, world),
        kept_dates=base_map.touched_dates(changes, world),
    )


def _place(place: Place | None) -> tuple[int, ...]:
    if place is None:
        return ()
    return (place.semester_id, place.week, place.day, place.first, place.last)
