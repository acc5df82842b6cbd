"""batch_move and spread_even: many tasks at once, all or none."""

from libs.planning import moves, spread
from libs.planning.moves import Refused, Wanted
from libs.planning.state import PlanningState
from services.agent.tools import arguments as of
from services.agent.tools import words
from services.agent.tools.refusing import refused_batch, refused_write
from services.agent.tools.result import ToolResult
from services.agent.tools.writing import changed, moved_of, unchanged, written


def batch_move(state: PlanningState, arguments: of.BatchMove) -> ToolResult:
    """Moves tasks together, judged by where all of them are in the end."""
    wanted = [Wanted(one.task_id, one.new_day, one.new_slot_start) for one in arguments.moves]
    outcome = moves.batch_move(state, wanted)
    if isinstance(outcome, Refused):
        return refused_batch(state, outcome)
    if not moved_of(state, outcome.state, outcome.changed):
        return unchanged("batch_move", state, ["各任务已在目标位置，未作变更。"])
    head = [f"批量移动完成，{len(wanted)}个任务全部成功："]
    for one in wanted:
        task = outcome.state.tasks[one.task_id]
        head.append(f"{words.label(task)} → {words.place(task.slots[0])}")
    return written("batch_move", state, outcome, head, only_new_days=True)


def spread_even(state: PlanningState, arguments: of.SpreadEven) -> ToolResult:
    """Levels the days, or says that there is nothing to gain."""
    ids = None if arguments.task_ids is None else list(dict.fromkeys(arguments.task_ids))
    found = spread.spread_even(state, ids, arguments.day_from, arguments.day_to)
    if isinstance(found, Refused):
        return refused_write("spread_even", state, _told_apart(state, found))
    if not found.changed:
        line = f"没有可改善的安排，未作变更。负载方差：{found.variance_before:.2f}。"
        return unchanged("spread_even", state, [line])
    moved = moved_of(state, found.state, found.changed)
    lines = [f"均匀铺开完成，{len(moved)}个任务有变动："]
    for one in moved:
        task = found.state.tasks[one.task_id]
        lines.append(f"{words.label(task)}：{words.places(one.before)} → {words.places(one.after)}")
    lines.append(f"负载方差：{found.variance_before:.2f} → {found.variance_after:.2f}。")
    return changed("spread_even", found.state, moved, lines)


def _told_apart(state: PlanningState, found: Refused) -> Refused:
    """Why a task may not be spread is why it may not be moved."""
    outcome = moves.move(state, found.task_id, 1, 1)
    return outcome if isinstance(outcome, Refused) else found
