"""find_first_free: places of one length, as candidates and not as the one that comes first."""

from collections.abc import Iterable, Iterator
from itertools import islice

from libs.planning.openings import FreePlace, free_places
from libs.planning.order import Span
from libs.planning.runs import first_section, runs
from libs.planning.state import PlanningState
from services.agent.tools import free, words
from services.agent.tools.arguments import FindFirstFree
from services.agent.tools.result import Candidate, Candidates, ToolResult, told

NAME, OLD_NAME = "find_first_free", "find_free"


def find_first_free(state: PlanningState, arguments: FindFirstFree) -> ToolResult:
    """Up to top_k places, the emptier day first, then by time; no two share a section."""
    places = free_places(
        state,
        arguments.duration,
        day=arguments.day,
        top_k=arguments.top_k * arguments.duration,
        exclude_breaks=arguments.exclude_breaks,
    )
    best = tuple(islice(_apart(places), arguments.top_k))
    facts = Candidates(arguments.duration, best)
    lines = _lines(state, facts) if best else _nothing(state, arguments)
    free_runs = () if arguments.day is None else free.free_runs(state, arguments.day)
    return told(NAME, state, lines, facts=facts, free_runs=free_runs)


def _apart(places: Iterable[FreePlace]) -> Iterator[Candidate]:
    """The places that share no section with one before them: shifting by one is no choice."""
    last: Span | None = None
    for one in places:
        if last is None or one.span.day != last.day or one.span.first > last.last:
            last = one.span
            yield Candidate(one.span, one.load, one.load_after, one.host_id)


def _lines(state: PlanningState, facts: Candidates) -> Iterator[str]:
    yield f"满足{facts.duration}个连续空闲时段的候选位置："
    yield ""
    sections = state.window.sections
    for number, one in enumerate(facts.best, start=1):
        inside = "不嵌入"
        if one.host_id is not None:
            inside = f"嵌入{words.label(state.tasks[one.host_id])}，该时段当前无嵌入任务"
        yield (
            f"{number}. {words.row(one.span)}（当天占用{one.load_before}/{sections}"
            f" → {one.load_after}/{sections}，{inside}）"
        )


def _nothing(state: PlanningState, arguments: FindFirstFree) -> Iterator[str]:
    """That there is none, and the longest run that there is."""
    where = "" if arguments.day is None else f"第{arguments.day}天"
    days = range(1, state.window.total_days + 1) if arguments.day is None else (arguments.day,)
    parts = free.parts_of_a_day(state, exclude_breaks=arguments.exclude_breaks)
    yield f"{where}没有满足{arguments.duration}个连续空闲时段的位置。"
    longest: Span | None = None
    for day in days:
        mask = state.free_mask(day)
        length = longest.length + 1 if longest else 1
        while starts := runs(mask, parts, length):
            longest = Span(day, first_section(starts), first_section(starts) + length - 1)
            length += 1
    if longest is None:
        yield "最长连续空闲区：无"
    else:
        yield f"最长连续空闲区：{words.row(longest)}（{longest.length}时段）"
