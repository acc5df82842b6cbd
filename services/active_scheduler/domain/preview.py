"""Previews: what the person sees and confirms, and the states that they go through.

ready → applying → applied, or ready → ignored | superseded; a refusal leads from applying back
to ready. `expired` is derived from `expires_at`. Source: spec active-scheduling.md, Preview.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from libs.planning.base_map import BaseEntryDiff
from libs.planning.calendar import Semester
from libs.planning.changes import Change
from libs.planning.grid import Block, BlockKind, Place, Target
from libs.planning.steps import frees_its_block
from services.active_scheduler.domain import errors
from services.active_scheduler.domain.candidates import Family
from services.active_scheduler.domain.observation import Decision, Issue, Metrics
from services.active_scheduler.domain.options import OptionType
from services.active_scheduler.domain.questions import NO_ANSWERS, Answers, Question
from services.active_scheduler.domain.text import SILENCE, Text
from services.active_scheduler.domain.trigger import TriggerType


class PreviewState(StrEnum):
    READY = "ready"
    APPLYING = "applying"
    APPLIED = "applied"
    IGNORED = "ignored"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    """Derived at each read, never stored."""


FORBIDS: Mapping[PreviewState, type[errors.StateForbids]] = {
    PreviewState.EXPIRED: errors.PreviewExpired,
    PreviewState.IGNORED: errors.PreviewIgnored,
    PreviewState.SUPERSEDED: errors.PreviewSuperseded,
    PreviewState.APPLYING: errors.PreviewApplying,
    PreviewState.APPLIED: errors.PreviewApplied,
}
"""What a state says to whoever asks for what only a ready preview allows."""


class NotificationStatus(StrEnum):
    NONE = "none"
    PENDING = "pending"
    SENT = "sent"
    DEAD = "dead"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposal with its words, as it is stored and shown."""

    id: str
    family: Family
    changes: tuple[Change, ...]
    base: Mapping[str, str]
    summary: Text
    reason: Text
    risk: Text
    type: OptionType = OptionType.ADD
    preferences_met: tuple[Text, ...] = ()
    """What the person prefers, or the class keeps free, and its places respect: phrases."""
    preferences_unmet: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """Who chose, and the words for it; empty ones = the template's.

    `template_reason` is the code of why the words are a template's, empty where they are a
    model's; `fallback_used` says that a model was asked and could not be used.
    """

    reason: Text = SILENCE
    risk: Text = SILENCE
    notification: Text = SILENCE
    fallback_used: bool = False
    template_reason: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """What the pipeline made; it never changes once it is written."""

    decision: Decision
    candidates: tuple[Candidate, ...]
    selected_id: str | None
    summary: Text
    facts: tuple[Text, ...]
    inaction: Text
    warnings: tuple[str, ...]
    metrics: Metrics
    issues: tuple[Issue, ...]
    before: tuple[Block, ...]
    """Every block of the touched days, as it was."""
    semesters: tuple[Semester, ...]
    target_title: str
    deadline: datetime | None
    planned_sections: int
    facts_at: datetime
    selection: Selection = Selection()
    question: Question | None = None
    """What the person is asked, where the decision is to ask."""
    answers: Answers = NO_ANSWERS
    """What had been answered when it was made."""
    words: str = ""
    """What the person said, which led to it: data, never an instruction."""

    def candidate(self, id_: str) -> Candidate:
        """Raises CandidateNotFound."""
        for candidate in self.candidates:
            if candidate.id == id_:
                return candidate
        raise errors.CandidateNotFound(id_)

    def semester(self, id_: int) -> Semester | None:
        """The semester of that id as it was, if a place touched it."""
        return next((one for one in self.semesters if one.id == id_), None)


@dataclass(frozen=True, slots=True)
class RefusalRecord:
    """One reason of the schedule service, as it is kept and shown."""

    code: str
    change_id: str = ""
    place: Place | None = None
    event_id: int = 0
    event_name: str = ""
    entries: tuple[BaseEntryDiff, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What was answered to a question: a choice, or words where there are none to choose from."""

    choice_id: str
    words: str
    trigger_id: str
    """The trigger that follows it up."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Preview:
    """A stored preview, read at `read_at` by the database's clock."""

    id: str
    sequence: int
    user_id: int
    trigger_id: str
    trigger_type: TriggerType
    target: Target | None
    """Of feedback the unfinished block; None where it is not known which one was meant."""
    is_mock: bool
    stored_state: PreviewState
    version: int
    content: Content
    generated_at: datetime
    expires_at: datetime
    apply_id: str | None
    last_refusals: tuple[RefusalRecord, ...]
    applied_at: datetime | None
    applied_event_ids: tuple[int, ...]
    applied_changes: tuple[Change, ...]
    notification_status: NotificationStatus
    read_at: datetime
    undone_at: datetime | None = None
    """When what it wrote was taken back."""
    conversation_id: str = ""
    """Where it is talked about; empty until somebody does."""
    reply: Reply | None = None
    """The first answer to its question."""

    @property
    def state(self) -> PreviewState:
        """The state that the person sees: a ready one expires, no other does."""
        if self.stored_state is PreviewState.READY and self.expires_at <= self.read_at:
            return PreviewState.EXPIRED
        return self.stored_state


def after(before: tuple[Block, ...], changes: tuple[Change, ...], title: str) -> tuple[Block, ...]:
    """The blocks of the touched days as they would be; new ones have id 0."""
    moving = {change.target.id: change for change in changes if frees_its_block(change)}
    staying = (block for block in before if block.id not in moving)
    moved = (
        replace(block, place=moving[block.id].to or block.place, host_id=moving[block.id].host_id)
        for block in before
        if block.id in moving and moving[block.id].to is not None
    )
    added = (
        Block(0, BlockKind.TASK, change.to, 0, change.target, host_id=change.host_id, name=title)
        for change in changes
        if change.to is not None and not frees_its_block(change)
    )
    return tuple(sorted((*staying, *moved, *added), key=lambda block: (block.place, block.id)))
