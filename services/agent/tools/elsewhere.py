"""Tools that reach beyond the plan: tasks of the pool, classes, memory.

Their arguments alone stand here; what they write waits for the person. Times are words of the
person: what day they mean is found out by rules, never by a model. Spec: tools.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from libs.planning.calendar import DEFAULT_CLOCK
from libs.planning.state import PlanningState
from libs.planning.window import Window
from services.agent.tools import complaints
from services.agent.tools.arguments import Allowed, Arguments
from services.agent.tools.complaints import Complaint
from services.agent.tools.offering import Effect, Offer, by_name

_LONGEST_TITLE = 200
_LONGEST_WORDS = 100
_LONGEST_TEXT = 500
_MOST_ITEMS = 300
_NO_PLAN = PlanningState(Window((), DEFAULT_CLOCK), ())

_Title = Annotated[
    str,
    Field(min_length=1, max_length=_LONGEST_TITLE),
    Allowed("标题", f"1到{_LONGEST_TITLE}个字"),
]


def _said(meaning: str) -> Allowed:
    return Allowed(meaning, "照抄学生说的时间，例如“下周日前”，不换算成日期")


class CreateTask(Arguments):
    """Of create_task."""

    title: _Title
    deadline: Annotated[str | None, Field(max_length=_LONGEST_WORDS), _said("截止时间")] = None
    remind: Annotated[str | None, Field(max_length=_LONGEST_WORDS), _said("提醒时间")] = None
    quadrant: Annotated[
        int | None,
        Field(ge=1, le=4),
        Allowed("象限", "1重要且紧急、2重要不紧急、3紧急不重要、4都不"),
    ] = None
    estimated_sections: Annotated[
        int | None, Field(ge=1, le=4), Allowed("预计节数", "1到4的整数")
    ] = None


class QueryTasks(Arguments):
    """Of query_tasks."""

    words: Annotated[
        str | None, Field(max_length=_LONGEST_WORDS), Allowed("标题里的词", "学生说的词")
    ] = None
    status: Annotated[Literal["open", "done", "all"], Allowed("状态", "open、done、all 之一")] = (
        "open"
    )


class CompleteTask(Arguments):
    """Of complete_task."""

    title: Annotated[
        str, Field(min_length=1, max_length=_LONGEST_TITLE), Allowed("任务标题", "学生说的任务")
    ]


class PutTaskClass(Arguments):
    """Of put_task_class."""

    name: Annotated[
        str, Field(min_length=1, max_length=100), Allowed("任务类名称", "已有的名称，或新的名称")
    ]
    items: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=200)]] | None,
        Field(min_length=1, max_length=_MOST_ITEMS),
        Allowed("条目", f"按学习顺序的1到{_MOST_ITEMS}条内容；已有的任务类省略就是不改"),
    ] = None
    start: Annotated[str | None, Field(max_length=_LONGEST_WORDS), _said("开始日期")] = None
    end: Annotated[str | None, Field(max_length=_LONGEST_WORDS), _said("结束日期")] = None
    total_sections: Annotated[
        int | None, Field(ge=1, le=2000), Allowed("总节数", "1到2000的整数")
    ] = None


class Remember(Arguments):
    """Of remember."""

    text: Annotated[
        str,
        Field(min_length=1, max_length=_LONGEST_TEXT),
        Allowed("要记住的话", f"1到{_LONGEST_TEXT}个字，学生的原话"),
    ]


@dataclass(frozen=True, slots=True)
class Elsewhere(Offer):
    """A tool that reaches beyond the plan."""


ELSEWHERE_TOOLS: tuple[Elsewhere, ...] = (
    Elsewhere(
        "create_task",
        Effect.WRITES_ELSEWHERE,
        "记一条任务到四象限任务池；学生同意后才写入",
        CreateTask,
    ),
    Elsewhere("query_tasks", Effect.READS, "查任务池里的任务", QueryTasks),
    Elsewhere(
        "complete_task",
        Effect.WRITES_ELSEWHERE,
        "把一条任务标为完成；学生同意后才写入",
        CompleteTask,
    ),
    Elsewhere(
        "put_task_class",
        Effect.WRITES_ELSEWHERE,
        "新建任务类，或改它的条目、顺序、日期、节数；学生同意后才写入",
        PutTaskClass,
    ),
    Elsewhere(
        "remember",
        Effect.WRITES_ELSEWHERE,
        "记住学生的偏好、限制或事实；学生同意后才写入",
        Remember,
    ),
)
"""In the order in which they are offered."""

_BY_NAME = by_name(ELSEWHERE_TOOLS)


def read(tool: Elsewhere, raw: object) -> Arguments | Complaint:
    """The arguments of a call, as the schedule tools read theirs; what is null was left out."""
    given = raw
    if isinstance(raw, Mapping):
        given = {name: value for name, value in raw.items() if value is not None}
    return complaints.read(tool.arguments, given, _NO_PLAN)


def find(name: str) -> Elsewhere | None:
    """The tool with this name."""
    return _BY_NAME.get(name)
