"""The schedule tools by name: one table, from which calls, schemas, listings and the docs page
are made.

Tools that reach further stand in tables of their own; `offering` takes offers of any kind.
Reordering the items of a class is not among these: it is a change of the class.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from libs.planning.state import PlanningState
from services.agent.tools import arguments as of
from services.agent.tools import (
    batches,
    complaints,
    finding,
    judging,
    listing,
    offering,
    overview,
    ranges,
    words,
    writing,
)
from services.agent.tools.complaints import Complaint
from services.agent.tools.offering import Effect, Offer
from services.agent.tools.refusing import refused_argument
from services.agent.tools.result import BadArgument, Code, ToolResult, refused


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleTool(Offer):
    """A tool that works on the plan alone.

    `run` takes the state and arguments of the tool's own model. `checks_window`: days and sections
    beyond the window are refused before it runs; writes of single tasks leave that to the plan,
    whose checks have their order.
    """

    run: Callable[[PlanningState, Any], ToolResult]
    checks_window: bool = False


def _read(
    name: str,
    summary: str,
    arguments: type[of.Arguments],
    run: Callable[[PlanningState, Any], ToolResult],
    *old_names: str,
) -> ScheduleTool:
    return ScheduleTool(
        name, Effect.READS, summary, arguments, old_names, run=run, checks_window=True
    )


def _write(
    name: str,
    summary: str,
    arguments: type[of.Arguments],
    run: Callable[[PlanningState, Any], ToolResult],
    *,
    checks_window: bool = False,
) -> ScheduleTool:
    return ScheduleTool(
        name, Effect.CHANGES_PLAN, summary, arguments, run=run, checks_window=checks_window
    )


SCHEDULE_TOOLS: tuple[ScheduleTool, ...] = (
    _read(
        "get_overview",
        "窗口总览：每天占用、任务的位置与状态、可嵌入时段、待安排任务",
        of.NoArguments,
        overview.get_overview,
    ),
    _read(
        "query_range",
        "某天或某天某段的逐节占用，硬冲突与可嵌入并存分开列出",
        of.QueryRange,
        ranges.query_range,
    ),
    _read(
        finding.NAME,
        "满足连续时段数的候选位置，当天占用少的在前",
        of.FindFirstFree,
        finding.find_first_free,
        finding.OLD_NAME,
    ),
    _read("list_tasks", "任务清单，可按类别和状态过滤", of.ListTasks, listing.list_tasks),
    _read(
        "get_task_info",
        "单个任务的详情、类内顺序与可放范围",
        of.OneTask,
        listing.get_task_info,
    ),
    _read(
        "evaluate_balance",
        "当前方案的硬冲突、顺序、待安排、负载方差，以及是否可以结束",
        of.NoArguments,
        judging.evaluate_balance,
    ),
    _read(
        "analyze_health",
        "可行性、节奏、松紧与已验证的候选改动",
        of.AnalyzeHealth,
        judging.analyze_health,
    ),
    _write(
        "place",
        "将待安排任务预排到指定位置；位置是空闲的可嵌入课程时自动嵌入",
        of.Place,
        writing.place,
    ),
    _write("move", "移动一个已预排任务", of.Move, writing.move),
    _write("swap", "交换两个时长相同的已落位任务，嵌入关系随之交换", of.Swap, writing.swap),
    _write(
        "batch_move",
        "同时移动多个已预排任务，按最终位置判断，全部成功或全部回滚",
        of.BatchMove,
        batches.batch_move,
    ),
    _write("unplace", "将已落位任务恢复为待安排", of.OneTask, writing.unplace),
    _write(
        "spread_even",
        "在保持类内顺序的前提下均匀铺开已预排任务，无可改善则不作变更",
        of.SpreadEven,
        batches.spread_even,
        checks_window=True,
    ),
)
"""In the order in which they are offered."""

_BY_NAME = offering.by_name(SCHEDULE_TOOLS)


def find(name: str) -> ScheduleTool | None:
    """The schedule tool with this name, or once with this name."""
    return _BY_NAME.get(name)


def call(state: PlanningState, name: str, arguments: object) -> ToolResult:
    """Calls a tool with what a model sent: a mapping, or JSON text. Raises for nothing sent."""
    tool = find(name) if isinstance(name, str) else None
    if tool is None:
        return _unknown_tool(state, name)
    checked = complaints.read(tool.arguments, arguments, state, bounded=tool.checks_window)
    if isinstance(checked, Complaint):
        return refused_argument(tool.name, state, checked)
    return tool.run(state, checked)


def _unknown_tool(state: PlanningState, name: object) -> ToolResult:
    names = "、".join(tool.name for tool in SCHEDULE_TOOLS)
    shown = words.cut(name) if isinstance(name, str) else ""
    line = f"没有名为“{shown}”的工具，可用工具为 {names}。"
    facts = BadArgument("name", names)
    return refused(shown, state, Code.UNKNOWN_TOOL, (line,), facts=facts)
