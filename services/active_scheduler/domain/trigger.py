"""Triggers: one signal to look. pending → processing → one final state."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from libs.planning.grid import Target


class TriggerType(StrEnum):
    IMPORTANT_URGENT_TASK = "important_urgent_task"


class TriggerSource(StrEnum):
    WORKER_DUE_JOB = "worker_due_job"
    API_TRIGGER = "api_trigger"
    REGENERATE = "regenerate"


class TriggerState(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    PREVIEW_GENERATED = "preview_generated"
    CLOSED = "closed"
    SKIPPED = "skipped"
    FAILED = "failed"
    REJECTED = "rejected"


FINAL = frozenset(TriggerState) - {TriggerState.PENDING, TriggerState.PROCESSING}
"""States that a trigger never leaves."""

RELEASES_DEDUPE = frozenset({TriggerState.SKIPPED, TriggerState.FAILED, TriggerState.REJECTED})
"""States that led to nothing: the next signal for the target is looked at at once."""


@dataclass(frozen=True, slots=True)
class NewTrigger:
    """A signal that has not been written yet. `mock_now` marks one from a test clock."""

    id: str
    user_id: int
    type: TriggerType
    source: TriggerSource
    target: Target
    request_id: str
    mock_now: datetime | None = None
    linked_trigger_id: str | None = None
    """The trigger that this one follows up; it is exempt from the dedupe window then."""
    payload: Mapping[str, object] = field(default_factory=dict)
    """The request as it was received, for whoever looks into it later."""

    @property
    def is_mock(self) -> bool:
        return self.mock_now is not None


@dataclass(frozen=True, slots=True)
class Trigger:
    """A stored trigger. `sequence` is the order of creation, which decides who is newer."""

    id: str
    sequence: int
    user_id: int
    type: TriggerType
    source: TriggerSource
    target: Target
    state: TriggerState
    reason: str
    preview_id: str | None
    created_at: datetime
    finished_at: datetime | None
    mock_now: datetime | None
    linked_trigger_id: str | None

    @property
    def is_mock(self) -> bool:
        return self.mock_now is not None
