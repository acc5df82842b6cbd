"""place, move, swap, unplace: one change of the plan, or a refusal that leaves it as it is."""

from collections.abc import Iterable

from libs.planning import moves
from libs.planning.moves import Refused, Written
from libs.planning.state import PlanningState, Status, Task
from services.agent.tools import arguments as of
from services.agent.tools import words
from services.agent.tools.refusing import refused_write
from services.agent.tools.result import Code, Moved, ResultStatus, ToolResult, Writing


def place(state: PlanningState, arguments: of.Place) -> ToolResult:
    """Puts a pending task at a place."""
    outcome = moves.place(state, arguments.task_id, arguments.day, arguments.slot_start)
    if isinstance(outcome, Refused):
        return refused_write("place", state, outcome)
    task = outcome.state.tasks[arguments.task_id]
    (span,) = task.slots
    host = _host(outcome.state, task)
    where = (
        f"嵌入到{words.place(span)}（宿主：{words.label(host)}）"
        if host is not None
        else f"放到{words.place(span)}"
    )
    head = f"已将 {words.label(task)} {where}。"
    return written("place", state, outcome, [head], _left(outcome.state))


def move(state: PlanningState, arguments: of.Move) -> ToolResult:
    """Moves a suggested task."""
    outcome = moves.move(state, arguments.task_id, arguments.new_day, arguments.new_slot_start)
    if isinstance(outcome, Refused):
        return refused_write("move", state, outcome)
    task = outcome.state.tasks[arguments.task_id]
    (before,), (after,) = state.tasks[arguments.task_id].slots, task.slots
    if before == after:
        return unchanged(
            "move", state, [f"{words.label(task)} 已在{words.place(after)}，未作变更。"]
        )
    host = _host(outcome.state, task)
    inside = f"（嵌入，宿主：{words.label(host)}）" if host is not None else ""
    head = f"已将 {words.label(task)} 从{words.place(before)}移至{words.place(after)}{inside}。"
    return written("move", state, outcome, [head])


def swap(state: PlanningState, arguments: of.Swap) -> ToolResult:
    """Exchanges the places of two tasks."""
    ids = (arguments.task_a, arguments.task_b)
    outcome = moves.swap(state, *ids)
    if isinstance(outcome, Refused):
        return refused_write("swap", state, outcome, other=arguments.task_a)
    head = ["交换完成："]
    for task_id in ids:
        before, after = state.tasks[task_id], outcome.state.tasks[task_id]
        head.append(
            f"{words.label(after)}：{words.place(before.slots[0])} → {words.place(after.slots[0])}"
        )
    return written("swap", state, outcome, head)


def unplace(state: PlanningState, arguments: of.OneTask) -> ToolResult:
    """Takes a task back to pending."""
    outcome = moves.unplace(state, arguments.task_id)
    if isinstance(outcome, Refused):
        return refused_write("unplace", state, outcome)
    task = state.tasks[arguments.task_id]
    head = f"已将 {words.label(task)} 从{words.places(task.slots)}移除，恢复为待安排状态。"
    return written("unplace", state, outcome, [head], _left(outcome.state))


def written(
    tool: str,
    before: PlanningState,
    outcome: Written,
    head: Iterable[str],
    tail: Iterable[str] = (),
    *,
    only_new_days: bool = False,
) -> ToolResult:
    """What was done, then a line for each day that it touched, or only for those it filled."""
    moved = moved_of(before, outcome.state, outcome.changed)
    left = () if only_new_days else tuple(span.day for one in moved for span in one.before)
    days = {*left, *(span.day for one in moved for span in one.after)}
    lines = [*head, *words.occupancies(outcome.state, days), *tail]
    return changed(tool, outcome.state, moved, lines)


def changed(
    tool: str, state: PlanningState, moved: tuple[Moved, ...], lines: Iterable[str]
) -> ToolResult:
    """What a write answers that did something."""
    return ToolResult(
        tool,
        ResultStatus.OK,
        Code.DONE,
        "\n".join(lines),
        state,
        changed=tuple(one.task_id for one in moved),
        facts=Writing(moved, len(state.with_status(Status.PENDING))),
    )


def unchanged(tool: str, state: PlanningState, lines: Iterable[str]) -> ToolResult:
    """That all is as it should be already."""
    facts = Writing((), len(state.with_status(Status.PENDING)))
    text = "\n".join(lines)
    return ToolResult(tool, ResultStatus.OK, Code.NOTHING_TO_CHANGE, text, state, facts=facts)


def moved_of(
    before: PlanningState, after: PlanningState, task_ids: Iterable[int]
) -> tuple[Moved, ...]:
    """Where those of the tasks that have another place were and are."""
    return tuple(
        Moved(task_id, old, new)
        for task_id in task_ids
        if (old := before.tasks[task_id].slots) != (new := after.tasks[task_id].slots)
    )


def _left(state: PlanningState) -> list[str]:
    return [f"待安排任务剩余：{len(state.with_status(Status.PENDING))}个。"]


def _host(state: PlanningState, task: Task) -> Task | None:
    return None if task.embed_host is None else state.task(task.embed_host)
