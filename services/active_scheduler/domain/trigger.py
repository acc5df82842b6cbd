"""Triggers: one signal to look. pending → processing → one final state."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain.errors import UnsupportedTarget
from services.active_scheduler.domain.questions import NO_ANSWERS, Answers


class TriggerType(StrEnum):
    IMPORTANT_URGENT_TASK = "important_urgent_task"
    UNFINISHED_FEEDBACK = "unfinished_feedback"


class TriggerSource(StrEnum):
    WORKER_DUE_JOB = "worker_due_job"
    API_TRIGGER = "api_trigger"
    REGENERATE = "regenerate"
    USER_FEEDBACK = "user_feedback"
    ANSWER = "answer"


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


LOOKED_AT: Mapping[TriggerType, frozenset[TargetKind]] = {
    TriggerType.IMPORTANT_URGENT_TASK: frozenset({TargetKind.TASK_POOL}),
    TriggerType.UNFINISHED_FEEDBACK: frozenset({TargetKind.SCHEDULE_EVENT, TargetKind.TASK_ITEM}),
}
"""What each kind of trigger can look at."""


def checked(type_: TriggerType, target: Target) -> Target:
    """A target that a trigger of this type can look at. Raises UnsupportedTarget."""
    if target.kind not in LOOKED_AT[type_]:
        raise UnsupportedTarget(target.kind.value)
    return target


def type_for(target: Target) -> TriggerType:
    """What a look at a target is about where it is not said."""
    is_pool = target.kind is TargetKind.TASK_POOL
    return TriggerType.IMPORTANT_URGENT_TASK if is_pool else TriggerType.UNFINISHED_FEEDBACK


@dataclass(frozen=True, slots=True)
class Subject:
    """What is to be looked at.

    `target` is None for words alone, whose block is to be found. `words` are what the person said,
    data and never an instruction. `answers` are those along the line of linked triggers.
    """

    type: TriggerType
    target: Target | None
    words: str = ""
    answers: Answers = NO_ANSWERS


@dataclass(frozen=True, slots=True)
class NewTrigger:
    """A signal that has not been written yet. `mock_now` marks one from a test clock."""

    id: str
    user_id: int
    type: TriggerType
    source: TriggerSource
    target: Target | None
    request_id: str
    mock_now: datetime | None = None
    linked_trigger_id: str | None = None
    """The trigger that this one follows up; it is exempt from the dedupe window then."""
    line: str | None = None
    """The first trigger of the line that it belongs to; None = it is the first."""
    feedback_id: str | None = None
    """Names the act of telling: the same one is the same trigger, whenever it comes."""
    words: str = ""
    answers: Answers = NO_ANSWERS
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
    target: Target | None
    state: TriggerState
    reason: str
    preview_id: str | None
    created_at: datetime
    finished_at: datetime | None
    mock_now: datetime | None
    linked_trigger_id: str | None
    line: str | None = None
    feedback_id: str | None = None
    words: str = ""
    answers: Answers = NO_ANSWERS
    priority: int | None = None
    """The target's quadrant as it read at the look, where it has one."""

    @property
    def subject(self) -> Subject:
        """What it asks to look at."""
        return Subject(self.type, self.target, self.words, self.answers)

    @property
    def line_id(self) -> str:
        """The first trigger of its line, itself where it follows none up."""
        return self.line or self.id

    @property
    def is_mock(self) -> bool:
        return self.mock_now is not None
