"""get_overview: the whole window at a glance; courses are counted, tasks are told in full."""

from collections.abc import Iterator
from functools import lru_cache

from libs.planning.grid import mask_of
from libs.planning.order import Span
from libs.planning.state import DayView, PlanningState, Status, Task
from services.agent.tools import free, words
from services.agent.tools.arguments import NoArguments
from services.agent.tools.result import Overview, ToolResult, told

MOST_HOST_PLACES = 12

_EXISTING, _SUGGESTED = (
    f",{words.STATUS[status]}" for status in (Status.EXISTING, Status.SUGGESTED)
)


def get_overview(state: PlanningState, arguments: NoArguments) -> ToolResult:
    """Counts, a line per day, free places in courses, and what is pending."""
    del arguments
    pending = state.with_status(Status.PENDING)
    courses = [task for task in state.tasks.values() if task.locked or task.can_embed]
    facts = _facts(state, pending, courses)
    lines = [
        f"规划窗口共{facts.total_days}天，每天{state.window.sections}个时段，"
        f"总计{facts.total_sections}个时段。",
        _counts(facts),
        *_courses(courses),
        "",
        "每日概况：",
        *_days(state),
        "",
        f"可嵌入时段：{_host_places(state, facts)}",
        f"待安排：{' '.join(map(_pending, pending)) or words.NOTHING}",
    ]
    return told("get_overview", state, lines, facts=facts)


def _facts(state: PlanningState, pending: tuple[Task, ...], courses: list[Task]) -> Overview:
    window = state.window
    sections, open_day = window.sections, window.first_open_day
    loads = [view.occupied.bit_count() for view in state.days]
    occupied = sum(loads)
    ahead = loads[open_day:]
    free_count = sections * len(ahead) - sum(ahead)
    if open_day <= window.total_days:
        free_count += state.free_mask(open_day).bit_count()
    total = window.total_days * sections
    return Overview(
        total_days=window.total_days,
        total_sections=total,
        occupied=occupied,
        free=free_count,
        begun=total - occupied - free_count,
        courses=len(courses),
        pending=tuple(task.state_id for task in pending),
        host_places=tuple(_free_host_places(state)) if courses else (),
    )


def _counts(facts: Overview) -> str:
    begun = f"，已过{facts.begun}个" if facts.begun else ""
    return (
        f"当前已占用{facts.occupied}个，空闲{facts.free}个{begun}。"
        f"待安排任务{len(facts.pending)}个。"
    )


def _courses(courses: list[Task]) -> Iterator[str]:
    if courses:
        taken = sum(span.length for task in courses for span in task.slots)
        yield f"课程{len(courses)}门，共占{taken}个时段，以下只计数。"


def _days(state: PlanningState) -> Iterator[str]:
    """A line per day; days in a row that are empty share one."""
    sections = state.window.sections
    last_told = 0
    for day, view in enumerate(state.days, start=1):
        if view.entries:
            yield from _empty(last_told + 1, day - 1, sections)
            yield f"第{day}天：占{view.load}/{sections} — {_told(view)}"
            last_told = day
    yield from _empty(last_told + 1, state.window.total_days, sections)


def _empty(first: int, last: int, sections: int) -> Iterator[str]:
    """The line of empty days, if there are any."""
    if first <= last:
        days = f"{first}-{last}" if last > first else f"{first}"
        yield f"第{days}天：占0/{sections}"


# A plan is told again and again, and hardly a day of it changes in between.
@lru_cache(maxsize=2048)
def _told(view: DayView) -> str:
    taught = 0
    parts: list[str] = []
    for entry in view.entries:
        task = entry.task
        if task.locked or task.can_embed:
            taught += entry.span.last - entry.span.first + 1
        else:
            is_written = task.status is Status.EXISTING
            parts.append(words.entry(entry, _EXISTING if is_written else _SUGGESTED))
    return " ".join([f"课程{taught}", *parts] if taught else parts)


def _pending(task: Task) -> str:
    return f"{words.label(task)}(需{task.duration}时段)"


def _free_host_places(state: PlanningState) -> Iterator[tuple[int, Span]]:
    """The parts of courses in which a guest could still sit, in time."""
    for day, view in enumerate(state.days, start=1):
        mask = state.free_host_mask(day) if view.hosts else 0
        if not mask:
            continue
        for entry in view.entries:
            if entry.task.can_embed:
                span = entry.span
                for run in free.runs_of(mask & mask_of(span.first, span.last)):
                    yield entry.task.state_id, Span(day, *run)


def _host_places(state: PlanningState, facts: Overview) -> str:
    shown = [
        f"第{span.day}天 {words.label(state.tasks[task_id])}"
        f"({words.sections(span.first, span.last)}节)"
        for task_id, span in facts.host_places[:MOST_HOST_PLACES]
    ]
    more = len(facts.host_places) - len(shown)
    return ("、".join(shown) or words.NOTHING) + (
        f" 等共{len(facts.host_places)}处" if more else ""
    )
