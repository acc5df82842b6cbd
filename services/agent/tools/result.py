"""What a tool answers: words for the model, facts for programs, and the state afterwards."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from libs.planning.moves import Refused
from libs.planning.order import AllowedRange, Span
from libs.planning.state import PlanningState, Status, Task


class ResultStatus(StrEnum):
    """Whether a tool did what it was asked."""

    OK = "ok"
    REFUSED = "refused"


class Code(StrEnum):
    """What became of a call; a write that the plan refuses has the code of that refusal."""

    DONE = "done"
    NOTHING_TO_CHANGE = "nothing_to_change"
    UNKNOWN_TOOL = "unknown_tool"
    MALFORMED_ARGUMENTS = "malformed_arguments"
    MISSING_ARGUMENT = "missing_argument"
    UNKNOWN_ARGUMENT = "unknown_argument"
    INVALID_ARGUMENT = "invalid_argument"
    NO_TASKS = "no_tasks"


@dataclass(frozen=True, slots=True)
class BadArgument:
    """An argument that is refused, by its path, and the values that it may have."""

    argument: str
    allowed: str


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts of the window in sections, the pending tasks, and where guests could sit."""

    total_days: int
    total_sections: int
    occupied: int
    free: int
    begun: int
    courses: int
    pending: tuple[int, ...]
    host_places: tuple[tuple[int, Span], ...]


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two tasks in the same sections of a day."""

    span: Span
    task_id: int
    other_id: int


@dataclass(frozen=True, slots=True)
class RangeView:
    """Sections of a day: the tasks in them, what lies together, and what should not."""

    span: Span
    task_ids: tuple[int, ...]
    hard_conflict: tuple[Overlap, ...]
    embeddable_overlap: tuple[Overlap, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A free place; `host_id` where it lies in a course; loads of its day in sections."""

    span: Span
    load_before: int
    load_after: int
    host_id: int | None = None

    @property
    def load_change(self) -> int:
        """Sections by which the day becomes fuller; 0 inside a course."""
        return self.load_after - self.load_before


@dataclass(frozen=True, slots=True)
class Candidates:
    """Places of one length, best first."""

    duration: int
    best: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class TaskList:
    """Ids by status, ascending."""

    ids: tuple[tuple[Status, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class TaskInfo:
    """One task, its position among the items of its class here, and where it may lie."""

    task: Task
    position: tuple[int, int] | None
    allowed: AllowedRange | None


@dataclass(frozen=True, slots=True)
class Moved:
    """One task and where it was and is; none where it is pending."""

    task_id: int
    before: tuple[Span, ...]
    after: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Writing:
    """What a write changed, and how many tasks are pending now."""

    moved: tuple[Moved, ...]
    pending: int


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer of one call.

    `state` is the plan afterwards: the very one that was handed in where nothing changed.
    `changed` are the tasks that have another place, ascending; `free_runs` the longest free runs
    of the days that were asked about. `facts` belong to the tool; a refusal has the BadArgument
    or the Refused that it rests on.
    """

    tool: str
    status: ResultStatus
    code: str
    text: str
    state: PlanningState
    changed: tuple[int, ...] = ()
    free_runs: tuple[Span, ...] = ()
    facts: object | None = None

    @property
    def is_ok(self) -> bool:
        """Whether the tool did what it was asked."""
        return self.status is ResultStatus.OK


def told(
    tool: str,
    state: PlanningState,
    lines: Iterable[str],
    *,
    facts: object,
    free_runs: tuple[Span, ...] = (),
) -> ToolResult:
    """What a read tool answers."""
    text = "\n".join(lines)
    return ToolResult(tool, ResultStatus.OK, Code.DONE, text, state, (), free_runs, facts)


def refused(
    tool: str,
    state: PlanningState,
    code: str,
    lines: Iterable[str],
    *,
    facts: BadArgument | Refused | None = None,
    free_runs: tuple[Span, ...] = (),
) -> ToolResult:
    """What any tool answers when it does nothing."""
    text = "\n".join(lines)
    return ToolResult(tool, ResultStatus.REFUSED, code, text, state, (), free_runs, facts)
