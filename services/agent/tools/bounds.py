"""What a plan may not do although the schedule would allow it: the rules of the classes, the days
that the person wants free, the days and tasks of a step.

Spec: agent.md, plan; planning.md, Rough build (exclusions).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from libs.planning.allowance import Allowance, Allowances
from libs.planning.grid import mask_of
from libs.planning.order import Span
from libs.planning.state import PlanningState, Task
from libs.planning.window import Window
from services.agent.tools import words
from services.agent.tools.result import ResultStatus, ToolResult

OUTSIDE = "outside_bounds"


@dataclass(frozen=True, slots=True)
class ClassRule:
    """Where the items of a class may lie: days first..last of the window, without its excluded
    weekdays (1 Monday to 7) and standard pairs (from 1), in courses where it allows that."""

    class_id: int
    first_day: int
    last_day: int
    excluded_days: tuple[int, ...] = ()
    excluded_pairs: tuple[int, ...] = ()
    in_courses: bool = True


@dataclass(frozen=True, slots=True)
class Bounds:
    """All that bounds a write; nothing named bounds nothing.

    Free stay weekdays, sections of every day, sections (weekday, first, last), and the days
    `closed` of the window; `days` and `task_ids` are those of a step.
    """

    rules: tuple[ClassRule, ...] = ()
    excluded_days: tuple[int, ...] = ()
    excluded_sections: tuple[tuple[int, int], ...] = ()
    excluded_limits: tuple[tuple[int, int, int], ...] = ()
    closed: tuple[int, ...] = ()
    days: tuple[int, ...] = ()
    task_ids: tuple[int, ...] = ()


def within(state: PlanningState, bounds: Bounds) -> PlanningState:
    """The state for tools that look for places by themselves: they look within the bounds.

    What a model names itself is judged by `bounded`.
    """
    if bounds == Bounds():
        return state
    classes = (*state.class_ids(), None)
    anyone = replace(bounds, task_ids=())
    found = dict(_allowances(state.window, anyone, classes))
    if bounds.task_ids:
        step = {state.tasks[one].task_class_id for one in bounds.task_ids if one in state.tasks}
        nowhere = Allowance((0,) * state.window.total_days)
        found |= {one: nowhere for one in classes if one not in step}
    return state.within(found)


@lru_cache(maxsize=64)
def _allowances(window: Window, bounds: Bounds, classes: tuple[int | None, ...]) -> Allowances:
    days = range(1, window.total_days + 1)
    rules = {rule.class_id: rule for rule in bounds.rules}
    found: dict[int | None, Allowance] = {}
    for class_id in classes:
        rule = None if class_id is None else rules.get(class_id)
        cells = tuple(_cells(window, day, bounds, rule) for day in days)
        found[class_id] = Allowance(cells, rule is None or rule.in_courses)
    return found


def _cells(window: Window, day: int, bounds: Bounds, rule: ClassRule | None) -> int:
    """The sections of a day that the bounds leave to the tasks of a class."""
    weekday = window.days[day - 1].day_of_week
    if weekday in bounds.excluded_days or day in bounds.closed:
        return 0
    if bounds.days and day not in bounds.days:
        return 0
    if rule is not None and (
        weekday in rule.excluded_days or not rule.first_day <= day <= rule.last_day
    ):
        return 0
    cells = mask_of(1, window.sections)
    for first, last in _shut(bounds, weekday):
        cells &= ~mask_of(max(first, 1), max(last, 1))
    pairs = window.clock.standard_pairs
    for pair in rule.excluded_pairs if rule is not None else ():
        if pair <= len(pairs):
            cells &= ~mask_of(*pairs[pair - 1])
    return cells


def _shut(bounds: Bounds, weekday: int) -> tuple[tuple[int, int], ...]:
    """(first, last) of the sections that stay free on a weekday."""
    limits = ((first, last) for day, first, last in bounds.excluded_limits if day == weekday)
    return (*bounds.excluded_sections, *limits)


def bounded(before: PlanningState, result: ToolResult, bounds: Bounds) -> ToolResult:
    """The result of a write, or its refusal: then the state is the one before."""
    if result.state is before:
        return result
    problems = list(_problems(before, result, bounds))
    if not problems:
        return result
    told = "；".join(problems[:3])
    return replace(
        result,
        status=ResultStatus.REFUSED,
        code=OUTSIDE,
        text=f"超出范围，未作变更：{told}。",
        state=before,
        changed=(),
        free_runs=(),
        facts=None,
    )


def outside(before: PlanningState, after: PlanningState, bounds: Bounds) -> tuple[int, ...]:
    """The tasks that lie elsewhere in the state after, and outside the bounds there."""
    return tuple(
        state_id
        for state_id, task in after.tasks.items()
        if before.tasks[state_id].slots != task.slots and _of_task(after, task, bounds)
    )


def _problems(before: PlanningState, result: ToolResult, bounds: Bounds) -> Iterator[str]:
    for task_id in result.changed:
        task = result.state.tasks[task_id]
        if bounds.task_ids and task_id not in bounds.task_ids:
            yield f"{words.label(before.tasks[task_id])}不在当前步骤的任务之内"
        else:
            yield from _of_task(result.state, task, bounds)


def _of_task(state: PlanningState, task: Task, bounds: Bounds) -> list[str]:
    rule = next((one for one in bounds.rules if one.class_id == task.task_class_id), None)
    found: list[str] = []
    for span in task.slots:
        problem = _of_days(state, span, bounds) or (
            None if rule is None else _of_rule(state, task, span, rule)
        )
        if problem:
            found.append(f"{words.label(task)}不能放在{words.place(span)}，{problem}")
    return found


def _of_days(state: PlanningState, span: Span, bounds: Bounds) -> str | None:
    weekday = state.window.days[span.day - 1].day_of_week
    if weekday in bounds.excluded_days:
        return f"这次不排{words.weekdays([weekday])}"
    if span.day in bounds.closed:
        return "这一天要空着"
    for first, last in _shut(bounds, weekday):
        if span.first <= last and first <= span.last:
            return f"这次不排{words.of_day(Span(span.day, first, last))}"
    if bounds.days and span.day not in bounds.days:
        return "这一天不在当前步骤之内"
    return None


def _of_rule(state: PlanningState, task: Task, span: Span, rule: ClassRule) -> str | None:
    category = f"“{words.cut(task.category)}”"
    if not rule.first_day <= span.day <= rule.last_day:
        return f"{category}的日期是第{max(rule.first_day, 1)}天到第{rule.last_day}天"
    weekday = state.window.days[span.day - 1].day_of_week
    if weekday in rule.excluded_days:
        return f"{category}不排{words.weekdays(rule.excluded_days)}"
    pairs = state.window.clock.standard_pairs
    wanted = mask_of(span.first, span.last)
    for pair in rule.excluded_pairs:
        if pair <= len(pairs) and wanted & mask_of(*pairs[pair - 1]):
            return f"{category}不排第{words.sections(*pairs[pair - 1])}节"
    if task.embed_host is not None and not rule.in_courses:
        return f"{category}不嵌入课程"
    return None
