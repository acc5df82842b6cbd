"""Importing a timetable: read the file before any transaction, write the difference in one."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from libs.db.database import Tx
from libs.planning.calendar import Semester, TaughtDays
from services.schedule.domain.block import Cause, ScheduledBlock
from services.schedule.domain.errors import (
    BaseVersionChanged,
    SemesterChanged,
    SemesterNotFound,
    UnreadableTimetable,
)
from services.schedule.domain.timetable import diff as diffs
from services.schedule.domain.timetable import formats, report, writes
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.problems import UnreadableFile
from services.schedule.domain.timetable.report import ImportReport
from services.schedule.domain.timetable.rows import Form, ParsedTimetable
from services.schedule.handlers import counters, edits, expansion
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import blocks, courses, overrides, semesters

# A file of one person has some kilobytes; only a much larger one is worth a thread.
_LARGE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read for a semester, as it was at that version."""

    semester: Semester
    parsed: ParsedTimetable


@dataclass(frozen=True, slots=True)
class Wish:
    """What the person decided after looking at a dry run."""

    displaced: frozenset[int] = frozenset()
    """Blocks of work that give way to courses."""
    base_version: str = ""
    """What they saw; empty = whatever is there."""


ANYTHING = Wish()


@dataclass(frozen=True, slots=True)
class _Compared:
    days: TaughtDays
    difference: TimetableDiff
    base_version: str


async def semester_for(tx: Tx, user_id: int, semester_id: int) -> Semester:
    """The semester to import into. Raises SemesterNotFound."""
    found = await semesters.get(tx, user_id, semester_id)
    if found is None:
        raise SemesterNotFound
    return found


async def prepare(semester: Semester, document: bytes, form: Form | None = None) -> Prepared:
    """Reads a file, outside of any transaction. Raises UnreadableTimetable."""
    try:
        if len(document) > _LARGE_BYTES:
            parsed = await asyncio.to_thread(formats.read, document, form, semester)
        else:
            parsed = formats.read(document, form, semester)
    except UnreadableFile as error:
        counters.count_import("unreadable")
        raise UnreadableTimetable(
            error.reason, message_zh=error.message_zh, message_en=error.message_en
        ) from error
    return Prepared(semester, parsed)


async def compare(tx: Tx, user_id: int, prepared: Prepared, wish: Wish = ANYTHING) -> ImportReport:
    """What the file would change. Writes nothing. Raises SemesterNotFound, SemesterChanged."""
    found = await _compared(tx, user_id, prepared, wish.displaced)
    counters.count_import("compared")
    return await _report(tx, user_id, prepared, found, written=False)


async def write(
    tx: Tx, user_id: int, prepared: Prepared, outlet: Outlet, wish: Wish = ANYTHING
) -> ImportReport:
    """Writes what the file changes. The caller holds the user's lock.

    Raises SemesterNotFound, SemesterChanged, BaseVersionChanged where the write would not do what
    the person saw, and CellTaken where a row of the database stands outside of the rules.
    """
    found = await _compared(tx, user_id, prepared, wish.displaced)
    if wish.base_version and wish.base_version != found.base_version:
        raise BaseVersionChanged(found.base_version)
    if not found.difference.changes_nothing:
        await _write(tx, user_id, found.days, found.difference, outlet)
    counters.count_written(tx)
    return await _report(tx, user_id, prepared, found, written=True)


async def _compared(
    tx: Tx, user_id: int, prepared: Prepared, displaced: Collection[int]
) -> _Compared:
    semester = await semester_for(tx, user_id, prepared.semester.id)
    if semester.version != prepared.semester.version:
        raise SemesterChanged
    parsed = prepared.parsed
    days = await overrides.taught_days(tx, user_id, semester)
    existing = await courses.of_semester(tx, user_id, semester.id)
    taken = await courses.task_cells(tx, user_id, semester.id)

    def difference(giving_way: Collection[int]) -> TimetableDiff:
        return diffs.diff(
            existing,
            parsed.rows,
            days=days,
            taken=taken,
            not_understood=parsed.not_understood,
            displaced=giving_way,
        )

    unchosen = difference(())
    version = report.base_version(semester, parsed, unchosen)
    return _Compared(days, difference(displaced) if displaced else unchosen, version)


async def _report(
    tx: Tx, user_id: int, prepared: Prepared, found: _Compared, *, written: bool
) -> ImportReport:
    semester_id = found.days.semester.id
    standing = await courses.count_meetings(tx, user_id, semester_id)
    return ImportReport(
        semester_id,
        prepared.parsed,
        found.difference,
        written=written,
        meeting_count=standing,
        base_version=found.base_version,
    )


async def _write(
    tx: Tx, user_id: int, days: TaughtDays, difference: TimetableDiff, outlet: Outlet
) -> None:
    """The courses, then their meetings where the calendar holds them."""
    semester = days.semester
    placed = await blocks.of_semester(tx, user_id, semester.id)
    added_ids = await _write_courses(tx, user_id, semester.id, difference)
    plan = writes.plan(difference, placed, days=days, added_ids=added_ids)
    states = await expansion.carry_out(tx, user_id, semester, plan)
    await outlet.schedule_changed(tx, user_id, Cause.IMPORT, states)
    await edits.look_again(tx, user_id, _lost(difference, placed), outlet)


async def _write_courses(
    tx: Tx, user_id: int, semester_id: int, difference: TimetableDiff
) -> tuple[int, ...]:
    """The courses themselves; gives the ids of the added ones."""
    added, changed = difference.added, difference.changed
    added_ids = await courses.add(tx, user_id, semester_id, [one.row for one in added])
    await courses.put(tx, user_id, [(one.course.id, one.row) for one in changed])
    await courses.remove(tx, user_id, [course.id for course in difference.removed])
    skipped = [(one.course.id, one.skipped) for one in changed]
    skipped += [(id_, one.skipped) for id_, one in zip(added_ids, added, strict=True)]
    await courses.put_skipped(tx, user_id, skipped)
    return added_ids


def _lost(
    difference: TimetableDiff, placed: Sequence[ScheduledBlock]
) -> tuple[ScheduledBlock, ...]:
    """The blocks of work that leave, as they stood."""
    ids = {block.id for block in (*difference.displaced, *difference.unhosted)}
    return tuple(one for one in placed if one.block.id in ids)
