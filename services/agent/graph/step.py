"""What a node gives: the state afterwards, and what happened on the way."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from services.agent.domain.happening import Asked, Ended, Event, Speak, Status, ToConfirm
from services.agent.domain.run import (
    Choice,
    Confirm,
    Outcome,
    OutcomeKind,
    Phase,
    Question,
    Run,
    Wait,
)
from services.agent.domain.text import Text
from services.agent.graph.plan import Plan


@dataclass(frozen=True, slots=True)
class State:
    """A run and its plan: the value that nodes work on."""

    run: Run
    plan: Plan | None = None

    def having(self, **changes: Any) -> "State":
        """The same with other fields of the run."""
        return replace(self, run=replace(self.run, **changes))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows that were loaded and are to be stored beside the run."""

    number: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `said` are words that belong to the conversation, `rows` what was loaded."""

    state: State
    events: tuple[Event, ...] = ()
    said: tuple[str, ...] = ()
    rows: tuple[Rows, ...] = ()

    def after(self, earlier: "Step") -> "Step":
        """Both as one step."""
        return Step(
            self.state,
            (*earlier.events, *self.events),
            (*earlier.said, *self.said),
            (*earlier.rows, *self.rows),
        )


def status(run: Run, code: str, text: Text) -> Status:
    """Where the run is."""
    return Status(run.phase, code, text, run.round)


def to(state: State, phase: Phase, *events: Event, **changes: Any) -> Step:
    """Goes on to a phase; whatever was answered is heeded."""
    return Step(state.having(phase=phase, reply=None, **changes), events)


def asking(
    state: State,
    text: str,
    choices: Sequence[Choice] = (),
    *,
    about: str = "",
    allows_text: bool = True,
) -> Step:
    """Waits for an answer, in the phase that the run is in."""
    number = state.run.questions + 1
    question = Question(number, text, tuple(choices), allows_text, about)
    waiting = state.having(questions=number, question=question, reply=None, wait=Wait.QUESTION)
    return Step(waiting, (Asked(question),), (text,))


def confirming(state: State, asked: ToConfirm) -> Step:
    """Waits for a yes or no; the request gets the next number."""
    number = state.run.confirms + 1
    confirm = replace(asked.confirm, number=number)
    waiting = state.having(confirms=number, confirm=confirm, reply=None, wait=Wait.CONFIRM)
    return Step(waiting, (replace(asked, confirm=confirm),), (confirm.text,))


def ending(state: State, outcome: Outcome, *events: Event) -> Step:
    """Goes to `deliver`, which gives this outcome."""
    return to(state, Phase.DELIVER, *events, ending=outcome)


def completed(code: str, message: str, *, apply_id: str = "") -> Outcome:
    return Outcome(OutcomeKind.COMPLETED, code, message, apply_id=apply_id)


def aborted(code: str, message: str, internal_reason: str = "") -> Outcome:
    return Outcome(OutcomeKind.ABORTED, code, message, internal_reason)


def exhausted(code: str, message: str) -> Outcome:
    return Outcome(OutcomeKind.EXHAUSTED, code, message)


def finished(state: State, outcome: Outcome, *, speak: str = "", by_template: bool = True) -> Step:
    """The end of the run, with words of its own or those of the outcome.

    Raises ValueError where there is an outcome already: it is never overwritten.
    """
    run = state.run
    if run.outcome is not None:
        raise ValueError(f"run {run.id} has ended")
    words = speak or outcome.user_message
    counts = state.plan.counts if state.plan is not None else None
    done = state.having(phase=Phase.DONE, outcome=outcome, ending=None, reply=None, counts=counts)
    ended = Ended(outcome.kind, outcome.code, outcome.user_message, counts, outcome.apply_id)
    return Step(done, (Speak(words, by_template), ended), (words,))


def settled(state: State, outcome: Outcome, *, speak: str, events: Sequence[Event] = ()) -> Step:
    """The end of what was asked first: on to what else was said, or the end of the run."""
    run = state.run
    if not run.rest:
        step = finished(state, outcome, speak=speak)
        return Step(step.state, (*events, *step.events), step.said)
    on = state.having(
        phase=Phase.CHAT, text=run.rest, rest="", reply=None, quick="", note=None, trigger_id=""
    )
    return Step(on, (*events, Speak(speak, by_template=True)), (speak,))


def confirm_of(run: Run) -> Confirm:
    """The confirm request that the run came to. Raises ValueError where there is none."""
    if run.confirm is None:
        raise ValueError(f"run {run.id} asked for no confirmation")
    return run.confirm
