"""feedback: what did not go as planned is handed to active scheduling, whose preview is shown; the
questions of previews are answered here.

Nothing is decided here: the pipeline looks, proposes, and asks. Spec: agent.md, chat.
"""

import asyncio
from datetime import timedelta

from services.agent.domain import route_answer
from services.agent.domain.happening import PreviewCard
from services.agent.domain.locate import NearBlock
from services.agent.domain.preview import Look, PreviewBrief, PreviewQuestion
from services.agent.domain.route_answer import Offered, Pending, PendingKind
from services.agent.domain.run import Choice, Phase
from services.agent.domain.when import Standpoint
from services.agent.domain.when_telling import moment
from services.agent.graph import standing, words
from services.agent.graph.desk import Desk
from services.agent.graph.step import State, Step, asking, completed, settled, status, to
from services.agent.tools import words as tool_words

BLOCK, PREVIEW = "block", "preview"
_NONE = "none"
_NEAR = timedelta(hours=24)
_MOST_CHOICES = 8
_LOOK_SECONDS = 20.0
_LOOK_AGAIN_SECONDS = 0.3
_FAILED = frozenset({"failed", "rejected"})


def told_off(state: State) -> Step:
    """Into this phase."""
    following = state.having(phase=Phase.FEEDBACK)
    return to(state, Phase.FEEDBACK, status(following.run, "locating", words.LOCATING))


async def shown(state: State, desk: Desk) -> Step:
    """The preview that the words are about; its open question is answered by them where they
    answer it."""
    run = state.run
    scheduler = desk.tools.scheduler
    await scheduler.bind(desk.caller, run.preview_id, run.conversation_id)
    preview = await scheduler.preview(desk.caller, run.preview_id)
    state = state.having(card_due=False)
    question = preview.question
    if question is not None and not question.answered and preview.is_open:
        choice = _choice_in(run.text, question)
        if choice:
            look = await _answered(state, desk, preview.id, choice, "")
            return _waiting(state, look, _card(preview))
    return Step(state, (_card(preview),))


async def feedback(state: State, desk: Desk) -> Step:
    """One step: find the block, hand it over, wait for the look, show what came of it."""
    run = state.run
    if run.trigger_id:
        return await _looked(state, desk)
    if run.reply is None:
        return await _located(state, desk, run.text)
    about = run.question.about if run.question else ""
    if about.startswith(PREVIEW):
        preview_id = about.partition(":")[2]
        look = await _answered(state, desk, preview_id, run.reply.choice, run.reply.words)
        return _waiting(state, look)
    if run.reply.choice.isdecimal():
        return await _handed_over(state, desk, int(run.reply.choice))
    return await _handed_over(state.having(text=run.reply.words or run.text), desk, None)


async def _located(state: State, desk: Desk, text: str) -> Step:
    at = await standing.standpoint(desk)
    blocks = await _near(desk, at)
    if not blocks:
        return settled(state, completed("no_block", ""), speak=words.NO_BLOCKS)
    found = await desk.tools.locating.locate(text, blocks, at)
    if len(found.ids) == 1:
        return await _handed_over(state, desk, found.ids[0])
    fitting = [one for one in blocks if not found.ids or one.id in found.ids]
    choices = [Choice(str(one.id), _block(one, at)) for one in fitting[:_MOST_CHOICES]]
    choices.append(Choice(_NONE, "都不是"))
    return asking(state, words.WHICH_BLOCK, choices, about=BLOCK)


async def _near(desk: Desk, at: Standpoint) -> tuple[NearBlock, ...]:
    """Blocks of the last and the next 24 hours."""
    first, last = at.today - _NEAR, at.today + _NEAR
    found = await desk.tools.schedule.blocks(desk.caller, first, last)
    return tuple(
        one for one in found if one.ends_at > at.now - _NEAR and one.starts_at < at.now + _NEAR
    )


async def _handed_over(state: State, desk: Desk, event_id: int | None) -> Step:
    number = state.run.told + 1
    feedback_id = f"{state.run.id}-f{number}"
    look = await desk.tools.scheduler.feedback(desk.caller, feedback_id, event_id, state.run.text)
    return _waiting(state.having(told=number), look)


async def _answered(state: State, desk: Desk, preview_id: str, choice: str, said: str) -> Look:
    """The look that follows the answer to a preview's question."""
    request_id = f"{state.run.id}-a{state.run.told + 1}"
    return await desk.tools.scheduler.answer(
        desk.caller, request_id, preview_id, choice=choice, words=said
    )


def _waiting(state: State, look: Look, *cards: PreviewCard) -> Step:
    told = state.having(trigger_id=look.trigger_id, told=state.run.told + 1)
    following = told.having(phase=Phase.FEEDBACK)
    event = status(following.run, "looking", words.LOOKING)
    return to(told, Phase.FEEDBACK, *cards, event)


async def _looked(state: State, desk: Desk) -> Step:
    """What the look came to, once it has ended."""
    look = await _ended(desk, state.run.trigger_id)
    state = state.having(trigger_id="")
    if look is None:
        return settled(state, completed("feedback_told", ""), speak=words.LOOK_LATE)
    if not look.preview_id:
        failed = look.reason in _FAILED
        speak = words.LOOK_FAILED if failed else words.LOOK_CLOSED
        return settled(state, completed("feedback_closed", ""), speak=speak)
    preview = await desk.tools.scheduler.preview(desk.caller, look.preview_id)
    card = _card(preview)
    question = preview.question
    if question is None or question.answered:
        outcome = completed("feedback_told", "")
        return settled(state, outcome, speak=words.TOLD, events=(card,))
    choices = [Choice(one.id, one.text.zh) for one in question.choices]
    step = asking(state, question.text.zh, choices, about=f"{PREVIEW}:{preview.id}")
    return step.after(Step(state, (card,)))


async def _ended(desk: Desk, trigger_id: str) -> Look | None:
    """The look, once it has ended; None where that takes long."""
    loop = asyncio.get_running_loop()
    ends_at = loop.time() + _LOOK_SECONDS
    while loop.time() < ends_at:
        look = await desk.tools.scheduler.look(desk.caller, trigger_id)
        if look.ended:
            return look
        await asyncio.sleep(_LOOK_AGAIN_SECONDS)
    return None


def _choice_in(text: str, question: PreviewQuestion) -> str:
    """The choice that words name; empty where they name none."""
    offered = tuple(Offered(one.id, (one.text.zh, one.text.en)) for one in question.choices)
    answer = route_answer.read(text, Pending(PendingKind.CHOICE, offered)) if offered else None
    return answer.choice_id if answer is not None else ""


def _block(block: NearBlock, at: Standpoint) -> str:
    """「概率论作业」11月30日 周一 14:00（第5-6节）."""
    begins = moment(block.starts_at, at).zh
    name = tool_words.cut(block.title, 30)
    return f"「{name}」{begins}（第{tool_words.sections(block.first, block.last)}节）"


def _card(preview: PreviewBrief) -> PreviewCard:
    return PreviewCard(preview.id, preview.title, preview.summary)
