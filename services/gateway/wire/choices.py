"""The candidates of a suggestion and their steps, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.domain.places import place, places
from services.gateway.wire.calendar import Calendar, words
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2

_MOVES = frozenset({change_pb2.CHANGE_TYPE_MOVE, change_pb2.CHANGE_TYPE_UNEMBED})
_STEP_WORDS: Mapping[int, tuple[Mark, str]] = {
    change_pb2.CHANGE_TYPE_CREATE_MAKEUP: (Mark.ADD, "mark.makeup"),
    change_pb2.CHANGE_TYPE_MOVE: (Mark.MOVED, "mark.moved"),
    change_pb2.CHANGE_TYPE_UNEMBED: (Mark.MOVED, "mark.moved"),
    change_pb2.CHANGE_TYPE_COMPRESS: (Mark.SQUEEZE, "kind.squeeze"),
    change_pb2.CHANGE_TYPE_REMOVE: (Mark.LEAVING, "mark.removed"),
}


_KIND_MARKS: Mapping[str, Mark] = {
    "local_reorder_makeup": Mark.MOVED,
    "compress_with_next_dynamic_task": Mark.SQUEEZE,
    "drop_unfinished": Mark.LEAVING,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """One candidate to switch to."""

    candidate_id: str
    place: str
    family: str
    detail: str
    chosen: bool
    is_kind: bool = False
    """It is of a kind of its own, so that its place is not all that there is to choose."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a proposal that has several."""

    mark: Mark
    word: str
    title: str
    place: str
    was: str


@dataclass(frozen=True, slots=True)
class Kind:
    """What kind of help a candidate is; `mark` is how what it changes is drawn."""

    mark: Mark
    word: str


@dataclass(frozen=True, slots=True)
class ChoiceWords:
    """Speaks of the candidates of one suggestion."""

    locale: Locale
    calendar: Calendar
    today: date

    def choice(self, candidate: preview_pb2.Candidate, *, chosen: bool) -> Choice:
        """A line of the list of candidates."""
        times = [self.calendar.time_range(one.to) for one in _work(candidate) if one.HasField("to")]
        # What the chosen one may cost stands beside the choices.
        risk = "" if chosen else words(self.locale, candidate.risk)
        parts = (", ".join(one for one in times if one), self._others(candidate), risk)
        kind = self.kind(candidate)
        return Choice(
            candidate_id=candidate.candidate_id,
            place=self._place_of_work(candidate),
            family=kind.word if kind else self._family(candidate),
            detail=" · ".join(part for part in parts if part),
            chosen=chosen,
            is_kind=kind is not None,
        )

    def kind(self, candidate: preview_pb2.Candidate) -> Kind | None:
        """What kind of help it is, where that is more than a place for one thing."""
        name = preview_pb2.CandidateType.Name(candidate.type)
        name = name.removeprefix("CANDIDATE_TYPE_").lower()
        if not has(f"kind_of.{name}"):
            return None
        return Kind(_KIND_MARKS.get(name, Mark.ADD), say(self.locale, f"kind_of.{name}"))

    def places(self, candidate: preview_pb2.Candidate) -> str:
        """Where everything goes."""
        spots = [self.calendar.spot(one.to) for one in candidate.changes if one.HasField("to")]
        known = [spot for spot in spots if spot is not None]
        return places(self.locale, known, today=self.today)

    def place(self, at: calendar_pb2.Place) -> str:
        """One place; empty where nobody knows it."""
        spot = self.calendar.spot(at)
        return place(self.locale, spot, today=self.today) if spot else ""

    def confirm(self, candidate: preview_pb2.Candidate) -> str:
        """What the button does; with {place} where that is all that it does."""
        lengths = {
            change.to.last_section - change.to.first_section + 1
            for change in candidate.changes
            if change.type == change_pb2.CHANGE_TYPE_COMPRESS
        }
        if len(lengths) == 1:
            return say(self.locale, "button.confirm_squeeze", n=lengths.pop())
        if lengths:
            return say(self.locale, "button.confirm_share", place=self._place_of_work(candidate))
        moves = sum(change.type in _MOVES for change in candidate.changes)
        drops = sum(not change.HasField("to") for change in candidate.changes)
        adds = len(candidate.changes) - moves - drops
        if moves and adds:
            return say(self.locale, "button.confirm_reorder", n=adds, m=moves)
        if moves:
            return say(self.locale, "button.confirm_move", m=moves)
        if drops and not adds:
            return say(self.locale, "button.confirm_drop", n=drops)
        if adds > 1:
            return say(self.locale, "button.confirm_parts", n=adds)
        return say(self.locale, "button.confirm", place="{place}")

    def steps(self, candidate: preview_pb2.Candidate, title: str) -> tuple[Step, ...]:
        """What it does one by one; `title` is the name of what has none."""
        return tuple(self._step(candidate, change, title) for change in candidate.changes)

    def _step(
        self, candidate: preview_pb2.Candidate, change: change_pb2.ScheduleChange, title: str
    ) -> Step:
        mark, word = _STEP_WORDS.get(change.type, (Mark.ADD, "mark.add"))
        event = next((e for e in candidate.after_events if e.place == change.to), None)
        return Step(
            mark=mark,
            word=say(self.locale, word),
            title=(event.name if event else "") or title,
            place=self.place(change.to) if change.HasField("to") else "",
            was=self.place(getattr(change, "from")) if change.HasField("from") else "",
        )

    def _place_of_work(self, candidate: preview_pb2.Candidate) -> str:
        """Where what it is about goes; what is shared is one place, what is dropped has none."""
        work = _work(candidate)
        if all(one.type == change_pb2.CHANGE_TYPE_COMPRESS for one in work):
            return self.place(_shared(work))
        spots = [self.calendar.spot(one.to) for one in work if one.HasField("to")]
        if spots:
            return places(self.locale, [one for one in spots if one], today=self.today)
        left = [self.calendar.spot(getattr(one, "from")) for one in work]
        known = places(self.locale, [one for one in left if one], today=self.today)
        return say(self.locale, "choice.takes_off", place=known)

    def _others(self, candidate: preview_pb2.Candidate) -> str:
        """What else gives way."""
        others = len(candidate.changes) - len(_work(candidate))
        return say(self.locale, "choice.moves", n=others) if others else ""

    def _family(self, candidate: preview_pb2.Candidate) -> str:
        name = preview_pb2.CandidateFamily.Name(candidate.family)
        key = f"family.{name.removeprefix('CANDIDATE_FAMILY_').lower()}"
        return say(self.locale, key) if has(key) else ""


def _work(candidate: preview_pb2.Candidate) -> Sequence[change_pb2.ScheduleChange]:
    """The changes that are what the candidate is for: all, where it only moves things."""
    own = [one for one in candidate.changes if one.type not in _MOVES]
    return own or candidate.changes


def _shared(changes: Sequence[change_pb2.ScheduleChange]) -> calendar_pb2.Place:
    """The place that several changes share, from the first section of any to the last."""
    made = calendar_pb2.Place()
    made.CopyFrom(changes[0].to)
    made.first_section = min(one.to.first_section for one in changes)
    made.last_section = max(one.to.last_section for one in changes)
    return made
