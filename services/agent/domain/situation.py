"""What a look found, as it is told to a model, and what is answered.

Titles, memory and the person's words are data; every other text was written by a template.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from services.agent.domain.text import Language, Text


class Action(StrEnum):
    SELECT_CANDIDATE = "select_candidate"
    ASK_USER = "ask_user"
    NOTIFY_ONLY = "notify_only"


@dataclass(frozen=True, slots=True)
class Place:
    """Sections first..last of a day (1 Monday to 7 Sunday) of a week of its semester."""

    week: int
    day: int
    first: int
    last: int
    starts_at: datetime
    ends_at: datetime


@dataclass(frozen=True, slots=True)
class Candidate:
    """A checked proposal with the words that a template gives it."""

    id: str
    family: str
    places: tuple[Place, ...]
    summary: Text
    reason: Text
    risk: Text


@dataclass(frozen=True, slots=True)
class Issue:
    code: str
    severity: str
    evidence: Text


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that may be said, and the words to fall back to."""

    action: Action
    reason_code: str
    title: str
    now: datetime
    zone: ZoneInfo
    deadline: datetime | None
    facts: tuple[Text, ...]
    inaction: Text
    metrics: Mapping[str, int]
    issues: tuple[Issue, ...]
    notice: Text
    candidates: tuple[Candidate, ...]
    memory: tuple[str, ...]
    user_words: str
    language: Language

    @property
    def ids(self) -> tuple[str, ...]:
        """The only ids that may be answered."""
        return tuple(candidate.id for candidate in self.candidates)

    def candidate(self, id_: str) -> Candidate | None:
        """The candidate of that id, letter by letter."""
        return next((one for one in self.candidates if one.id == id_), None)


@dataclass(frozen=True, slots=True)
class Words:
    """What is said about a choice; where there was none to make, about the reason."""

    summary: Text
    reason: Text
    risk: Text
    notification: Text

    def each(self, change: Callable[[Text], Text]) -> "Words":
        """The same words, every text changed alike."""
        return Words(
            change(self.summary),
            change(self.reason),
            change(self.risk),
            change(self.notification),
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, in a shape that fits; its words are not checked yet."""

    selected_id: str
    words: Words


@dataclass(frozen=True, slots=True)
class Selection:
    """The outcome: a choice that exists, and words that are true of it.

    `template_reason` says why the words are a template's; empty where they are the model's.
    """

    selected_id: str
    words: Words
    model: str = ""
    fallback_used: bool = False
    template_reason: str = ""
