"""What a timetable file would change in the stored courses.

The answer is what a write does: `added`, `changed` and `removed` can be written as they stand
without two things in one cell, provided that the stored ones have no such clash already. A row
that finds its cells taken gives way and stands in `refused`. A course that the file does not
state for certain any more (its row was not understood, or its change was refused) stays, in
`kept`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.schedule.domain.timetable import matching, seating
from services.schedule.domain.timetable.matching import Pair, StoredCourse
from services.schedule.domain.timetable.problems import RowProblem
from services.schedule.domain.timetable.rows import CourseRow
from services.schedule.domain.timetable.seating import Block, Cell, Conflict

_FIELDS: Mapping[str, Callable[[StoredCourse | CourseRow], object]] = {
    "name": lambda course: course.name,
    "teacher": lambda course: course.teacher,
    "room": lambda course: course.room,
    "campus": lambda course: course.campus,
    "day_of_week": lambda course: course.day_of_week,
    "sections": lambda course: (course.first, course.last),
    "weeks": lambda course: course.weeks,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A stored course that the file states differently; it keeps its id and embeddability."""

    course: StoredCourse
    row: CourseRow
    fields: tuple[str, ...]
    """What differs: name, teacher, room, campus, day_of_week, sections, weeks."""

    @property
    def moves(self) -> bool:
        """Whether any cell changes; a new name, teacher or room moves nothing."""
        return not {"day_of_week", "sections", "weeks"}.isdisjoint(self.fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimetableDiff:
    """What the file changes. Rows in order of line, courses and blocks in order of id."""

    added: tuple[CourseRow, ...]
    changed: tuple[Change, ...]
    removed: tuple[StoredCourse, ...]
    unchanged: tuple[StoredCourse, ...]
    kept: tuple[StoredCourse, ...]
    """Stored courses that stay although the file does not confirm them."""
    refused: tuple[CourseRow, ...]
    """Rows that are not written; each has at least one conflict."""
    conflicts: tuple[Conflict, ...]
    unhosted: tuple[Block, ...]
    """Embedded blocks that lose their host: they become pending and the person is told."""


def diff(
    existing: Sequence[StoredCourse],
    rows: Sequence[CourseRow],
    *,
    taken: Mapping[Cell, Block],
    not_understood: Sequence[RowProblem] = (),
) -> TimetableDiff:
    """Compare a file with what is stored; the order of the input is without effect.

    `rows` and `not_understood` are those of one file (no line twice), `existing` all courses of
    the semester, `taken` the cells of all live task blocks, guests included. Where two rows want
    one cell, a stored and unchanged course goes before a changed one, that before a new one, and
    among those the earlier line. Odd and even weeks share no cell.
    """
    pairs = sorted(matching.match(existing, rows), key=lambda pair: pair[1].line)
    compared = [_change(pair) for pair in pairs]
    matched_ids = {course.id for course, _ in pairs}
    matched_lines = {row.line for _, row in pairs}
    unmatched = [course for course in existing if course.id not in matched_ids]
    doubtful = [course for course in unmatched if _in_doubt(course, not_understood)]
    added = sorted((row for row in rows if row.line not in matched_lines), key=_line)
    stored_ids = {course.id for course in existing}
    conflicts = seating.seat(
        seating.Claims(
            staying=doubtful,
            settled=[change.row for change in compared if not change.moves],
            moving=[(change.course, change.row) for change in compared if change.moves],
            added=added,
            obstacles={c: block for c, block in taken.items() if block.host_id not in stored_ids},
        )
    )
    done = [change for change in compared if change.row.line not in conflicts]
    kept = doubtful + [change.course for change in compared if change.row.line in conflicts]
    return TimetableDiff(
        added=tuple(row for row in added if row.line not in conflicts),
        changed=tuple(change for change in done if change.fields),
        removed=_by_id(course for course in unmatched if course not in doubtful),
        unchanged=_by_id(change.course for change in done if not change.fields),
        kept=_by_id(kept),
        refused=tuple(sorted((row for row in rows if row.line in conflicts), key=_line)),
        conflicts=tuple(c for line in sorted(conflicts) for c in conflicts[line]),
        unhosted=_unhosted(stored_ids, taken, done, kept),
    )


def _unhosted(
    stored_ids: set[int],
    taken: Mapping[Cell, Block],
    done: Sequence[Change],
    kept: Sequence[StoredCourse],
) -> tuple[Block, ...]:
    """Find the guests of stored courses that do not lie wholly in their host any more."""
    hosts: dict[int | None, frozenset[Cell]] = {c.id: seating.cells(c) for c in kept}
    hosts |= {change.course.id: seating.cells(change.row) for change in done}
    lost = {
        block.id: block
        for cell, block in taken.items()
        if block.host_id in stored_ids and cell not in hosts.get(block.host_id, frozenset())
    }
    return tuple(lost[block_id] for block_id in sorted(lost))


def _in_doubt(course: StoredCourse, problems: Sequence[RowProblem]) -> bool:
    """Tell whether a row that was not understood may be the one that states this course."""
    return any(problem.name in (None, course.name) for problem in problems)


def _change(pair: Pair) -> Change:
    course, row = pair
    fields = tuple(name for name, of in _FIELDS.items() if of(course) != of(row))
    return Change(course=course, row=row, fields=fields)


def _line(row: CourseRow) -> int:
    return row.line


def _by_id(courses: Iterable[StoredCourse]) -> tuple[StoredCourse, ...]:
    return tuple(sorted(courses, key=lambda course: course.id))
