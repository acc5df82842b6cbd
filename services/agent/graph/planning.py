"""plan and confirm_plan: which classes, which dates, what stays free, and steps to agree on."""

from collections.abc import Sequence
from dataclasses import replace

from services.agent.domain import wish as wishes
from services.agent.domain.happening import Event, Speak, ToConfirm
from services.agent.domain.known import ClassBrief
from services.agent.domain.run import (
    Choice,
    Confirm,
    ConfirmKind,
    Note,
    Phase,
    PlanStep,
    Reply,
    Wait,
)
from services.agent.domain.scope import Scope
from services.agent.domain.when import Standpoint
from services.agent.domain.wish import Wish
from services.agent.graph import (
    answering,
    asides,
    asking,
    claims,
    elsewhere,
    standing,
    telling,
    wishing,
    words,
)
from services.agent.graph.asking import Answered, Corrected
from services.agent.graph.desk import Desk
from services.agent.graph.step import (
    State,
    Step,
    aborted,
    confirm_of,
    confirming,
    ending,
    status,
    to,
)
from services.agent.graph.step import asking as ask
from services.agent.llm.decisions import Action
from services.agent.llm.ways import PlanShape, PlanWish, StepWish

WISH, DATES = "wish", "dates"


async def plan(state: State, desk: Desk) -> Step:
    """Settles the scope, or asks for what is not clear."""
    if state.run.replied_to is Wait.CONFIRM:
        return await _dates_confirmed(state, desk)
    known = await desk.tools.schedule.classes(desk.caller)
    if not known:
        return ending(state, aborted("no_task_classes", words.NO_CLASSES))
    if (dated := await _dated(state, desk, known)) is not None:
        return dated
    state = _heard(state, desk)
    note = state.run.note
    assert note is not None
    at = await standing.standpoint(desk, note.at)
    if desk.tools.model is None:
        told = status(state.run, asking.NO_MODEL, words.RULES_GO_ON[asking.NO_MODEL])
        step = by_rules(state, known, at)
        return replace(step, events=(told, *step.events))
    if state.run.by_rules:
        return by_rules(state, known, at)
    shape = PlanShape(len(known))
    turned = await asking.turn(state, desk, shape, telling.plan(state, desk, known, at))
    if isinstance(turned, Answered):
        wish = turned.answer
        if wish.action is not Action.ASK_USER:
            return _planned(turned.state, wish, known, at)
        asked = answering.asked(turned.state, desk, wish.speak)
        if isinstance(asked, Step):
            return asked
        turned = asked
    if isinstance(turned, Corrected):
        return Step(turned.state)
    step = by_rules(turned.state, known, at)
    return replace(step, events=(turned.status, *step.events))


def by_rules(state: State, known: Sequence[ClassBrief], at: Standpoint) -> Step:
    """The scope that the words name plainly; what is in doubt is asked."""
    waiting = [one for one in known if one.waiting and not one.by_hand]
    if not waiting:
        return ending(state, aborted("nothing_waits", words.NOTHING_WAITS))
    wish = _wish(state, waiting, at)
    if wish.questions:
        question = wish.questions[0]
        choices = [Choice(one.id, one.words[0]) for one in question.choices]
        return ask(state, question.text.zh, choices, about=WISH)
    scope = wishing.scope_of(wish, state.run.scope)
    names = {one.id: one.name for one in waiting}
    told = wishes.told(wish, names, at).zh
    return _go(state, scope, *((Speak(told, by_template=True),) if told else ()))


def _wish(state: State, classes: Sequence[ClassBrief], at: Standpoint) -> Wish:
    note = state.run.note
    assert note is not None
    return wishing.read(note, at, classes, state.run.scope)


async def confirm_plan(state: State, desk: Desk) -> Step:
    """What the person said to the steps."""
    del desk
    reply = state.run.reply or Reply()
    if reply.accepted:
        return _go(state, state.run.scope)
    if not reply.words:
        return ending(state, aborted("declined", words.DECLINED))
    return to(state, Phase.PLAN, text=reply.words, steps=(), step=0, note=None)


async def _dated(state: State, desk: Desk, known: Sequence[ClassBrief]) -> Step | None:
    """Dates for classes that have none, as the person answered; shown before they are written."""
    run = state.run
    asked = run.question is not None and run.question.about == DATES
    if run.reply is None or not asked:
        return None
    at = await standing.standpoint(desk)
    said = Note(f"{words.PLAN_BETWEEN}{run.reply.words}", at.now)
    dates = wishing.scope_of(wishing.read(said, at, (), Scope()), Scope()).period
    without = [one.id for one in known if one.id in run.scope.class_ids and not one.start]
    if dates is None or not without:
        return None
    return asides.proposed(state, await elsewhere.class_dates(desk, without, dates, at))


async def _dates_confirmed(state: State, desk: Desk) -> Step:
    run, confirm = state.run, confirm_of(state.run)
    reply = run.reply
    assert reply is not None
    if not reply.accepted or confirm.call is None:
        return ending(state, aborted("declined", words.DECLINED))
    done = await asides.write(desk, confirm.call, run.apply_id)
    return _go(state, run.scope, *done.events)


def _go(state: State, scope: Scope, *events: Event) -> Step:
    """On to the rough build."""
    following = state.having(phase=Phase.ROUGH_BUILD)
    told = status(following.run, "building", words.BUILDING)
    step = to(state, Phase.ROUGH_BUILD, *events, told, scope=scope, rough_built=False, note=None)
    said = tuple(one.text for one in events if isinstance(one, Speak))
    return replace(step, said=said)


def _heard(state: State, desk: Desk) -> State:
    """The words that are planned by, with what was answered since."""
    run = state.run
    note = run.note or Note(run.text, desk.tools.now())
    if run.reply is None:
        return state.having(note=note)
    answered = replace(note, answers=(*note.answers, (run.reply.choice, run.reply.words)))
    if run.question is not None and run.question.about == WISH:
        return answering.heard(state.having(note=answered))
    # The model asked: the answer stands for itself.
    longer = replace(note, words=f"{note.words}，{answering.said(run)}")
    return answering.heard(state.having(note=longer))


def _planned(state: State, wish: PlanWish, known: Sequence[ClassBrief], at: Standpoint) -> Step:
    if wish.action is Action.ABORT and wish.abort is not None:
        return ending(state, telling.given_up(wish.abort))
    state = state.having(corrections=0)
    scope = _scope(state, wish, known, at)
    steps = tuple(_step(one, known) for one in wish.steps if claims.shown(one.text))
    state = state.having(scope=scope, steps=steps, step=0)
    if wish.action is not Action.CONFIRM or not steps:
        return _go(state, scope, *telling.spoken(wish.speak))
    text = words.steps_proposal(claims.shown(wish.speak))
    asked = ToConfirm(Confirm(0, ConfirmKind.PLAN, text), steps=steps)
    return confirming(state.having(phase=Phase.CONFIRM_PLAN), asked)


def _scope(state: State, wish: PlanWish, known: Sequence[ClassBrief], at: Standpoint) -> Scope:
    """The model's classes; of days what the person said plainly, then what the model made of it:
    days are not its forte."""
    said = wishing.scope_of(_wish(state, known, at), state.run.scope)
    first, last = said.period or (wish.first, wish.last)
    days = tuple(sorted({*said.excluded_days, *wish.excluded_days}))
    return replace(
        said,
        class_ids=tuple(known[one - 1].id for one in wish.classes),
        first=first,
        last=last,
        excluded_days=days if len(days) < 7 else said.excluded_days,
    )


def _step(wish: StepWish, known: Sequence[ClassBrief]) -> PlanStep:
    return PlanStep(
        text=claims.shown(wish.text),
        done_criterion=claims.shown(wish.done_criterion),
        first=wish.first,
        last=wish.last,
        class_ids=tuple(known[number - 1].id for number in wish.classes),
    )
