"""quick_task: a task is noted, looked up or completed, a class changed, something remembered.

What rules read plainly, rules do; the rest is a loop of the model with the same tools. Whatever
writes waits for the person, unless quick notes are written at once. Spec: agent.md, chat.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from services.agent.domain import note as notes
from services.agent.domain import quick_done, quick_query
from services.agent.domain.note_draft import Question
from services.agent.domain.quick_query import About
from services.agent.domain.route import Route
from services.agent.domain.run import Call, Choice, Wait
from services.agent.graph import (
    answering,
    asides,
    asking,
    elsewhere,
    standing,
    telling,
    words,
)
from services.agent.graph.asking import Answered, Corrected, GivenUp
from services.agent.graph.desk import Desk
from services.agent.graph.elsewhere import Prepared, Unclear
from services.agent.graph.step import (
    State,
    Step,
    aborted,
    completed,
    confirm_of,
    settled,
)
from services.agent.graph.step import asking as ask
from services.agent.llm.decisions import Action, Decision, DecisionShape

TASK = "task"
_MOST_CHOICES = 8
_MOST_ROUNDS = 8


async def quick_task(state: State, desk: Desk) -> Step:
    """One step of it."""
    run = state.run
    if run.replied_to is Wait.CONFIRM:
        return await _confirmed(state, desk)
    by_rules = _BY_RULES.get(run.quick)
    if by_rules is not None:
        return await by_rules(state, desk)
    if desk.tools.model is None or run.by_rules:
        return settled(state, completed("not_understood", ""), speak=words.CANNOT_READ)
    return await _by_model(state, desk)


async def _note(state: State, desk: Desk) -> Step:
    """Reads the words again with every answer so far: reading is exact."""
    run = state.run
    assert run.note is not None
    said = run.note
    if run.reply is not None:
        said = replace(said, answers=(*said.answers, (run.reply.choice, run.reply.words)))
    state = state.having(note=said, reply=None)
    at = await standing.standpoint(desk, said.at)
    drafts = notes.resumed(said.words, at, said.answers)
    question = next((one.questions[0] for one in drafts if one.questions), None)
    if question is not None:
        return _asked(state, question)
    return await _proposed(state, desk, elsewhere.of_drafts(drafts, at))


def _asked(state: State, question: Question) -> Step:
    choices = [Choice(one.id, one.text.zh) for one in question.choices]
    return ask(state, question.text.zh, choices, about=question.code)


async def _query(state: State, desk: Desk) -> Step:
    at = await standing.standpoint(desk)
    asked = quick_query.read(state.run.text, at)
    if asked.about is not About.TASKS:
        return settled(state, completed("answered", ""), speak=words.LOOK_AT_THE_WEEK)
    told = await elsewhere.listed(desk, asked, at)
    return settled(state, completed("answered", ""), speak=told)


async def _complete(state: State, desk: Desk) -> Step:
    run = state.run
    if run.reply is not None and run.reply.choice:
        tasks = await desk.tools.schedule.tasks(desk.caller)
        chosen = [one for one in tasks if str(one.id) == run.reply.choice]
        if not chosen:
            return settled(state, completed("no_such_task", ""), speak=words.NO_SUCH_TASK)
        return await _proposed(state, desk, elsewhere.completing(chosen[0]))
    said = run.reply.words if run.reply is not None else run.text
    at = await standing.standpoint(desk)
    fitting = await elsewhere.tasks_named(desk, quick_done.read(said, at).words)
    if len(fitting) == 1:
        return await _proposed(state, desk, elsewhere.completing(fitting[0]))
    if not fitting:
        return settled(state, completed("no_such_task", ""), speak=words.NO_SUCH_TASK)
    choices = [Choice(str(one.id), one.title) for one in fitting[:_MOST_CHOICES]]
    return ask(state, words.WHICH_TASK, choices, about=TASK)


async def _remember(state: State, desk: Desk) -> Step:
    text = state.run.reply.words if state.run.reply is not None else state.run.text
    found = elsewhere.remember(text, await standing.standpoint(desk))
    if isinstance(found, Unclear):
        return ask(state, found.text)
    return await _proposed(state, desk, found)


_BY_RULES: Mapping[str, Callable[[State, Desk], Awaitable[Step]]] = {
    Route.NOTE.value: _note,
    Route.QUERY.value: _query,
    Route.COMPLETE.value: _complete,
    Route.REMEMBER.value: _remember,
}


async def _proposed(state: State, desk: Desk, found: Prepared) -> Step:
    """Shown for a yes, or written at once where that was set."""
    if not desk.tools.always_execute:
        return asides.proposed(state, found)
    state, call = asides.of_run(state, found)
    return await _written(state, desk, call, f"{state.run.id}-q{call.number}")


async def _confirmed(state: State, desk: Desk) -> Step:
    """What the person said to a call."""
    reply, confirm = state.run.reply, confirm_of(state.run)
    assert reply is not None
    if reply.accepted and confirm.call is not None:
        return await _written(state, desk, confirm.call, state.run.apply_id)
    if reply.words:
        # What instead: read anew, as if it had been said first.
        note = state.run.note
        again = None if note is None else replace(note, words=reply.words, answers=())
        return Step(state.having(text=reply.words, note=again, reply=None))
    return settled(state, aborted("declined", words.NOT_WRITTEN), speak=words.NOT_WRITTEN)


async def _written(state: State, desk: Desk, call: Call, request_id: str) -> Step:
    done = await asides.write(desk, call, request_id)
    code = "noted" if done.text != words.MEMORY_FULL else "memory_full"
    return settled(state, completed(code, done.text), speak=done.text, events=done.events)


async def _by_model(state: State, desk: Desk) -> Step:
    """One decision of the model among these tools."""
    run = state.run
    if run.round >= _MOST_ROUNDS:
        return settled(state, completed("not_understood", ""), speak=words.CANNOT_READ)
    if run.reply is not None:
        state = answering.heard(state)
    state = state.having(round=run.round + 1)
    shape = DecisionShape(tools=asides.NAMES)
    at = await standing.standpoint(desk)
    turned = await asking.turn(state, desk, shape, telling.quick(state, desk, at))
    if isinstance(turned, Corrected):
        return Step(turned.state)
    if not isinstance(turned, Answered):
        return _given_up(turned)
    return await _decided(turned.state, desk, turned.answer)


async def _decided(state: State, desk: Desk, decision: Decision) -> Step:
    if decision.action is Action.ASK_USER:
        return _undecided(answering.asked(state, desk, decision.speak))
    if decision.tool is None:
        said = "".join(one.text for one in telling.spoken(decision.speak)) or words.CANNOT_READ
        return settled(state, completed("answered", ""), speak=said)
    called = await asides.called(state, desk, decision)
    return _undecided(asking.accepted(called) if isinstance(called, Step) else called)


def _undecided(turned: Step | Corrected | GivenUp) -> Step:
    if isinstance(turned, Step):
        return turned
    return Step(turned.state) if isinstance(turned, Corrected) else _given_up(turned)


def _given_up(turned: GivenUp) -> Step:
    step = settled(turned.state, completed("not_understood", ""), speak=words.CANNOT_READ)
    return replace(step, events=(turned.status, *step.events))
