"""execute: one decision a round, by the model or by rules; nothing is written.

Spec: agent.md, execute and Contract with the model.
"""

from dataclasses import replace

from libs.planning.health import Dimension, Feasibility, analyze_health
from libs.planning.window import NoWindow
from services.agent.domain.run import Phase, Turn, Wait
from services.agent.graph import (
    answering,
    asides,
    asking,
    calling,
    heuristics,
    loading,
    telling,
    words,
)
from services.agent.graph.asking import Answered, Corrected, GivenUp
from services.agent.graph.desk import Desk
from services.agent.graph.step import (
    State,
    Step,
    aborted,
    confirm_of,
    ending,
    exhausted,
    status,
    to,
)
from services.agent.llm.decisions import Action, Decision, DecisionShape


async def execute(state: State, desk: Desk) -> Step:
    """One round."""
    if state.plan is None or state.plan.load.run_id != state.run.id:
        return await _reloaded(state, desk)
    if (limit := _limit(state, desk)) is not None:
        return ending(state, exhausted(limit, words.EXHAUSTED[limit]))
    if state.run.replied_to is Wait.CONFIRM:
        return await _aside_confirmed(state, desk)
    if state.run.reply is not None:
        state = answering.heard(state)
    state = state.having(round=state.run.round + 1)
    if desk.tools.model is None or state.run.by_rules:
        return heuristics.one_round(state)
    return await _by_model(state, desk)


async def _by_model(state: State, desk: Desk) -> Step:
    shape = DecisionShape(bool(state.run.steps), calling.NAMES)
    told = telling.execute(state, desk, feasibility=_feasibility(state))
    turned = await asking.turn(state, desk, shape, told)
    if isinstance(turned, Answered):
        return await _decided(turned.state, desk, turned.answer)
    return _undecided(turned)


def _undecided(turned: Corrected | GivenUp) -> Step:
    if isinstance(turned, Corrected):
        return Step(turned.state)
    step = heuristics.one_round(turned.state)
    return replace(step, events=(turned.status, *step.events))


async def _decided(state: State, desk: Desk, decision: Decision) -> Step:
    spoken = telling.spoken(decision.speak)
    if decision.tool is not None:
        called = await calling.called(state, desk, decision)
        return asking.accepted(called) if isinstance(called, Step) else _undecided(called)
    if decision.action is Action.ASK_USER:
        asked = answering.asked(state, desk, decision.speak)
        return asked if isinstance(asked, Step) else _undecided(asked)
    if decision.action is Action.ABORT and decision.abort is not None:
        return ending(state, telling.given_up(decision.abort), *spoken)
    if (problem := _unfinished(state)) is not None:
        return _undecided(asking.corrected(state, desk, problem))
    run = state.run
    if decision.action is Action.NEXT_PLAN and run.step + 1 < len(run.steps):
        told = Turn(run.round, "", observation=f"第{run.step + 1}步完成：{decision.goal_check}")
        onward = state.having(step=run.step + 1, loop=(*run.loop, told))
        return asking.accepted(Step(onward, spoken))
    return delivering(state)


def delivering(state: State) -> Step:
    """The plan is as good as it gets."""
    following = state.having(phase=Phase.DELIVER)
    return to(state, Phase.DELIVER, status(following.run, "delivering", words.DELIVERING))


async def _aside_confirmed(state: State, desk: Desk) -> Step:
    """What the person said to a call that writes elsewhere; a new class is planned at once."""
    run, confirm = state.run, confirm_of(state.run)
    reply = run.reply
    assert reply is not None
    if not reply.accepted or confirm.call is None:
        told = Turn(run.round, "", observation="学生没有同意这次写入")
        return Step(state.having(text=reply.words or run.text, reply=None, loop=(*run.loop, told)))
    done = await asides.write(desk, confirm.call, run.apply_id)
    told = Turn(run.round, "", observation=f"学生同意了。{done.text}")
    state = state.having(reply=None, loop=(*run.loop, told))
    if not done.class_ids:
        return Step(state, done.events)
    ids = tuple(sorted({*run.scope.class_ids, *done.class_ids}))
    scope = replace(run.scope, class_ids=ids)
    return to(state, Phase.ROUGH_BUILD, *done.events, scope=scope)


async def _reloaded(state: State, desk: Desk) -> Step:
    """A plan of an earlier run goes on from the schedule as it is now."""
    step = await loading.loaded(state, desk, state.run.scope)
    if isinstance(step, NoWindow):
        return ending(state, aborted("no_window", words.NO_WINDOW))
    plan = step.state.plan
    assert plan is not None
    if plan.counts.pending:
        return to(step.state, Phase.ROUGH_BUILD).after(step)
    return step


def _limit(state: State, desk: Desk) -> str | None:
    limits, run = desk.tools.limits, state.run
    if run.round >= limits.rounds:
        return "rounds"
    if run.seconds >= limits.seconds:
        return "seconds"
    return "tokens" if run.tokens >= limits.tokens else None


def _unfinished(state: State) -> str | None:
    """Why the model may not say that it is done."""
    assert state.plan is not None
    pending = state.plan.counts.pending
    if pending:
        return f"还有{pending}个任务待安排(pending)，不能结束；放回被移出的任务，或用 abort 说明"
    return None


def _feasibility(state: State) -> str:
    assert state.plan is not None
    if not state.plan.counts.pending:
        return "没有待安排的任务，可行"
    found = analyze_health(state.plan.current, (Dimension.FEASIBILITY,)).feasibility
    return _room(found) if found is not None else "未知"


def _room(found: Feasibility) -> str:
    return f"待安排需{found.needed}节，空闲{found.free}节，缺口{found.capacity_gap}节"
