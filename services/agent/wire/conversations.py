"""Conversations, their runs, and what a person says, as messages."""

import unicodedata

from libs.rpc.errors import invalid
from services.agent.domain.conversation import (
    LONGEST_ANSWER,
    LONGEST_TEXT,
    Conversation,
    Held,
    Opened,
    Said,
)
from services.agent.domain.happening import Ended
from services.agent.domain.run import Wait
from services.agent.domain.said import Input, Replying, Saying
from services.agent.wire import happening, values
from smartmate.agent.v1 import agent_service_pb2 as pb
from smartmate.agent.v1 import conversation_pb2

_WAITS = {
    Wait.NOTHING: conversation_pb2.RUN_WAIT_UNSPECIFIED,
    Wait.QUESTION: conversation_pb2.RUN_WAIT_QUESTION,
    Wait.CONFIRM: conversation_pb2.RUN_WAIT_CONFIRM,
}


def checked_id(value: str, field: str, prefix: str) -> str:
    """An id of this service: `cnv_…` or `run_…`, 32 characters behind."""
    tail = value.removeprefix(prefix)
    if tail == value or len(tail) != 32 or not (tail.isascii() and tail.isalnum()):
        raise invalid(field, f"must be {prefix} and 32 letters or digits")
    return value


def checked_input(request: pb.ChatRequest) -> Input:
    """What is said. Raises InvalidRequest."""
    conversation = request.conversation_id
    if conversation:
        checked_id(conversation, "conversation_id", "cnv_")
    preview = request.preview_id
    if preview:
        values.checked_id(preview, "preview_id")
    kind = request.WhichOneof("input")
    if kind is None:
        raise invalid("input", "something has to be said")
    if not conversation and kind != "text":
        raise invalid("conversation_id", "only words begin a conversation")
    return Input(conversation, preview, _said(request, kind))


def _said(request: pb.ChatRequest, kind: str) -> Saying | Replying:
    if kind == "text":
        return Saying(_words(request.text, "text", least=1, most=LONGEST_TEXT))
    if kind == "answer":
        answer = request.answer
        number = _number(answer.number, "answer.number")
        run_id = checked_id(answer.run_id, "answer.run_id", "run_")
        if answer.choice_id:
            choice = values.checked_id(answer.choice_id, "answer.choice_id")
            if answer.text:
                raise invalid("answer.text", "must be empty where a choice is named")
            return Replying(Wait.QUESTION, run_id, number, choice=choice)
        text = _words(answer.text, "answer.text", least=1, most=LONGEST_ANSWER)
        return Replying(Wait.QUESTION, run_id, number, words=text)
    reply = request.confirm_reply
    number = _number(reply.number, "confirm_reply.number")
    run_id = checked_id(reply.run_id, "confirm_reply.run_id", "run_")
    words = _words(reply.words, "confirm_reply.words", least=0, most=LONGEST_ANSWER)
    if reply.accepted and words:
        raise invalid("confirm_reply.words", "must be empty where it is accepted")
    return Replying(Wait.CONFIRM, run_id, number, accepted=reply.accepted, words=words)


def _number(value: int, field: str) -> int:
    if value < 1:
        raise invalid(field, "must be greater than 0")
    return value


def _words(value: str, field: str, *, least: int, most: int) -> str:
    """Words with line breaks; other control characters and lone surrogates are left out."""
    kept = "".join(
        one for one in value if one in "\n\t" or unicodedata.category(one) not in ("Cc", "Cs")
    ).strip()
    if not least <= len(kept) <= most:
        raise invalid(field, f"must be {least}..{most} characters")
    return kept


def conversation_message(found: Conversation) -> conversation_pb2.Conversation:
    return conversation_pb2.Conversation(
        conversation_id=found.id,
        title=found.title,
        preview_id=found.preview_id,
        run_id=found.run_id,
        phase=happening.PHASES[found.phase],
        waits_for=_WAITS[found.wait],
        create_time=values.timestamp(found.created_at),
        update_time=values.timestamp(found.updated_at),
    )


def said_message(said: Said) -> conversation_pb2.ChatMessage:
    by = conversation_pb2.SPEAKER_PERSON if said.by_person else conversation_pb2.SPEAKER_ASSISTANT
    return conversation_pb2.ChatMessage(
        message_id=said.id,
        speaker=by,
        text=said.text,
        run_id=said.run_id,
        create_time=values.timestamp(said.at),
    )


def opened_message(opened: Opened) -> pb.GetConversationResponse:
    """A conversation with some of its words and what its run waits for."""
    answer = pb.GetConversationResponse(
        conversation=conversation_message(opened.conversation),
        messages=[said_message(one) for one in opened.said],
        next_page_token="" if opened.before is None else str(opened.before),
        last_sequence=opened.sequence,
    )
    if opened.asked is not None:
        asked = happening.event_message(opened.asked)
        if asked.HasField("question"):
            answer.question.CopyFrom(asked.question)
        if asked.HasField("confirm_request"):
            answer.confirm_request.CopyFrom(asked.confirm_request)
    return answer


def checked_sequence(value: int) -> int:
    if value < 0:
        raise invalid("after_sequence", "must not be negative")
    return value


def run_message(held: Held, model: str) -> conversation_pb2.RunState:
    run = held.run
    message = conversation_pb2.RunState(
        run_id=run.id,
        conversation_id=run.conversation_id,
        version=held.version,
        phase=happening.PHASES[run.phase],
        waits_for=_WAITS[run.wait],
        round=run.round,
        corrections=run.corrections,
        context=[
            conversation_pb2.ContextWeight(name=one.name, tokens=one.tokens) for one in run.weights
        ],
        used_tokens=run.tokens,
        model=model,
        last_sequence=held.sequence,
        create_time=values.timestamp(held.created_at),
        update_time=values.timestamp(held.updated_at),
    )
    if run.counts is not None:
        message.counts.CopyFrom(happening.counts_message(run.counts))
    if run.outcome is not None:
        out = run.outcome
        ended = Ended(out.kind, out.code, out.user_message, run.counts, out.apply_id)
        message.outcome.CopyFrom(happening.ended_message(ended))
    return message


def page_token(last: tuple[int, str] | None) -> str:
    """What the next page begins below; empty on the last page."""
    return "" if last is None else f"{last[0]}.{last[1]}"


def page_before(token: str) -> tuple[int, str]:
    """What a page token stands for. Raises InvalidRequest."""
    if not token:
        return values.MAX_NUMBER // 2, ""
    micros, _, id_ = token.partition(".")
    if not (micros.isascii() and micros.isdecimal() and len(micros) <= 17 and id_):
        raise invalid("page_token", "must be the next_page_token of an earlier answer")
    return int(micros), checked_id(id_, "page_token", "cnv_")
