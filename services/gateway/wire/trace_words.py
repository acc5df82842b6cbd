"""A trigger in words for operators: what it is about, where it came from, where it stands."""

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from smartmate.active_scheduler.v1 import trigger_pb2
from smartmate.schedule.v1 import change_pb2

_WELL = frozenset(
    {
        *("trigger.preview_generated", "preview.applied", "notification.sent", "apply.applied"),
        *("feedback.located",),
    }
)
_BADLY = frozenset(
    {
        *("trigger.failed", "trigger.rejected", "notification.dead", "notification.unknown"),
        *("apply.refused", "apply.failed"),
    }
)
_BY_A_PERSON = frozenset(
    {"apply.applying", "preview.ignored", "question.answered", "feedback.told"}
)


def state_word(locale: Locale, name: str) -> str:
    """`closed` in words; itself where nobody wrote any."""
    key = f"trace.state_{name}"
    return say(locale, key) if has(key) else name


def step_word(locale: Locale, name: str) -> str:
    """`trigger.closed` in words; itself where nobody wrote any."""
    key = f"trace.step_{name.replace('.', '_')}"
    return say(locale, key) if has(key) else name


def tone(name: str) -> str:
    """How a step is drawn: ok, warn, you, or as any other."""
    if name in _BY_A_PERSON:
        return "you"
    if name in _WELL:
        return "ok"
    return "warn" if name in _BADLY else ""


def is_person(name: str) -> bool:
    """Whether a step is something that a person did."""
    return name in _BY_A_PERSON


def type_word(locale: Locale, record: trigger_pb2.TriggerRecord) -> str:
    """Why it fired."""
    name = trigger_pb2.TriggerType.Name(record.type).removeprefix("TRIGGER_TYPE_").lower()
    return _known(locale, f"trace.type_{name}", name)


def source_word(locale: Locale, record: trigger_pb2.TriggerRecord) -> str:
    """Where it came from."""
    name = trigger_pb2.TriggerSource.Name(record.source).removeprefix("TRIGGER_SOURCE_").lower()
    return _known(locale, f"trace.source_{name}", name)


def state_name(record: trigger_pb2.TriggerRecord) -> str:
    """Where it stands, as steps name it."""
    return trigger_pb2.TriggerState.Name(record.state).removeprefix("TRIGGER_STATE_").lower()


def target_word(locale: Locale, target: change_pb2.Target) -> str:
    """任务 1042; that it is about words alone where there is none."""
    if not target.id:
        return say(locale, "trace.no_target")
    name = change_pb2.TargetKind.Name(target.kind).removeprefix("TARGET_KIND_").lower()
    key = f"trace.target_{name}"
    return say(locale, key, n=target.id) if has(key) else f"{name} {target.id}"


def _known(locale: Locale, key: str, name: str) -> str:
    return say(locale, key) if has(key) else name
