"""The page that waits for what a look finds, and says plainly where it found nothing to do."""

from dataclasses import dataclass

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from smartmate.active_scheduler.v1 import trigger_pb2

LOOKS = "/active-schedule/looks"
"""Where a look is waited for."""

_ENDED_WELL = frozenset({"makeup_scheduled", "target_completed", "already_scheduled"})
_ENDED_BADLY = frozenset({trigger_pb2.TRIGGER_STATE_FAILED, trigger_pb2.TRIGGER_STATE_REJECTED})


@dataclass(frozen=True, slots=True)
class LookPage:
    """What the template is given; `words` are the person's own, `icon` names a symbol."""

    trigger_id: str
    is_open: bool
    """Whether it is still being looked at."""
    icon: str
    tone: str
    title: str
    more: str
    words: str
    leads_to_list: bool
    """Whether what there is to see stands in the list of suggestions."""


def build(locale: Locale, record: trigger_pb2.TriggerRecord) -> LookPage:
    """The page of a look that has led to no suggestion, or not yet."""
    key = _key(record)
    return LookPage(
        trigger_id=record.trigger_id,
        is_open=not record.HasField("finish_time"),
        icon=_icon(record),
        tone="warn" if record.state in _ENDED_BADLY else "",
        title=say(locale, key),
        more=say(locale, f"{key}_more"),
        words=record.words,
        leads_to_list=record.reason == "superseded" or not record.HasField("finish_time"),
    )


def outcome(locale: Locale, record: trigger_pb2.TriggerRecord) -> str:
    """What a look that ended without a suggestion is told as, in one line."""
    return say(locale, _key(record))


def _key(record: trigger_pb2.TriggerRecord) -> str:
    """The key of the words: those of the reason, else those of the state."""
    if not record.HasField("finish_time"):
        return "look.title"
    if record.reason and has(f"look.{record.reason}"):
        return f"look.{record.reason}"
    state = trigger_pb2.TriggerState.Name(record.state).removeprefix("TRIGGER_STATE_").lower()
    return f"look.{state}" if has(f"look.{state}") else "look.closed"


def _icon(record: trigger_pb2.TriggerRecord) -> str:
    if not record.HasField("finish_time"):
        return "spin"
    if record.state in _ENDED_BADLY:
        return "warn"
    return "check" if record.reason in _ENDED_WELL else "info"
