"""What an import tells: what was read, what changes, and a name for that very outcome."""

import hashlib
from dataclasses import dataclass

from libs.planning.calendar import Semester
from services.schedule.domain.timetable import matching
from services.schedule.domain.timetable.diff import Change, TimetableDiff
from services.schedule.domain.timetable.rows import ParsedTimetable

_VERSION = "i1"
"""Written before every name, so that another way of naming is never taken for this one."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What a file changes, or has changed where `written`."""

    semester_id: int
    parsed: ParsedTimetable
    diff: TimetableDiff
    written: bool
    meeting_count: int
    base_version: str


def base_version(semester: Semester, parsed: ParsedTimetable, diff: TimetableDiff) -> str:
    """Names what a person sees of a file: its rows and what becomes of each as things stand.

    `diff` is the one in which no block was asked to give way, so the name is the same for every
    choice. It does not change with what the file does not touch, such as a block elsewhere or
    the title of one that is in the way.
    """
    seen = (
        (semester.id, semester.version),
        parsed.form.value,
        [one.message_zh for one in parsed.warnings],
        [(one.line, one.field, one.reason) for one in parsed.not_understood],
        [(one.row.line, matching.content(one.row)) for one in diff.added],
        [_change(one) for one in diff.changed],
        [(one.id, matching.content(one)) for one in diff.removed],
        [one.id for one in diff.unchanged],
        [one.id for one in diff.kept],
        [(one.line, matching.content(one)) for one in diff.refused],
        [
            (one.line, one.other, one.other_id, one.cells, one.can_give_way, one.was_skipped)
            for one in diff.conflicts
        ],
        [one.id for one in diff.unhosted],
    )
    digest = hashlib.sha256(repr(seen).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{_VERSION}:{digest[:40]}"


def _change(one: Change) -> tuple[object, ...]:
    before = (one.course.id, *matching.content(one.course), one.course.skipped)
    return (one.row.line, before, matching.content(one.row), one.skipped)
