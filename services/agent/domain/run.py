"""A run: what is between some words of a person and the outcome that they lead to.

A frozen value that is saved whole after each step. Spec: agent.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from libs.planning.changes import Change
from services.agent.domain.drawn import Counts, Drawn
from services.agent.domain.scope import Scope


class Phase(StrEnum):
    """Where a run is; which may follow which stands in `graph.transitions`."""

    CHAT = "chat"
    PLAN = "plan"
    CONFIRM_PLAN = "confirm_plan"
    ROUGH_BUILD = "rough_build"
    EXECUTE = "execute"
    DELIVER = "deliver"
    CONFIRM_WRITE = "confirm_write"
    QUICK_TASK = "quick_task"
    FEEDBACK = "feedback"
    DONE = "done"


class Wait(StrEnum):
    """What a run waits for; `nothing` where it works or has ended."""

    NOTHING = "nothing"
    QUESTION = "question"
    CONFIRM = "confirm"


class OutcomeKind(StrEnum):
    """How a run ended."""

    COMPLETED = "completed"
    ABORTED = "aborted"
    EXHAUSTED = "exhausted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a run. `internal_reason` is for logs and never leaves the service."""

    kind: OutcomeKind
    code: str
    user_message: str
    internal_reason: str = ""
    apply_id: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """What ends a run: decisions, answers corrected in a row, equal calls on an equal plan,
    seconds of work (waiting for the person is none), tokens; `questions` of the model beyond which
    rules decide."""

    rounds: int = 30
    corrections: int = 3
    repeats: int = 3
    questions: int = 5
    seconds: float = 120.0
    tokens: int = 400_000
    reloads: int = 2
    """How often a plan that the schedule overtook is carried over in one run."""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step that was agreed on. A write outside its dates, both included, or about other
    classes is refused; what is not named binds nothing."""

    text: str
    done_criterion: str = ""
    first: date | None = None
    last: date | None = None
    class_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to choose."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """What only the person can answer; `about` says which fact is missing."""

    number: int
    text: str
    choices: tuple[Choice, ...] = ()
    allows_text: bool = True
    about: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool; `arguments` is a JSON object as text."""

    number: int
    tool: str
    arguments: str = "{}"


class ConfirmKind(StrEnum):
    """What a yes or no is about."""

    PLAN = "plan"
    CHANGES = "changes"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Confirm:
    """A yes or no that the run waits for, with exactly what a yes would write."""

    number: int
    kind: ConfirmKind
    text: str
    changes: tuple[Change, ...] = ()
    base: Mapping[str, str] = field(default_factory=dict)
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the person answered to the question or confirm request that is open."""

    accepted: bool = False
    choice: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Replied:
    """The first answer to a question or confirm request: the sequence before its events."""

    wait: Wait
    number: int
    after_sequence: int


@dataclass(frozen=True, slots=True)
class Turn:
    """One round of the loop: the thought, the call and what was observed, bound together.

    A turn without a tool is a correction or words of the person.
    """

    round: int
    thought: str
    tool: str = ""
    arguments: str = ""
    ok: bool = True
    observation: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Words that are read as a quick note: as they were said, when, and the answers (choice id,
    words) to the questions that they left."""

    words: str
    at: datetime
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Weight:
    """One of the four messages that the model was last sent, in tokens."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """The state of one run.

    `goal` are the words that began it, `text` the newest ones. `ending` is the outcome that
    `deliver` is to give; `outcome` is set once, with the last step. `drawn` is the plan as it is
    stored; the plan itself stands beside the run.
    """

    id: str
    conversation_id: str
    user_id: int
    goal: str
    text: str
    rest: str = ""
    """What else was said, that wants a turn of its own."""
    quick: str = ""
    """What kind of quick task it is, by rules; empty = the model finds out."""
    note: Note | None = None
    told: int = 0
    """How often something was told to active scheduling."""
    card_due: bool = False
    """Whether the preview that the words are about is to be shown first."""
    trigger_id: str = ""
    """The look of active scheduling that is waited for."""
    preview_id: str = ""
    phase: Phase = Phase.CHAT
    wait: Wait = Wait.NOTHING
    # What was asked, and the answer that has not been heeded yet.
    question: Question | None = None
    confirm: Confirm | None = None
    reply: Reply | None = None
    questions: int = 0
    confirms: int = 0
    replied: tuple[Replied, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    """What the model asked, and what was answered."""
    # What belongs to this run alone.
    scope: Scope = field(default_factory=Scope)
    steps: tuple[PlanStep, ...] = ()
    step: int = 0
    rough_built: bool = False
    round: int = 0
    corrections: int = 0
    calls: int = 0
    loads: int = 0
    reloads: int = 0
    seconds: float = 0.0
    tokens: int = 0
    token_factor: float = 1.0
    """What the endpoint counts for each token of the estimate."""
    earlier: str = ""
    """The loops of the runs before this one, summed up."""
    loop: tuple[Turn, ...] = ()
    seen: tuple[str, ...] = ()
    """Calls so far, each with the plan that it was made on, as hashes."""
    by_rules: str = ""
    """Why rules decide instead of a model; empty = a model is asked."""
    apply_uncertain: bool = False
    """Whether a yes was carried out is not known."""
    ending: Outcome | None = None
    outcome: Outcome | None = None
    weights: tuple[Weight, ...] = ()
    counts: Counts | None = None
    drawn: Drawn | None = None

    @property
    def works(self) -> bool:
        """Whether a step is to be taken."""
        return self.outcome is None and self.wait is Wait.NOTHING

    @property
    def replied_to(self) -> Wait:
        """What the reply that is not heeded yet answers."""
        return self.replied[-1].wait if self.reply is not None and self.replied else Wait.NOTHING

    @property
    def apply_id(self) -> str:
        """Names the attempt to write what the open confirm request holds."""
        return f"{self.id}-{self.confirm.number if self.confirm else 0}"

    @property
    def current_step(self) -> PlanStep | None:
        """The step that is worked on."""
        return self.steps[self.step] if self.step < len(self.steps) else None
