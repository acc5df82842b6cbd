"""chat: which way some words go. What they say outright, rules decide; a model the rest."""

from collections.abc import Mapping
from dataclasses import replace

from services.agent.domain import route as rules
from services.agent.domain.route import Route, Routed
from services.agent.domain.run import Note, Phase
from services.agent.graph import asking, previewing, standing, telling, words
from services.agent.graph.asking import Answered, Corrected
from services.agent.graph.desk import Desk
from services.agent.graph.step import State, Step, completed, finished, status, to
from services.agent.llm.ways import Route as ModelRoute
from services.agent.llm.ways import RouteShape

_MODEL_WAYS: Mapping[ModelRoute, Route] = {
    ModelRoute.DIRECT_REPLY: Route.DIRECT_REPLY,
    ModelRoute.PLAN: Route.PLAN,
    ModelRoute.EXECUTE: Route.EXECUTE,
    ModelRoute.FEEDBACK: Route.FEEDBACK,
}
_QUICK = frozenset({Route.NOTE, Route.QUERY, Route.COMPLETE, Route.REMEMBER})


async def chat(state: State, desk: Desk) -> Step:
    """Chooses the way."""
    run = state.run
    if run.card_due:
        return await previewing.shown(state, desk)
    at = await standing.standpoint(desk)
    routed = rules.route(run.text, at, has_plan=state.plan is not None)
    if routed.certain or desk.tools.model is None or run.by_rules:
        return _towards(state, desk, routed)
    turned = await asking.turn(state, desk, RouteShape(), telling.route(state, desk, at))
    if isinstance(turned, Corrected):
        return Step(turned.state)
    if not isinstance(turned, Answered):
        step = _towards(turned.state, desk, routed)
        return replace(step, events=(turned.status, *step.events))
    answer = turned.answer
    if answer.route is ModelRoute.DIRECT_REPLY:
        return _replied(turned.state, answer.speak)
    if answer.route is ModelRoute.QUICK_TASK:
        kind = routed.route.value if routed.route in _QUICK else ""
        return _quick(turned.state, desk, routed, kind)
    way = _MODEL_WAYS[answer.route]
    return _towards(turned.state, desk, replace(routed, route=way, words=run.text, rest=""))


def _towards(state: State, desk: Desk, routed: Routed) -> Step:
    state = state.having(text=routed.words or state.run.text, rest=routed.rest)
    if routed.route in _QUICK:
        return _quick(state, desk, routed, routed.route.value)
    if routed.route is Route.FEEDBACK:
        return previewing.told_off(state)
    if routed.route is Route.DIRECT_REPLY:
        reply = words.DIRECT_REPLIES.get(routed.reason, words.CANNOT_READ)
        code = "answered" if routed.reason in words.DIRECT_REPLIES else "not_understood"
        return finished(state, completed(code, ""), speak=reply)
    if routed.route is Route.EXECUTE and state.plan is not None:
        scope = state.plan.scope
        return to(state, Phase.EXECUTE, scope=scope, rough_built=True, loop=(), corrections=0)
    following = state.having(phase=Phase.PLAN)
    event = status(following.run, "planning", words.PLANNING)
    return to(state, Phase.PLAN, event, loop=(), corrections=0)


def _quick(state: State, desk: Desk, routed: Routed, kind: str) -> Step:
    note = Note(routed.words or state.run.text, desk.tools.now())
    return to(state, Phase.QUICK_TASK, quick=kind, note=note, loop=(), corrections=0)


def _replied(state: State, speak: str) -> Step:
    said = "".join(one.text for one in telling.spoken(speak)) or words.CANNOT_READ
    return finished(state, completed("answered", ""), speak=said, by_template=False)
