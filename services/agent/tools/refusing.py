"""Why a tool does nothing, in one sentence, and what then still is free.

The words of the sources stand here: 放置失败, 移动失败, 交换失败, 移除失败.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from libs.planning.moves import MoveCode, Refused
from libs.planning.order import OrderViolation, Span
from libs.planning.state import Entry, PlanningState, Status, Task
from services.agent.tools import free, words
from services.agent.tools.complaints import Complaint
from services.agent.tools.result import ToolResult, refused


@dataclass(frozen=True, slots=True)
class Doing:
    """The words of one tool: what failed, what cannot be done, and the names of its arguments."""

    failed: str
    verb: str
    day: str = "day"
    slot: str = "slot_start"
    task: str = "task_id"
    then: str = ""
    """Said before what holds only of the places that were wanted for several tasks."""


READING = Doing("查询失败", "查询")
PLACING = Doing("放置失败", "放置")
MOVING = Doing("移动失败", "移动", "new_day", "new_slot_start")
SWAPPING = Doing("交换失败", "交换", task="task_a、task_b", then="交换后 ")
REMOVING = Doing("移除失败", "移除")
BATCH = Doing("批量移动失败", "移动", "new_day", "new_slot_start", then="全部移动后 ")
SPREADING = Doing("均匀铺开失败", "移动")

DOING: Mapping[str, Doing] = {
    "place": PLACING,
    "move": MOVING,
    "swap": SWAPPING,
    "unplace": REMOVING,
    "batch_move": BATCH,
    "spread_even": SPREADING,
}
"""By tool; all others read."""

ROLLED_BACK = "批量移动失败，全部回滚，无任何变更。"


def refused_argument(tool: str, state: PlanningState, problem: Complaint) -> ToolResult:
    """That an argument is not one of those that there are."""
    doing = DOING.get(tool, READING)
    lines = (
        (ROLLED_BACK, f"参数：{problem.sentence}。")
        if doing is BATCH
        else (f"{doing.failed}：{problem.sentence}。",)
    )
    return refused(tool, state, problem.code, lines, facts=problem.argument)


def unknown_task(tool: str, state: PlanningState, task_id: int) -> ToolResult:
    """That there is no such task, for tools that only read."""
    found = Refused(MoveCode.UNKNOWN_TASK, task_id)
    lines = (f"{READING.failed}：{_unknown(_Case(READING, state, found))}。",)
    return refused(tool, state, found.code, lines, facts=found)


def refused_write(
    tool: str, state: PlanningState, found: Refused, *, other: int | None = None
) -> ToolResult:
    """That the plan does not allow a write; `other` is the first task of a swap.

    A conflict has a second line: what is on that day, and what is free.
    """
    doing = DOING[tool]
    lines = [f"{doing.failed}：{reason(state, found, doing, other=other)}。"]
    runs: tuple[Span, ...] = ()
    if found.code in (MoveCode.HARD_CONFLICT, MoveCode.EMBED) and found.span is not None:
        runs = free.free_runs(state, found.span.day)
        lines.append(f"{words.occupancy(state, found.span.day)}空闲时段：{words.runs(runs)}。")
    return refused(tool, state, found.code, lines, facts=found, free_runs=runs)


def refused_batch(state: PlanningState, found: Refused) -> ToolResult:
    """That nothing of a batch was done, and the first item that is at fault."""
    task = state.task(found.task_id)
    head = _HEADS.get(found.code, "状态")
    told = reason(state, found, BATCH)
    if found.code is MoveCode.HARD_CONFLICT and task is not None and found.span is not None:
        others = "、".join(
            f"{words.label(one.task)}({words.sections(one.span.first, one.span.last)}节)"
            for one in found.in_the_way
        )
        told = f"{words.label(task)} → {words.place(found.span)}，该位置已被 {others} 占用"
    lines = (ROLLED_BACK, f"{head}：{told}。")
    return refused("batch_move", state, found.code, lines, facts=found)


_HEADS: Mapping[MoveCode, str] = {
    MoveCode.HARD_CONFLICT: "冲突",
    MoveCode.EMBED: "嵌入",
    MoveCode.ORDER_VIOLATION: "顺序",
    MoveCode.OUT_OF_RANGE: "范围",
    MoveCode.IN_THE_PAST: "范围",
    MoveCode.COURSE: "锁定",
    MoveCode.LOCKED_HOST: "锁定",
    MoveCode.BEGUN: "锁定",
    MoveCode.UNKNOWN_TASK: "任务",
    MoveCode.SAME_TASK: "任务",
}


@dataclass(frozen=True, slots=True)
class _Case:
    doing: Doing
    state: PlanningState
    found: Refused
    other: int | None = None

    @property
    def task(self) -> Task:
        return self.state.tasks[self.found.task_id]

    @property
    def name(self) -> str:
        return words.label(self.task)

    @property
    def span(self) -> Span:
        assert self.found.span is not None
        return self.found.span


def reason(state: PlanningState, found: Refused, doing: Doing, *, other: int | None = None) -> str:
    """Why, without the head and the full stop."""
    return _REASONS[found.code](_Case(doing, state, found, other))


def _unknown(case: _Case) -> str:
    ids = list(case.state.tasks)
    there = f"{case.doing.task} 须为现有编号（{ids[0]}到{ids[-1]}）" if ids else "当前没有任何任务"
    return f"没有编号为{case.found.task_id}的任务，{there}"


def _same(case: _Case) -> str:
    if case.doing is SWAPPING:
        return f"task_a 与 task_b 都是 {case.name}，须为两个不同的任务"
    return f"{case.name} 在 moves 中出现了两次，每个任务只能出现一次"


def _batch_size(case: _Case) -> str:
    del case
    return "参数 moves 的项数不在允许范围内"


def _course(case: _Case) -> str:
    kind = "固定课程" if case.task.locked else "课程"
    return f"{case.name} 是{kind}，不可{case.doing.verb}"


def _locked_host(case: _Case) -> str:
    host = case.state.tasks[case.task.embed_host or 0]
    return f"{case.name} 嵌入在固定课程 {words.label(host)} 中，不可单独{case.doing.verb}"


def _begun(case: _Case) -> str:
    return f"{case.name} 已经开始，不可{case.doing.verb}"


def _status(case: _Case) -> str:
    task, doing = case.task, case.doing
    if doing is PLACING:
        return f"{case.name} 不是待安排任务，无法放置"
    if task.status is Status.PENDING:
        way = "没有可移除的位置" if doing is REMOVING else "请使用 place 放置"
        return f"{case.name} 当前为待安排状态，{way}"
    return f"{case.name} 是{words.STATUS[task.status]}任务，只有已预排任务可以{doing.verb}"


def _many(case: _Case) -> str:
    return f"{case.name} 占{len(case.task.slots)}处时段，只有单个时段的任务可以{case.doing.verb}"


def _unequal(case: _Case) -> str:
    first = case.state.tasks[case.other or 0]
    return (
        f"{words.label(first)} 占{first.length}个时段，{case.name} 占{case.task.length}个时段，"
        "时长不同无法直接交换"
    )


def _range(case: _Case) -> str:
    window, span, doing = case.state.window, case.span, case.doing
    if not 1 <= span.day <= window.total_days:
        return f"参数 {doing.day} 须为1到{window.total_days}的整数，收到 {span.day}"
    latest = window.sections - span.length + 1
    if latest < 1:
        return f"{case.name} 需{span.length}个时段，一天只有{window.sections}个"
    return (
        f"参数 {doing.slot} 须为1到{latest}的整数（{case.name} 需{span.length}个时段，"
        f"每天第1-{window.sections}节），收到 {span.first}"
    )


def _past(case: _Case) -> str:
    day, section = case.state.window.open_from
    if day > case.state.window.total_days:
        return f"{words.place(case.span)}已经开始，规划窗口已全部过去"
    return f"{words.place(case.span)}已经开始，最早可用第{day}天第{section}节"


def _order(case: _Case) -> str:
    assert case.found.violation is not None
    return case.doing.then + order_reason(case.state, case.found.violation)


def order_reason(state: PlanningState, found: OrderViolation) -> str:
    """The order rule's own sentence, with tasks as the model knows them."""
    seen = replace(found, allowed=words.seen_range(state, found.allowed))
    return seen.said(lambda block: words.item_label(state, block), words.place)


def _conflict(case: _Case) -> str:
    """第5天第1-2节已被 [4]体育 占用: the sections that are shared, by who is in them."""
    parts = []
    for entry in case.found.in_the_way:
        shared = free.inside(entry.span, case.span.first, case.span.last)
        if shared is not None:
            parts.append(f"{words.of_day(shared)}已被 {words.label(entry.task)} 占用")
    return f"第{case.span.day}天{'，'.join(parts)}"


def _embed(case: _Case) -> str:
    hosts = "、".join(map(_host, case.found.in_the_way))
    return (
        f"{words.place(case.span)}只有一部分在可嵌入课程 {hosts} 中，"
        "嵌入任务须整体位于一个课程时段内"
    )


def _host(entry: Entry) -> str:
    return words.entry(entry)


_REASONS: Mapping[MoveCode, Callable[[_Case], str]] = {
    MoveCode.UNKNOWN_TASK: _unknown,
    MoveCode.SAME_TASK: _same,
    MoveCode.BATCH_SIZE: _batch_size,
    MoveCode.COURSE: _course,
    MoveCode.LOCKED_HOST: _locked_host,
    MoveCode.BEGUN: _begun,
    MoveCode.WRONG_STATUS: _status,
    MoveCode.MANY_BLOCKS: _many,
    MoveCode.UNEQUAL_LENGTH: _unequal,
    MoveCode.OUT_OF_RANGE: _range,
    MoveCode.IN_THE_PAST: _past,
    MoveCode.ORDER_VIOLATION: _order,
    MoveCode.HARD_CONFLICT: _conflict,
    MoveCode.EMBED: _embed,
}
