"""analyze_health: is the plan feasible, how does it feel, how free is it still, what is to be done.

Spec: planning.md, Health.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from libs.planning.balance import (
    Balance,
    DoneReason,
    LevellingMove,
    best_levelling,
    evaluate_balance,
)
from libs.planning.openings import Movable, Openings, all_swappable
from libs.planning.order import AllowedRange, Span, allowed_range
from libs.planning.rhythm import DayRhythm, day_limit, rhythm
from libs.planning.simulate import Candidate, Effect, candidates
from libs.planning.state import PlanningState, Status, Task, block_of
from libs.planning.thresholds import THRESHOLDS
from libs.planning.tightness import Tightness, Ways, count_ways

_MOST_TAKERS = 5


class Dimension(StrEnum):
    """What may be asked for alone."""

    FEASIBILITY = "feasibility"
    RHYTHM = "rhythm"
    TIGHTNESS = "tightness"


@dataclass(frozen=True, slots=True)
class RoomTaker:
    """A category and how many sections it takes from today on."""

    category: str
    sections: int


@dataclass(frozen=True, slots=True)
class Feasibility:
    """Whether what waits can be placed. `capacity_gap`: needed sections beyond the free ones;

    `without_place`: tasks that have no legal place as the plan is; `takers`: who has the room.
    """

    needed: int
    free: int
    capacity_gap: int
    without_place: tuple[int, ...]
    takers: tuple[RoomTaker, ...]

    @property
    def is_feasible(self) -> bool:
        """Whether each waiting task has a legal place, and all together have the sections."""
        return not self.capacity_gap and not self.without_place


class Severity(StrEnum):
    """How much an issue weighs."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class IssueCode(StrEnum):
    """What can be wrong with a plan, the worst first."""

    HARD_CONFLICT = "hard_conflict"
    ORDER_BROKEN = "order_broken"
    CAPACITY_GAP = "capacity_gap"
    NO_PLACE = "no_place"
    PENDING_LEFT = "pending_left"
    UNEVEN_LOAD = "uneven_load"
    FULL_DAY = "full_day"
    HEAVY_NEIGHBOURS = "heavy_neighbours"
    LONG_RUN = "long_run"
    MANY_SWITCHES = "many_switches"
    LOCKED_PLAN = "locked_plan"


_SEVERITY = {
    IssueCode.HARD_CONFLICT: Severity.HIGH,
    IssueCode.ORDER_BROKEN: Severity.HIGH,
    IssueCode.CAPACITY_GAP: Severity.HIGH,
    IssueCode.NO_PLACE: Severity.HIGH,
    IssueCode.PENDING_LEFT: Severity.HIGH,
    IssueCode.UNEVEN_LOAD: Severity.MEDIUM,
    IssueCode.FULL_DAY: Severity.MEDIUM,
    IssueCode.HEAVY_NEIGHBOURS: Severity.MEDIUM,
    IssueCode.LONG_RUN: Severity.LOW,
    IssueCode.MANY_SWITCHES: Severity.LOW,
    IssueCode.LOCKED_PLAN: Severity.LOW,
}


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong: how much of it (`value`), on which day, about which tasks."""

    code: IssueCode
    value: int
    day: int | None = None
    task_ids: tuple[int, ...] = ()

    @property
    def severity(self) -> Severity:
        """Its weight."""
        return _SEVERITY[self.code]


class Action(StrEnum):
    """What is to be done next."""

    CLOSE = "close"
    ASK_USER = "ask_user"
    SELECT_CANDIDATE = "select_candidate"


class DecisionReason(StrEnum):
    """Why."""

    INFEASIBLE = "infeasible"
    PENDING_LEFT = "pending_left"
    CAN_IMPROVE = "can_improve"
    FAULTS_WITHOUT_WAY = "faults_without_way"
    NOTHING_TO_GAIN = "nothing_to_gain"


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict. Where nothing is left to gain the plan is closed."""

    action: Action
    reason: DecisionReason


@dataclass(frozen=True, slots=True)
class Health:
    """All that was found; a dimension that was not asked for is None."""

    balance: Balance
    feasibility: Feasibility | None
    rhythm: tuple[DayRhythm, ...] | None
    ways: Ways | None
    issues: tuple[Issue, ...]
    decision: Decision
    candidates: tuple[Candidate, ...]

    @property
    def tightness(self) -> Tightness | None:
        """loose, tight or locked."""
        return None if self.ways is None else self.ways.tightness


def analyze_health(
    state: PlanningState, dimensions: Collection[Dimension] = tuple(Dimension)
) -> Health:
    """Looks at the whole plan; candidates are legal and tried out, none is written."""
    balance = evaluate_balance(state)
    feasible = _feasibility(state)
    days = rhythm(state)
    swappable = all_swappable(state)
    ways = count_ways(state, swappable)
    offered = candidates(state, days, swappable, _levelling(state, balance))
    asked = set(dimensions)
    wanted = {
        Dimension.FEASIBILITY: _issues_of_room(feasible),
        Dimension.RHYTHM: _issues_of_days(state, days),
        Dimension.TIGHTNESS: _issues_of_ways(ways),
    }
    issues = [*_issues_of_balance(balance)]
    for dimension, found in wanted.items():
        if dimension in asked:
            issues += found
    codes = list(IssueCode)
    issues.sort(key=lambda issue: (codes.index(issue.code), issue.day or 0))
    return Health(
        balance=balance,
        feasibility=feasible if Dimension.FEASIBILITY in asked else None,
        rhythm=days if Dimension.RHYTHM in asked else None,
        ways=ways if Dimension.TIGHTNESS in asked else None,
        issues=tuple(issues),
        decision=_decision(balance, feasible, offered),
        candidates=offered,
    )


def _levelling(state: PlanningState, balance: Balance) -> LevellingMove | None:
    """The move that levels most. A plan that is not done for other reasons was not asked yet."""
    if balance.reason_code in (DoneReason.LEVEL, DoneReason.CAN_BE_LEVELLED):
        return balance.levelling
    return best_levelling(state)


def _feasibility(state: PlanningState) -> Feasibility:
    pending = state.with_status(Status.PENDING)
    days = range(state.window.first_open_day, state.window.total_days + 1)
    free = sum(state.free_mask(day).bit_count() for day in days)
    needed = sum(task.duration for task in pending)
    openings = Openings(state)
    taken: Counter[str] = Counter()
    for day in days:
        for entry in state.day(day).entries:
            if entry.task.embed_host is None:
                taken[entry.task.category] += entry.span.length
    ranked = sorted(taken.items(), key=lambda pair: (-pair[1], pair[0]))
    return Feasibility(
        needed=needed,
        free=free,
        capacity_gap=max(needed - free, 0),
        without_place=tuple(
            task.state_id for task in pending if not _has_place(state, openings, task)
        ),
        takers=tuple(RoomTaker(*pair) for pair in ranked[:_MOST_TAKERS]),
    )


def _has_place(state: PlanningState, openings: Openings, task: Task) -> bool:
    block = block_of(task, Span(0, 0, 0), begun=False)
    blocks = state.class_view(task.task_class_id).blocks
    allowed = AllowedRange() if block is None else allowed_range(block, blocks)
    waiting = Movable(
        task,
        Span(0, 1, task.duration),
        allowed,
        state.allowance_of(task.task_class_id),
    )
    days = range(state.window.first_open_day, state.window.total_days + 1)
    return any(openings.places_of(waiting, day) for day in days)


def _issues_of_balance(balance: Balance) -> Iterator[Issue]:
    if balance.hard_conflict_count:
        yield Issue(IssueCode.HARD_CONFLICT, balance.hard_conflict_count)
    if balance.order_violation_count:
        yield Issue(IssueCode.ORDER_BROKEN, balance.order_violation_count)
    if balance.pending_count:
        yield Issue(IssueCode.PENDING_LEFT, balance.pending_count)
    if balance.reason_code is DoneReason.CAN_BE_LEVELLED and balance.levelling is not None:
        yield Issue(
            IssueCode.UNEVEN_LOAD, balance.max_day_load, task_ids=(balance.levelling.task_id,)
        )


def _issues_of_room(feasible: Feasibility) -> list[Issue]:
    issues = []
    if feasible.capacity_gap:
        issues.append(Issue(IssueCode.CAPACITY_GAP, feasible.capacity_gap))
    if feasible.without_place:
        ids = feasible.without_place
        issues.append(Issue(IssueCode.NO_PLACE, len(ids), task_ids=ids))
    return issues


def _issues_of_days(state: PlanningState, days: Collection[DayRhythm]) -> list[Issue]:
    limit = day_limit(state.window.sections)
    issues = []
    for day in days:
        for code, value, most in (
            (IssueCode.FULL_DAY, day.load, limit),
            (IssueCode.HEAVY_NEIGHBOURS, day.heavy_neighbours, THRESHOLDS.heavy_neighbours),
            (IssueCode.LONG_RUN, day.longest_run, THRESHOLDS.run),
            (IssueCode.MANY_SWITCHES, day.switches, THRESHOLDS.switches),
        ):
            if value > most:
                issues.append(Issue(code, value, day=day.day))
    return issues


def _issues_of_ways(ways: Ways) -> list[Issue]:
    is_locked = ways.movable and ways.tightness is Tightness.LOCKED
    return [Issue(IssueCode.LOCKED_PLAN, ways.movable)] if is_locked else []


def _decision(balance: Balance, feasible: Feasibility, offered: Collection[Candidate]) -> Decision:
    if not feasible.is_feasible:
        return Decision(Action.ASK_USER, DecisionReason.INFEASIBLE)
    if balance.pending_count:
        return Decision(Action.ASK_USER, DecisionReason.PENDING_LEFT)
    if any(candidate.effect is Effect.IMPROVE for candidate in offered):
        return Decision(Action.SELECT_CANDIDATE, DecisionReason.CAN_IMPROVE)
    if balance.hard_conflict_count or balance.order_violation_count:
        return Decision(Action.ASK_USER, DecisionReason.FAULTS_WITHOUT_WAY)
    return Decision(Action.CLOSE, DecisionReason.NOTHING_TO_GAIN)
