"""The section grid of a few days: what the templates draw, and nothing of how.

Places are columns and sections; the templates turn them into classes (`d-2 s-3 e-4`), so that
no style stands in the page.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from libs.planning.calendar import Semester
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import clock, day_of_month, short_date, weekday

ROOMY = 2
"""Up to so many days side by side have room for their whole date."""
QUARTERS = 4
"""How finely the present instant is drawn inside a section."""


class Mark(StrEnum):
    """How a block is drawn; the value is its class."""

    COURSE = "course"
    HOST = "host"
    TASK = "task"
    ADD = "add"
    MOVED = "moved"
    LEAVING = "leaving"
    SQUEEZE = "squeeze"
    CLASH = "clash"


class Shade(StrEnum):
    """What guests leave of their host for its own words."""

    NONE = ""
    HEAD = "head"
    """The first section is taken, the last one is not."""
    WHOLE = "whole"


CHANGES = frozenset({Mark.ADD, Mark.MOVED, Mark.LEAVING, Mark.SQUEEZE, Mark.CLASH})


@dataclass(frozen=True, slots=True)
class Day:
    """One date of one semester."""

    semester: Semester
    week: int
    day: int


@dataclass(frozen=True, slots=True)
class Handle:
    """What a block that may be put elsewhere is told by.

    `place` is where it is as an edit, `home` where it was proposed, `label` the sentence of a
    screen reader with {place} and {time}, `chips` what it says at home and elsewhere.
    """

    change_id: str
    place: str
    home: str
    label: str
    chips: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Block:
    """One block: `column` counts from 1, sections are included at both ends."""

    column: int
    first: int
    last: int
    mark: Mark
    title: str
    detail: str = ""
    chip: str = ""
    guest: bool = False
    inside: str = ""
    """Of a guest: the class around it, where that has no room left to name itself."""
    shade: Shade = Shade.NONE
    """Of a class that hosts: where its guests lie over it."""
    covered: bool = False
    """Something that came in lies over it."""
    label: str = ""
    """What a screen reader says before the title."""
    handle: Handle | None = None
    """Set where a person may put it elsewhere."""
    href: str = ""
    """Where its details are, where it has any."""

    @property
    def short(self) -> bool:
        """One section: a single line has to do."""
        return self.first == self.last

    def overlaps(self, other: "Block") -> bool:
        """Whether the two share a cell."""
        return self.column == other.column and self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class Row:
    """One section: `gap` names the long break before it, lunch or dinner, or is empty."""

    number: int
    starts: str
    gap: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """One day. `past` sections have begun; `now` is (section, quarter 0..4) on today's column."""

    weekday: str
    date: str
    today: bool
    past: int
    now: tuple[int, int] | None = None
    now_words: str = ""
    key: str = ""
    """The day as an edit names it: semester.week.day."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Days side by side on one axis."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    blocks: tuple[Block, ...]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks that occur, in the order of the legend."""
        seen = {block.mark for block in self.blocks}
        return tuple(mark for mark in Mark if mark in seen)

    def with_blocks(self, blocks: Sequence[Block]) -> "Grid":
        """The same days with other blocks, in reading order."""
        ordered = sorted(blocks, key=lambda one: (one.column, one.first, one.guest))
        return replace(self, blocks=tuple(_hosted(ordered)))


def _hosted(blocks: Sequence[Block]) -> Iterator[Block]:
    """The blocks, with hosts and guests out of each other's way.

    A guest that a person may carry off is none that a host makes room for.
    """
    guests = [one for one in blocks if one.guest and one.handle is None]
    hosts = [replace(one, shade=_shade(one, guests)) for one in blocks if one.mark is Mark.HOST]
    full = [host for host in hosts if host.shade is Shade.WHOLE]
    shaded = iter(hosts)
    for one in blocks:
        if one.mark is Mark.HOST:
            yield next(shaded)
        elif one in guests:
            yield replace(one, inside=next((h.title for h in full if h.overlaps(one)), ""))
        else:
            yield one


def _shade(host: Block, guests: Sequence[Block]) -> Shade:
    taken = {
        section
        for one in guests
        if one.overlaps(host)
        for section in range(one.first, one.last + 1)
    }
    if host.first not in taken:
        return Shade.NONE
    return Shade.WHOLE if host.last in taken else Shade.HEAD


def rows(semester: Semester) -> tuple[Row, ...]:
    """The sections of a semester's day."""
    bell = semester.clock
    gaps = {bell.lunch_after + 1: "lunch", bell.dinner_after + 1: "dinner"}
    return tuple(
        Row(number, f"{section.start:%H:%M}", gaps.get(number, ""))
        for number, section in enumerate(bell.sections, start=1)
    )


def empty(locale: Locale, days: Sequence[Day], now: datetime) -> Grid:
    """The grid of some days without any block; at least one day, one bell for all."""
    dated = day_of_month if len(days) <= ROOMY else short_date
    columns = tuple(
        _column(locale, day, now, dated(locale, day.semester.date_of(day.week, day.day)))
        for day in days
    )
    longest = max((day.semester for day in days), key=lambda one: one.clock.count)
    return Grid(rows(longest), columns, ())


def _column(locale: Locale, day: Day, now: datetime, date: str) -> Column:
    semester = day.semester
    on = semester.date_of(day.week, day.day)
    today = semester.today(now) == on
    past = sum(
        semester.starts_at(day.week, day.day, section) <= now
        for section in range(1, semester.clock.count + 1)
    )
    mark = _now_in(day, now, past) if today else None
    words = say(locale, "grid.now", time=clock(now, semester.zone)) if mark else ""
    key = f"{semester.id}.{day.week}.{day.day}"
    return Column(weekday(locale, day.day), date, today, past, mark, words, key)


def _now_in(day: Day, now: datetime, past: int) -> tuple[int, int]:
    """Where the line of the present lies: in the section that runs, or above the next one."""
    semester, count = day.semester, day.semester.clock.count
    if past == 0:
        return 1, 0
    begun = semester.starts_at(day.week, day.day, past)
    ends = semester.ends_at(day.week, day.day, past)
    if now < ends:
        return past, int((now - begun) / (ends - begun) * QUARTERS)
    return (past, QUARTERS) if past == count else (past + 1, 0)
