"""The touched days of a difference before and after, cut to the sections that matter."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from services.gateway.domain import grid
from services.gateway.domain.grid import Block, Day, Grid, Mark, Row
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import sections, weekday
from services.gateway.wire.calendar import Calendar
from services.gateway.wire.chat_changes import ChangeWords, mark_of, read_date
from services.gateway.wire.comparison import SIDE_BY_SIDE, Pair
from smartmate.agent.v1 import chat_pb2
from smartmate.schedule.v1 import calendar_pb2

_ROW_OF = 2
"""Days side by side where there are more than fit into one row."""
_MARGIN = 1
"""Sections beside the touched ones that are shown as well."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Some days before and after; `rows` are those of the sections that are shown."""

    pair: Pair
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class WeekCuts:
    """The touched days of one week, by (semester, week); of several where all fit side by side."""

    key: tuple[int, int]
    title: str
    cuts: tuple[Cut, ...]


@dataclass(frozen=True, slots=True)
class _Shown:
    """A day of the difference where it is known which day of which semester that is."""

    day: Day
    told: chat_pb2.DiffDay


@dataclass(frozen=True, slots=True)
class Drawing:
    """Draws the days of one difference."""

    locale: Locale
    calendar: Calendar
    now: datetime
    words: ChangeWords
    lines: Mapping[str, chat_pb2.DiffLine] = field(default_factory=dict)
    """By the id of the change."""

    def weeks(self, diff: chat_pb2.Diff) -> tuple[WeekCuts, ...]:
        """The touched days, week by week; few of them in one row."""
        drawing = Drawing(
            self.locale,
            self.calendar,
            self.now,
            self.words,
            {line.change.change_id: line for line in diff.lines},
        )
        return tuple(drawing._weeks(list(drawing._known(diff.days))))

    def _known(self, days: Sequence[chat_pb2.DiffDay]) -> Iterator[_Shown]:
        for told in days:
            on = read_date(told.date)
            found = self.calendar.week_of(on) if on else None
            if found is not None:
                week, day, semester = found
                yield _Shown(Day(semester, week, day), told)

    def _weeks(self, shown: Sequence[_Shown]) -> Iterator[WeekCuts]:
        if 0 < len(shown) <= SIDE_BY_SIDE and _one_bell(shown):
            yield WeekCuts(_week_of(shown[0]), "", (self._cut(shown),))
            return
        for key, days in groupby(shown, key=_week_of):
            found = list(days)
            rows = [found[at : at + _ROW_OF] for at in range(0, len(found), _ROW_OF)]
            title = say(self.locale, "week.title", week=key[1])
            yield WeekCuts(key, title, tuple(self._cut(row) for row in rows))

    def _cut(self, shown: Sequence[_Shown]) -> Cut:
        blank = grid.empty(self.locale, [one.day for one in shown], self.now)
        before, after = (
            blank.with_blocks(
                [
                    self._block(column, one.day, block, is_after=is_after)
                    for column, one in enumerate(shown, start=1)
                    for block in (one.told.after if is_after else one.told.before)
                ]
            )
            for is_after in (False, True)
        )
        return Cut(Pair(before, after), _rows(before, after))

    def _block(self, column: int, day: Day, block: chat_pb2.DiffBlock, *, is_after: bool) -> Block:
        mark, time = self._mark(block, is_after=is_after), self._time(day, block)
        return Block(
            column=column,
            first=block.first_section,
            last=block.last_section,
            mark=mark,
            title=block.name,
            detail=self._detail(block, mark, time),
            chip=self._chip(block, mark),
            guest=block.embedded,
            label=self._label(day, block, mark, time),
        )

    def _mark(self, block: chat_pb2.DiffBlock, *, is_after: bool) -> Mark:
        line = self.lines.get(block.change_id)
        if line is None:
            if not block.course:
                return Mark.TASK
            return Mark.HOST if block.can_be_embedded else Mark.COURSE
        return mark_of(line.change) if is_after else Mark.LEAVING

    def _detail(self, block: chat_pb2.DiffBlock, mark: Mark, time: str) -> str:
        line = self.lines.get(block.change_id)
        if mark is Mark.LEAVING and line is not None:
            place = self.words.place(line)
            return self._say("mark.leaving", place=place) if place else self._say("mark.removed")
        if mark is Mark.MOVED and line is not None:
            return self._say("mark.was_at", place=self.words.was(line))
        if mark is Mark.ADD and block.category not in ("", block.name):
            return f"{block.category} · {time}" if time else block.category
        return f"{self._say('mark.host')} · {time}" if mark is Mark.HOST and time else time

    def _chip(self, block: chat_pb2.DiffBlock, mark: Mark) -> str:
        line = self.lines.get(block.change_id)
        if mark is Mark.SQUEEZE and line is not None:
            length = block.last_section - block.first_section + 1
            old = getattr(line.change, "from")
            was = old.last_section - old.first_section + 1 if old.first_section else length
            return self._say("mark.squeeze", n=length, m=was)
        return self._say(f"mark.{mark.value}") if mark in (Mark.ADD, Mark.MOVED) else ""

    def _label(self, day: Day, block: chat_pb2.DiffBlock, mark: Mark, time: str) -> str:
        kind = "guest" if block.embedded and mark is Mark.TASK else mark.value
        parts = (
            weekday(self.locale, day.day),
            sections(self.locale, block.first_section, block.last_section),
            time,
            self._say(f"kind.{kind}"),
        )
        joint = ", " if self.locale is Locale.EN else "，"
        return joint.join(part for part in parts if part) + self._say("colon")

    def _time(self, day: Day, block: chat_pb2.DiffBlock) -> str:
        place = calendar_pb2.Place(
            semester_id=day.semester.id,
            first_section=block.first_section,
            last_section=block.last_section,
        )
        return self.calendar.time_range(place)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _rows(before: Grid, after: Grid) -> tuple[Row, ...]:
    """The sections of the changes and beside them, so that no block is cut."""
    blocks = [*before.blocks, *after.blocks]
    touched = [one for one in blocks if one.mark in grid.CHANGES] or blocks
    if not touched:
        return before.rows
    first = min(one.first for one in touched) - _MARGIN
    last = max(one.last for one in touched) + _MARGIN
    while over := [
        one
        for one in blocks
        if one.first <= last and first <= one.last and (one.first < first or last < one.last)
    ]:
        first = min(first, *(one.first for one in over))
        last = max(last, *(one.last for one in over))
    return tuple(row for row in before.rows if first <= row.number <= last)


def marks_of(weeks: Sequence[WeekCuts]) -> tuple[Mark, ...]:
    """The marks that occur, in the order of the legend."""
    pairs = [cut.pair for week in weeks for cut in week.cuts]
    seen = {
        mark for pair in pairs for one in (pair.before, pair.after) if one for mark in one.marks
    }
    return tuple(mark for mark in Mark if mark in seen)


def _week_of(one: _Shown) -> tuple[int, int]:
    return one.day.semester.id, one.day.week


def _one_bell(shown: Sequence[_Shown]) -> bool:
    return len({one.day.semester.id for one in shown}) == 1
