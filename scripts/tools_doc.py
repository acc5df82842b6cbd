"""Writes docs/tools.md from the schedule tools, with their answers to a plan made up here.

make docs
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from libs.planning.calendar import DEFAULT_CLOCK
from libs.planning.order import Span
from libs.planning.state import Intensity, PlanningState, Source, Status, Task
from libs.planning.window import Window, WindowDay
from scripts.descriptors import ROOT
from services.agent.tools import offering, registry, words
from services.agent.tools.elsewhere import ELSEWHERE_TOOLS
from services.agent.tools.offering import Effect, Offer
from services.agent.tools.registry import SCHEDULE_TOOLS, ScheduleTool

PAGE = ROOT / "docs" / "tools.md"
TEMPLATE = ROOT / "scripts" / "templates" / "tools.md.in"

_EFFECTS = {
    Effect.READS: "reads",
    Effect.CHANGES_PLAN: "changes the plan",
    Effect.WRITES_ELSEWHERE: "writes, after a yes",
}
_HEAD = "| argument | what it is and may be | default |\n|---|---|---|"

Arguments = Mapping[str, Any]


def _to(task_id: int, day: int, slot: int) -> Arguments:
    return {"task_id": task_id, "new_day": day, "new_slot_start": slot}


Call = tuple[str, Arguments]


@dataclass(frozen=True, slots=True)
class Scene:
    """One call, after others that changed the plan."""

    arguments: Arguments
    after: tuple[Call, ...] = ()


_ALL_PLACED: tuple[Call, ...] = (
    ("place", {"task_id": 8, "day": 6, "slot_start": 5}),
    ("place", {"task_id": 9, "day": 1, "slot_start": 9}),
)
_LEVELLED: tuple[Call, ...] = (*_ALL_PLACED, ("spread_even", {}))

SCENES: Mapping[str, Sequence[Scene]] = {
    "get_overview": (Scene({}),),
    "query_range": (
        Scene({"day": 3}),
        Scene({"day": 2, "slot_start": 5, "slot_end": 6}),
        Scene({"day": 3, "slot_start": 4, "slot_end": 5}),
        Scene({"day": 2, "slot_start": 5}),
    ),
    "find_first_free": (
        Scene({"duration": 2}),
        Scene({"duration": 2, "day": 2, "top_k": 5}),
        Scene({"duration": 5, "day": 1}),
    ),
    "list_tasks": (Scene({}), Scene({"status": "pending"}), Scene({"category": "7"})),
    "get_task_info": (Scene({"task_id": 2}), Scene({"task_id": 6}), Scene({"task_id": 99})),
    "evaluate_balance": (
        Scene({}),
        Scene({}, after=_ALL_PLACED),
        Scene({}, after=_LEVELLED),
    ),
    "analyze_health": (
        Scene({}),
        Scene({"dimensions": ["feasibility", "tightness"]}, after=_LEVELLED),
    ),
    "place": (
        Scene({"task_id": 9, "day": 4, "slot_start": 1}),
        Scene({"task_id": 9, "day": 2, "slot_start": 9}),
        Scene({"task_id": 9, "day": 3, "slot_start": 8}),
        Scene({"task_id": 9, "day": 2, "slot_start": 10}),
        Scene({"task_id": 8, "day": 4, "slot_start": 1}),
        Scene({"task_id": 9, "day": 7, "slot_start": 1}),
    ),
    "move": (
        Scene({"task_id": 6, "new_day": 2, "new_slot_start": 1}),
        Scene({"task_id": 6, "new_day": 3, "new_slot_start": 7}),
        Scene({"task_id": 1, "new_day": 2, "new_slot_start": 1}),
        Scene({"task_id": 3, "new_day": 2, "new_slot_start": 1}),
        Scene({"task_id": 9, "new_day": 2, "new_slot_start": 1}),
    ),
    "swap": (Scene({"task_a": 3, "task_b": 6}), Scene({"task_a": 3, "task_b": 7})),
    "batch_move": (
        Scene({"moves": [_to(5, 2, 1), _to(6, 4, 1)]}),
        Scene({"moves": [_to(6, 4, 1), _to(5, 3, 7)]}),
        Scene({"moves": [_to(5, 1, 7), _to(6, 1, 5)]}),
    ),
    "unplace": (Scene({"task_id": 5}), Scene({"task_id": 1})),
    "spread_even": (Scene({}), Scene({"day_from": 4, "day_to": 5})),
}
"""Every form of the answers once, by tool."""


def sample() -> PlanningState:
    """Six days: a course, one that takes guests, work in every status, a class of four items."""
    window = Window(tuple(WindowDay(1, 5, day) for day in range(1, 7)), DEFAULT_CLOCK)
    return PlanningState(
        window,
        [
            _course(1, "高等数学", (1, 1, 2), (3, 1, 2), locked=True),
            _course(2, "形势与政策", (2, 9, 10), (3, 5, 6), can_embed=True, embedded_by=(4,)),
            _task(3, "还书", "任务", Status.EXISTING, (3, 7, 8)),
            _task(4, "背单词", "任务", Status.EXISTING, (3, 5, 6), embed_host=2),
            _task(5, "线代第一讲", "线代", Status.SUGGESTED, (1, 5, 6), order=1),
            _task(6, "线代第二讲", "线代", Status.SUGGESTED, (1, 7, 8), order=2),
            _task(7, "线代第三讲", "线代", Status.SUGGESTED, (6, 1, 4), order=3),
            _task(8, "线代习题", "线代", Status.PENDING, None, order=4),
            _task(9, "写实验报告", "物理", Status.PENDING, None),
        ],
    )


def _course(number: int, name: str, *places: tuple[int, int, int], **more: Any) -> Task:
    slots = tuple(Span(*place) for place in places)
    return Task(number, Source.EVENT, 100 + number, name, "课程", Status.EXISTING, slots, 2, **more)


def _task(
    number: int,
    name: str,
    category: str,
    status: Status,
    place: tuple[int, int, int] | None,
    *,
    order: int | None = None,
    **more: Any,
) -> Task:
    slots = () if place is None else (Span(*place),)
    return Task(
        number,
        Source.EVENT if status is Status.EXISTING else Source.TASK_ITEM,
        200 + number,
        name,
        category,
        status,
        slots,
        slots[0].length if slots else 2,
        task_class_id=None if order is None else 7,
        task_order=order,
        cognitive_intensity=None if order is None else Intensity.HIGH,
        **more,
    )


def render() -> str:
    """The page as it should be. Raises LookupError for a tool without an example."""
    state = sample()
    return TEMPLATE.read_text(encoding="utf-8").format(
        longest=words.LONGEST_NAME,
        table="\n".join(_table(SCHEDULE_TOOLS)),
        days=state.window.total_days,
        plan=registry.call(state, "list_tasks", {}).text,
        sections="\n\n".join(_section(state, tool) for tool in SCHEDULE_TOOLS),
        elsewhere="\n".join(_table(ELSEWHERE_TOOLS)),
        further="\n\n".join(_head(tool) for tool in ELSEWHERE_TOOLS),
    )


def _table(tools: Sequence[Offer]) -> Iterator[str]:
    yield "| tool | effect | what a model is told |"
    yield "|---|---|---|"
    for tool in tools:
        anchor = f"[`{offering.signature(tool)}`](#{tool.name})"
        yield f"| {anchor} | {_EFFECTS[tool.effect]} | {tool.summary} |"


def _section(state: PlanningState, tool: ScheduleTool) -> str:
    if tool.name not in SCENES:
        raise LookupError(f"{tool.name} has no example")
    examples = [_example(state, tool, scene) for scene in SCENES[tool.name]]
    return "\n\n".join([_head(tool, (tool.run.__doc__ or "").strip()), *examples])


def _head(tool: Offer, told: str = "") -> str:
    """Name, what is said of it, old names, arguments."""
    parts = [f"## {tool.name}", *([told] if told else [])]
    if tool.old_names:
        names = ", ".join(f"`{name}`" for name in tool.old_names)
        parts.append(f"Once named {names}: still answered, not offered.")
    if tool.arguments.model_fields:
        parts.append("\n".join([_HEAD, *_arguments(tool)]))
    return "\n\n".join(parts)


def _arguments(tool: Offer) -> Iterator[str]:
    schema = offering.schema(tool.arguments)
    for name, field in schema["properties"].items():
        default = "**required**" if name in schema["required"] else "—"
        if "default" in field:
            default = f"`{json.dumps(field['default'])}`"
        yield f"| `{name}` | {field['description']} | {default} |"


def _example(state: PlanningState, tool: ScheduleTool, scene: Scene) -> str:
    for name, arguments in scene.after:
        state = registry.call(state, name, arguments).state
    result = registry.call(state, tool.name, scene.arguments)
    shown = json.dumps(scene.arguments, ensure_ascii=False)
    before = ", then ".join(f"`{name}{_shown(arguments)}`" for name, arguments in scene.after)
    when = f"After {before}: " if before else ""
    return f"{when}`{shown}` → {result.status}, `{result.code}`\n\n```text\n{result.text}\n```"


def _shown(arguments: Arguments) -> str:
    return f"({', '.join(f'{name}={value}' for name, value in arguments.items())})"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
