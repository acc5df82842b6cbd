"""Questions of the model, and the answers, which are kept for every turn that follows."""

from services.agent.domain.run import Run
from services.agent.graph import asking, claims, words
from services.agent.graph.asking import Corrected, GivenUp
from services.agent.graph.desk import Desk
from services.agent.graph.step import State, Step
from services.agent.graph.step import asking as waiting


def asked(state: State, desk: Desk, speak: str) -> Step | Corrected | GivenUp:
    """Asks what the model wants to know; not twice the same, and not without end."""
    question = claims.shown(speak)
    if not question:
        return asking.corrected(state, desk, words.NO_QUESTION)
    answers = state.run.answers
    if any(before == question for before, _ in answers):
        return asking.corrected(state, desk, words.ASKED_BEFORE)
    if len(answers) >= desk.tools.limits.questions:
        return asking.given_up(state, asking.UNUSABLE)
    return asking.accepted(waiting(state, question))


def heard(state: State) -> State:
    """The state with the answer that was given among the others."""
    run = state.run
    question = run.question.text if run.question is not None else ""
    return state.having(reply=None, answers=(*run.answers, (question, said(run))))


def said(run: Run) -> str:
    """What was answered, in words."""
    reply, question = run.reply, run.question
    if reply is None:
        return ""
    choices = question.choices if question is not None else ()
    return next((one.text for one in choices if one.id == reply.choice), reply.words)
