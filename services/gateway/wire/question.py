"""What a suggestion asks, and what was answered, as the page shows it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.calendar import instant, words
from smartmate.active_scheduler.v1 import preview_pb2, question_pb2

_AGREEING = "yes"


@dataclass(frozen=True, slots=True)
class Offer:
    """One answer that is offered; `detail` is what it would lead to, as far as that is known."""

    choice_id: str
    text: str
    detail: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """What the template is given. Without offers it is answered in words."""

    text: str
    offers: tuple[Offer, ...]
    is_open: bool
    """Whether it waits for an answer."""
    answer: str
    """What was answered; empty = nothing yet."""

    @property
    def is_answered(self) -> bool:
        return bool(self.answer)


def asked_of(
    locale: Locale, preview: preview_pb2.Preview, moment: Callable[[datetime], str]
) -> Asked | None:
    """The question of a suggestion, None where it has none; `moment` words an instant."""
    if not preview.HasField("question"):
        return None
    question = preview.question
    answered = question.HasField("answer_time")
    ready = preview.state == preview_pb2.PREVIEW_STATE_READY
    return Asked(
        text=words(locale, question.text),
        offers=tuple(_offers(locale, question, moment)),
        is_open=ready and not answered,
        answer=_answer(locale, question) if answered else "",
    )


def _offers(
    locale: Locale, question: question_pb2.Question, moment: Callable[[datetime], str]
) -> Iterator[Offer]:
    for one in question.choices:
        detail = ""
        if one.choice_id == _AGREEING and question.HasField("room_from_time"):
            key = "question.room_1" if question.sections == 1 else "question.room"
            detail = say(
                locale, key, time=moment(instant(question.room_from_time)), n=question.sections
            )
        yield Offer(
            choice_id=one.choice_id,
            text=words(locale, one.text),
            detail=detail,
            chosen=bool(question.answered_choice_id)
            and one.choice_id == question.answered_choice_id,
        )


def _answer(locale: Locale, question: question_pb2.Question) -> str:
    """The choice that was made, else the words; never empty for what was answered."""
    made = (one for one in question.choices if one.choice_id == question.answered_choice_id)
    chosen = next((words(locale, one.text) for one in made), "")
    return chosen or question.answer_words or question.answered_choice_id or "…"
