"""What words do to a conversation: they begin a run, or answer what a run waits for.

One transaction. Of two answers the first wins; the later one is led to what came of it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from libs.db.database import Tx
from services.agent.domain import beginning, conversation
from services.agent.domain.conversation import MOST_CONVERSATIONS, Held
from services.agent.domain.errors import (
    AnswerNotOffered,
    ConfirmNotFound,
    ConversationBusy,
    ConversationNotFound,
    QuestionNotFound,
    TooManyConversations,
)
from services.agent.domain.happening import Event, Speak
from services.agent.domain.run import Replied, Reply, Run, Wait
from services.agent.domain.said import Input, Replying, Saying, as_reply
from services.agent.domain.text import Text
from services.agent.graph import words
from services.agent.graph.step import status
from services.agent.store import conversations, runs

Encode = Callable[[Event], bytes]

_ACCEPTED, _REJECTED = "接受", "不接受"


@dataclass(frozen=True, slots=True)
class Begun:
    """What is to be followed: a run, from behind one of its events."""

    conversation_id: str
    run_id: str
    after_sequence: int


@dataclass(frozen=True, slots=True)
class Ids:
    """Ids that may be given."""

    conversation_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class Beginning:
    """Chat's transaction."""

    encode: Encode

    async def say(self, tx: Tx, user_id: int, given: Input, ids: Ids) -> Begun:
        """Raises Absent, ConversationBusy, AnswerNotOffered, TooManyConversations."""
        if not given.conversation_id:
            return await self._first(tx, user_id, given, ids)
        latest = await conversations.lock(tx, user_id, given.conversation_id)
        if latest is None:
            raise ConversationNotFound(given.conversation_id)
        if isinstance(given.said, Replying):
            return await self._replied(tx, user_id, given.conversation_id, given.said)
        held = await _held(tx, user_id, latest)
        if held.run.outcome is not None:
            return await self._next(tx, held.run, given, ids)
        if held.run.wait is Wait.NOTHING:
            raise ConversationBusy(held.run.id)
        reply = as_reply(given.said.text, held.run.wait, held.run.question)
        if reply is None:
            return await self._asked_again(tx, held, given.said.text)
        return await self._answered(tx, held, reply)

    async def _first(self, tx: Tx, user_id: int, given: Input, ids: Ids) -> Begun:
        assert isinstance(given.said, Saying)
        text = given.said.text
        await conversations.lock_user(tx, user_id)
        if await conversations.count(tx, user_id) >= MOST_CONVERSATIONS:
            raise TooManyConversations(MOST_CONVERSATIONS)
        run = beginning.first_run(ids.run_id, ids.conversation_id, user_id, text, given.preview_id)
        await conversations.insert(
            tx,
            user_id,
            ids.conversation_id,
            title=conversation.title_of(text),
            preview_id=given.preview_id,
            run_id=run.id,
        )
        return await self._begun(tx, run)

    async def _next(self, tx: Tx, old: Run, given: Input, ids: Ids) -> Begun:
        assert isinstance(given.said, Saying)
        run = beginning.reset_for_next_run(old, ids.run_id, given.said.text, given.preview_id)
        return await self._begun(tx, run)

    async def _begun(self, tx: Tx, run: Run) -> Begun:
        events = (status(run, "reading", words.READING),)
        await runs.insert(tx, run, sequence=len(events))
        await self._tell(tx, run, events, after=0)
        await _said(tx, run, run.text)
        return Begun(run.conversation_id, run.id, 0)

    async def _replied(self, tx: Tx, user_id: int, conversation_id: str, given: Replying) -> Begun:
        held = await runs.get(tx, user_id, given.run_id)
        if held is None or held.run.conversation_id != conversation_id:
            raise _absent(given)
        earlier = (one for one in held.run.replied if one.wait is given.wait)
        for one in earlier:
            if one.number == given.number:
                return Begun(conversation_id, held.run.id, one.after_sequence)
        if held.run.wait is not given.wait or _number(held.run) != given.number:
            raise _absent(given)
        return await self._answered(tx, held, given.reply)

    async def _answered(self, tx: Tx, held: Held, reply: Reply) -> Begun:
        run = held.run
        _check_offered(run, reply)
        number, after = _number(run), held.sequence
        code, text = _told(run, reply)
        new = replace(
            run,
            reply=reply,
            wait=Wait.NOTHING,
            replied=(*run.replied, Replied(run.wait, number, after)),
        )
        events = (status(new, code, text),)
        saved = await runs.save(tx, new, version=held.version, lease=held.lease, events=len(events))
        if saved is None:
            # The row of the conversation is locked, and nobody drives a run that waits.
            raise ConversationBusy(run.id)
        await self._tell(tx, new, events, after=after)
        if run.wait is Wait.CONFIRM:
            await runs.reply(tx, new, number, reply)
        await _said(tx, new, _words(run, reply))
        return Begun(run.conversation_id, run.id, after)

    async def _asked_again(self, tx: Tx, held: Held, text: str) -> Begun:
        """The same once more, with words: what was said decides nothing."""
        run, after = held.run, held.sequence
        last = await runs.told(tx, run.user_id, run.id, after=after - 1, limit=1)
        said = words.SAY_YES_OR_NO if run.wait is Wait.CONFIRM else words.SAY_WHICH
        contents = [self.encode(Speak(said, by_template=True)), *(one.content for one in last)]
        saved = await runs.save(
            tx, run, version=held.version, lease=held.lease, events=len(contents)
        )
        if saved is None:
            raise ConversationBusy(run.id)
        await runs.tell(tx, run.user_id, run.id, contents, after=after)
        await _said(tx, run, text)
        whose = (run.user_id, run.conversation_id, run.id)
        await conversations.say(tx, *whose, [said], by_person=False)
        return Begun(run.conversation_id, run.id, after)

    async def _tell(self, tx: Tx, run: Run, events: tuple[Event, ...], *, after: int) -> None:
        contents = [self.encode(one) for one in events]
        await runs.tell(tx, run.user_id, run.id, contents, after=after)


async def _held(tx: Tx, user_id: int, run_id: str) -> Held:
    held = await runs.get(tx, user_id, run_id)
    if held is None:
        raise ConversationNotFound(run_id)
    return held


async def _said(tx: Tx, run: Run, text: str) -> None:
    """The person's words in the conversation."""
    whose = (run.user_id, run.conversation_id)
    await conversations.touch(tx, *whose, run_id=run.id, preview_id=run.preview_id)
    await conversations.say(tx, *whose, run.id, [text], by_person=True)


def _number(run: Run) -> int:
    """The number of what is open."""
    if run.wait is Wait.QUESTION and run.question is not None:
        return run.question.number
    return run.confirm.number if run.wait is Wait.CONFIRM and run.confirm is not None else 0


def _absent(given: Replying) -> ConfirmNotFound | QuestionNotFound:
    kind = ConfirmNotFound if given.wait is Wait.CONFIRM else QuestionNotFound
    return kind(f"{given.run_id}-{given.number}")


def _check_offered(run: Run, reply: Reply) -> None:
    question = run.question
    if run.wait is not Wait.QUESTION or question is None:
        return
    offered = reply.choice in {one.id for one in question.choices}
    if not (offered if reply.choice else question.allows_text):
        raise AnswerNotOffered(reply.choice)


def _told(run: Run, reply: Reply) -> tuple[str, Text]:
    if run.wait is Wait.QUESTION:
        return "answered", words.ANSWERED
    return ("accepted", words.ACCEPTED) if reply.accepted else ("rejected", words.REJECTED)


def _words(run: Run, reply: Reply) -> str:
    """What the person said, as the conversation has it."""
    if run.wait is Wait.QUESTION:
        choices = run.question.choices if run.question else ()
        return next((one.text for one in choices if one.id == reply.choice), reply.words)
    if reply.accepted:
        return _ACCEPTED
    return reply.words or _REJECTED
