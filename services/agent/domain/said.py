"""What a person says to the assistant, and what that means for a run that waits."""

from dataclasses import dataclass

from services.agent.domain import route_answer
from services.agent.domain.route_answer import Answer, AnswerKind, Offered, Pending, PendingKind
from services.agent.domain.run import Question, Reply, Wait


@dataclass(frozen=True, slots=True)
class Saying:
    """Words of the person's own."""

    text: str


@dataclass(frozen=True, slots=True)
class Replying:
    """A reply to a question or a confirm request, by its run and number."""

    wait: Wait
    run_id: str
    number: int
    accepted: bool = False
    choice: str = ""
    words: str = ""

    @property
    def reply(self) -> Reply:
        """The reply itself."""
        return Reply(self.accepted, self.choice, self.words)


@dataclass(frozen=True, slots=True)
class Input:
    """What is said, where (empty = a new conversation), and about which preview."""

    conversation_id: str
    preview_id: str
    said: Saying | Replying


def as_reply(text: str, wait: Wait, question: Question | None) -> Reply | None:
    """Words as a reply to what is open; None where they are about it and decide nothing.

    A choice is taken where they name one; a confirm request is accepted by words that say nothing
    but yes, and turned down by all others.
    """
    if wait is Wait.CONFIRM:
        return _to_confirm(text, route_answer.read(text, Pending(PendingKind.CONFIRM)))
    choices = question.choices if question is not None else ()
    if not choices:
        return Reply(words=text)
    offered = tuple(Offered(one.id, (one.text,)) for one in choices)
    answer = route_answer.read(text, Pending(PendingKind.CHOICE, offered))
    if answer is not None and answer.kind is AnswerKind.CHOSEN:
        return Reply(choice=answer.choice_id)
    takes_words = question is not None and question.allows_text
    return Reply(words=text) if takes_words and not _is_unclear(answer) else None


def _to_confirm(text: str, answer: Answer | None) -> Reply | None:
    if answer is None:
        return Reply(words=text)
    if _is_unclear(answer):
        return None
    return Reply(accepted=True) if answer.kind is AnswerKind.YES else Reply(words=answer.words)


def _is_unclear(answer: Answer | None) -> bool:
    return answer is not None and answer.kind is AnswerKind.UNCLEAR
