"""What a run would change: a list day by day, told by a mark, a symbol and a word each."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from services.gateway.domain import places
from services.gateway.domain.grid import Mark
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import say
from services.gateway.domain.places import Spot
from smartmate.agent.v1 import chat_pb2
from smartmate.schedule.v1 import calendar_pb2, change_pb2

FEW = 6
"""Up to so many changes are shown unfolded while the run works."""
_SYMBOLS: Mapping[Mark, str] = {
    Mark.ADD: "plus",
    Mark.MOVED: "move",
    Mark.SQUEEZE: "half",
    Mark.LEAVING: "minus",
}
_WORDS: Mapping[Mark, str] = {
    Mark.ADD: "mark.add",
    Mark.MOVED: "mark.moved",
    Mark.SQUEEZE: "chat.mark_squeeze",
    Mark.LEAVING: "chat.mark_leaving",
}
_ORDER = (Mark.ADD, Mark.MOVED, Mark.SQUEEZE, Mark.LEAVING)


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """One task with another place; `was` is the place that it leaves, where it had one."""

    mark: Mark
    symbol: str
    word: str
    name: str
    category: str
    place: str
    was: str
    inside: str


@dataclass(frozen=True, slots=True)
class DayLines:
    """The changes of one day."""

    title: str
    lines: tuple[ChangeLine, ...]


@dataclass(frozen=True, slots=True)
class WeekLines:
    """The days of one week; `key` is (semester, week), `head` counts its changes by kind."""

    key: tuple[int, int]
    title: str
    head: str
    days: tuple[DayLines, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """All changes: `head` says how many of which kind."""

    head: str
    count: int
    weeks: tuple[WeekLines, ...]
    pending: str
    is_short: bool


def mark_of(change: change_pb2.ScheduleChange) -> Mark:
    """How a change is drawn where it leads to; a removal where it takes from."""
    if not change.HasField("to"):
        return Mark.LEAVING
    if change.type == change_pb2.CHANGE_TYPE_COMPRESS:
        return Mark.SQUEEZE
    return Mark.MOVED if getattr(change, "from").first_section else Mark.ADD


def on(line: chat_pb2.DiffLine) -> date | None:
    """The day that a change is told at: where it leads to, else where it takes from."""
    return read_date(line.to_date) or read_date(line.from_date)


def read_date(text: str) -> date | None:
    """A date of a message; None where it has none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def counts(lines: Iterable[chat_pb2.DiffLine]) -> Mapping[Mark, int]:
    """How many changes there are of each kind."""
    return Counter(mark_of(line.change) for line in lines)


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """Tells of changes; places of the week of `today` are told without their date."""

    locale: Locale
    today: date

    def changes(self, diff: chat_pb2.Diff) -> Changes | None:
        """All changes of a difference; None where there is none."""
        if not diff.lines:
            return None
        dated = [(day, line) for line in diff.lines if (day := on(line)) is not None]
        weeks: dict[tuple[int, int], dict[date, list[chat_pb2.DiffLine]]] = {}
        for day, line in sorted(dated, key=_place_of):
            place = _told_place(line)
            week = weeks.setdefault((place.semester_id, place.week), {})
            week.setdefault(day, []).append(line)
        return Changes(
            head=self.head(diff.lines),
            count=len(diff.lines),
            weeks=tuple(self._week(key, days) for key, days in weeks.items()),
            pending=self._pending(diff),
            is_short=len(diff.lines) <= FEW,
        )

    def head(self, lines: Sequence[chat_pb2.DiffLine]) -> str:
        """新增 12 项，移动 2 项; of one change with its place before it."""
        told = self._counted(lines)
        place = self.place(lines[0]) if len(lines) == 1 else ""
        return self._say("chat.of_place", place=place, changes=told) if place else told

    def _counted(self, lines: Iterable[chat_pb2.DiffLine]) -> str:
        found = counts(lines)
        joint = ", " if self.locale is Locale.EN else "，"
        return joint.join(
            self._say(f"chat.{mark.value}", n=found[mark]) for mark in _ORDER if mark in found
        )

    def place(self, line: chat_pb2.DiffLine) -> str:
        """Where a change leads to; empty for a removal."""
        day = read_date(line.to_date)
        return self._place(day, line.change.to) if day else ""

    def was(self, line: chat_pb2.DiffLine) -> str:
        """Where it takes from; empty where it had no place."""
        day = read_date(line.from_date)
        return self._place(day, getattr(line.change, "from")) if day else ""

    def _pending(self, diff: chat_pb2.Diff) -> str:
        count = diff.counts.pending
        return self._say("chat.pending", n=count) if count else ""

    def _week(
        self, key: tuple[int, int], days: Mapping[date, Sequence[chat_pb2.DiffLine]]
    ) -> WeekLines:
        return WeekLines(
            key,
            self._say("week.title", week=key[1]) if key[1] else "",
            self._counted(line for lines in days.values() for line in lines),
            tuple(
                DayLines(self.day(day), tuple(self._line(line) for line in lines))
                for day, lines in days.items()
            ),
        )

    def day(self, day: date) -> str:
        """周一 12/8, Mon 8 Dec."""
        weekday = places.weekday(self.locale, day.isoweekday())
        return f"{weekday} {places.short_date(self.locale, day)}"

    def _line(self, line: chat_pb2.DiffLine) -> ChangeLine:
        mark, place = mark_of(line.change), _told_place(line)
        was = self.was(line) if mark is not Mark.LEAVING else ""
        return ChangeLine(
            mark=mark,
            symbol=_SYMBOLS[mark],
            word=self._say(_WORDS[mark]),
            name=line.name,
            category=line.category if line.category != line.name else "",
            place=places.sections(self.locale, place.first_section, place.last_section),
            was=self._say("chat.was", place=was) if was else "",
            inside=self._say("chat.inside") if line.change.host_event_id else "",
        )

    def _place(self, day: date, place: calendar_pb2.Place) -> str:
        spot = Spot(day, place.first_section, place.last_section)
        return places.place(self.locale, spot, today=self.today)

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)


def _told_place(line: chat_pb2.DiffLine) -> calendar_pb2.Place:
    return line.change.to if line.to_date else getattr(line.change, "from")


def _place_of(dated: tuple[date, chat_pb2.DiffLine]) -> tuple[date, int, str]:
    day, line = dated
    return day, _told_place(line).first_section, line.name
