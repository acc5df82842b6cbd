"""Builds everything that the preview page shows."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import cached_property

from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.domain.places import moment, weekday
from services.gateway.wire import edits, standing
from services.gateway.wire.calendar import Calendar, instant, words
from services.gateway.wire.choices import Choice, ChoiceWords
from services.gateway.wire.chosen import chosen, written
from services.gateway.wire.comparison import Comparison, Pair
from services.gateway.wire.notices import Notices
from services.gateway.wire.preview_shown import Keep, PreviewPage
from services.gateway.wire.question import asked_of
from services.gateway.wire.room import Move, Room
from smartmate.active_scheduler.v1 import (
    active_scheduler_service_pb2,
    edit_pb2,
    preview_pb2,
    trigger_pb2,
)
from smartmate.schedule.v1 import calendar_pb2, change_pb2
from smartmate.text.v1 import localized_text_pb2

_STATUS = {
    preview_pb2.PREVIEW_STATE_READY: "ready",
    preview_pb2.PREVIEW_STATE_APPLYING: "applying",
    preview_pb2.PREVIEW_STATE_APPLIED: "applied",
    preview_pb2.PREVIEW_STATE_IGNORED: "ignored",
    preview_pb2.PREVIEW_STATE_SUPERSEDED: "superseded",
    preview_pb2.PREVIEW_STATE_EXPIRED: "expired",
}
_GUESSED = frozenset({"estimate_assumed", "estimate_clamped"})
_RENEWABLE = frozenset({"ready", "expired", "ignored"})


@dataclass(frozen=True)
class Builder:
    """Builds the page of one answer.

    `asked` is the candidate in the address, `edits` the places in it; `room` is where the movable
    change may go, None where nobody could tell; `newer` is the open suggestion about the same;
    `look` is what follows up the answer to its question.
    """

    locale: Locale
    answer: active_scheduler_service_pb2.GetPreviewResponse
    asked: str = ""
    told: str = ""
    edits: Mapping[str, calendar_pb2.Place] = field(default_factory=dict)
    room: active_scheduler_service_pb2.CheckEditsResponse | None = None
    newer: str = ""
    look: trigger_pb2.TriggerRecord | None = None

    def page(self) -> PreviewPage:
        preview, candidate = self._preview, self._chosen
        names = {one.event_id: one.name for one in (*preview.before_events, *self._now_events)}
        notices = Notices(
            self.locale,
            self._calendar,
            self._now,
            preview,
            self.told,
            self.newer,
            names,
            self._stale,
            self._words.places(candidate) if candidate else "",
            asked_of(self.locale, preview, self._moment),
            self.look,
        )
        before_note, after_note = self._notes()
        return PreviewPage(
            preview_id=preview.preview_id,
            status=self._status,
            version=preview.version,
            is_mock_time=preview.is_mock_time,
            by=self._by(),
            kind=self._words.kind(candidate) if candidate else None,
            said=preview.words,
            title=self._title(),
            lead=words(self.locale, candidate.reason) if candidate else "",
            facts=tuple(words(self.locale, fact) for fact in preview.facts),
            warnings=tuple(self._warnings(set(preview.warnings) - self._told_beside)),
            notice=notices.notice(self._written_words()),
            question=notices.question,
            look=self._look,
            pairs=self._pairs(),
            before_note=before_note,
            after_note=after_note,
            choices=tuple(self._choice(one) for one in preview.candidates),
            steps=self._words.steps(candidate, preview.target_title)
            if candidate and len(candidate.changes) > 1
            else (),
            risk=words(self.locale, candidate.risk) if candidate else "",
            kept=self._phrases(candidate.preferences_met if candidate else ()),
            broken=self._phrases(candidate.preferences_unmet if candidate else ()),
            inaction=words(self.locale, preview.inaction),
            candidate_id=candidate.candidate_id if candidate else "",
            confirm=self._confirm(),
            can_confirm=self._stale is None,
            can_ignore=self._is_open,
            keep=self._keep() if self._is_open else None,
            written_at=self._written_at(),
            is_undone=preview.HasField("undo_time"),
            move=self._move,
            estimate=self._estimate,
            guess=" ".join(self._warnings(_GUESSED)) if self._estimate else "",
        )

    @property
    def _preview(self) -> preview_pb2.Preview:
        return self.answer.preview

    @property
    def _status(self) -> str:
        return _STATUS[self._preview.state]

    @property
    def _is_ready(self) -> bool:
        return self._preview.state == preview_pb2.PREVIEW_STATE_READY

    @property
    def _is_open(self) -> bool:
        """Whether anything waits for the person: what only tells is read, and that is all."""
        only_tells = self._preview.action == preview_pb2.DECISION_ACTION_NOTIFY_ONLY
        return self._is_ready and not only_tells and not self._is_answered

    @property
    def _is_answered(self) -> bool:
        return self._preview.question.HasField("answer_time")

    @property
    def _look(self) -> str:
        """Id of the look that the page waits for; whoever sees a link to it need not wait."""
        look = self.look
        if look is None or look.HasField("finish_time") or not self._is_ready:
            return ""
        return look.trigger_id

    @property
    def _now_events(self) -> tuple[standing.Event, ...]:
        return tuple(self.room.events) if self.room else ()

    @cached_property
    def _calendar(self) -> Calendar:
        known = {one.semester_id: one for one in (self.room.semesters if self.room else ())}
        known |= {one.semester_id: one for one in self._preview.semesters}
        return Calendar(known.values())

    @cached_property
    def _now(self) -> datetime:
        return instant(self.answer.now_time)

    @property
    def _today(self) -> date:
        return self._calendar.today(self._now)

    @property
    def _words(self) -> ChoiceWords:
        return ChoiceWords(self.locale, self._calendar, self._today)

    def _moment(self, at: datetime) -> str:
        return moment(self.locale, at, self._calendar.zone, today=self._today)

    @cached_property
    def _offered(self) -> preview_pb2.Candidate | None:
        """The candidate that the page is about, as it was proposed."""
        return chosen(self._preview, self.asked)

    @cached_property
    def _places(self) -> Mapping[str, calendar_pb2.Place]:
        """Where its changes were put instead of where they were proposed."""
        if self._preview.state == preview_pb2.PREVIEW_STATE_APPLIED:
            return written(self._preview)
        change = self._movable
        wanted = self.edits.get(change.change_id) if change else None
        if change is None or wanted is None or self.room is None:
            return {}
        length = change.to.last_section - change.to.first_section
        fits = wanted.last_section - wanted.first_section == length
        legal = Room(self.locale, self.room).is_legal(wanted)
        return {change.change_id: wanted} if fits and legal else {}

    @cached_property
    def _chosen(self) -> preview_pb2.Candidate | None:
        """The candidate with its changes where the person put them."""
        return edits.edited(self._offered, self._places) if self._offered else None

    @property
    def _movable(self) -> change_pb2.ScheduleChange | None:
        return edits.movable(self._offered) if self._offered and self._is_ready else None

    @property
    def _is_edited(self) -> bool:
        return self._chosen != self._offered

    def _pairs(self) -> tuple[Pair, ...]:
        preview, move, candidate = self._preview, self._move, self._chosen
        days = frozenset(edits.day_word(place) for place in self._places.values())
        if self.room is not None and candidate is not None:
            days |= standing.touched_days(preview) | standing.near_days(self.room)
            preview = standing.as_it_stands(preview, self.room, days)
            now = {one.candidate_id: one for one in preview.candidates}
            candidate = edits.edited(now[candidate.candidate_id], self._places)
        handle = (move.change_id, move.at, move.home) if move and not move.blocked else None
        return Comparison(
            self.locale,
            self._calendar,
            self._now,
            preview,
            candidate,
            days=days,
            handle=handle,
            is_fresh=self.room is not None,
        ).pairs()

    @cached_property
    def _move(self) -> Move | None:
        change = self._movable
        if change is None or self.room is None or self._chosen is None:
            return None
        at = self._places.get(change.change_id, change.to)
        room, label = Room(self.locale, self.room), self._words.confirm(self._chosen)
        return Move(
            change_id=change.change_id,
            at=edits.word_of(change.change_id, at),
            home=edits.word_of(change.change_id, change.to),
            place=self._words.place(at),
            label=label if "{place}" in label else "",
            options=room.options(change.change_id, at),
            blocked=room.blocked,
            said=room.said,
        )

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

    def _title(self) -> str:
        preview, offered = self._preview, self._offered
        if offered and offered.candidate_id != preview.selected_candidate_id:
            return words(self.locale, offered.summary)
        return words(self.locale, preview.summary) or preview.target_title

    def _warnings(self, wanted: Collection[str]) -> list[str]:
        return [
            say(self.locale, f"warning.{code}", n=self._preview.planned_sections)
            for code in self._preview.warnings
            if code in wanted and has(f"warning.{code}")
        ]

    @property
    def _told_beside(self) -> frozenset[str]:
        """Warnings that stand with what can be done about them."""
        return _GUESSED if self._estimate else frozenset()

    @property
    def _estimate(self) -> int:
        guessed = not _GUESSED.isdisjoint(self._preview.warnings)
        of_pool = self._preview.target.kind == change_pb2.TARGET_KIND_TASK_POOL
        if guessed and of_pool and self._status in _RENEWABLE:
            return self._preview.planned_sections
        return 0

    def _phrases(self, texts: Iterable[localized_text_pb2.LocalizedText]) -> tuple[str, ...]:
        return tuple(words(self.locale, one) for one in texts)

    def _written_at(self) -> str:
        """When it was written, or when that was taken back; empty where it never was."""
        preview = self._preview
        if preview.HasField("undo_time"):
            return self._moment(instant(preview.undo_time))
        return self._moment(instant(preview.apply_time)) if preview.HasField("apply_time") else ""

    def _notes(self) -> tuple[str, str]:
        if self._preview.HasField("undo_time"):
            before, after = "before_written_note", "after_undone_note"
            return say(self.locale, f"preview.{before}"), say(self.locale, f"preview.{after}")
        before, after = {
            "ready": ("before_note", "after_note"),
            "applying": ("before_note", "after_writing_note"),
            "applied": ("before_written_note", "after_written_note"),
        }.get(self._status, ("before_then_note", "after_not_note"))
        return say(self.locale, f"preview.{before}"), say(self.locale, f"preview.{after}")

    def _choice(self, candidate: preview_pb2.Candidate) -> Choice:
        offered = self._offered
        is_offered = offered is not None and candidate.candidate_id == offered.candidate_id
        return self._words.choice(candidate, chosen=is_offered and not self._is_edited)

    @cached_property
    def _stale(self) -> edit_pb2.ShutReason | None:
        """Why the candidate would be refused as things stand; None where nothing is known."""
        change = edits.movable(self._chosen) if self._chosen and self._is_ready else None
        if change is None or self.room is None:
            return None
        return Room(self.locale, self.room).why_not(change.to)

    def _confirm(self) -> str:
        is_blocked = self.room is not None and self.room.HasField("blocked")
        if self._chosen is None or not self._is_ready or is_blocked:
            return ""
        places = self._words.places(self._chosen)
        return self._words.confirm(self._chosen).replace("{place}", places)

    def _written_words(self) -> str:
        """Where an applied preview stands; empty where that is not known."""
        known = [self._words.place(place) for place in written(self._preview).values()]
        if known:
            return ("; " if self.locale is Locale.EN else "、").join(filter(None, known))
        only_one = len(self._preview.candidates) == 1
        return self._words.places(self._chosen) if self._chosen and only_one else ""

    def _keep(self) -> Keep:
        expires_at = instant(self._preview.expire_time)
        left = max(0, int((expires_at - self._now).total_seconds()))
        life = int((expires_at - instant(self._preview.generate_time)).total_seconds())
        return Keep(
            self._moment(expires_at),
            left // 60,
            expires_at.astimezone(UTC),
            self._now,
            max(life, 1),
        )
