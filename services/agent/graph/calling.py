"""A tool call of the loop: run at once on the plan in memory, bounded, told, remembered."""

import hashlib
from dataclasses import replace

from libs.planning.state import PlanningState
from services.agent.domain import loops
from services.agent.domain.happening import Event, ToolCall, ToolResult
from services.agent.domain.run import Run, Turn
from services.agent.domain.text import Text
from services.agent.graph import asides, asking, bounding, diffing, telling, words
from services.agent.graph.asking import Corrected, GivenUp
from services.agent.graph.desk import Desk
from services.agent.graph.plan import Plan
from services.agent.graph.step import State, Step
from services.agent.llm.decisions import Decision, ToolWish
from services.agent.tools import bounds, registry
from services.agent.tools.result import ToolResult as Answer

NAMES = (*(tool.name for tool in registry.SCHEDULE_TOOLS), *asides.NAMES)
REPEATED = "model_repeats"


async def called(state: State, desk: Desk, decision: Decision) -> Step | Corrected | GivenUp:
    """Runs the tool that was decided on; one that writes elsewhere waits for the person."""
    wish = decision.tool
    assert wish is not None
    if wish.name in asides.NAMES:
        return await asides.called(state, desk, decision)
    if registry.find(wish.name) is None:
        return asking.corrected(state, desk, words.unknown_tool(wish.name, NAMES))
    plan = state.plan
    assert plan is not None
    seen = _fingerprint(wish, plan.current)
    if state.run.seen.count(seen) + 1 >= desk.tools.limits.repeats:
        return asking.given_up(state, REPEATED)
    state = state.having(seen=(*state.run.seen, seen))
    answer = answered(state.run, plan, wish.name, wish.arguments)
    arguments = telling.arguments_of(wish)
    return told(state, plan, wish.name, arguments, decision.reason, answer).after(
        Step(state, telling.spoken(decision.speak))
    )


def answered(run: Run, plan: Plan, name: str, arguments: object) -> Answer:
    """What the tool answers, within the bounds of the run."""
    state = bounded(run, plan)
    result = registry.call(state, name, arguments)
    return bounds.bounded(state, result, bounding.bounds_of(run, plan))


def bounded(run: Run, plan: Plan) -> PlanningState:
    """The plan as tools look at it: what they find by themselves lies within the bounds."""
    return bounds.within(plan.current, bounding.bounds_of(run, plan))


def told(state: State, plan: Plan, name: str, arguments: str, thought: str, answer: Answer) -> Step:
    """The call in the loop and for those who follow; the plan as it is afterwards."""
    run = state.run
    number = run.calls + 1
    turn = Turn(run.round, thought, name, arguments, answer.is_ok, answer.text)
    after = plan.with_state(answer.state)
    new = State(replace(run, calls=number, loop=loops.joined(run.loop, turn)), after)
    events: list[Event] = [
        ToolCall(number, name, arguments, title(name)),
        ToolResult(number, name, answer.is_ok, answer.code, answer.text, len(answer.changed)),
    ]
    if answer.changed:
        events.append(diffing.so_far(after))
    return Step(new, tuple(events))


def title(name: str) -> Text:
    """What a tool does, for people."""
    tool = registry.find(name)
    return Text(tool.summary if tool else name, name.replace("_", " "))


def _fingerprint(wish: ToolWish, state: PlanningState) -> str:
    """A call and the plan that it is made on: equal ones lead nowhere."""
    tool = registry.find(wish.name)
    name = tool.name if tool else wish.name
    places = [(one.state_id, one.status, one.slots) for one in state.tasks.values()]
    text = f"{name} {telling.arguments_of(wish)} {places}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
