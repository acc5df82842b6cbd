"""What a look measures and finds, and the words for it; what is done about it: `deciding`.

Source: spec active-scheduling.md, Observation and decision.
"""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

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
    misses: int = 0
    """How often the target was told as not finished of late; 0: nothing was told."""
    margin: timedelta | None = None
    """From the end of the earliest place for the target to a deadline that lies ahead."""

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


def span(facts: Facts) -> Text:
    """The part of the window that is of use to the target, as part of a sentence."""
    if facts.deadline_cuts_window:
        return Text("截止前", "before the deadline")
    return Text("接下来 24 小时里", "in the next 24 hours")


def settled(facts: Facts) -> str | None:
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


def deadline_is_past() -> Issue:
    """The deadline of the target has passed."""
    return Issue(
        "deadline_passed",
        Severity.WARNING,
        Text("截止时间已经过了。", "The deadline has passed."),
    )


def unscheduled() -> Issue:
    """The target is not in the schedule."""
    return Issue(
        "urgent_task_not_scheduled",
        Severity.WARNING,
        Text("它还没有排进日程。", "It is not in the schedule yet."),
    )


def no_room(metrics: Metrics, where: Text) -> Issue:
    """No free run is as long as the target needs; who takes the room."""
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
