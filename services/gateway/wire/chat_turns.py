"""A run as it is read: what the person said, and what came of it, in the order of its events.

The words of the person and the events of the run are told by the agent apart from each other; an
event says where words were taken in. Everything in here is data, never markup.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from services.gateway.wire.calendar import instant
from smartmate.agent.v1 import chat_pb2
from smartmate.text.v1 import localized_text_pb2

TAKEN_IN = frozenset({"reading", "answered", "accepted", "rejected"})
"""Codes of the events with which words of the person are taken in."""
_ON_THE_WAY = frozenset(
    {
        *("planning", "building", "built", "round", "deciding", "delivering"),
        *("locating", "looking", "writing", "waiting_for_schedule"),
    }
)
"""Codes that say where the run is; others are worth a line of their own."""

OPEN, ACCEPTED, REJECTED = "open", "accepted", "rejected"


@dataclass(frozen=True, slots=True)
class Words:
    """Something that the assistant said."""

    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """Something small that is to be known."""

    text: localized_text_pb2.LocalizedText
    code: str


@dataclass(frozen=True, slots=True)
class Card:
    """A suggestion to look at."""

    preview_id: str
    title: str
    summary: localized_text_pb2.LocalizedText


@dataclass(slots=True)
class Call:
    """A call of a tool; `result` is None until it has answered."""

    call: chat_pb2.ToolCall
    result: chat_pb2.ToolResult | None = None


Item = Words | Remark | Card


@dataclass(slots=True)
class Segment:
    """From words of the person to where the run waits, or ends.

    `lead` comes before the first call of a tool, `steps` are the calls with what was said between
    them, `tail` is what came after the last one.
    """

    number: int
    mine: str = ""
    lead: list[Item] = field(default_factory=list)
    steps: list[Call | Words] = field(default_factory=list)
    tail: list[Item] = field(default_factory=list)
    diff: chat_pb2.Diff | None = None
    question: chat_pb2.Question | None = None
    confirm: chat_pb2.ConfirmRequest | None = None
    reply: str = OPEN
    """What became of the question or the confirm request."""
    outcome: chat_pb2.Outcome | None = None
    status: chat_pb2.Status | None = None
    """Where the run is, as long as it works."""
    stepped: list[datetime] = field(default_factory=list)
    """When the first call was made, and when the last one was answered."""

    @property
    def spoken(self) -> str:
        """The newest words of the assistant."""
        said = [one.text for one in (*self.lead, *self.tail) if isinstance(one, Words)]
        return said[-1] if said else ""

    @property
    def is_open(self) -> bool:
        """Whether it waits for the person."""
        return self.reply == OPEN and (self.question is not None or self.confirm is not None)

    @property
    def works(self) -> bool:
        """Whether more is to come without the person."""
        return self.outcome is None and self.question is None and self.confirm is None


@dataclass(slots=True)
class Run:
    """One run: its segments in order, and the number of the last event that was taken in."""

    run_id: str
    mine: list[str] = field(default_factory=list)
    """What the person said in it and no event has taken in yet."""
    segments: list[Segment] = field(default_factory=list)
    sequence: int = 0

    def take(self, event: chat_pb2.ChatEvent) -> None:
        """Takes in the next event; of a kind that is not known its number alone."""
        self.sequence = event.sequence
        kind = event.WhichOneof("content")
        if kind == "status" and event.status.code in TAKEN_IN:
            self._taken_in(event.status)
        elif kind is not None:
            getattr(self, f"_{kind}", _ignore)(getattr(event, kind), instant(event.create_time))

    @property
    def last(self) -> Segment:
        """The newest segment."""
        if not self.segments:
            self.segments.append(Segment(1, self._next_words()))
        return self.segments[-1]

    def _next_words(self) -> str:
        return self.mine.pop(0) if self.mine else ""

    def _taken_in(self, status: chat_pb2.Status) -> None:
        if self.segments:
            self.last.reply = REJECTED if status.code == "rejected" else ACCEPTED
        self.segments.append(Segment(len(self.segments) + 1, self._next_words(), status=status))

    def _status(self, status: chat_pb2.Status, _: datetime) -> None:
        self.last.status = status
        if status.code not in _ON_THE_WAY:
            self._add(Remark(status.text, status.code))

    def _speak(self, speak: chat_pb2.Speak, _: datetime) -> None:
        self._add(Words(speak.text))

    def _preview_card(self, card: chat_pb2.PreviewCard, _: datetime) -> None:
        self._add(Card(card.preview_id, card.title, card.summary))

    def _add(self, item: Item) -> None:
        segment = self.last
        (segment.tail if segment.steps else segment.lead).append(item)

    def _tool_call(self, call: chat_pb2.ToolCall, at: datetime) -> None:
        """What was said since the call before was said on the way."""
        segment = self.last
        segment.steps += [one for one in segment.tail if isinstance(one, Words)]
        segment.lead += [one for one in segment.tail if not isinstance(one, Words)]
        segment.tail.clear()
        segment.steps.append(Call(call))
        segment.stepped = [segment.stepped[0] if segment.stepped else at, at]

    def _tool_result(self, result: chat_pb2.ToolResult, at: datetime) -> None:
        segment = self.last
        calls = [one for one in segment.steps if isinstance(one, Call)]
        for one in reversed(calls):
            if one.call.number == result.number:
                one.result = result
                segment.stepped = [segment.stepped[0], at]
                return

    def _diff(self, diff: chat_pb2.Diff, _: datetime) -> None:
        self.last.diff = diff

    def _question(self, question: chat_pb2.Question, _: datetime) -> None:
        self.last.question = question

    def _confirm_request(self, confirm: chat_pb2.ConfirmRequest, _: datetime) -> None:
        self.last.confirm = confirm

    def _outcome(self, outcome: chat_pb2.Outcome, _: datetime) -> None:
        self.last.outcome = outcome


def read(run_id: str, mine: Sequence[str], events: Sequence[chat_pb2.ChatEvent]) -> Run:
    """A run of some words of the person and the events that are known.

    Of words that are not all known the newest ones are.
    """
    taken = sum(event.HasField("status") and event.status.code in TAKEN_IN for event in events)
    unknown = max(0, taken - len(mine))
    run = Run(run_id, [*([""] * unknown), *mine])
    for event in events:
        run.take(event)
    return run


def _ignore(*_: object) -> None:
    """A kind of event that is not known yet."""
