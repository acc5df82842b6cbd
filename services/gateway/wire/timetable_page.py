"""Everything that the pages of a timetable import show: the dry run, and what was written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from services.gateway.domain import places, week_list
from services.gateway.domain.locale import Locale
from services.gateway.domain.messages import has, say
from services.gateway.wire import timetable_lines as lines
from services.gateway.wire.calendar import words
from services.gateway.wire.timetable_lines import ChangeLine, UnreadLine
from smartmate.schedule.v1 import schedule_service_pb2, timetable_pb2

COURSE, TASK = "course", "task"
"""What a person chooses where a class and a task want one place."""
MOST_CHOICES = 200
"""More are not listed: the tasks there stay."""
_FIRST_CHANGES, _ALL_CHANGES = 8, 12
"""So many changes are shown at once where there are more than so many."""

Answer = schedule_service_pb2.ImportTimetableResponse
Conflict = timetable_pb2.TimetableConflict


@dataclass(frozen=True, slots=True)
class Source:
    """What was given: its name, empty for pasted content, and when it was read."""

    file_name: str
    read_at: datetime
    zone: ZoneInfo


@dataclass(frozen=True, slots=True)
class Count:
    """One figure of the summary; `tone` and `icon` may be empty."""

    number: int
    label: str
    tone: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A task that stands where classes want to be."""

    name: str
    place: str
    words: str
    task: str
    keeps: str
    chosen: str
    was_skipped: bool


@dataclass(frozen=True, slots=True)
class DiffPage:
    """What a file would change."""

    source: str
    counts: tuple[Count, ...]
    warnings: tuple[str, ...]
    unread: tuple[UnreadLine, ...]
    kept: str
    choices: tuple[Choice, ...]
    fixed: tuple[str, ...]
    more_conflicts: str
    unhosted: str
    changes: tuple[ChangeLine, ...]
    more_changes: tuple[ChangeLine, ...]
    notes: tuple[str, ...]
    write: str
    base_version: str

    @property
    def change_count(self) -> int:
        """How many courses change."""
        return len(self.changes) + len(self.more_changes)


@dataclass(frozen=True, slots=True)
class ResultPage:
    """What was written."""

    head: str
    more: str
    changed: bool
    pending: tuple[str, ...]
    skipped: tuple[str, ...]
    left_out: tuple[UnreadLine, ...]
    refused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Builder:
    """Makes the pages of one answer."""

    locale: Locale
    answer: Answer

    @property
    def diff(self) -> timetable_pb2.TimetableDiff:
        """What changes."""
        return self.answer.diff

    def page(self, source: Source, chosen: Mapping[str, str]) -> DiffPage:
        """The dry run; `chosen` is what the person chose before, by name of the field."""
        changes = self._changes()
        first = len(changes) if len(changes) <= _ALL_CHANGES else _FIRST_CHANGES
        choosable, fixed = self._conflicts()
        choices = [self._choice(found, chosen) for found in choosable[:MOST_CHOICES]]
        return DiffPage(
            source=self._source(source),
            counts=self._counts(),
            warnings=tuple(words(self.locale, one.message) for one in self.diff.warnings),
            unread=tuple(lines.unread(self.locale, row) for row in self.diff.unread),
            kept=self._named("timetable.kept", [row.name for row in self.diff.kept]),
            choices=tuple(choices),
            fixed=(*fixed, *self._refused()),
            more_conflicts=self._more(len(choosable) - len(choices)),
            unhosted=self._named("timetable.unhosted", self._lost(self.diff.unhosted), quote=False),
            changes=changes[:first],
            more_changes=changes[first:],
            notes=self._notes(),
            write=self._write(len(changes), has_choices=bool(choices)),
            base_version=self.answer.base_version,
        )

    def result(self) -> ResultPage:
        """What was written, and what was not."""
        diff = self.diff
        key = "timetable.unchanged" if diff.changes_nothing else "timetable.written"
        return ResultPage(
            head=self._say(key),
            more=self._say(
                f"{key}_more",
                **{}
                if diff.changes_nothing
                else {
                    "added": len(diff.added),
                    "changed": len(diff.changed),
                    "removed": len(diff.removed),
                    "meetings": self.answer.meeting_count,
                },
            ),
            changed=not diff.changes_nothing,
            pending=tuple(self._lost([*diff.displaced, *diff.unhosted])),
            skipped=self._skipped(),
            left_out=tuple(lines.unread(self.locale, row) for row in diff.unread),
            refused=self._refused(),
        )

    def _say(self, key: str, **values: object) -> str:
        return say(self.locale, key, **values)

    def _number(self, key: str, n: int) -> str:
        return self._say(f"{key}_1" if n == 1 and has(f"{key}_1") else key, n=n)

    def _named(self, key: str, names: Sequence[str], *, quote: bool = True) -> str:
        """A sentence about some names; empty where there are none."""
        if not names:
            return ""
        told = [lines.quoted(self.locale, name) if quote else name for name in names]
        return self._say(key, names=lines.joined(self.locale, list(dict.fromkeys(told))))

    def _source(self, source: Source) -> str:
        rows = self.diff.row_count + len(self.diff.unread)
        time = places.clock(source.read_at, source.zone)
        parts = (
            source.file_name or self._say("timetable.pasted"),
            self._number("timetable.rows", rows),
            self._say("timetable.tried_at", time=time),
        )
        return " · ".join(parts)

    def _counts(self) -> tuple[Count, ...]:
        diff = self.diff
        found = (
            (diff.unchanged_count, "unchanged", "", ""),
            (len(diff.added), "added", "a", "plus"),
            (len(diff.changed), "changed", "m", "swap"),
            (len(diff.removed), "removed", "", "minus"),
            (len(diff.conflicts), "conflicts", "n", "warn"),
            (len(diff.unread), "unread", "n", "info"),
        )
        return tuple(
            Count(number, self._say(f"timetable.count_{name}"), tone if number else "", icon)
            for number, name, tone, icon in found
        )

    def _changes(self) -> tuple[ChangeLine, ...]:
        diff = self.diff
        return (
            *(lines.added(self.locale, _unskipped(row)) for row in diff.added),
            *(lines.changed(self.locale, change) for change in diff.changed),
            *(lines.removed(self.locale, row) for row in diff.removed),
        )

    def _conflicts(self) -> tuple[list[list[Conflict]], list[str]]:
        """Overlaps with a task that can give way, one list each, and words for the others."""
        by_event: dict[int, list[Conflict]] = {}
        for conflict in self.diff.conflicts:
            if conflict.event_id:
                by_event.setdefault(conflict.event_id, []).append(conflict)
        choosable = [found for found in by_event.values() if found[0].can_give_way]
        fixed = [
            self._say(
                "timetable.begun",
                task=found[0].other_name,
                week=week_list.week(self.locale, found[0].week),
            )
            for found in by_event.values()
            if not found[0].can_give_way
        ]
        return choosable, fixed

    def _choice(self, found: Sequence[Conflict], chosen: Mapping[str, str]) -> Choice:
        first = found[0]
        name = f"block-{first.event_id}"
        was_skipped = all(conflict.was_skipped for conflict in found)
        courses = [lines.quoted(self.locale, one.name) for one in found]
        week = week_list.week(self.locale, first.week)
        at = lines.slot(
            self.locale,
            first.day_of_week,
            min(conflict.section for conflict in found),
            max(conflict.last_section for conflict in found),
        )
        joint = ", " if self.locale is Locale.EN else "，"
        return Choice(
            name=name,
            place=f"{at}{joint}{week}",
            words=self._say(
                "timetable.conflict",
                courses=lines.joined(self.locale, list(dict.fromkeys(courses))),
                task=first.other_name,
            ),
            task=first.other_name,
            keeps=self._say("timetable.keep_task_more", week=week),
            chosen=chosen.get(name, TASK if was_skipped else COURSE),
            was_skipped=was_skipped,
        )

    def _refused(self) -> tuple[str, ...]:
        return tuple(
            self._say(
                "timetable.refused",
                line=conflict.line,
                name=conflict.name,
                place=self._place(conflict),
                other=self._other(conflict),
            )
            for conflict in self.diff.conflicts
            if not conflict.event_id
        )

    def _place(self, conflict: Conflict) -> str:
        at = lines.slot(self.locale, conflict.day_of_week, conflict.section, conflict.last_section)
        joint = ", " if self.locale is Locale.EN else "，"
        return f"{at}{joint}{week_list.weeks(self.locale, conflict.weeks)}"

    def _other(self, conflict: Conflict) -> str:
        if conflict.other_line:
            return self._say(
                "timetable.other_row", line=conflict.other_line, name=conflict.other_name
            )
        return self._say("timetable.other_course", name=conflict.other_name)

    def _more(self, n: int) -> str:
        return self._say("timetable.more_conflicts", n=n) if n > 0 else ""

    def _lost(self, found: Sequence[timetable_pb2.LostBlock]) -> list[str]:
        """Blocks of work with the place that they lose."""
        told = []
        for block in found:
            at = block.place
            place = lines.slot(self.locale, at.day_of_week, at.first_section, at.last_section)
            week = week_list.week(self.locale, at.week)
            name = lines.quoted(self.locale, block.name)
            told.append(
                f"{name} ({place}, {week})"
                if self.locale is Locale.EN
                else f"{name}（{place}，{week}）"
            )
        return told

    def _skipped(self) -> tuple[str, ...]:
        """Meetings that were left out because a task stays."""
        left = {block.event_id for block in self.diff.displaced}
        weeks: dict[str, set[int]] = {}
        for conflict in self.diff.conflicts:
            if conflict.event_id and conflict.event_id not in left:
                weeks.setdefault(conflict.name, set()).update(conflict.weeks)
        return tuple(
            f"{lines.quoted(self.locale, name)} {week_list.weeks(self.locale, found)}"
            for name, found in weeks.items()
        )

    def _notes(self) -> tuple[str, ...]:
        n = self.diff.duplicate_count
        duplicates = self._number("timetable.duplicates", n) if n else ""
        timeless = self._named("timetable.timeless", self.diff.untimed_names)
        return tuple(note for note in (timeless, duplicates) if note)

    def _write(self, n: int, *, has_choices: bool) -> str:
        """What the button says; empty where there is nothing to write."""
        k = len(self.diff.unread) + len(self.diff.refused)
        if n and k:
            return self._say("timetable.write_1" if k == 1 else "timetable.write", n=n, k=k)
        if n:
            return self._say("timetable.write_all", n=n)
        return self._say("timetable.write_choice") if has_choices else ""


def _unskipped(row: lines.Course) -> lines.Course:
    """A new course without its overlaps: what is chosen about them stands beside it."""
    told = lines.Course()
    told.CopyFrom(row)
    del told.skipped_weeks[:]
    return told
