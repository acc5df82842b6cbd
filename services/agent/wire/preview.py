"""Previews and triggers of active_scheduler, in terms of the domain."""

from services.agent.domain.preview import Look, PreviewBrief, PreviewChoice, PreviewQuestion
from services.agent.domain.text import Text
from smartmate.active_scheduler.v1 import preview_pb2, question_pb2, trigger_pb2
from smartmate.text.v1.localized_text_pb2 import LocalizedText

_OPEN = frozenset({trigger_pb2.TRIGGER_STATE_PENDING, trigger_pb2.TRIGGER_STATE_PROCESSING})


def look(message: trigger_pb2.TriggerRecord) -> Look:
    """A trigger."""
    return Look(
        trigger_id=message.trigger_id,
        ended=message.state not in _OPEN,
        reason=message.reason,
        preview_id=message.preview_id,
    )


def brief(message: preview_pb2.Preview) -> PreviewBrief:
    """A preview."""
    asked = message.question if message.HasField("question") else None
    return PreviewBrief(
        id=message.preview_id,
        title=message.target_title,
        summary=_text(message.summary),
        is_open=message.state == preview_pb2.PREVIEW_STATE_READY,
        question=None if asked is None else _question(asked),
    )


def _question(message: question_pb2.Question) -> PreviewQuestion:
    return PreviewQuestion(
        text=_text(message.text),
        choices=tuple(PreviewChoice(one.choice_id, _text(one.text)) for one in message.choices),
        answered=message.HasField("answer_time"),
    )


def _text(message: LocalizedText) -> Text:
    return Text(message.zh_cn, message.en_us)
