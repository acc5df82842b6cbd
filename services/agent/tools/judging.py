"""evaluate_balance and analyze_health: how good the plan is, what could be better, when to stop."""

from collections.abc import Iterator, Sequence

from libs.planning import balance, health
from libs.planning.balance import Balance
from libs.planning.health import DecisionReason, Dimension, Health, Issue, IssueCode
from libs.planning.health import Severity as Weight
from libs.planning.simulate import Candidate, Effect
from libs.planning.state import PlanningState
from libs.planning.tightness import Tightness
from services.agent.tools import arguments as of
from services.agent.tools import words
from services.agent.tools.result import ToolResult, told

MOST_DAYS, MOST_TASKS = 6, 8
"""Days and tasks of one kind of issue that are named."""


def evaluate_balance(state: PlanningState, arguments: of.NoArguments) -> ToolResult:
    """Counts, the variance of the days, and whether that is good enough to stop."""
    del arguments
    found = balance.evaluate_balance(state)
    return told("evaluate_balance", state, _balance(state, found), facts=found)


def _balance(state: PlanningState, found: Balance) -> Iterator[str]:
    yield f"硬冲突(hard_conflict_count)：{found.hard_conflict_count}处"
    yield f"顺序违规(order_violation_count)：{found.order_violation_count}处"
    yield f"待安排(pending_count)：{found.pending_count}个"
    yield f"负载方差(load_variance)：{found.load_variance:.2f}"
    yield f"单日最高占用(max_day_load)：{found.max_day_load}/{state.window.sections}"
    done = "可结束" if found.done_suggestion else "建议继续"
    yield f"结束判断(done_suggestion)：{done}，{found.reason}{_levelling(state, found)}。"


def _levelling(state: PlanningState, found: Balance) -> str:
    """The move that shows that the plan is not done yet."""
    if found.levelling is None:
        return ""
    task, host_id = state.tasks[found.levelling.task_id], found.levelling.host_id
    inside = "" if host_id is None else f"，嵌入{words.label(state.tasks[host_id])}"
    return f"（{words.label(task)} → {words.place(found.levelling.span)}{inside}）"


def analyze_health(state: PlanningState, arguments: of.AnalyzeHealth) -> ToolResult:
    """Feasibility, rhythm and tightness, what is wrong, and checked ways to better it."""
    asked = arguments.dimensions or [one.value for one in Dimension]
    found = health.analyze_health(state, tuple(Dimension(one) for one in asked))
    return told("analyze_health", state, _health(state, found), facts=found)


def _health(state: PlanningState, found: Health) -> Iterator[str]:
    yield from _feasibility(state, found)
    yield from _rhythm(state, found)
    if found.ways is not None:
        ways = found.ways
        yield (
            f"松紧(tightness)：{_TIGHTNESS[ways.tightness]}，可动任务{ways.movable}个，"
            f"合法移动{ways.moves}种，合法交换{ways.swaps}种"
        )
    yield f"问题：{words.NOTHING if not found.issues else ''}"
    yield from _issues(state, found)
    decision = found.decision
    yield f"结论(decision)：{decision.action}，{_REASONS[decision.reason]}"
    yield f"候选：{words.NOTHING if not found.candidates else ''}"
    excess = None
    if found.rhythm is not None:
        excess = sum(day.excess(state.window.sections) for day in found.rhythm)
    for number, one in enumerate(found.candidates, start=1):
        yield f"{number}. {_candidate(state, found, one)}{_relief(excess, one)}"


def _feasibility(state: PlanningState, found: Health) -> Iterator[str]:
    if found.feasibility is None:
        return
    room = found.feasibility
    without = room.without_place
    stuck = f"，没有合法位置：{_named(state, without)}" if without else ""
    yield (
        f"可行性(feasibility)：待安排需{room.needed}时段，空闲{room.free}时段，"
        f"缺口(capacity_gap){room.capacity_gap}时段{stuck}"
    )
    takers = " ".join(f"{words.cut(one.category)}{one.sections}" for one in room.takers)
    yield f"占用最多(时段)：{takers or words.NOTHING}"


def _rhythm(state: PlanningState, found: Health) -> Iterator[str]:
    """The extremes of the days; each day by itself is for programs."""
    if found.rhythm is None:
        return
    if not found.rhythm:
        yield f"节奏(rhythm)：{words.NOTHING}"
        return
    days = found.rhythm
    yield (
        f"节奏(rhythm)：有安排{len(days)}天，单日最多"
        f"占用{max(day.load for day in days)}/{state.window.sections}、"
        f"类别切换{max(day.switches for day in days)}次、"
        f"连续{max(day.longest_run for day in days)}节、"
        f"高强度相邻{max(day.heavy_neighbours for day in days)}处"
    )


def _issues(state: PlanningState, found: Health) -> Iterator[str]:
    """A line for each kind of issue, its days together."""
    kinds: dict[IssueCode, list[Issue]] = {}
    for issue in found.issues:
        kinds.setdefault(issue.code, []).append(issue)
    for code, of_kind in kinds.items():
        weight = _WEIGHTS[of_kind[0].severity]
        yield f"- {_ISSUES[code]}({code}，{weight})：{_told(state, of_kind)}"


def _told(state: PlanningState, issues: list[Issue]) -> str:
    first = issues[0]
    if first.day is None:
        about = f"，涉及 {_named(state, first.task_ids)}" if first.task_ids else ""
        return f"{first.value}{about}"
    shown = " ".join(f"第{issue.day}天({issue.value})" for issue in issues[:MOST_DAYS])
    return shown + (f" 等共{len(issues)}天" if len(issues) > MOST_DAYS else "")


def _named(state: PlanningState, task_ids: Sequence[int]) -> str:
    """Tasks after one another; the first of many, and how many there are."""
    shown = words.labels(state.tasks[task_id] for task_id in task_ids[:MOST_TASKS])
    return shown + (f" 等共{len(task_ids)}个" if len(task_ids) > MOST_TASKS else "")


def _candidate(state: PlanningState, found: Health, one: Candidate) -> str:
    """move [6]线代 第4天第3-4节 → 第9天第1-2节：improve，负载方差2.10 → 1.98."""
    task = state.tasks[one.task_id]
    before = found.balance.load_variance
    what = f"move {words.label(task)} {words.places(task.slots)} → {words.place(one.span)}"
    if one.partner_id is not None:
        partner = state.tasks[one.partner_id]
        what = (
            f"swap {words.label(task)} {words.places(task.slots)} ↔ "
            f"{words.label(partner)} {words.places(partner.slots)}"
        )
    return f"{what}：{_EFFECTS[one.effect]}，负载方差{before:.2f} → {one.after.variance:.2f}"


def _relief(before: int | None, one: Candidate) -> str:
    """How far the days are over the thresholds of their rhythm, where that is told and changes."""
    if before is None or one.after.excess == before:
        return ""
    return f"，节奏超限{before} → {one.after.excess}"


_TIGHTNESS = {
    Tightness.LOOSE: "宽松(loose)",
    Tightness.TIGHT: "偏紧(tight)",
    Tightness.LOCKED: "锁死(locked)",
}
_WEIGHTS = {Weight.HIGH: "高", Weight.MEDIUM: "中", Weight.LOW: "低"}
_EFFECTS = {
    Effect.IMPROVE: "改善(improve)",
    Effect.PARTIAL: "有得有失(partial)",
    Effect.NO_GAIN: "无收益(no_gain)",
}
_ISSUES = {
    IssueCode.HARD_CONFLICT: "硬冲突",
    IssueCode.ORDER_BROKEN: "顺序违规",
    IssueCode.CAPACITY_GAP: "时段不足",
    IssueCode.NO_PLACE: "没有合法位置",
    IssueCode.PENDING_LEFT: "仍有待安排",
    IssueCode.UNEVEN_LOAD: "负载不均，单日最高",
    IssueCode.FULL_DAY: "单日过满",
    IssueCode.HEAVY_NEIGHBOURS: "高强度相邻",
    IssueCode.LONG_RUN: "连续过长",
    IssueCode.MANY_SWITCHES: "切换过多",
    IssueCode.LOCKED_PLAN: "没有可动的余地",
}
_REASONS = {
    DecisionReason.INFEASIBLE: "待安排的任务放不下",
    DecisionReason.PENDING_LEFT: "仍有待安排的任务",
    DecisionReason.CAN_IMPROVE: "有可改善的候选",
    DecisionReason.FAULTS_WITHOUT_WAY: "有问题，但没有合法的单步改动能消除",
    DecisionReason.NOTHING_TO_GAIN: "没有可改善的改动",
}
