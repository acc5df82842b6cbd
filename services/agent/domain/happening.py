"""What happens in a run, as those who follow it are told.

Nothing of the guards' inner state is among it. Spec: agent.md, chat stream events.
"""

from dataclasses import dataclass
from datetime import date

from libs.planning.changes import Change
from services.agent.domain.drawn import Counts
from services.agent.domain.run import Confirm, OutcomeKind, Phase, PlanStep, Question
from services.agent.domain.text import Text


@dataclass(frozen=True, slots=True)
class Status:
    """The run goes somewhere, or something small is to be known."""

    phase: Phase
    code: str
    text: Text
    round: int = 0


@dataclass(frozen=True, slots=True)
class Speak:
    """Words to the person."""

    text: str
    by_template: bool = False


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool is called; `arguments` is a JSON object as text."""

    number: int
    tool: str
    arguments: str
    title: Text


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the tool answered."""

    number: int
    tool: str
    ok: bool
    code: str
    text: str
    changed: int = 0


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One task with another place."""

    change: Change
    name: str
    category: str
    from_date: date | None
    to_date: date | None


@dataclass(frozen=True, slots=True)
class DiffBlock:
    """A block of a day; `change_id` is empty where it stays as it is."""

    name: str
    category: str
    first: int
    last: int
    course: bool
    can_be_embedded: bool
    embedded: bool
    change_id: str = ""


@dataclass(frozen=True, slots=True)
class DiffDay:
    """A day before and after."""

    on: date
    week: int
    day_of_week: int
    before: tuple[DiffBlock, ...]
    after: tuple[DiffBlock, ...]


@dataclass(frozen=True, slots=True)
class Diff:
    """The difference so far; days are filled where it is to be confirmed."""

    counts: Counts
    lines: tuple[DiffLine, ...]
    days: tuple[DiffDay, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """The run waits for an answer."""

    question: Question


@dataclass(frozen=True, slots=True)
class ToConfirm:
    """The run waits for a yes or no."""

    confirm: Confirm
    steps: tuple[PlanStep, ...] = ()
    diff: Diff | None = None
    call: ToolCall | None = None


@dataclass(frozen=True, slots=True)
class PreviewCard:
    """A preview of active scheduling to look at."""

    preview_id: str
    title: str
    summary: Text


@dataclass(frozen=True, slots=True)
class Ended:
    """The run has ended."""

    kind: OutcomeKind
    code: str
    user_message: str
    counts: Counts | None = None
    apply_id: str = ""


Event = Status | Speak | ToolCall | ToolResult | Diff | Asked | ToConfirm | PreviewCard | Ended
