"""How tasks, places and days are written for a model: short, in Chinese, always the same way."""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from libs.planning.order import AllowedRange, OrderedBlock, Span
from libs.planning.state import Entry, PlanningState, Status, Task, block_of

LONGEST_NAME = 40
"""Letters of a name that a text shows."""

STATUS = {
    Status.EXISTING: "已安排",
    Status.SUGGESTED: "已预排",
    Status.PENDING: "待安排",
}

NOTHING = "无"

WEEKDAYS = ("周一", "周二", "周三", "周四", "周五", "周六", "周日")

# What joins or varies the letters beside it; everything else without a shape is left out.
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
# A name cannot pass for another task's number.
_BRACKETS = str.maketrans("[]", "［］")


@lru_cache(maxsize=4096)
def cut(text: str, longest: int = LONGEST_NAME) -> str:
    """A person's words as a line of a text holds them: one line, no controls, no false ids."""
    is_plain = len(text) <= longest and text.isprintable()
    if is_plain and not ("[" in text or "]" in text or "  " in text or text[:1] == " "):
        return text.rstrip()
    # A letter may need several code points; far more than are shown need not be looked at.
    seen = (
        " " if letter.isspace() else letter
        for letter in text[: longest * 16]
        if letter.isspace() or letter in _JOINERS or unicodedata.category(letter) not in _UNSEEN
    )
    shown = " ".join("".join(seen).split()).translate(_BRACKETS)
    return shown if len(shown) <= longest else _whole_letters(shown, longest - 1) + "…"


def _whole_letters(text: str, count: int) -> str:
    """The first letters, none of them torn from the marks that belong to it."""
    while count and (text[count] in _JOINERS or text[count - 1] == "\u200d"):
        count -= 1
    return text[:count].rstrip()


def label(task: Task) -> str:
    """[3]复习线代."""
    return f"[{task.state_id}]{cut(task.name)}"


def labels(tasks: Iterable[Task], *, joint: str = " ") -> str:
    """Tasks after one another; 无 where there is none."""
    return joint.join(label(task) for task in tasks) or NOTHING


def item_label(state: PlanningState, block: OrderedBlock) -> str:
    """An item as `label` names it; one that is no task of the state has no number."""
    own = [
        task
        for task in state.tasks.values()
        if task.task_class_id == block.class_id
        and (one := block_of(task, block.span, begun=False)) is not None
        and one.item_id == block.item_id
    ]
    if own:
        return label(next((task for task in own if block.span in task.slots), own[0]))
    return f"「{cut(block.name)}」"


def seen_range(state: PlanningState, allowed: AllowedRange) -> AllowedRange:
    """The range as far as it binds inside the window: what lies beyond has no day to name."""
    after, before = allowed.after, allowed.before
    if after is not None and after.span.day < 1:
        after = None
    if before is not None and before.span.day > state.window.total_days:
        before = None
    return AllowedRange(after, before)


def sections(first: int, last: int) -> str:
    """1-2, or 5."""
    return f"{first}-{last}" if last > first else f"{first}"


def of_day(span: Span) -> str:
    """第1-2节."""
    return f"第{sections(span.first, span.last)}节"


def place(span: Span) -> str:
    """第5天第1-3节."""
    return f"第{span.day}天{of_day(span)}"


def row(span: Span) -> str:
    """第5天 第1-3节, as a line of a list."""
    return f"第{span.day}天 {of_day(span)}"


def in_brackets(span: Span) -> str:
    """第5天(1-3节)."""
    return f"第{span.day}天({sections(span.first, span.last)}节)"


def places(spans: Iterable[Span]) -> str:
    """第1天第1-2节、第4天第1-2节."""
    return "、".join(place(span) for span in spans) or NOTHING


def runs(spans: Iterable[Span]) -> str:
    """第3-4节、第9-12节: free sections of one day."""
    return "、".join(of_day(span) for span in spans) or NOTHING


def entry(one: Entry, note: str = "") -> str:
    """[10]思政(1-2节), a guest with 嵌入; `note` stands before the bracket closes."""
    task, span = one.task, one.span
    inside = "" if task.embed_host is None else "嵌入"
    return _entry(task.state_id, task.name, inside, span.first, span.last, note)


# A plan is told again and again, and hardly anything of it changes in between.
@lru_cache(maxsize=8192)
def _entry(state_id: int, name: str, inside: str, first: int, last: int, note: str) -> str:
    return f"[{state_id}]{cut(name)}({inside}{sections(first, last)}节{note})"


def occupancy(state: PlanningState, day: int) -> str:
    """第5天当前占用：[3]复习线代(1-3节)，占用3/12。"""
    view = state.day(day)
    load = f"{view.load}/{state.window.sections}"
    if not view.entries:
        return f"第{day}天当前占用：{load}。"
    return f"第{day}天当前占用：{' '.join(map(entry, view.entries))}，占用{load}。"


def occupancies(state: PlanningState, days: Iterable[int]) -> Sequence[str]:
    """A line for each of the days, ascending, each once."""
    return [occupancy(state, day) for day in sorted(set(days))]


def weekdays(days: Iterable[int]) -> str:
    """Days of the week, 1 Monday to 7 Sunday, in the order given: 周一、周三."""
    return "、".join(WEEKDAYS[day - 1] for day in days)
