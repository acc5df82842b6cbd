"""Plans that the tests of the tools work on."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from libs.planning.calendar import DEFAULT_CLOCK
from libs.planning.order import Span
from libs.planning.state import PlanningState, Source, Status, Task
from libs.planning.window import Window, WindowDay
from services.agent.tools import registry
from services.agent.tools.result import ToolResult

EXISTING, SUGGESTED, PENDING = Status.EXISTING, Status.SUGGESTED, Status.PENDING


def window(days: int = 13, *, open_from: tuple[int, int] = (1, 1)) -> Window:
    """So many days from the Monday of week 5 on."""
    return Window(
        tuple(WindowDay(1, 5 + day // 7, day % 7 + 1) for day in range(days)),
        DEFAULT_CLOCK,
        open_from,
    )


def course(state_id: int, name: str, *places: tuple[int, int, int], embeds: bool = False) -> Task:
    """A course with a meeting at each (day, first, last)."""
    return Task(
        state_id,
        Source.EVENT,
        100 + state_id,
        name,
        "课程",
        EXISTING,
        slots=tuple(Span(*place) for place in places),
        duration=places[0][2] - places[0][1] + 1,
        locked=not embeds,
        can_embed=embeds,
    )


def task(
    state_id: int,
    name: str,
    category: str,
    status: Status,
    place: tuple[int, int, int] | None = None,
    *,
    duration: int = 2,
    of: tuple[int, int] | None = None,
    host: int | None = None,
    **more: Any,
) -> Task:
    """A task, placed or not; `of` is (class, order) of an item."""
    span = None if place is None else Span(*place)
    source = Source.EVENT if status is EXISTING else Source.TASK_ITEM
    class_id, order = of or (None, None)
    return Task(
        state_id,
        source,
        200 + state_id,
        name,
        category,
        status,
        slots=() if span is None else (span,),
        duration=duration if span is None else span.length,
        embed_host=host,
        task_class_id=class_id,
        item_id=200 + state_id if of else None,
        task_order=order,
        **more,
    )


def plan(*tasks: Task, in_window: Window | None = None) -> PlanningState:
    """A state of these tasks; hosts learn of their guests."""
    guests: dict[int, list[int]] = {}
    for one in tasks:
        if one.embed_host is not None:
            guests.setdefault(one.embed_host, []).append(one.state_id)
    linked = [
        replace(one, embedded_by=tuple(sorted(guests.get(one.state_id, ())))) for one in tasks
    ]
    return PlanningState(in_window or window(), linked)


def says(state: PlanningState, tool: str, arguments: Mapping[str, Any] | None = None) -> list[str]:
    """The lines of an answer."""
    return registry.call(state, tool, arguments or {}).text.split("\n")


def done(state: PlanningState, tool: str, **arguments: Any) -> PlanningState:
    """The plan after a write that has to succeed."""
    result = registry.call(state, tool, arguments)
    assert result.is_ok, result.text
    return result.state


def refusal(state: PlanningState, tool: str, **arguments: Any) -> ToolResult:
    """The answer to a call that has to be refused, with the plan untouched, byte for byte."""
    before = repr(state)
    result = registry.call(state, tool, arguments)
    assert not result.is_ok, result.text
    assert result.state is state
    assert repr(state) == before
    assert result.changed == ()
    return result


WEEK = plan(
    course(1, "高等数学", (1, 1, 2), (4, 1, 2), (8, 1, 2)),
    task(2, "英语", "学习", EXISTING, (1, 3, 4)),
    task(3, "复习线代", "学习", PENDING, duration=3),
    course(4, "体育", (1, 5, 6), (10, 1, 4)),
    task(5, "物理", "作业", EXISTING, (2, 3, 6)),
    task(6, "线代", "学习", SUGGESTED, (4, 3, 4)),
    task(7, "写实验报告", "作业", PENDING),
    task(8, "程序设计", "作业", SUGGESTED, (4, 9, 10)),
    task(9, "小组讨论", "学习", PENDING),
    course(10, "思政", (7, 1, 2), embeds=True),
)
"""Two weeks less a day: two courses, one that takes guests, and work in every status."""
