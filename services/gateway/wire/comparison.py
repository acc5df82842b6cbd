"""Before and after of the touched days: what a candidate adds, moves, shortens and takes away."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from services.gateway.domain import grid
from services.gateway.domain.grid import Block, Day, Grid, Handle, Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import place as place_words
from services.gateway.wire.blocks import Event, Painter, drawn, key_of
from services.gateway.wire.calendar import Calendar
from services.gateway.wire.edits import place_of_day, stands_in, word_of
from smartmate.active_scheduler.v1 import preview_pb2
from smartmate.schedule.v1 import apply_pb2, calendar_pb2, change_pb2

SIDE_BY_SIDE = 3
"""More days than this stand below each other, one pair a row."""

_CLASHES = frozenset(
    {apply_pb2.REFUSAL_CODE_BASE_VERSION_CHANGED, apply_pb2.REFUSAL_CODE_SLOT_CONFLICT}
)


@dataclass(frozen=True, slots=True)
class Pair:
    """The same days before and after; `after` is None where nothing is proposed."""

    before: Grid
    after: Grid | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is needed to compare.

    `days` are shown besides those that something touches; `handle` is (change_id, where it is,
    where it was proposed) of the block that may be put elsewhere; `is_fresh` where the events are
    those that stand now.
    """

    locale: Locale
    calendar: Calendar
    now: datetime
    preview: preview_pb2.Preview
    candidate: preview_pb2.Candidate | None
    days: Collection[str] = ()
    handle: tuple[str, str, str] | None = None
    is_fresh: bool = False

    def pairs(self) -> tuple[Pair, ...]:
        """The touched days, at most three of them side by side."""
        days = self._days()
        if not days:
            return ()
        chunks = [days] if len(days) <= SIDE_BY_SIDE else [[day] for day in days]
        return tuple(self._pair(chunk) for chunk in chunks)

    def _pair(self, days: Sequence[Day]) -> Pair:
        painter = Painter.of(self.locale, self.calendar, days)
        blank = grid.empty(self.locale, days, self.now)
        before = blank.with_blocks(drawn([self._before(painter, e) for e in self._befores]))
        if self.candidate is None:
            return Pair(before, None)
        clashes = drawn(self._clashes(painter))
        in_the_way = {(one.column, one.first, one.last) for one in clashes}
        proposed = [
            one
            for one in drawn([self._after(painter, e) for e in self.candidate.after_events])
            if one.mark in grid.CHANGES or (one.column, one.first, one.last) not in in_the_way
        ]
        seen = [
            replace(one, covered=any(one.overlaps(clash) for clash in clashes)) for one in proposed
        ]
        return Pair(before, blank.with_blocks([*seen, *clashes]))

    @property
    def _befores(self) -> Sequence[Event]:
        return self.preview.before_events

    def _days(self) -> list[Day]:
        found = {key_of(place): self.calendar.day(place) for place in self._places()}
        known = [day for day in found.values() if day is not None]
        return sorted(known, key=lambda day: day.semester.date_of(day.week, day.day))

    def _places(self) -> Iterator[calendar_pb2.Place]:
        """Every place that any candidate touches, so that switching moves no column."""
        for day in self.days:
            yield place_of_day(day)
        for event in self._befores:
            yield event.place
        for candidate in self.preview.candidates:
            for event in candidate.after_events:
                yield event.place
            for change in candidate.changes:
                if change.HasField("to"):
                    yield change.to

    def _before(self, painter: Painter, event: Event) -> Block | None:
        if self.candidate is None:
            return painter.plain(event)
        moved = self._counterpart(event, self.candidate.after_events)
        if moved is None:
            detail = say(self.locale, "mark.removed")
        elif moved.place == event.place or _shortened(event, moved):
            return painter.plain(event)
        else:
            detail = say(self.locale, "mark.leaving", place=self._words(moved.place))
        return painter.block(event.place, Mark.LEAVING, event.name, detail)

    def _after(self, painter: Painter, event: Event) -> Block | None:
        before = self._counterpart(event, self._befores)
        if before is None:
            return self._new(painter, event)
        if before.place == event.place:
            return painter.plain(event)
        if _shortened(before, event):
            was, length = _length(before.place), _length(event.place)
            chip = say(self.locale, "mark.squeeze", n=length, m=was)
            return painter.block(event.place, Mark.SQUEEZE, event.name, "", chip=chip)
        detail = say(self.locale, "mark.was_at", place=self._words(before.place))
        chip = say(self.locale, "mark.moved")
        guest = event.host_event_id != 0
        return painter.block(event.place, Mark.MOVED, event.name, detail, chip=chip, guest=guest)

    def _new(self, painter: Painter, event: Event) -> Block | None:
        chip = self._new_chip(event)
        block = painter.block(
            event.place,
            Mark.SQUEEZE if self._is_compressed(event) else Mark.ADD,
            event.name or self.preview.target_title,
            self.calendar.time_range(event.place),
            chip=chip,
            guest=event.host_event_id != 0,
        )
        handle = self._handle(event, chip)
        if block is None or handle is None:
            return block
        elsewhere = handle.place != handle.home
        return replace(block, handle=handle, chip=handle.chips[elsewhere])

    def _handle(self, event: Event, chip: str) -> Handle | None:
        """By what the block is put elsewhere, if it is the one that can be."""
        if self.handle is None:
            return None
        change_id, at, home = self.handle
        if word_of(change_id, event.place) != at:
            return None
        kind = say(self.locale, "kind.add")
        label = say(self.locale, "move.block", place="{place}", time="{time}", kind=kind)
        edited = say(self.locale, "mark.edited", mark=chip)
        return Handle(change_id, at, home, label, (chip, edited))

    def _new_chip(self, event: Event) -> str:
        if self.preview.state == preview_pb2.PREVIEW_STATE_APPLIED:
            undone = self.preview.HasField("undo_time")
            return say(self.locale, "mark.undone" if undone else "mark.applied")
        needed, length = self.preview.planned_sections, _length(event.place)
        if self._is_compressed(event) and length < needed:
            return say(self.locale, "mark.squeeze_new", n=length, m=needed)
        makeup = event.makeup_for_event_id or self._has(change_pb2.CHANGE_TYPE_CREATE_MAKEUP, event)
        return say(self.locale, "mark.makeup" if makeup else "mark.add")

    def _is_compressed(self, event: Event) -> bool:
        return self._has(change_pb2.CHANGE_TYPE_COMPRESS, event)

    def _has(self, kind: change_pb2.ChangeType, event: Event) -> bool:
        changes = self.candidate.changes if self.candidate else ()
        return any(change.type == kind and change.to == event.place for change in changes)

    def _clashes(self, painter: Painter) -> list[Block | None]:
        """What stands where the candidate would go: as things are, or at the last attempt."""
        if self.preview.state != preview_pb2.PREVIEW_STATE_READY or self.candidate is None:
            return []
        chip = say(self.locale, "mark.clash")
        if self.is_fresh:
            found = self._in_the_way(self.candidate)
            return [painter.block(one.place, Mark.CLASH, one.name, "", chip=chip) for one in found]
        return [
            painter.block(refusal.place, Mark.CLASH, refusal.event_name, "", chip=chip)
            for refusal in self.preview.last_refusals
            if refusal.code in _CLASHES and refusal.event_name and refusal.HasField("place")
        ]

    def _in_the_way(self, candidate: preview_pb2.Candidate) -> list[Event]:
        standing = [event for event in self._befores if not self._leaves(event, candidate)]
        new = [event for event in candidate.after_events if event.event_id == 0]
        return [
            event
            for one in new
            for event in stands_in(standing, one.place)
            if event.event_id != one.host_event_id
        ]

    def _leaves(self, event: Event, candidate: preview_pb2.Candidate) -> bool:
        """Whether the candidate takes an event from where it stands."""
        after = self._counterpart(event, candidate.after_events)
        return after is None or after.place != event.place

    def _counterpart(self, event: Event, others: Sequence[Event]) -> Event | None:
        """The same block among others; a block that is not written yet has no id."""
        if event.event_id == 0:
            return None
        return next((one for one in others if one.event_id == event.event_id), None)

    def _words(self, place: calendar_pb2.Place) -> str:
        spot = self.calendar.spot(place)
        if spot is None:
            return ""
        return place_words(self.locale, spot, today=self.calendar.today(self.now))


def _length(place: calendar_pb2.Place) -> int:
    return int(place.last_section - place.first_section + 1)


def _shortened(before: Event, after: Event) -> bool:
    """Stays inside its old place, with fewer sections."""
    old, new = before.place, after.place
    return (
        key_of(old) == key_of(new)
        and old.first_section <= new.first_section
        and new.last_section <= old.last_section
        and _length(new) < _length(old)
    )
