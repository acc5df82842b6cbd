"""The candidates of a suggestion and their steps, in words."""

from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True)
class Choice:
    """One candidate to switch to."""

    candidate_id: str
    place: str
    family: str
    detail: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a proposal that has several."""

    mark: Mark
    word: str
    title: str
    place: str
    was: str


@dataclass(frozen=True, slots=True)
class ChoiceWords:
    """Speaks of the candidates of one suggestion."""

    locale: Locale
    calendar: Calendar
    today: date

    def choice(self, candidate: preview_pb2.Candidate, *, chosen: bool) -> Choice:
        """A line of the list of candidates."""
        times = [self.calendar.time_range(one.to) for one in candidate.changes]
        # What the chosen one may cost stands beside the choices.
        risk = "" if chosen else words(self.locale, candidate.risk)
        parts = (", ".join(one for one in times if one), risk)
        return Choice(
            candidate_id=candidate.candidate_id,
            place=self.places(candidate),
            family=self._family(candidate),
            detail=" · ".join(part for part in parts if part),
            chosen=chosen,
        )

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
        moves = sum(change.type in _MOVES for change in candidate.changes)
        adds = len(candidate.changes) - moves
        if moves and adds:
            return say(self.locale, "button.confirm_reorder", n=adds, m=moves)
        if moves:
            return say(self.locale, "button.confirm_move", m=moves)
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

    def _family(self, candidate: preview_pb2.Candidate) -> str:
        name = preview_pb2.CandidateFamily.Name(candidate.family)
        key = f"family.{name.removeprefix('CANDIDATE_FAMILY_').lower()}"
        return say(self.locale, key) if has(key) else ""
