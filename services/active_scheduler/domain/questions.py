"""Questions to the person, and what an answer adds to the facts of the next look.

A question is asked only where an answer to it opens a way. Whoever answers is looked at again by
a linked trigger; a declined question is never asked again along that line.
Spec: active-scheduling.md, Observation and decision.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from services.active_scheduler.domain.errors import AnswerNotOffered
from services.active_scheduler.domain.text import Text


class QuestionKind(StrEnum):
    """What is asked."""

    WHICH_BLOCK = "which_block"
    """Which block was meant; its choices are blocks."""
    DELAY_END = "ask_delay_end"
    """May it end after the deadline, or after the class's last day."""
    OTHER_DAY = "ask_other_day"
    """May it wait until after the next 24 hours."""
    SHORTEN = "ask_shorten"
    """May it be shorter than planned."""
    SPLIT = "ask_split"
    """May it be done in two parts."""


YES = "yes"
NO = "no"
_BLOCK = "block:"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer that is offered, by a stable id; `block_id` is the block that it names."""

    id: str
    text: Text
    block_id: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its answers. `room_from` is when there is room if the answer is yes,
    `sections` how long it would be then. Without choices it is answered in words alone."""

    kind: QuestionKind
    text: Text
    choices: tuple[Choice, ...]
    room_from: datetime | None = None
    sections: int | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """All that was answered along a line of linked triggers; agreed `sections` are 1..4."""

    may_end_later: bool = False
    other_day: bool = False
    sections: int | None = None
    split: bool = False
    declined: tuple[QuestionKind, ...] = ()

    def allow(self, kind: QuestionKind) -> bool:
        """Whether a question may still be asked: it was neither agreed to nor declined."""
        return kind not in self.declined and not self._agreed_to(kind)

    def _agreed_to(self, kind: QuestionKind) -> bool:
        if kind is QuestionKind.DELAY_END:
            return self.may_end_later
        if kind is QuestionKind.OTHER_DAY:
            # An end after the deadline lets it wait as well.
            return self.other_day or self.may_end_later
        return kind is QuestionKind.SPLIT and self.split

    def agreeing(self, kind: QuestionKind, *, sections: int | None = None) -> "Answers":
        """With a yes to a question."""
        if kind is QuestionKind.DELAY_END:
            return replace(self, may_end_later=True)
        if kind is QuestionKind.OTHER_DAY:
            return replace(self, other_day=True)
        if kind is QuestionKind.SHORTEN:
            return replace(self, sections=sections)
        if kind is QuestionKind.SPLIT:
            return replace(self, split=True)
        return self

    def declining(self, kind: QuestionKind) -> "Answers":
        """With a no to a question."""
        return replace(self, declined=tuple(sorted({*self.declined, kind})))


NO_ANSWERS = Answers()


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer leads to: the answers so far, and the block where one was named."""

    answers: Answers
    block_id: int | None = None


def yes_or_no(yes: Text, no: Text) -> tuple[Choice, ...]:
    """The two answers to a question that is agreed to or declined."""
    return Choice(YES, yes), Choice(NO, no)


def choice_of_block(block_id: int, text: Text) -> Choice:
    """A block as an answer."""
    return Choice(f"{_BLOCK}{block_id}", text, block_id)


def answer(question: Question, choice_id: str, answers: Answers = NO_ANSWERS) -> Answered:
    """The answers with one more. Raises AnswerNotOffered."""
    chosen = next((one for one in question.choices if one.id == choice_id), None)
    if chosen is None:
        raise AnswerNotOffered(choice_id)
    if chosen.block_id is not None:
        # What was answered about another block does not hold for this one.
        return Answered(NO_ANSWERS, chosen.block_id)
    if chosen.id == NO:
        return Answered(answers.declining(question.kind))
    return Answered(answers.agreeing(question.kind, sections=question.sections))
