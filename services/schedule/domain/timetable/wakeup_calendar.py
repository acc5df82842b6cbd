"""The semester as a timetable of WakeUp states it, beside the one that is stored.

The app counts weeks from the Monday on or before its first day, or from the Sunday where the
table says that weeks begin with it. Sections whose times are 00:00 only fill up the list.
Nothing of this changes the stored semester, and no row is shifted because of a difference.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time, timedelta
from typing import TypeGuard

from libs.planning.calendar import SectionClock, Semester
from services.schedule.domain.timetable import wording
from services.schedule.domain.timetable.fields import Record
from services.schedule.domain.timetable.problems import FileWarning, NotUnderstood

_DATE = re.compile(r"\s*([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})\s*")
_TIME = re.compile(r"\s*([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?\s*")
_PADDING = time(0, 0)
_MOST_SECTIONS = 60
_SUNDAY = 7

Span = tuple[time, time]


def is_sunday_first(table: Record) -> bool:
    """Whether the weeks of a table begin with Sunday."""
    return table.get("sundayFirst") in (True, 1, "true")


def compare(table: Record, slots: Sequence[object], semester: Semester) -> tuple[FileWarning, ...]:
    """What the table says of first day, weeks and sections, and is not so in the semester."""
    return (
        *_first_day(table, semester),
        *_week_count(table, semester),
        *_section_count(table, semester),
        *_section_times(table, slots, semester),
    )


def sections_at(starts: str, ends: str, clock: SectionClock) -> tuple[int, int]:
    """The sections that begin and end at these very times of day. Raises NotUnderstood."""
    said = f"{starts}-{ends}"
    begin, end = _time(starts), _time(ends)
    if begin is None or end is None or begin >= end:
        raise NotUnderstood("own_time", said, expected=_told(clock, 1, 2))
    first = next((n for n, one in enumerate(clock.sections, 1) if one.start == begin), None)
    last = next((n for n, one in enumerate(clock.sections, 1) if one.end == end), None)
    if first is None or last is None:
        within = [n for n, s in enumerate(clock.sections, 1) if s.start < end and begin < s.end]
        nearest = (within[0], within[-1]) if within else (1, 2)
        raise NotUnderstood("own_time", said, expected=_told(clock, *nearest))
    return first, last


def _first_day(table: Record, semester: Semester) -> Iterator[FileWarning]:
    if is_sunday_first(table):
        yield wording.file_warning("sunday_first")
    said = table.get("startDate")
    if said in (None, ""):
        return
    monday = _first_monday(said, sunday_first=is_sunday_first(table))
    if monday is None:
        yield wording.file_warning("first_day_unreadable", said=str(said))
    elif monday != semester.first_day:
        yield wording.file_warning(
            "first_day_differs", said=monday.isoformat(), stored=semester.first_day.isoformat()
        )


def _first_monday(said: object, *, sunday_first: bool) -> date | None:
    match = _DATE.fullmatch(said) if isinstance(said, str) else None
    try:
        day = date(*(int(part) for part in match.groups())) if match else None
        if day is None:
            return None
        if sunday_first:
            return day + timedelta(days=1 - day.isoweekday() % _SUNDAY)
        return day - timedelta(days=day.weekday())
    except (ValueError, OverflowError):
        return None


def _week_count(table: Record, semester: Semester) -> Iterator[FileWarning]:
    said = table.get("maxWeek")
    if _is_count(said) and said != semester.weeks:
        yield wording.file_warning("week_count_differs", said=said, stored=semester.weeks)


def _section_count(table: Record, semester: Semester) -> Iterator[FileWarning]:
    said = _node_count(table)
    if said is not None and said != semester.clock.count:
        yield wording.file_warning("section_count_differs", said=said, stored=semester.clock.count)


def _section_times(
    table: Record, slots: Sequence[object], semester: Semester
) -> Iterator[FileWarning]:
    here = dict(enumerate(semester.clock.sections, start=1))
    differing = [
        (number, span)
        for number, span in sorted(_times(table, slots).items())
        if number in here and span != (here[number].start, here[number].end)
    ]
    if differing:
        number, span = differing[0]
        yield wording.file_warning(
            "section_times_differ",
            sections=_listed([number for number, _ in differing]),
            number=number,
            said=_told_span(*span),
            stored=_told_span(here[number].start, here[number].end),
        )


def _times(table: Record, slots: Sequence[object]) -> Mapping[int, Span]:
    """Begin and end of the sections that the table uses, by number."""
    count = _node_count(table) or _MOST_SECTIONS
    found: dict[int, Span] = {}
    for slot in slots[: 4 * _MOST_SECTIONS]:
        if isinstance(slot, dict) and _is_of(table, slot):
            number, begin, end = (
                slot.get("node"),
                _time(slot.get("startTime")),
                _time(slot.get("endTime")),
            )
            is_padding = begin is None or end is None or begin == end == _PADDING
            if _is_count(number) and number <= count and begin and end and not is_padding:
                found.setdefault(number, (begin, end))
    return found


def _is_of(table: Record, slot: Record) -> bool:
    """A file may hold the times of several bells; the table names its own."""
    wanted = table.get("timeTable")
    return wanted is None or slot.get("timeTable", wanted) == wanted


def _node_count(table: Record) -> int | None:
    """How many sections a day of the table has: a number, or a list of section numbers."""
    nodes = table.get("nodes")
    if isinstance(nodes, list):
        counts = [one for one in nodes if _is_count(one)]
        return max(counts) if counts else None
    return nodes if _is_count(nodes) else None


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _MOST_SECTIONS


def _time(value: object) -> time | None:
    match = _TIME.fullmatch(value) if isinstance(value, str) else None
    if match is None or int(match[1]) > 23 or int(match[2]) > 59:
        return None
    return time(int(match[1]), int(match[2]))


def _told(clock: SectionClock, first: int, last: int) -> str:
    begin, end = clock.sections[first - 1].start, clock.sections[last - 1].end
    return f"{first}-{last}节 {_told_span(begin, end)}"


def _told_span(begin: time, end: time) -> str:
    return f"{begin:%H:%M}-{end:%H:%M}"


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
