"""query_range: every section of a day, or of a part of it."""

from collections.abc import Iterable, Iterator
from itertools import combinations, groupby

from libs.planning.grid import mask_of
from libs.planning.order import Span
from libs.planning.state import Entry, PlanningState
from services.agent.tools import free, words
from services.agent.tools.arguments import QueryRange
from services.agent.tools.result import Overlap, RangeView, ToolResult, told

FREE, BEGUN = "空", "已过"


def query_range(state: PlanningState, arguments: QueryRange) -> ToolResult:
    """A whole day in blocks and pairs, a part of it section by section."""
    day = arguments.day
    whole = arguments.slot_start is None
    span = Span(day, arguments.slot_start or 1, arguments.slot_end or state.window.sections)
    entries = state.overlapping(span)
    facts = _facts(span, entries)
    runs = tuple(
        part
        for run in free.free_runs(state, day)
        if (part := free.inside(run, span.first, span.last)) is not None
    )
    lines = [
        f"第{day}天 {'全天' if whole else words.of_day(span)}：",
        "",
        *_rows(state, span, whole=whole),
        "",
        _free_words(runs) if whole else _count_words(span, runs),
    ]
    if whole:
        lines.append(f"可嵌入：{_courses(state, entries)}")
    if entries:
        lines.append(f"硬冲突：{_overlaps(state, facts.hard_conflict)}")
        lines.append(f"可嵌入并存：{_overlaps(state, facts.embeddable_overlap)}")
    return told("query_range", state, lines, facts=facts, free_runs=runs)


def _facts(span: Span, entries: tuple[Entry, ...]) -> RangeView:
    hard: list[Overlap] = []
    embedded: list[Overlap] = []
    for one, other in combinations(entries, 2):
        shared = free.inside(one.span, other.span.first, other.span.last)
        shared = shared and free.inside(shared, span.first, span.last)
        if shared is not None:
            pair = Overlap(shared, one.task.state_id, other.task.state_id)
            (embedded if _belong(one, other) else hard).append(pair)
    ids = tuple(sorted({entry.task.state_id for entry in entries}))
    return RangeView(span, ids, tuple(hard), tuple(embedded))


def _belong(one: Entry, other: Entry) -> bool:
    """Whether one of them is a guest of the other, which takes guests."""
    return any(
        host.task.can_embed and guest.task.embed_host == host.task.state_id
        for host, guest in ((one, other), (other, one))
    )


def _rows(state: PlanningState, span: Span, *, whole: bool) -> Iterator[str]:
    """第1-2节：[1]高等数学（固定）. Sections of a whole day that hold the same share a row, and
    empty ones go by the standard pairs."""
    pairs = {
        section: number
        for number, (first, last) in enumerate(state.window.clock.standard_pairs)
        for section in range(first, last + 1)
    }

    def row(section: int) -> tuple[str, int]:
        text = _content(state, span.day, section)
        if whole:
            return text, pairs[section] if text in (FREE, BEGUN) else 0
        return text, section

    for (text, _), group in groupby(range(span.first, span.last + 1), row):
        found = list(group)
        yield f"第{words.sections(found[0], found[-1])}节：{text}"


def _content(state: PlanningState, day: int, section: int) -> str:
    entries = state.overlapping(Span(day, section, section))
    if entries:
        return " + ".join(f"{words.label(entry.task)}{_note(entry)}" for entry in entries)
    return FREE if state.free_mask(day) >> (section - 1) & 1 else BEGUN


def _note(entry: Entry) -> str:
    if entry.task.locked:
        return "（固定）"
    if entry.task.can_embed:
        return "（可嵌入）"
    return "（嵌入）" if entry.task.embed_host is not None else ""


def _free_words(runs: tuple[Span, ...]) -> str:
    told_runs = "、".join(f"{words.of_day(run)}({run.length}时段)" for run in runs)
    return f"连续空闲区：{told_runs or words.NOTHING}"


def _count_words(span: Span, runs: tuple[Span, ...]) -> str:
    count = sum(run.length for run in runs)
    if count == span.length:
        return f"该范围{span.length}个时段全部空闲。"
    where = f"：{words.runs(runs)}" if runs else ""
    return f"该范围{span.length}个时段，空闲{count}个{where}。"


def _courses(state: PlanningState, entries: Iterable[Entry]) -> str:
    """Which courses of the day take guests, and why the others do not."""
    found = [
        f"{words.of_day(entry.span)}已有{words.label(entry.task)}（{_hosting(state, entry)}）"
        for entry in entries
        if entry.task.is_course
    ]
    return "、".join(found) or words.NOTHING


def _hosting(state: PlanningState, entry: Entry) -> str:
    if not entry.task.can_embed:
        return "固定，不可嵌入"
    left = state.free_host_mask(entry.span.day) & mask_of(entry.span.first, entry.span.last)
    if not left:
        return "可嵌入，当前无空位"
    runs = [Span(entry.span.day, *run) for run in free.runs_of(left)]
    return "可嵌入" if runs == [entry.span] else f"可嵌入，空位为{words.runs(runs)}"


def _overlaps(state: PlanningState, overlaps: Iterable[Overlap]) -> str:
    """第1-2节 [10]思政 与 [7]写实验报告."""
    found = [
        f"{words.of_day(pair.span)} {words.label(state.tasks[pair.task_id])}"
        f" 与 {words.label(state.tasks[pair.other_id])}"
        for pair in overlaps
    ]
    return "、".join(found) or words.NOTHING
