"""Calls of the tools that write elsewhere, in whatever phase: looked up at once, shown for a yes,
written when it came."""

from dataclasses import dataclass

from services.agent.domain import loops
from services.agent.domain.errors import TooManyMemoryItems
from services.agent.domain.happening import Event, ToConfirm, ToolCall, ToolResult
from services.agent.domain.quick_query import Query, Status
from services.agent.domain.run import Call, Confirm, ConfirmKind, Turn
from services.agent.domain.text import Text
from services.agent.graph import asking, elsewhere, standing, telling, words
from services.agent.graph.asking import Corrected, GivenUp
from services.agent.graph.desk import Desk
from services.agent.graph.elsewhere import Prepared, Unclear
from services.agent.graph.step import State, Step, confirming
from services.agent.llm.decisions import Decision
from services.agent.tools import elsewhere as of
from services.agent.tools.complaints import Complaint

_STATUS = {"open": Status.OPEN, "done": Status.DONE, "all": Status.ANY}
NAMES = tuple(tool.name for tool in of.ELSEWHERE_TOOLS)


@dataclass(frozen=True, slots=True)
class Written:
    """What a call came to; `events` tell of it, `class_ids` are the classes that it put."""

    text: str
    events: tuple[Event, ...]
    class_ids: tuple[int, ...] = ()


async def called(state: State, desk: Desk, decision: Decision) -> Step | Corrected | GivenUp:
    """A call that the model decided on: looked up, shown for a yes, or told what is unclear."""
    wish = decision.tool
    tool = of.find(wish.name) if wish is not None else None
    if wish is None or tool is None:
        name = wish.name if wish is not None else ""
        return asking.corrected(state, desk, words.unknown_tool(name, NAMES))
    arguments = of.read(tool, wish.arguments)
    if isinstance(arguments, Complaint):
        return asking.corrected(state, desk, arguments.sentence)
    if isinstance(arguments, of.QueryTasks):
        return await _looked_up(state, desk, decision, arguments)
    at = await standing.standpoint(desk)
    found = await elsewhere.prepared(desk, tool.name, arguments, at)
    if isinstance(found, Unclear):
        return _observed(state, decision, found.text, ok=False)
    return proposed(state, found)


def proposed(state: State, found: Prepared) -> Step:
    """Shown, waiting for a yes."""
    state, call = of_run(state, found)
    confirm = Confirm(0, ConfirmKind.TOOL, found.text, call=call)
    return confirming(state, ToConfirm(confirm, call=_event(call)))


def of_run(state: State, found: Prepared) -> tuple[State, Call]:
    """The call with its number in the run."""
    number = state.run.calls + 1
    return state.having(calls=number), Call(number, found.tool, found.as_json)


async def write(desk: Desk, call: Call, request_id: str) -> Written:
    """Writes a stored call, once for each request_id."""
    try:
        done = await elsewhere.written(desk, call.tool, call.arguments, request_id)
    except TooManyMemoryItems:
        result = ToolResult(call.number, call.tool, ok=False, code="full", text=words.MEMORY_FULL)
        return Written(words.MEMORY_FULL, (_event(call), result))
    result = ToolResult(call.number, call.tool, ok=True, code="done", text=done.text)
    return Written(done.text, (_event(call), result), done.class_ids)


async def _looked_up(state: State, desk: Desk, decision: Decision, asked: of.QueryTasks) -> Step:
    at = await standing.standpoint(desk)
    query = Query(words=asked.words or "", status=_STATUS[asked.status])
    return _observed(state, decision, await elsewhere.listed(desk, query, at), ok=True)


def _observed(state: State, decision: Decision, text: str, *, ok: bool) -> Step:
    """The answer of a tool, for the model and for those who follow."""
    wish = decision.tool
    assert wish is not None
    run = state.run
    number = run.calls + 1
    call = Call(number, wish.name, telling.arguments_of(wish))
    turn = Turn(run.round, decision.reason, wish.name, call.arguments, ok, text)
    code = "done" if ok else "unclear"
    events = (_event(call), ToolResult(number, wish.name, ok=ok, code=code, text=text))
    return Step(state.having(calls=number, loop=loops.joined(run.loop, turn)), events)


def _event(call: Call) -> ToolCall:
    """A call as it is shown."""
    tool = of.find(call.tool)
    title = Text(tool.summary if tool else call.tool, call.tool.replace("_", " "))
    return ToolCall(call.number, call.tool, call.arguments, title)
