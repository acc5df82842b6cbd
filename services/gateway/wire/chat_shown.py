"""What the templates of a conversation are given."""

from dataclasses import dataclass

from services.gateway.domain.grid import Mark
from services.gateway.wire.chat_changes import Changes, WeekLines
from services.gateway.wire.chat_grid import WeekCuts

SLOTS = ("lead", "steps", "tail", "diff", "ask", "end", "works")
"""Parts of a segment, in the order in which they are shown; each may be empty."""


@dataclass(frozen=True, slots=True)
class ItemView:
    """`kind` is words, remark or card; a card leads to `href`."""

    kind: str
    text: str
    title: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class StepView:
    """One call of a tool with its answer, or what was said between two: then `call` is empty."""

    title: str
    call: str = ""
    text: str = ""
    told: str = ""
    icon: str = ""
    is_refused: bool = False


@dataclass(frozen=True, slots=True)
class StepsView:
    """All calls of a segment; `head` is what is seen while they are folded."""

    head: str
    took: str
    refused: str
    steps: tuple[StepView, ...]


@dataclass(frozen=True, slots=True)
class QuestionView:
    """A question; `choices` are (id, words), `answer` what was answered."""

    number: int
    text: str
    choices: tuple[tuple[str, str], ...]
    is_open: bool
    answer: str


@dataclass(frozen=True, slots=True)
class WeekView:
    """The changes of one week, listed and drawn."""

    title: str
    lines: WeekLines | None
    cuts: WeekCuts | None
    is_open: bool


@dataclass(frozen=True, slots=True)
class ConfirmView:
    """A yes or no. `state` is open, accepted, rejected, written or overtaken; `chip` says it."""

    number: int
    kind: str
    """plan, changes or tool."""
    text: str
    head: str
    state: str
    chip: str
    pending: str
    boards: WeekCuts | None
    """All touched days, where they fit side by side."""
    weeks: tuple[WeekView, ...]
    """Else week by week."""
    marks: tuple[Mark, ...]
    steps: tuple[tuple[str, str], ...]
    """(what, until when) of a plan."""
    tool: str
    call: str
    accept: str
    decline: str

    @property
    def is_open(self) -> bool:
        """Whether it waits for the person."""
        return self.state == "open"


@dataclass(frozen=True, slots=True)
class EndView:
    """How a run ended: `icon` names a symbol; `goes_on` are words that take it up again."""

    icon: str
    tone: str
    text: str
    href: str
    goes_on: str


@dataclass(frozen=True, slots=True)
class SegmentView:
    """From words of the person to where the run waits or ends."""

    id: str
    number: int
    run_id: str
    mine: str
    lead: tuple[ItemView, ...]
    steps: StepsView | None
    tail: tuple[ItemView, ...]
    diff: Changes | None
    question: QuestionView | None
    confirm: ConfirmView | None
    end: EndView | None
    works: str
    """Where the run is, as long as it works; empty where it does not."""


@dataclass(frozen=True, slots=True)
class TurnView:
    """One run; `day` heads the first one of a day."""

    run_id: str
    day: str
    segments: tuple[SegmentView, ...]


@dataclass(frozen=True, slots=True)
class Compose:
    """Where something is said. `about` names what stands open, so that words meant for it reach
    nothing else; `hint` stands in the empty field."""

    about: str
    hint: str
    draft: str
    can_send: bool
    asks_choice: bool
    """Only one of the offered answers will do."""
