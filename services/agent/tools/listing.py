"""list_tasks and get_task_info: what there is, and where it lies."""

from collections.abc import Iterator
from functools import lru_cache

from libs.planning.order import AllowedRange, Span, allowed_range, range_words
from libs.planning.state import PlanningState, Source, Status, Task, block_of
from services.agent.tools import complaints, words
from services.agent.tools.arguments import ListTasks, OneTask
from services.agent.tools.refusing import refused_argument, unknown_task
from services.agent.tools.result import TaskInfo, TaskList, ToolResult, told

MOST_PLACES = 6
"""Places of one task that a list shows."""

_ORDER = (Status.EXISTING, Status.SUGGESTED, Status.PENDING)


def list_tasks(state: PlanningState, arguments: ListTasks) -> ToolResult:
    """All tasks, of one category and of one status where that is wanted."""
    category = arguments.category
    if category is not None and category not in complaints.categories_of(state):
        problem = complaints.wrong(ListTasks, "category", category, state)
        return refused_argument("list_tasks", state, problem)
    wanted = [
        task for task in state.tasks.values() if category is None or category == task.category
    ]
    found = {status: [task for task in wanted if task.status is status] for status in _ORDER}
    if arguments.status == "all":
        lines = _all(found, category)
    else:
        status = Status(arguments.status)
        found = {status: found[status]}
        lines = _of_status(status, found[status], category)
    ids = tuple((status, tuple(task.state_id for task in tasks)) for status, tasks in found.items())
    return told("list_tasks", state, lines, facts=TaskList(ids))


def _all(found: dict[Status, list[Task]], category: str | None) -> Iterator[str]:
    counts = {status: len(tasks) for status, tasks in found.items()}
    suggested = f"已预排{counts[Status.SUGGESTED]}个，" if counts[Status.SUGGESTED] else ""
    yield (
        f"{_of_category(category)}共{sum(counts.values())}个任务，"
        f"已安排{counts[Status.EXISTING]}个，{suggested}待安排{counts[Status.PENDING]}个。"
    )
    for status, tasks in found.items():
        if tasks:
            yield ""
            yield f"{words.STATUS[status]}："
            yield from (_row(task) for task in tasks)


def _of_status(status: Status, tasks: list[Task], category: str | None) -> Iterator[str]:
    end = "：" if tasks else "。"
    yield f"{_of_category(category)}{words.STATUS[status]}任务共{len(tasks)}个{end}"
    if tasks:
        yield ""
    for task in tasks:
        if status is Status.PENDING:
            yield (
                f"{words.label(task)} — 需{task.duration}个连续时段，"
                f"类别：{words.cut(task.category)}"
            )
        else:
            yield _row(task)


def _of_category(category: str | None) -> str:
    return "" if category is None else f"类别“{words.cut(category)}”："


def _row(task: Task) -> str:
    """[1]高等数学(课程,固定) — 第1天(1-2节) 第4天(1-2节)."""
    trait = ",固定" if task.locked else ",可嵌入" if task.can_embed else ""
    inside = "" if task.embed_host is None else "嵌入"
    if len(task.slots) == 1:
        (span,) = task.slots
        at = (span.day, span.first, span.last)
        return _row_of_one(task.state_id, task.name, task.category, trait, inside, *at)
    head = _head(task.state_id, task.name, task.category, trait)
    if not task.slots:
        return f"{head} — 需{task.duration}时段"
    shown = " ".join(map(words.in_brackets, task.slots[:MOST_PLACES]))
    more = f" 等共{len(task.slots)}处" if len(task.slots) > MOST_PLACES else ""
    return f"{head} — {shown}{more}"


# A plan is told again and again, and hardly anything of it changes in between.
@lru_cache(maxsize=8192)
def _row_of_one(
    state_id: int,
    name: str,
    category: str,
    trait: str,
    inside: str,
    day: int,
    first: int,
    last: int,
) -> str:
    where = f"第{day}天({inside}{words.sections(first, last)}节)"
    return f"{_head(state_id, name, category, trait)} — {where}"


def _head(state_id: int, name: str, category: str, trait: str) -> str:
    return f"[{state_id}]{words.cut(name)}({words.cut(category)}{trait})"


def get_task_info(state: PlanningState, arguments: OneTask) -> ToolResult:
    """One task: state, places, guests or host, order in its class, and where it may lie."""
    task = state.task(arguments.task_id)
    if task is None:
        return unknown_task("get_task_info", state, arguments.task_id)
    facts = TaskInfo(task, _position(state, task), _allowed(state, task))
    return told("get_task_info", state, _info(state, facts), facts=facts)


def _info(state: PlanningState, facts: TaskInfo) -> Iterator[str]:
    task = facts.task
    yield words.label(task)
    fixed = "（固定）" if task.locked else ""
    yield f"类别：{words.cut(task.category)} | 状态：{words.STATUS[task.status]}{fixed}"
    yield f"来源：{_source(task)}"
    if task.can_embed:
        yield "可嵌入：是（允许在此时段嵌入其他任务）"
    if task.status is Status.PENDING:
        yield f"需要时段：{task.duration}个连续时段"
    else:
        yield "占用时段："
        yield from (words.row(span) for span in task.slots)
    if task.can_embed:
        yield f"当前嵌入任务：{_guests(state, task)}"
    host = None if task.embed_host is None else state.task(task.embed_host)
    if host is not None:
        yield f"嵌入宿主：{words.label(host)}"
    if facts.position is not None:
        yield f"类内顺序：第{facts.position[0]}项，共{facts.position[1]}项"
    if facts.allowed is not None:
        yield f"可放范围：{range_words(words.seen_range(state, facts.allowed), words.place)}"


def _source(task: Task) -> str:
    if task.is_course:
        return "课程表"
    if task.source is Source.TASK_ITEM:
        return "任务项"
    return "日程" if task.task_class_id is None else "日程（任务项）"


def _guests(state: PlanningState, host: Task) -> str:
    guests = (state.task(guest) for guest in host.embedded_by)
    return "、".join(
        f"{words.label(guest)}({words.places(guest.slots)})" for guest in guests if guest
    ) or words.NOTHING  # fmt: skip


def _position(state: PlanningState, task: Task) -> tuple[int, int] | None:
    """Which one of the items of its class that are here."""
    if task.task_class_id is None or task.task_order is None:
        return None
    orders = {
        other.task_order
        for other in state.tasks.values()
        if other.task_class_id == task.task_class_id and other.task_order is not None
    }
    return sum(order <= task.task_order for order in orders), len(orders)


def _allowed(state: PlanningState, task: Task) -> AllowedRange | None:
    """Where its class lets it lie; None for what belongs to no class."""
    # The rule does not look at the place of the item itself.
    span = task.slots[0] if task.slots else Span(1, 1, 1)
    block = block_of(task, span, begun=state.window.has_begun(span))
    if block is None:
        return None
    return allowed_range(block, state.class_view(task.task_class_id).blocks)
