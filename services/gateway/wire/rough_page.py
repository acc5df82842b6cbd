"""Everything that the page of a trial run shows."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from services.gateway.domain import grid, places
from services.gateway.domain.grid import Block, Day, Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.wire.blocks import Event, Painter, drawn, key_of
from services.gateway.wire.calendar import Calendar, instant
from services.gateway.wire.comparison import SIDE_BY_SIDE, Pair
from services.gateway.wire.rough_plan import MOST_CHANGES, packed
from services.gateway.wire.rough_words import PlanNote, RefusedWords, RoughWords, Unfit
from services.gateway.wire.told import Told
from smartmate.schedule.v1 import (
    apply_pb2,
    rough_build_pb2,
    schedule_service_pb2,
    task_class_pb2,
)

Placement = rough_build_pb2.RoughPlacement
WeekKey = tuple[int, int]
"""(semester, week)."""


@dataclass(frozen=True, slots=True)
class WeekTab:
    """A week in which something would be placed; `key` names it in the address."""

    key: str
    title: str
    count: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """Where one item would go."""

    content: str
    place: str
    inside: str


@dataclass(frozen=True, slots=True)
class RoughPage:
    """What the template is given; the names of the comparison are those of `compare.html`."""

    title: str
    status: str
    """ready, short, nothing."""
    notice: Told
    counters: tuple[tuple[str, int], ...]
    unplaced: tuple[Unfit, ...]
    skipped: tuple[tuple[int, str, str], ...]
    """(id, name, why) of plans that were left out."""
    reports: tuple[PlanNote, ...]
    weeks: tuple[WeekTab, ...]
    stops: tuple[tuple[str, tuple[Stop, ...]], ...]
    """By week: every place, in order of time."""
    pairs: tuple[Pair, ...]
    before_note: str
    after_note: str
    marks: tuple[Mark, ...]
    plan: str
    """What the form carries; empty where nothing can be written."""
    confirm: str
    move: None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What the services answered.

    `shown` is the week that is compared, `weeks` hold one week of each semester that is touched.
    """

    built: schedule_service_pb2.RoughBuildResponse
    classes: Sequence[task_class_pb2.TaskClass]
    shown: schedule_service_pb2.GetWeekResponse | None = None
    weeks: Sequence[schedule_service_pb2.GetWeekResponse] = ()


def touched(built: schedule_service_pb2.RoughBuildResponse) -> tuple[WeekKey, ...]:
    """The weeks in which something would be placed."""
    return tuple(sorted({_week(one) for one in built.placements}))


def week_key(text: str) -> WeekKey | None:
    """A week as the address names it: `3.13`; None for anything else."""
    semester, _, week = text.partition(".")
    if all(part.isascii() and part.isdecimal() and len(part) <= 18 for part in (semester, week)):
        return int(semester), int(week)
    return None


@dataclass(frozen=True, slots=True)
class Speaker:
    """Tells of one trial run."""

    locale: Locale
    found: Found
    calendar: Calendar
    contents: Mapping[int, str]
    """Of the items, by id."""
    names: Mapping[int, str]
    """Of the blocks that are known, by id."""

    @classmethod
    def of(cls, locale: Locale, found: Found) -> "Speaker":
        """With everything that the services told."""
        weeks = [one for one in (found.shown, *found.weeks) if one is not None]
        return cls(
            locale,
            found,
            calendar=Calendar(one.semester for one in weeks),
            contents={
                item.task_item_id: item.content for one in found.classes for item in one.items
            },
            names={event.event_id: event.name for week in weeks for event in week.events},
        )

    def build(self) -> RoughPage:
        """The page."""
        built = self.found.built
        words = RoughWords(self.locale, self.found.classes)
        pairs = self._pairs()
        plan = packed(built)
        count = len(built.changes)
        return RoughPage(
            title=words.title,
            status=self._status(),
            notice=self._notice(),
            counters=tuple(self._counters()),
            unplaced=words.unfit(built.unplaced),
            skipped=tuple(words.skipped(one) for one in built.skipped),
            reports=tuple(words.report(one) for one in built.classes),
            weeks=tuple(self._tabs()),
            stops=tuple(self._stops()),
            pairs=pairs,
            before_note=self._say("build.as_is"),
            after_note=self._say("build.unwritten"),
            marks=_marks(pairs),
            plan=plan,
            confirm=self._counted("build.confirm", count) if plan else "",
        )

    def refused(
        self, verdict: apply_pb2.ApplyVerdict, blocks: Iterable[Event], now: datetime
    ) -> tuple[Told, tuple[str, ...]]:
        """Why the plan that was confirmed before was not written; `blocks` stand there now."""
        about = RoughWords(self.locale, self.found.classes).names
        names = {**{one.event_id: one.name for one in blocks}, **self.names}
        words = RefusedWords(self.locale, self.calendar, now, about, self.contents, names)
        return words.told(verdict)

    def _status(self) -> str:
        if self.found.built.unplaced:
            return "short"
        return "ready" if self.found.built.changes else "nothing"

    def _notice(self) -> Told:
        built = self.found.built
        if built.unplaced:
            head = self._counted("build.short", len(built.unplaced), name="m")
            return Told("warn", "warn", head, self._say("build.short_more"))
        if len(built.changes) > MOST_CHANGES:
            return Told("warn", "warn", self._say("build.too_many", most=MOST_CHANGES))
        if built.changes:
            head = self._counted("build.ready", len(built.changes))
            return Told("", "info", head)
        if built.skipped and not built.classes:
            return Told("", "info", self._say("build.left_out_all"))
        return Told("", "info", self._say("build.nothing"), self._say("build.nothing_more"))

    def _counters(self) -> Iterable[tuple[str, int]]:
        """What was counted; what is none is told of the placements alone."""
        built = self.found.built
        hosted = sum(one.host_event_id != 0 for one in built.placements)
        yield self._say("build.count_placed"), len(built.placements)
        if built.unplaced:
            yield self._say("build.count_unplaced"), len(built.unplaced)
        if hosted:
            yield self._say("build.count_hosted"), hosted
        yield self._say("build.count_days"), built.day_count
        if built.placements:
            days = {key_of(one.place) for one in built.placements}
            yield self._say("build.count_touched"), len(days)

    def _tabs(self) -> Iterable[WeekTab]:
        counts = Counter(_week(one) for one in self.found.built.placements)
        for key in sorted(counts):
            semester_id, week = key
            yield WeekTab(
                key=f"{semester_id}.{week}",
                title=self._say("build.week", week=week),
                count=self._counted("build.week_count", counts[key]),
                is_shown=key == self._shown_key,
            )

    def _stops(self) -> Iterable[tuple[str, tuple[Stop, ...]]]:
        ordered = sorted(self.found.built.placements, key=_when)
        for key in touched(self.found.built):
            found = [one for one in ordered if _week(one) == key]
            title = self._say("build.week", week=key[1])
            yield title, tuple(self._stop(one) for one in found)

    def _stop(self, one: Placement) -> Stop:
        spot = self.calendar.spot(one.place)
        # Never the week of `today`: the date is always told.
        where = places.place(self.locale, spot, today=date.min) if spot else ""
        return Stop(self._content(one), where, self._inside(one))

    def _inside(self, one: Placement) -> str:
        if not one.host_event_id:
            return ""
        name = self.names.get(one.host_event_id)
        return self._say("build.inside", name=name) if name else self._say("build.inside_class")

    # Before and after

    def _pairs(self) -> tuple[Pair, ...]:
        """The touched days of the shown week, a few of them side by side."""
        week = self.found.shown
        if week is None:
            return ()
        placed = [one for one in self.found.built.placements if _week(one) == self._shown_key]
        days = [day for day in (self.calendar.day(one.place) for one in placed) if day is not None]
        ordered = sorted({one.day: one for one in days}.items())
        chosen = [day for _, day in ordered]
        chunks = [chosen[n : n + SIDE_BY_SIDE] for n in range(0, len(chosen), SIDE_BY_SIDE)]
        return tuple(self._pair(week, chunk, placed) for chunk in chunks)

    def _pair(
        self,
        week: schedule_service_pb2.GetWeekResponse,
        days: Sequence[Day],
        placed: Sequence[Placement],
    ) -> Pair:
        painter = Painter.of(self.locale, self.calendar, days)
        blank = grid.empty(self.locale, days, instant(week.now_time))
        before = drawn([painter.plain(event) for event in week.events])
        new = drawn([self._new(painter, one) for one in placed])
        return Pair(blank.with_blocks(before), blank.with_blocks([*before, *new]))

    def _new(self, painter: Painter, one: Placement) -> Block | None:
        return painter.block(
            one.place,
            Mark.ADD,
            self._content(one),
            self.calendar.time_range(one.place),
            chip=self._say("mark.add"),
            guest=one.host_event_id != 0,
        )

    def _content(self, one: Placement) -> str:
        return self.contents.get(one.task_item_id, "")

    @property
    def _shown_key(self) -> WeekKey | None:
        week = self.found.shown
        return (week.semester.semester_id, week.week) if week is not None else None

    def _counted(self, key: str, count: int, *, name: str = "n") -> str:
        return self._say(f"{key}_1" if count == 1 else key, **{name: count})

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _marks(pairs: Iterable[Pair]) -> tuple[Mark, ...]:
    """The marks of all grids, in the order of the legend."""
    seen = {mark for pair in pairs if pair.after is not None for mark in pair.after.marks}
    return tuple(mark for mark in Mark if mark in seen)


def _week(one: Placement) -> WeekKey:
    return one.place.semester_id, one.place.week


def _when(one: Placement) -> tuple[int, int, int, int]:
    place = one.place
    return place.semester_id, place.week, place.day_of_week, place.first_section
