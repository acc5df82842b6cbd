"""Everything that the page of a conversation shows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote, urlencode

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.moments import day as day_words
from services.gateway.wire.calendar import instant
from services.gateway.wire.chat_changes import read_date
from services.gateway.wire.chat_shown import Compose, TurnView
from services.gateway.wire.chat_turns import Run, Segment, Words
from services.gateway.wire.chat_turns import read as read_run
from services.gateway.wire.chat_words import Speaker
from smartmate.agent.v1 import agent_service_pb2, chat_pb2, conversation_pb2

CHAT = "/agent/chat"
Opened = agent_service_pb2.GetConversationResponse
Events = Mapping[str, Sequence[chat_pb2.ChatEvent]]
"""What happened in the runs of a conversation, by run; a run that is missing is told by its words
alone."""


@dataclass(frozen=True, slots=True)
class ChatPage:
    """What the template is given of a conversation."""

    conversation_id: str
    path: str
    title: str
    preview_id: str
    turns: tuple[TurnView, ...]
    compose: Compose
    earlier: str
    """Names the page of older words; empty where there are none."""
    run_id: str
    sequence: int
    """Number of the last event of the latest run that the page shows."""
    is_live: bool
    events: str
    """Where the latest run is followed from, as long as it works."""


def path_of(conversation_id: str) -> str:
    """Where a conversation is."""
    return f"{CHAT}/{quote(conversation_id, safe='')}"


def whole_runs(opened: Opened) -> tuple[str, ...]:
    """The runs of a page of words that begin on it, and the latest one, oldest first."""
    ids = tuple(dict.fromkeys(one.run_id for one in opened.messages))
    is_cut = bool(opened.next_page_token) and ids[0] != opened.conversation.run_id
    return ids[1:] if is_cut else ids


def dates_of(events: Events) -> tuple[date, ...]:
    """The days that are drawn before and after, in order."""
    found = {
        day
        for told in events.values()
        for event in told
        if event.HasField("confirm_request")
        for one in event.confirm_request.diff.days
        if (day := read_date(one.date)) is not None
    }
    return tuple(sorted(found))


def about_of(opened: Opened) -> str:
    """Names what stands open in a conversation; empty: nothing does."""
    run_id = opened.conversation.run_id
    if opened.HasField("question"):
        return f"{run_id}.q{opened.question.number}"
    if opened.HasField("confirm_request"):
        return f"{run_id}.c{opened.confirm_request.number}"
    return ""


def works(opened: Opened) -> bool:
    """Whether the latest run of a conversation works."""
    talk = opened.conversation
    is_done = talk.phase == chat_pb2.RUN_PHASE_DONE
    return not is_done and talk.waits_for == conversation_pb2.RUN_WAIT_UNSPECIFIED


@dataclass(frozen=True, slots=True)
class Builder:
    """Builds the page of a conversation. `is_newest`: these are its newest words."""

    locale: Locale
    speaker: Speaker
    opened: Opened
    events: Events
    draft: str = ""
    is_newest: bool = True

    def page(self) -> ChatPage:
        """The page."""
        talk, is_live = self.opened.conversation, self.is_newest and works(self.opened)
        runs = list(self._runs())
        path, sequence = path_of(talk.conversation_id), self._sequence(runs)
        query = urlencode({"run": talk.run_id, "after": sequence})
        return ChatPage(
            conversation_id=talk.conversation_id,
            path=path,
            title=talk.title,
            preview_id=talk.preview_id,
            turns=tuple(self._turns(runs)),
            compose=self._compose(),
            earlier=self.opened.next_page_token,
            run_id=talk.run_id,
            sequence=sequence,
            is_live=is_live,
            events=f"{path}/events?{query}" if is_live else "",
        )

    def _runs(self) -> Iterator[Run]:
        said: dict[str, list[conversation_pb2.ChatMessage]] = {}
        for one in self.opened.messages:
            said.setdefault(one.run_id, []).append(one)
        for run_id, messages in said.items():
            if run_id in self.events:
                mine = [one.text for one in messages if _is_mine(one)]
                yield read_run(run_id, mine, self.events[run_id])
            else:
                yield _of_words(run_id, messages)

    def _turns(self, runs: Sequence[Run]) -> Iterator[TurnView]:
        """The runs; the first one of each day says which day that is."""
        zone, now = self.speaker.calendar.zone, self.speaker.now
        began = {one.run_id: one.create_time for one in reversed(self.opened.messages)}
        shown: date | None = None
        for run in runs:
            on = instant(began[run.run_id]).astimezone(zone).date()
            today = now.astimezone(zone).date()
            head = day_words(self.locale, on, today=today) if on != shown else ""
            shown = on
            is_latest = run.run_id == self.opened.conversation.run_id
            is_live = is_latest and self.is_newest and works(self.opened)
            yield self.speaker.turn(run, day=head, is_live=is_live)

    def _sequence(self, runs: Sequence[Run]) -> int:
        latest = self.opened.conversation.run_id
        return next((run.sequence for run in runs if run.run_id == latest), 0)

    def _compose(self) -> Compose:
        opened, is_busy = self.opened, works(self.opened)
        needs_choice = opened.HasField("question") and not opened.question.allows_text
        return Compose(
            about=about_of(opened),
            hint=say(self.locale, f"chat.say_{self._hint()}"),
            draft=self.draft,
            can_send=not is_busy and not needs_choice,
            asks_choice=needs_choice,
        )

    def _hint(self) -> str:
        if works(self.opened):
            return "later"
        if self.opened.HasField("question"):
            return "answer" if self.opened.question.allows_text else "choose"
        if not self.opened.HasField("confirm_request"):
            return "on"
        of_changes = self.opened.confirm_request.kind == chat_pb2.CONFIRM_KIND_CHANGES
        return "instead" if of_changes else "about"


def _of_words(run_id: str, messages: Sequence[conversation_pb2.ChatMessage]) -> Run:
    """A run of which only the words are known."""
    run = Run(run_id)
    for one in messages:
        if _is_mine(one) or not run.segments:
            run.segments.append(Segment(len(run.segments) + 1))
        if _is_mine(one):
            run.last.mine = one.text
        else:
            run.last.lead.append(Words(one.text))
    return run


def _is_mine(one: conversation_pb2.ChatMessage) -> bool:
    return one.speaker == conversation_pb2.SPEAKER_PERSON
