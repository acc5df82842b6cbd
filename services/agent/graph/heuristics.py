"""The rounds of execute without a model: level once, then checked candidates until nothing is left
to gain. The same tools, the same bounds, the same events."""

import json
from typing import Any

from libs.planning import health
from libs.planning.balance import evaluate_balance
from libs.planning.simulate import Candidate, Effect
from libs.planning.state import PlanningState
from services.agent.domain.run import Phase
from services.agent.graph import calling, words
from services.agent.graph.plan import Plan
from services.agent.graph.step import State, Step, status, to
from services.agent.tools.result import ToolResult

MOST_ROUNDS = 12
"""Rounds that rules take at most; each of them betters the plan."""
_SPREAD = "spread_even"


def one_round(state: State) -> Step:
    """One change for the better, or the end of the loop."""
    plan = state.plan
    assert plan is not None
    taken = [turn.tool for turn in state.run.loop if turn.ok]
    if len(taken) < MOST_ROUNDS and not _is_done(calling.bounded(state.run, plan)):
        if _SPREAD not in taken:
            answer = calling.answered(state.run, plan, _SPREAD, {})
            if answer.changed:
                return calling.told(state, plan, _SPREAD, "{}", "把每天的量调匀", answer)
        if (step := _bettered(state, plan)) is not None:
            return step
    following = state.having(phase=Phase.DELIVER)
    return to(state, Phase.DELIVER, status(following.run, "delivering", words.DELIVERING))


def _is_done(state: PlanningState) -> bool:
    return evaluate_balance(state).done_suggestion


def _bettered(state: State, plan: Plan) -> Step | None:
    """The first checked candidate that improves and that the bounds allow."""
    for one in health.analyze_health(calling.bounded(state.run, plan)).candidates:
        if one.effect is not Effect.IMPROVE:
            continue
        name, arguments = _call(one)
        answer: ToolResult = calling.answered(state.run, plan, name, arguments)
        if answer.changed:
            return calling.told(state, plan, name, json.dumps(arguments), "改善当前方案", answer)
    return None


def _call(one: Candidate) -> tuple[str, dict[str, Any]]:
    if one.partner_id is not None:
        return "swap", {"task_a": one.task_id, "task_b": one.partner_id}
    span = one.span
    return "move", {"task_id": one.task_id, "new_day": span.day, "new_slot_start": span.first}
