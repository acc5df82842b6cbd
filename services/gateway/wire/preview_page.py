"""Everything that the preview page shows, in one value that the template walks through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.domain.places import moment, place, places, weekday
from services.gateway.domain.typography import phrases
from services.gateway.wire.calendar import Calendar, instant, words
from services.gateway.wire.comparison import Comparison, Pair
from services.gateway.wire.notices import Notice, Notices
from smartmate.active_scheduler.v1 import active_scheduler_service_pb2, preview_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2

_STATUS = {
    preview_pb2.PREVIEW_STATE_READY: "ready",
    preview_pb2.PREVIEW_STATE_APPLYING: "applying",
    preview_pb2.PREVIEW_STATE_APPLIED: "applied",
    preview_pb2.PREVIEW_STATE_IGNORED: "ignored",
    preview_pb2.PREVIEW_STATE_SUPERSEDED: "superseded",
    preview_pb2.PREVIEW_STATE_EXPIRED: "expired",
}
_MOVES = frozenset({change_pb2.CHANGE_TYPE_MOVE, change_pb2.CHANGE_TYPE_UNEMBED})


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
class Keep:
    """Until when it can be confirmed."""

    until: str
    minutes: int
    expires_at: datetime
    now: datetime

    @property
    def seconds(self) -> int:
        """What is left, never negative."""
        return max(0, int((self.expires_at - self.now).total_seconds()))


@dataclass(frozen=True, slots=True)
class PreviewPage:
    """What the template of the preview page is given."""

    preview_id: str
    status: str
    version: int
    is_mock_time: bool
    by: str
    title: str
    lead: str
    facts: tuple[str, ...]
    warnings: tuple[str, ...]
    notice: Notice | None
    pairs: tuple[Pair, ...]
    before_note: str
    after_note: str
    choices: tuple[Choice, ...]
    steps: tuple[Step, ...]
    risk: str
    inaction: str
    candidate_id: str
    confirm: str
    """Label of the confirm button; empty where there is nothing to confirm."""
    can_ignore: bool
    keep: Keep | None
    written_at: str

    @property
    def marks(self) -> tuple[Mark, ...]:
        """What the legend has to explain."""
        grids = [grid for pair in self.pairs for grid in (pair.before, pair.after) if grid]
        seen = {mark for grid in grids for mark in grid.marks}
        return tuple(mark for mark in Mark if mark in seen)

    @property
    def title_parts(self) -> tuple[tuple[str, bool], ...]:
        """The title in pieces, with those marked that stay on one line."""
        return phrases(self.title)

    @property
    def is_live(self) -> bool:
        """Whether its state may still change while it is looked at."""
        return self.status in ("ready", "applying")


@dataclass(frozen=True)
class Builder:
    """Builds the page of one answer. `asked` is the candidate in the address, where there is one;
    `written` are the places of the blocks that an applied preview wrote, as they stand."""

    locale: Locale
    answer: active_scheduler_service_pb2.GetPreviewResponse
    asked: str = ""
    told: str = ""
    written: Sequence[calendar_pb2.Place] = ()

    def page(self) -> PreviewPage:
        preview, chosen = self._preview, self._chosen()
        notices = Notices(self.locale, self._calendar, self._now, preview, self.told)
        confirm = self._confirm(chosen)
        comparison = Comparison(self.locale, self._calendar, self._now, preview, chosen)
        before_note, after_note = self._notes()
        return PreviewPage(
            preview_id=preview.preview_id,
            status=_STATUS[preview.state],
            version=preview.version,
            is_mock_time=preview.is_mock_time,
            by=self._by(),
            title=self._title(chosen),
            lead=words(self.locale, chosen.reason) if chosen else "",
            facts=tuple(words(self.locale, fact) for fact in preview.facts),
            warnings=tuple(self._warnings()),
            notice=notices.notice(self._written_words(chosen)),
            pairs=comparison.pairs(),
            before_note=before_note,
            after_note=after_note,
            choices=tuple(self._choice(one, chosen) for one in preview.candidates),
            steps=self._steps(chosen) if chosen and len(chosen.changes) > 1 else (),
            risk=words(self.locale, chosen.risk) if chosen else "",
            inaction=words(self.locale, preview.inaction),
            candidate_id=chosen.candidate_id if chosen else "",
            confirm=confirm,
            can_ignore=preview.state == preview_pb2.PREVIEW_STATE_READY,
            keep=self._keep() if preview.state == preview_pb2.PREVIEW_STATE_READY else None,
            written_at=self._moment(instant(preview.apply_time))
            if preview.HasField("apply_time")
            else "",
        )

    @property
    def _preview(self) -> preview_pb2.Preview:
        return self.answer.preview

    @cached_property
    def _calendar(self) -> Calendar:
        return Calendar(self._preview.semesters)

    @cached_property
    def _now(self) -> datetime:
        return instant(self.answer.now_time)

    def _moment(self, at: datetime) -> str:
        today = self._calendar.today(self._now)
        return moment(self.locale, at, self._calendar.zone, today=today)

    def _chosen(self) -> preview_pb2.Candidate | None:
        """What was written, else what is asked for, else what is proposed.

        None for an applied preview of which nobody can tell what was written.
        """
        offered = self._preview.candidates
        if self._preview.state == preview_pb2.PREVIEW_STATE_APPLIED and len(offered) > 1:
            return next((one for one in offered if self._was_written(one)), None)
        by_id = {one.candidate_id: one for one in offered}
        found = by_id.get(self.asked) or by_id.get(self._preview.selected_candidate_id)
        return found or next(iter(offered), None)

    def _was_written(self, candidate: preview_pb2.Candidate) -> bool:
        wanted = [change.to for change in candidate.changes if change.HasField("to")]
        return bool(wanted) and all(one in self.written for one in wanted)

    def _by(self) -> str:
        calendar, made = self._calendar, instant(self._preview.generate_time)
        found = calendar.week_of(calendar.today(made))
        if found is None:
            return self._moment(made)
        week, day, semester = found
        return say(
            self.locale,
            "preview.week_day_time",
            week=week,
            day=weekday(self.locale, day),
            time=f"{made.astimezone(semester.zone):%H:%M}",
        )

    def _title(self, chosen: preview_pb2.Candidate | None) -> str:
        preview = self._preview
        if chosen and chosen.candidate_id != preview.selected_candidate_id:
            return words(self.locale, chosen.summary)
        return words(self.locale, preview.summary) or preview.target_title

    def _warnings(self) -> list[str]:
        return [
            say(self.locale, f"warning.{code}", n=self._preview.planned_sections)
            for code in self._preview.warnings
            if has(f"warning.{code}")
        ]

    def _notes(self) -> tuple[str, str]:
        status = _STATUS[self._preview.state]
        before, after = {
            "ready": ("before_note", "after_note"),
            "applying": ("before_note", "after_writing_note"),
            "applied": ("before_written_note", "after_written_note"),
        }.get(status, ("before_then_note", "after_not_note"))
        return say(self.locale, f"preview.{before}"), say(self.locale, f"preview.{after}")

    def _choice(
        self, candidate: preview_pb2.Candidate, chosen: preview_pb2.Candidate | None
    ) -> Choice:
        is_chosen = chosen is not None and candidate.candidate_id == chosen.candidate_id
        times = [self._calendar.time_range(one.to) for one in candidate.changes]
        # What the chosen one may cost stands beside the choices.
        risk = "" if is_chosen else words(self.locale, candidate.risk)
        parts = (", ".join(one for one in times if one), risk)
        return Choice(
            candidate_id=candidate.candidate_id,
            place=self._places(candidate),
            family=self._family(candidate),
            detail=" · ".join(part for part in parts if part),
            chosen=is_chosen,
        )

    def _family(self, candidate: preview_pb2.Candidate) -> str:
        name = preview_pb2.CandidateFamily.Name(candidate.family)
        key = f"family.{name.removeprefix('CANDIDATE_FAMILY_').lower()}"
        return say(self.locale, key) if has(key) else ""

    def _places(self, candidate: preview_pb2.Candidate) -> str:
        spots = [self._calendar.spot(one.to) for one in candidate.changes if one.HasField("to")]
        known = [spot for spot in spots if spot is not None]
        return places(self.locale, known, today=self._calendar.today(self._now))

    def _confirm(self, chosen: preview_pb2.Candidate | None) -> str:
        ready = self._preview.state == preview_pb2.PREVIEW_STATE_READY
        if chosen is None or not ready:
            return ""
        lengths = {
            change.to.last_section - change.to.first_section + 1
            for change in chosen.changes
            if change.type == change_pb2.CHANGE_TYPE_COMPRESS
        }
        if len(lengths) == 1:
            return say(self.locale, "button.confirm_squeeze", n=lengths.pop())
        moves = sum(change.type in _MOVES for change in chosen.changes)
        adds = len(chosen.changes) - moves
        if moves and adds:
            return say(self.locale, "button.confirm_reorder", n=adds, m=moves)
        if moves:
            return say(self.locale, "button.confirm_move", m=moves)
        return say(self.locale, "button.confirm", place=self._places(chosen))

    def _steps(self, chosen: preview_pb2.Candidate) -> tuple[Step, ...]:
        return tuple(self._step(chosen, change) for change in chosen.changes)

    def _step(self, chosen: preview_pb2.Candidate, change: change_pb2.ScheduleChange) -> Step:
        mark, word = _step_mark(change)
        event = next((e for e in chosen.after_events if e.place == change.to), None)
        return Step(
            mark=mark,
            word=say(self.locale, word),
            title=(event.name if event else "") or self._preview.target_title,
            place=self._place(change.to) if change.HasField("to") else "",
            was=self._place(getattr(change, "from")) if change.HasField("from") else "",
        )

    def _place(self, at: calendar_pb2.Place) -> str:
        spot = self._calendar.spot(at)
        return place(self.locale, spot, today=self._calendar.today(self._now)) if spot else ""

    def _written_words(self, chosen: preview_pb2.Candidate | None) -> str:
        """Where an applied preview stands; empty where that is not known."""
        spots = [self._calendar.spot(one) for one in self.written]
        known = [spot for spot in spots if spot is not None]
        if known:
            return places(self.locale, known, today=self._calendar.today(self._now))
        only_one = len(self._preview.candidates) == 1
        return self._places(chosen) if chosen and only_one else ""

    def _keep(self) -> Keep:
        expires_at = instant(self._preview.expire_time)
        left = max(0, int((expires_at - self._now).total_seconds()))
        return Keep(self._moment(expires_at), left // 60, expires_at.astimezone(UTC), self._now)


_STEP_WORDS: Mapping[int, tuple[Mark, str]] = {
    change_pb2.CHANGE_TYPE_CREATE_MAKEUP: (Mark.ADD, "mark.makeup"),
    change_pb2.CHANGE_TYPE_MOVE: (Mark.MOVED, "mark.moved"),
    change_pb2.CHANGE_TYPE_UNEMBED: (Mark.MOVED, "mark.moved"),
    change_pb2.CHANGE_TYPE_COMPRESS: (Mark.SQUEEZE, "kind.squeeze"),
    change_pb2.CHANGE_TYPE_REMOVE: (Mark.LEAVING, "mark.removed"),
}


def _step_mark(change: change_pb2.ScheduleChange) -> tuple[Mark, str]:
    return _STEP_WORDS.get(change.type, (Mark.ADD, "mark.add"))
