"""Importing a timetable: read the file before any transaction, write the difference in one."""

import asyncio
from dataclasses import dataclass

from libs.db.database import Tx
from libs.planning.calendar import Semester
from services.schedule.domain import meetings
from services.schedule.domain.block import Cause, first_version
from services.schedule.domain.errors import (
    SemesterChanged,
    SemesterNotFound,
    UnreadableTimetable,
)
from services.schedule.domain.meetings import ImportReport
from services.schedule.domain.timetable import diff as diffs
from services.schedule.domain.timetable import zhengfang
from services.schedule.domain.timetable.diff import TimetableDiff
from services.schedule.domain.timetable.problems import UnreadableFile
from services.schedule.domain.timetable.rows import ParsedTimetable
from services.schedule.handlers import counters
from services.schedule.handlers.outlet import Outlet
from services.schedule.store import blocks, courses, semesters

# A file of one person has some kilobytes; only a much larger one is worth a thread.
_LARGE_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Prepared:
    """A file that was read for a semester with these bounds."""

    semester_id: int
    bounds: tuple[int, int]
    parsed: ParsedTimetable


async def semester_for(tx: Tx, user_id: int, semester_id: int) -> Semester:
    """The semester to import into. Raises SemesterNotFound."""
    found = await semesters.get(tx, user_id, semester_id)
    if found is None:
        raise SemesterNotFound
    return found


async def prepare(semester: Semester, document: bytes) -> Prepared:
    """Reads a file, outside of any transaction. Raises UnreadableTimetable."""
    weeks, sections = _bounds(semester)
    try:
        if len(document) > _LARGE_BYTES:
            parsed = await asyncio.to_thread(
                zhengfang.parse, document, week_count=weeks, section_count=sections
            )
        else:
            parsed = zhengfang.parse(document, week_count=weeks, section_count=sections)
    except UnreadableFile as error:
        counters.count_import("unreadable")
        raise UnreadableTimetable(
            error.reason, message_zh=error.message_zh, message_en=error.message_en
        ) from error
    return Prepared(semester.id, (weeks, sections), parsed)


async def compare(tx: Tx, user_id: int, prepared: Prepared) -> ImportReport:
    """What the file would change. Writes nothing. Raises SemesterNotFound, SemesterChanged."""
    semester, difference = await _difference(tx, user_id, prepared)
    standing = await courses.count_meetings(tx, user_id, semester.id)
    counters.count_import("compared")
    return ImportReport(prepared.parsed, difference, written=False, meeting_count=standing)


async def write(tx: Tx, user_id: int, prepared: Prepared, outlet: Outlet) -> ImportReport:
    """Writes what the file changes. The caller holds the user's lock.

    Raises SemesterNotFound, SemesterChanged, and CellTaken where a row of the database stands
    outside of the rules.
    """
    semester, difference = await _difference(tx, user_id, prepared)
    if difference.added or difference.changed or difference.removed or difference.unhosted:
        await _write(tx, user_id, semester, difference, outlet)
    standing = await courses.count_meetings(tx, user_id, semester.id)
    counters.count_written(tx)
    return ImportReport(prepared.parsed, difference, written=True, meeting_count=standing)


async def _difference(tx: Tx, user_id: int, prepared: Prepared) -> tuple[Semester, TimetableDiff]:
    semester = await semester_for(tx, user_id, prepared.semester_id)
    if _bounds(semester) != prepared.bounds:
        raise SemesterChanged
    difference = diffs.diff(
        await courses.of_semester(tx, user_id, semester.id),
        prepared.parsed.rows,
        taken=await courses.task_cells(tx, user_id, semester.id),
        not_understood=prepared.parsed.not_understood,
    )
    return semester, difference


async def _write(
    tx: Tx, user_id: int, semester: Semester, difference: TimetableDiff, outlet: Outlet
) -> None:
    """Every section that is left is freed before any is taken."""
    placed = await blocks.of_semester(tx, user_id, semester.id)
    added_ids = await courses.add(tx, user_id, semester.id, difference.added)
    changed = [(change.course.id, change.row) for change in difference.changed]
    await courses.put(tx, user_id, changed)
    await courses.remove(tx, user_id, [course.id for course in difference.removed])
    plan = meetings.writes(difference, placed, semester_id=semester.id, added_ids=added_ids)
    removed = await blocks.remove(tx, user_id, plan.removed)
    await blocks.clear_cells(tx, user_id, plan.moved)
    kept = await blocks.put(tx, user_id, meetings.blocks(plan.kept, semester))
    await blocks.fill_cells(tx, user_id, plan.moved)
    ids = await blocks.new_ids(tx, len(plan.new))
    new = meetings.blocks(zip(ids, plan.new, strict=True), semester)
    version = first_version(await semesters.now(tx))
    states = (*removed, *kept, *await blocks.add(tx, user_id, new, version=version))
    await outlet.schedule_changed(tx, user_id, Cause.IMPORT, states)


def _bounds(semester: Semester) -> tuple[int, int]:
    return semester.weeks, semester.clock.count
