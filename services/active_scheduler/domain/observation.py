"""Observation and decision: figures, findings, and what is to be done.

Source: spec active-scheduling.md, Observation and decision; the first rule that matches wins.
The rules for questions and for compression come with their triggers.
"""

from dataclasses import dataclass
from enum import StrEnum

from libs.planning import grid
from libs.planning.grid import BlockKind
from services.active_scheduler.domain.candidates import Proposal, fitting_places
from services.active_scheduler.domain.facts import Facts
from services.active_scheduler.domain.preferences import PreferenceSource
from services.active_scheduler.domain.text import Text, counted


class Action(StrEnum):
    CLOSE = "close"
    ASK_USER = "ask_user"
    SELECT_CANDIDATE = "select_candidate"
    NOTIFY_ONLY = "notify_only"


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class Metrics:
    """Figures of the window [now, now + 24 h], in sections."""

    needed: int
    longest_run: int
    free: int
    total: int
    taken_by_courses: int
    taken_by_tasks: int
    preference_source: PreferenceSource = PreferenceSource.NONE
    preferences: int = 0
    """Those that speak of times."""
    preferences_met: int = 0
    """The most of them that one place fulfils."""

    @property
    def capacity_gap(self) -> int:
        """Positive = the target does not fit in one piece."""
        return self.needed - self.longest_run


@dataclass(frozen=True, slots=True)
class Issue:
    """A finding with what it rests on."""

    code: str
    severity: Severity
    evidence: Text


@dataclass(frozen=True, slots=True)
class Decision:
    """What is to be done, and why, in a code; the issue that weighs most, where there is one."""

    action: Action
    reason: str
    primary_issue: str = ""

    @property
    def writes_preview(self) -> bool:
        return self.action is not Action.CLOSE


def measure(facts: Facts) -> Metrics:
    """The figures of the window; runs count up to a binding deadline only."""
    world = facts.world
    cells = grid.window_cells(world.grid, facts.now, facts.window_end)
    taken = {BlockKind.COURSE: 0, BlockKind.TASK: 0}
    free = 0
    for cell in cells:
        occupants = world.grid.occupants(cell)
        if occupants:
            taken[occupants[-1].kind] += 1
        else:
            free += 1
    return Metrics(
        needed=facts.needed_sections,
        longest_run=grid.longest_run_in(world.grid, start=facts.now, end=facts.latest_end),
        free=free,
        total=len(cells),
        taken_by_courses=taken[BlockKind.COURSE],
        taken_by_tasks=taken[BlockKind.TASK],
        preference_source=facts.preferences.source,
        preferences=len(facts.preferences.wishes),
        preferences_met=max(map(facts.preferences.met, fitting_places(facts)), default=0),
    )


def span(facts: Facts) -> Text:
    """The part of the window that is of use to the target, as part of a sentence."""
    if facts.deadline_cuts_window:
        return Text("截止前", "before the deadline")
    return Text("接下来 24 小时里", "in the next 24 hours")


def decide(facts: Facts, metrics: Metrics, proposals: tuple[Proposal, ...]) -> Decision:
    """The first rule that matches."""
    settled = _settled(facts)
    if settled:
        return Decision(Action.CLOSE, settled)
    if proposals:
        return Decision(Action.SELECT_CANDIDATE, "candidates_found")
    if not metrics.total:
        return Decision(Action.NOTIFY_ONLY, "no_window")
    if metrics.free == 0:
        return Decision(Action.NOTIFY_ONLY, "window_full")
    return Decision(Action.NOTIFY_ONLY, "no_run_long_enough")


def _settled(facts: Facts) -> str | None:
    """Why nothing needs to be done, or None."""
    if facts.target.done:
        return "target_completed"
    if facts.blocks_ahead:
        return "already_scheduled"
    if facts.has_past_block:
        return "assumed_completed"
    if not facts.urgent:
        return "not_urgent"
    return None


def findings(facts: Facts, metrics: Metrics) -> tuple[Issue, ...]:
    """What the look found, most severe first; nothing where nothing needs to be done."""
    if _settled(facts):
        return ()
    found = [_unscheduled()]
    if metrics.capacity_gap > 0:
        found.append(_no_room(facts, metrics))
    if facts.deadline_passed:
        found.append(
            Issue(
                "deadline_passed",
                Severity.WARNING,
                Text("截止时间已经过了。", "The deadline has passed."),
            )
        )
    order = list(Severity)
    return tuple(sorted(found, key=lambda issue: -order.index(issue.severity)))


def _unscheduled() -> Issue:
    return Issue(
        "urgent_task_not_scheduled",
        Severity.WARNING,
        Text("它还没有排进日程。", "It is not in the schedule yet."),
    )


def _no_room(facts: Facts, metrics: Metrics) -> Issue:
    where = span(facts)
    return Issue(
        "no_room",
        Severity.CRITICAL,
        Text(
            f"需要连续 {metrics.needed} 节，{where.zh}最长的空闲只有 {metrics.longest_run} 节；"
            f"接下来 24 小时里课程占 {metrics.taken_by_courses} 节，"
            f"任务占 {metrics.taken_by_tasks} 节。",
            f"It needs {counted(metrics.needed)} in a row; the longest free run {where.en} is "
            f"{metrics.longest_run}. In the next 24 hours courses take "
            f"{counted(metrics.taken_by_courses)}, tasks {metrics.taken_by_tasks}.",
        ),
    )
