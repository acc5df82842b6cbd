"""The list of triggers, for operators."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month
from services.gateway.wire import trace_words
from services.gateway.wire.calendar import instant
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, trigger_pb2

STATES = tuple(
    trigger_pb2.TriggerState.Name(number).removeprefix("TRIGGER_STATE_").lower()
    for number in trigger_pb2.TriggerState.values()
    if number != trigger_pb2.TRIGGER_STATE_UNSPECIFIED
)
"""In the order of their life."""


@dataclass(frozen=True, slots=True)
class Line:
    """One trigger."""

    trigger_id: str
    title: str
    state: str
    tone: str
    facts: tuple[str, ...]
    words: str
    """What the person said; data."""
    made: str


def states(locale: Locale) -> tuple[tuple[str, str], ...]:
    """(name, words) to filter by."""
    any_state = ("", say(locale, "trace.state_any"))
    return (any_state, *((name, trace_words.state_word(locale, name)) for name in STATES))


def build(
    locale: Locale, answer: active_scheduler_service_pb2.ListTriggersResponse, zone: ZoneInfo
) -> tuple[Line, ...]:
    """The lines, newest first."""
    return tuple(_line(locale, one, zone) for one in answer.triggers)


def stamp(locale: Locale, at: datetime, zone: ZoneInfo) -> str:
    """11月30日 18:32:07, by the wall clock of a zone."""
    local = at.astimezone(zone)
    return f"{day_of_month(locale, local.date())} {local:%H:%M:%S}"


def _line(locale: Locale, one: trigger_pb2.TriggerListing, zone: ZoneInfo) -> Line:
    record = one.trigger
    name = trace_words.state_name(record)
    facts = [
        say(locale, "trace.of_user", n=one.user_id),
        trace_words.target_word(locale, record.target),
        trace_words.source_word(locale, record),
    ]
    if one.priority:
        facts.append(say(locale, "trace.priority", n=one.priority))
    if record.reason:
        facts.append(record.reason)
    if record.is_mock_time:
        time = stamp(locale, instant(record.mock_now_time), zone)
        facts.append(say(locale, "trace.mock", time=time))
    return Line(
        trigger_id=record.trigger_id,
        title=trace_words.type_word(locale, record),
        state=trace_words.state_word(locale, name),
        tone=trace_words.tone(f"trigger.{name}"),
        facts=tuple(facts),
        words=record.words,
        made=stamp(locale, instant(record.create_time), zone),
    )
