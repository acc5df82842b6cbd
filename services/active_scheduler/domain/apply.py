"""Applies: what was confirmed, and the verdict of the schedule service about it.

applying → applied | refused, recorded once, whichever of answer, event and sweeper comes first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from libs.planning.changes import Change
from services.active_scheduler.domain.preview import RefusalRecord


class ApplyState(StrEnum):
    APPLYING = "applying"
    APPLIED = "applied"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ApplyRequest:
    """A confirmed apply, as it is sent to the schedule service however often."""

    apply_id: str
    user_id: int
    preview_id: str
    hash: bytes
    changes: tuple[Change, ...]
    base: Mapping[str, str]
    not_after: datetime
    state: ApplyState
    attempts: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the schedule service stored about an apply."""

    apply_id: str
    user_id: int
    applied: bool
    event_ids: tuple[int, ...]
    refusals: tuple[RefusalRecord, ...]
    judged_at: datetime
