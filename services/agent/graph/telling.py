"""What the model is told in each kind of turn: rules and brief filled with the facts of the run."""

import json
from collections.abc import Sequence

from services.agent.domain.happening import Speak
from services.agent.domain.known import ClassBrief
from services.agent.domain.run import Outcome, OutcomeKind, Run, Turn
from services.agent.domain.when import Standpoint
from services.agent.graph import claims, words
from services.agent.graph.bounding import period_of
from services.agent.graph.desk import Desk
from services.agent.graph.plan import Plan
from services.agent.graph.step import State
from services.agent.llm import context
from services.agent.llm.context import Context, Parts
from services.agent.llm.decisions import AbortWish, ToolWish, plain
from services.agent.llm.prompting import instant
from services.agent.llm.stages import data
from services.agent.tools import difference, elsewhere, offering, registry
from services.agent.tools import words as tool_words

_NONE = "（无）"
_LONGEST_ANSWER = 300
_ELSEWHERE = offering.listing(elsewhere.ELSEWHERE_TOOLS)
_TOOLS = f"{offering.listing(registry.SCHEDULE_TOOLS)}\n{_ELSEWHERE}"


def route(state: State, desk: Desk, at: Standpoint) -> Context:
    """For choosing the way."""
    plan = state.plan
    kept = _NONE if plan is None else _counts(plan)
    rules, brief = desk.tools.stages.route.told(
        now=instant(at.now, at.zone), plan=kept, text=data(state.run.text)
    )
    return _context(state, desk, rules, brief)


def plan(state: State, desk: Desk, known: Sequence[ClassBrief], at: Standpoint) -> Context:
    """For settling the scope."""
    run = state.run
    rules, brief = desk.tools.stages.plan.told(
        now=instant(at.now, at.zone),
        goal=data(run.goal),
        text=_newest(run),
        answers=_answers(run),
        classes=data("\n".join(_class(no, one) for no, one in enumerate(known, start=1))),
        memory=_memory(desk),
    )
    return _context(state, desk, rules, brief)


def execute(state: State, desk: Desk, *, feasibility: str) -> Context:
    """For one decision about the plan."""
    run, the_plan = state.run, state.plan
    assert the_plan is not None
    rules, brief = desk.tools.stages.execute.told(
        tools=_TOOLS,
        goal=data(run.goal),
        text=_newest(run),
        answers=_answers(run),
        round=run.round,
        rounds=desk.tools.limits.rounds,
        steps=_steps(run),
        constraints=_constraints(the_plan),
        counts=_counts(the_plan),
        feasibility=feasibility,
        changes=_changes(the_plan),
        failure=_failure(run.loop),
        memory=_memory(desk),
        next=_next(run),
    )
    return _context(state, desk, rules, brief)


def quick(state: State, desk: Desk, at: Standpoint) -> Context:
    """For one decision about a quick task."""
    rules, brief = desk.tools.stages.quick.told(
        tools=_ELSEWHERE,
        now=instant(at.now, at.zone),
        text=data(state.run.text),
        answers=_answers(state.run),
        memory=_memory(desk),
    )
    return _context(state, desk, rules, brief)


def arguments_of(wish: ToolWish) -> str:
    """The arguments of a call as a JSON object that can be stored and shown, whatever they are."""
    found = wish.arguments
    if isinstance(found, str):
        found = {"arguments": found}
    try:
        text = json.dumps(found, ensure_ascii=False, sort_keys=True, allow_nan=False)
    except (ValueError, RecursionError):
        return "{}"
    return plain(text)


def given_up(wish: AbortWish) -> Outcome:
    """The outcome of a model that gives up, in words that claim nothing."""
    message = claims.shown(wish.user_message) or words.GIVEN_UP
    return Outcome(OutcomeKind.ABORTED, wish.code, message, wish.internal_reason)


def _answers(run: Run) -> str:
    told = (f"问：{asked} 答：{answer}" for asked, answer in run.answers)
    return data("\n".join(tool_words.cut(one, _LONGEST_ANSWER) for one in told))


def spoken(text: str) -> tuple[Speak, ...]:
    """Words of the model to the person, where there are some that may be shown."""
    said = claims.shown(text)
    return (Speak(said),) if said else ()


def _context(state: State, desk: Desk, rules: str, brief: str) -> Context:
    parts = Parts(rules, desk.history, state.run.earlier, state.run.loop, brief)
    factor = state.run.token_factor
    return context.four(parts, budget=desk.tools.context_tokens, factor=factor)


def _newest(run: Run) -> str:
    return "（同上）" if run.text == run.goal else data(run.text)


def _memory(desk: Desk) -> str:
    return data("\n".join(desk.memory))


def _class(number: int, one: ClassBrief) -> str:
    dates = period_of(one.start, one.end) or "没有日期"
    hand = "，自己安排" if one.by_hand else ""
    name = tool_words.cut(one.name)
    return f"[{number}] {name}：{dates}，共{one.items}项，待安排{one.waiting}项{hand}"


def _counts(the_plan: Plan) -> str:
    counts = the_plan.counts
    days = the_plan.base.window.total_days
    return (
        f"窗口{days}天，待安排(pending){counts.pending}个，"
        f"已预排(suggested){counts.suggested}个，已安排(existing){counts.existing}个"
    )


def _steps(run: Run) -> str:
    if not run.steps:
        return _NONE
    told = []
    for number, one in enumerate(run.steps, start=1):
        mark = "当前" if number - 1 == run.step else ("完成" if number - 1 < run.step else "未到")
        bound = period_of(one.first, one.last)
        within = f"，只动 {bound}" if bound else ""
        text = tool_words.cut(one.text, 100)
        told.append(f"{number}({mark}) {text}；完成条件：{one.done_criterion or _NONE}{within}")
    return "；".join(told)


def _constraints(the_plan: Plan) -> str:
    scope = the_plan.scope
    parts = [f"不排{one}" for one in words.free(scope)]
    if bound := period_of(scope.first, scope.last):
        parts.append(f"只在 {bound}")
    return "；".join(parts) or _NONE


def _changes(the_plan: Plan) -> str:
    lines = list(difference.lines(the_plan.difference))
    if not lines:
        return _NONE
    return f"相对日程共{len(lines)}处改动"


def _failure(loop: Sequence[Turn]) -> str:
    """The newest refusal as one line; the rest stands in the loop."""
    failed = next((one for one in reversed(loop) if not one.ok), None)
    return _NONE if failed is None else f"{failed.tool}（第{failed.round}轮）"


def _next(run: Run) -> str:
    if not run.loop:
        return "先调用 evaluate_balance 看是否可以结束"
    last = run.loop[-1]
    wrote = last.tool in _WRITES and last.ok
    return "改动之后调用 evaluate_balance" if wrote else "根据上一个结果决定"


_WRITES = frozenset(
    tool.name for tool in registry.SCHEDULE_TOOLS if tool.effect is offering.Effect.CHANGES_PLAN
)
