"""The whole way of one trigger or of one target, for operators."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import day_of_month
from services.gateway.domain.spans import span
from services.gateway.wire import trace_words
from services.gateway.wire.calendar import instant
from services.gateway.wire.trace_list import stamp
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, trigger_pb2
from smartmate.schedule.v1 import change_pb2

_LONG = timedelta(minutes=1)
"""From when a pause between two steps is named."""
_PHASES = (
    ("trigger", frozenset({"job", "trigger", "feedback"})),
    ("preview", frozenset({"preview", "question"})),
    ("notification", frozenset({"notification"})),
    ("apply", frozenset({"apply"})),
)
_AFTERWARDS = frozenset({"trigger.followed"})
"""Steps that are another trigger's."""
_REASONS = {
    **dict.fromkeys(("trigger.pending", "trigger.followed", "feedback.told"), "trace.source"),
    **dict.fromkeys(("apply.applying", "question.answered"), "trace.chosen"),
    "question.asked": "trace.asked_for",
}
"""What the reason of a step is called, where it is not why it came to that."""
_ICONS = {
    "job": "clock",
    "trigger": "chevron",
    "feedback": "flag",
    "preview": "cal",
    "question": "swap",
    "notification": "bell",
    "apply": "check",
}


@dataclass(frozen=True, slots=True)
class Phase:
    """How far a part of the way went; `state` is empty where it was not reached."""

    name: str
    state: str
    tone: str


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happened. `day` is its date where that is another than the last one's,
    `pause` the words for the time before it where that was long."""

    time: str
    at: datetime
    day: str
    pause: str
    title: str
    tone: str
    icon: str
    id: str
    href: str
    """Where its own way is seen; empty = nowhere."""
    reason: str
    reason_is: str
    """What the reason is called."""


@dataclass(frozen=True, slots=True)
class TracePage:
    """What the template is given."""

    by: tuple[str, ...]
    title: str
    lead: str
    facts: tuple[tuple[str, str, str], ...]
    """(what, words, address or nothing)."""
    phases: tuple[Phase, ...]
    steps: tuple[Step, ...]


def build(
    locale: Locale,
    answer: active_scheduler_service_pb2.GetTraceResponse,
    zone: ZoneInfo,
    target: change_pb2.Target | None = None,
) -> TracePage:
    """The page of a trigger's way, or of that of a target."""
    steps, record = answer.steps, answer.trigger
    teller = _Teller(locale, zone, record.trigger_id)
    by = [say(locale, "trace.of_user", n=answer.user_id), say(locale, "trace.zone", zone=zone.key)]
    if target is None:
        by.insert(0, say(locale, "trace.of_trigger", id=record.trigger_id))
        title = trace_words.type_word(locale, record)
    else:
        title = trace_words.target_word(locale, target)
    return TracePage(
        by=tuple(by),
        title=title,
        lead=teller.lead(steps),
        facts=tuple(teller.facts(record)) if target is None else (),
        phases=tuple(teller.phases(steps)) if target is None else (),
        steps=tuple(teller.steps(steps)),
    )


@dataclass(frozen=True, slots=True)
class _Teller:
    locale: Locale
    zone: ZoneInfo
    trigger_id: str
    """Whose way it is; empty = that of a target."""

    def lead(self, steps: Sequence[trigger_pb2.TraceStep]) -> str:
        """How long it took, and how much of that was a person's."""
        own = [one for one in steps if one.name not in _AFTERWARDS]
        if len(own) < 2:
            return ""
        total = _gap(own[0], own[-1])
        waits = (_gap(*two) for two in pairwise(own) if trace_words.is_person(two[1].name))
        waited = sum(waits, timedelta())
        if waited < _LONG:
            return say(self.locale, "trace.took", total=span(self.locale, total))
        return say(
            self.locale,
            "trace.took_waiting",
            total=span(self.locale, total),
            waited=span(self.locale, waited),
        )

    def facts(self, record: trigger_pb2.TriggerRecord) -> Iterator[tuple[str, str, str]]:
        """What is known of a trigger beside its way."""
        yield "", trace_words.target_word(self.locale, record.target), ""
        yield "", trace_words.source_word(self.locale, record), ""
        if record.linked_trigger_id:
            linked = record.linked_trigger_id
            yield self._say("trace.linked"), linked, _way_of(linked)
        if record.preview_id:
            yield self._say("trace.led_to"), record.preview_id, ""
        if record.reason:
            yield self._say("trace.reason"), record.reason, ""
        if record.words:
            yield self._say("trace.words"), record.words, ""
        if record.is_mock_time:
            time = stamp(self.locale, instant(record.mock_now_time), self.zone)
            yield "", self._say("trace.mock", time=time), ""

    def phases(self, steps: Sequence[trigger_pb2.TraceStep]) -> Iterator[Phase]:
        """The end state of each part of the way."""
        for name, kinds in _PHASES:
            own = [
                one
                for one in steps
                if one.name.partition(".")[0] in kinds and one.name not in _AFTERWARDS
            ]
            state = own[-1].name.partition(".")[2] if own else ""
            yield Phase(
                name=self._say(f"trace.phase_{name}"),
                state=trace_words.state_word(self.locale, state) if own else "",
                tone=_phase_tone(own[-1].name) if own else "",
            )

    def steps(self, steps: Sequence[trigger_pb2.TraceStep]) -> Iterator[Step]:
        """The line, in order of time."""
        last: trigger_pb2.TraceStep | None = None
        for one in steps:
            yield self._step(one, last)
            last = one

    def _step(self, one: trigger_pb2.TraceStep, last: trigger_pb2.TraceStep | None) -> Step:
        at = instant(one.step_time).astimezone(self.zone)
        before = instant(last.step_time).astimezone(self.zone) if last else None
        is_new_day = before is None or before.date() != at.date()
        is_other = one.id.startswith("ast_") and one.id != self.trigger_id
        return Step(
            time=f"{at:%H:%M:%S}",
            at=at,
            day=day_of_month(self.locale, at.date()) if is_new_day else "",
            pause=self._pause(last, one) if last else "",
            title=trace_words.step_word(self.locale, one.name),
            tone=trace_words.tone(one.name),
            icon=_ICONS.get(one.name.partition(".")[0], "info"),
            id=one.id,
            href=_way_of(one.id) if is_other else "",
            reason=one.reason,
            reason_is=self._say(_REASONS.get(one.name, "trace.reason")),
        )

    def _pause(self, last: trigger_pb2.TraceStep, one: trigger_pb2.TraceStep) -> str:
        gap = _gap(last, one)
        if gap < _LONG:
            return ""
        key = "trace.waited_person" if trace_words.is_person(one.name) else "trace.waited"
        return self._say(key, time=span(self.locale, gap))

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _gap(one: trigger_pb2.TraceStep, other: trigger_pb2.TraceStep) -> timedelta:
    return instant(other.step_time) - instant(one.step_time)


def _phase_tone(name: str) -> str:
    tone = trace_words.tone(name)
    return "" if tone == "you" else tone


def _way_of(trigger_id: str) -> str:
    return f"/trace/{trigger_id}"
