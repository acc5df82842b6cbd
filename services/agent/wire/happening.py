"""What happens in a run, as messages of the stream."""

from collections.abc import Callable, Mapping
from typing import Any

from services.agent.domain import happening
from services.agent.domain.conversation import Told
from services.agent.domain.drawn import Counts
from services.agent.domain.happening import Event
from services.agent.domain.run import ConfirmKind, OutcomeKind, Phase, PlanStep, Question
from services.agent.wire import planning, values
from smartmate.agent.v1 import chat_pb2

PHASES = {
    Phase.CHAT: chat_pb2.RUN_PHASE_CHAT,
    Phase.PLAN: chat_pb2.RUN_PHASE_PLAN,
    Phase.CONFIRM_PLAN: chat_pb2.RUN_PHASE_CONFIRM_PLAN,
    Phase.ROUGH_BUILD: chat_pb2.RUN_PHASE_ROUGH_BUILD,
    Phase.EXECUTE: chat_pb2.RUN_PHASE_EXECUTE,
    Phase.DELIVER: chat_pb2.RUN_PHASE_DELIVER,
    Phase.CONFIRM_WRITE: chat_pb2.RUN_PHASE_CONFIRM_WRITE,
    Phase.QUICK_TASK: chat_pb2.RUN_PHASE_QUICK_TASK,
    Phase.FEEDBACK: chat_pb2.RUN_PHASE_FEEDBACK,
    Phase.DONE: chat_pb2.RUN_PHASE_DONE,
}
OUTCOMES = {
    OutcomeKind.COMPLETED: chat_pb2.OUTCOME_KIND_COMPLETED,
    OutcomeKind.ABORTED: chat_pb2.OUTCOME_KIND_ABORTED,
    OutcomeKind.EXHAUSTED: chat_pb2.OUTCOME_KIND_EXHAUSTED,
}
_CONFIRMS = {
    ConfirmKind.PLAN: chat_pb2.CONFIRM_KIND_PLAN,
    ConfirmKind.CHANGES: chat_pb2.CONFIRM_KIND_CHANGES,
    ConfirmKind.TOOL: chat_pb2.CONFIRM_KIND_TOOL,
}


def encoded(event: Event) -> bytes:
    """The event as it is stored: without the run and the number, which its row has."""
    return _MADE[type(event)](event).SerializeToString()


def event_message(told: Told) -> chat_pb2.ChatEvent:
    """A stored event as it is sent."""
    message = chat_pb2.ChatEvent.FromString(told.content)
    message.run_id = told.run_id
    message.sequence = told.sequence
    message.create_time.CopyFrom(values.timestamp(told.at))
    return message


def counts_message(counts: Counts) -> chat_pb2.RunCounts:
    return chat_pb2.RunCounts(
        pending=counts.pending, suggested=counts.suggested, existing=counts.existing
    )


def _status(event: happening.Status) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(
        status=chat_pb2.Status(
            phase=PHASES[event.phase],
            code=event.code,
            text=values.localized(event.text),
            round=event.round,
        )
    )


def _speak(event: happening.Speak) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(
        speak=chat_pb2.Speak(text=sendable(event.text), by_template=event.by_template)
    )


def _call(event: happening.ToolCall) -> chat_pb2.ToolCall:
    return chat_pb2.ToolCall(
        number=event.number,
        tool=event.tool,
        arguments_json=sendable(event.arguments),
        title=values.localized(event.title),
    )


def _tool_call(event: happening.ToolCall) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(tool_call=_call(event))


def _tool_result(event: happening.ToolResult) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(
        tool_result=chat_pb2.ToolResult(
            number=event.number,
            tool=event.tool,
            ok=event.ok,
            code=event.code,
            text=sendable(event.text),
            changed_count=event.changed,
        )
    )


def _diff(diff: happening.Diff) -> chat_pb2.Diff:
    return chat_pb2.Diff(
        counts=counts_message(diff.counts),
        lines=[
            chat_pb2.DiffLine(
                change=planning.change_message(one.change),
                name=one.name,
                category=one.category,
                from_date=one.from_date.isoformat() if one.from_date else "",
                to_date=one.to_date.isoformat() if one.to_date else "",
            )
            for one in diff.lines
        ],
        days=[
            chat_pb2.DiffDay(
                date=one.on.isoformat(),
                week=one.week,
                day_of_week=one.day_of_week,
                before=[_block(block) for block in one.before],
                after=[_block(block) for block in one.after],
            )
            for one in diff.days
        ],
    )


def _block(block: happening.DiffBlock) -> chat_pb2.DiffBlock:
    return chat_pb2.DiffBlock(
        name=block.name,
        category=block.category,
        first_section=block.first,
        last_section=block.last,
        course=block.course,
        can_be_embedded=block.can_be_embedded,
        embedded=block.embedded,
        change_id=block.change_id,
    )


def _diff_event(event: happening.Diff) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(diff=_diff(event))


def _asked(event: happening.Asked) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(question=question_message(event.question))


def question_message(question: Question) -> chat_pb2.Question:
    return chat_pb2.Question(
        number=question.number,
        text=sendable(question.text),
        choices=[
            chat_pb2.QuestionChoice(choice_id=one.id, text=sendable(one.text))
            for one in question.choices
        ],
        allows_text=question.allows_text,
    )


def _to_confirm(event: happening.ToConfirm) -> chat_pb2.ChatEvent:
    confirm = event.confirm
    request = chat_pb2.ConfirmRequest(
        number=confirm.number,
        kind=_CONFIRMS[confirm.kind],
        text=sendable(confirm.text),
        steps=[_step(one) for one in event.steps],
    )
    if event.diff is not None:
        request.diff.CopyFrom(_diff(event.diff))
    if event.call is not None:
        request.tool_call.CopyFrom(_call(event.call))
    return chat_pb2.ChatEvent(confirm_request=request)


def _step(step: PlanStep) -> chat_pb2.PlanStep:
    return chat_pb2.PlanStep(text=sendable(step.text), done_criterion=sendable(step.done_criterion))


def _card(event: happening.PreviewCard) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(
        preview_card=chat_pb2.PreviewCard(
            preview_id=event.preview_id,
            title=event.title,
            summary=values.localized(event.summary),
        )
    )


def _ended(event: happening.Ended) -> chat_pb2.ChatEvent:
    return chat_pb2.ChatEvent(outcome=ended_message(event))


def ended_message(event: happening.Ended) -> chat_pb2.Outcome:
    outcome = chat_pb2.Outcome(
        kind=OUTCOMES[event.kind],
        code=sendable(event.code),
        user_message=sendable(event.user_message),
        apply_id=event.apply_id,
    )
    if event.counts is not None:
        outcome.counts.CopyFrom(counts_message(event.counts))
    return outcome


def sendable(text: str) -> str:
    """Words of a model as a message can hold them: no lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")


_MADE: Mapping[type, Callable[[Any], chat_pb2.ChatEvent]] = {
    happening.Status: _status,
    happening.Speak: _speak,
    happening.ToolCall: _tool_call,
    happening.ToolResult: _tool_result,
    happening.Diff: _diff_event,
    happening.Asked: _asked,
    happening.ToConfirm: _to_confirm,
    happening.PreviewCard: _card,
    happening.Ended: _ended,
}
