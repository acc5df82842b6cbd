"""Answers to questions: the first one counts, and leads to a new look with it among the facts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from libs.db.database import Tx
from libs.planning.grid import Target, TargetKind
from services.active_scheduler.domain import errors, questions
from services.active_scheduler.domain.preview import FORBIDS, Preview, PreviewState
from services.active_scheduler.domain.questions import NO_ANSWERS, Answers, Question
from services.active_scheduler.domain.trigger import Subject, Trigger, TriggerSource
from services.active_scheduler.handlers import previews, triggers
from services.active_scheduler.handlers.ports import Announce
from services.active_scheduler.handlers.triggers import TriggerRules
from services.active_scheduler.store import previews as preview_store
from services.active_scheduler.store import questions as store


@dataclass(frozen=True, slots=True)
class Answering:
    """An answer as it was given: a choice, or words where there is nothing to choose from."""

    choice_id: str
    words: str
    request_id: str
    payload: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answered:
    """The trigger that follows up the first answer, and the preview as it is now."""

    trigger: Trigger
    preview: Preview
    already: bool


async def answer(
    tx: Tx,
    announce: Announce,
    rules: TriggerRules,
    *,
    user_id: int,
    preview_id: str,
    answering: Answering,
) -> Answered:
    """Keeps the first answer to a question and raises the trigger that follows it up.

    Raises PreviewNotFound, StateForbids, AnswerNotOffered.
    """
    if await preview_store.lock(tx, user_id, preview_id) is None:
        raise errors.PreviewNotFound(preview_id)
    # What stands beside the row is as old as the statement that locked it: it is read again.
    preview = await previews.find(tx, user_id, preview_id)
    question = preview.content.question
    if question is None:
        raise errors.NoQuestion(preview_id)
    if preview.reply is not None:
        first = await triggers.find(tx, user_id, preview.reply.trigger_id)
        return Answered(first, preview, already=True)
    if preview.state is not PreviewState.READY:
        raise FORBIDS[preview.state]
    earlier = await triggers.find(tx, user_id, preview.trigger_id)
    wanted = triggers.following(
        earlier,
        _subject(earlier, preview, question, answering),
        source=TriggerSource.ANSWER,
        request_id=answering.request_id,
        payload=answering.payload,
    )
    await triggers.raise_exempt(tx, announce, rules, wanted)
    await store.answer(
        tx,
        preview_id=preview_id,
        choice_id=answering.choice_id,
        words=answering.words,
        trigger_id=wanted.id,
    )
    answered = await preview_store.touch(tx, preview_id)
    await announce.preview_changed(tx, answered)
    return Answered(await triggers.find(tx, user_id, wanted.id), answered, already=False)


def _subject(
    earlier: Trigger, preview: Preview, question: Question, answering: Answering
) -> Subject:
    target, answers = _with(preview, question, answering)
    words = answering.words or earlier.words
    return replace(earlier.subject, target=target, words=words, answers=answers)


def _with(
    preview: Preview, question: Question, answering: Answering
) -> tuple[Target | None, Answers]:
    """What is looked at after an answer, and all that was answered so far."""
    if not question.choices:
        if not answering.words or answering.choice_id:
            raise errors.AnswerNotOffered(answering.choice_id)
        return None, NO_ANSWERS
    given = questions.answer(question, answering.choice_id, preview.content.answers)
    if given.block_id is not None:
        return Target(TargetKind.SCHEDULE_EVENT, given.block_id), given.answers
    return preview.target, given.answers
