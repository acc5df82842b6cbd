"""The arguments of each tool, as pydantic models: the one source of checks, schemas and listings.

`Allowed` says in Chinese what an argument is and which values it may have; `{days}` and
`{sections}` are those of the window, `{categories}` the names that there are.
"""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from libs.planning.moves import MAX_BATCH

MOST_CANDIDATES = 10
MOST_TASKS = 500
LARGEST = 2**53 - 1
"""Beyond it a JSON number is no whole number to every reader."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """An argument for people; `bound` is the number of the window that it may not exceed."""

    meaning: str
    values: str
    bound: Literal["days", "sections", ""] = ""


class Arguments(BaseModel):
    """Exact names, exact types, nothing else. `range_of` are the two ends of a range: both are
    given or neither."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    range_of: ClassVar[tuple[str, str] | None] = None


_DAYS = "1到{days}的整数"
_SECTIONS = "1到{sections}的整数"
_ID = "任务清单方括号内的编号（正整数）"

Whole = Annotated[int, Field(ge=1, le=LARGEST)]
Day = Annotated[Whole, Allowed("天", _DAYS, "days")]
Section = Annotated[Whole, Allowed("起始节次", _SECTIONS, "sections")]
TaskId = Annotated[Whole, Allowed("任务编号", _ID)]


class NoArguments(Arguments):
    """Of a tool that takes none."""


class QueryRange(Arguments):
    """Of query_range."""

    range_of = ("slot_start", "slot_end")

    day: Day
    slot_start: Annotated[Whole | None, Allowed("起始节次", _SECTIONS, "sections")] = None
    slot_end: Annotated[Whole | None, Allowed("结束节次", _SECTIONS, "sections")] = None


class FindFirstFree(Arguments):
    """Of find_first_free."""

    duration: Annotated[Whole, Allowed("连续时段数", _SECTIONS, "sections")]
    day: Annotated[Whole | None, Allowed("只看这一天", _DAYS, "days")] = None
    top_k: Annotated[
        int,
        Field(ge=1, le=MOST_CANDIDATES),
        Allowed("最多几个候选", f"1到{MOST_CANDIDATES}的整数"),
    ] = 3
    exclude_breaks: Annotated[bool, Allowed("不跨午休与晚饭", "true 或 false")] = True


class ListTasks(Arguments):
    """Of list_tasks."""

    category: Annotated[
        str | None, Allowed("只看这一类", "单个类别名称（{categories}），不接受列表或编号")
    ] = None
    status: Annotated[
        Literal["existing", "suggested", "pending", "all"],
        Allowed("只看这一状态", "existing、suggested、pending、all 之一"),
    ] = "all"


class OneTask(Arguments):
    """Of get_task_info and unplace."""

    task_id: TaskId


class AnalyzeHealth(Arguments):
    """Of analyze_health."""

    dimensions: Annotated[
        list[Literal["feasibility", "rhythm", "tightness"]] | None,
        Field(min_length=1, max_length=3),
        Allowed("只看这些方面", "由 feasibility、rhythm、tightness 组成的列表"),
    ] = None


class Place(Arguments):
    """Of place."""

    task_id: TaskId
    day: Day
    slot_start: Section


class Move(Arguments):
    """Of move, and of each item of batch_move."""

    task_id: TaskId
    new_day: Day
    new_slot_start: Section


class Swap(Arguments):
    """Of swap."""

    task_a: TaskId
    task_b: TaskId


class BatchMove(Arguments):
    """Of batch_move."""

    moves: Annotated[
        list[Move],
        Field(min_length=1, max_length=MAX_BATCH),
        Allowed("要移动的任务", f"1到{MAX_BATCH}项的列表，每项含 task_id、new_day、new_slot_start"),
    ]


class SpreadEven(Arguments):
    """Of spread_even."""

    range_of = ("day_from", "day_to")

    task_ids: Annotated[
        list[TaskId] | None,
        Field(min_length=1, max_length=MOST_TASKS),
        Allowed("只动这些任务", f"1到{MOST_TASKS}个任务编号的列表"),
    ] = None
    day_from: Annotated[Whole | None, Allowed("起始天", _DAYS, "days")] = None
    day_to: Annotated[Whole | None, Allowed("结束天", _DAYS, "days")] = None


def allowed_of(model: type[Arguments], name: str) -> Allowed:
    """What is said of an argument. Raises LookupError for one that nothing is said of."""
    for one in model.model_fields[name].metadata:
        if isinstance(one, Allowed):
            return one
    raise LookupError(f"{model.__name__}.{name} has no Allowed")
