"""What a quick note comes to: a task to be, what was assumed for it, what has to be asked first.

Spec: agent.md, chat (quick_task).
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum

from services.agent.domain.text import Text

LONGEST_TITLE = 200
MOST_SECTIONS = 4


class Quadrant(IntEnum):
    """The number is the priority of the sources."""

    URGENT_IMPORTANT = 1
    IMPORTANT = 2
    URGENT = 3
    NEITHER = 4


class Field(StrEnum):
    """What a question is about."""

    TITLE = "title"
    DEADLINE = "deadline"
    THRESHOLD = "threshold"


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that is offered; `at` None means that there is no such instant."""

    id: str
    text: Text
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What has to be known before the note is written; it may be answered in words as well.

    `code` is that of the doubt (`when.Doubt`), or title_missing, which_time, of_noun,
    after_deadline.
    """

    about: Field
    code: str
    text: Text
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Assumption:
    """What was taken for granted, to be said back: inclusive_day, part_of_day, quadrant, sections,
    threshold, title_cut."""

    code: str
    text: Text


@dataclass(frozen=True, slots=True)
class Basis:
    """What was said outright, from which the rest follows again when a question is answered.

    `important` and `urgent` are None where nothing says it. `lead` is how long before the deadline
    the person wants to be reminded. `wants_reminder`: asked to be reminded, not only noted.
    """

    important: bool | None = None
    urgent: bool | None = None
    reminded_at: datetime | None = None
    lead: timedelta | None = None
    wants_reminder: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A task as it was understood. While it has questions it is not written.

    `sections` is None where nothing was said: no estimate is stored then. `threshold_at` is never
    after the deadline. `unread` are words beside it that were not noted.
    """

    title: str
    deadline_at: datetime | None = None
    threshold_at: datetime | None = None
    quadrant: Quadrant = Quadrant.NEITHER
    sections: int | None = None
    assumed: tuple[Assumption, ...] = ()
    questions: tuple[Question, ...] = ()
    unread: tuple[str, ...] = ()
    basis: Basis = Basis()
