"""A conversation and what is said in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from services.agent.domain.run import Phase, Run, Wait

MOST_CONVERSATIONS = 500
LONGEST_TITLE = 40
LONGEST_TEXT = 4000
LONGEST_ANSWER = 2000


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation, with where its latest run is."""

    id: str
    title: str
    preview_id: str
    run_id: str
    phase: Phase
    wait: Wait
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Said:
    """Something that was said."""

    id: int
    by_person: bool
    text: str
    run_id: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Held:
    """A run as it is stored: its version, the number of its last event, who drives it and whether
    that is over."""

    run: Run
    version: int
    sequence: int
    lease: str
    lapsed: bool
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a run works, and whether the lease of whoever drove it is over."""

    works: bool
    lapsed: bool


@dataclass(frozen=True, slots=True)
class Told:
    """One stored event, as the wire made it."""

    run_id: str
    sequence: int
    content: bytes
    at: datetime


@dataclass(frozen=True, slots=True)
class Opened:
    """A conversation with some of its words, oldest first, and what its run waits for: the last
    event of the run, where it waits."""

    conversation: Conversation
    said: Sequence[Said]
    before: int | None
    sequence: int
    asked: Told | None


def title_of(text: str) -> str:
    """The first words of a conversation, cut to a line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1] + "…"
