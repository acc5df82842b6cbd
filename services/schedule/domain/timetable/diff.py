"""What a timetable file would change in the stored courses.

The answer is what a write does: `added`, `changed` and `removed` can be written as they stand
without two things in one cell, provided that the stored ones have no such clash already. A row
that finds its cells taken by a course gives way and stands in `refused`. A course that the file
does not state for certain any more (its row was not understood, or its change was refused)
stays, in `kept`. Where a block of work stands in the way of a single meeting, the meeting is
skipped, unless the caller says that the block gives way: then it is `displaced`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from libs.planning.calendar import TaughtDays
from services.schedule.domain.timetable import matching, seating
from services.schedule.domain.timetable.matching import Away, Pair, StoredCourse
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
    skipped: tuple[Away, ...] = ()
    """Meetings in whose place a block of work stays, ascending."""

    @property
    def moves(self) -> bool:
        """Whether any cell changes; a new name, teacher or room moves nothing."""
        return not {"day_of_week", "sections", "weeks"}.isdisjoint(self.fields)

    @property
    def away(self) -> frozenset[Away]:
        """Meetings that are not held."""
        return frozenset(self.skipped) | frozenset(self.course.absent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """A course that is new."""

    row: CourseRow
    skipped: tuple[Away, ...] = ()
    """As for a change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimetableDiff:
    """What the file changes. Rows in order of line, courses and blocks in order of id."""

    added: tuple[Addition, ...]
    changed: tuple[Change, ...]
    removed: tuple[StoredCourse, ...]
    unchanged: tuple[StoredCourse, ...]
    kept: tuple[StoredCourse, ...]
    """Stored courses that stay although the file does not confirm them."""
    refused: tuple[CourseRow, ...]
    """Rows that are not written; each is in conflict with a course or with another row."""
    conflicts: tuple[Conflict, ...]
    """The same for every choice of blocks that give way."""
    displaced: tuple[Block, ...]
    """Blocks of work that give way to a meeting: they become pending and the person is told."""
    unhosted: tuple[Block, ...]
    """Embedded blocks that lose their host: they become pending and the person is told."""

    @property
    def changes_nothing(self) -> bool:
        """Whether a write would leave everything as it is."""
        lost = (*self.displaced, *self.unhosted)
        return not (self.added or self.changed or self.removed or lost)


@dataclass(frozen=True, slots=True)
class _Seated:
    """Rows that are written, with the stored course where there is one, and what stands there."""

    course: StoredCourse | None
    row: CourseRow
    standing: tuple[seating.Standing, ...]
    not_held: tuple[Away, ...]

    @property
    def was_skipped(self) -> frozenset[Away]:
        return frozenset(self.course.skipped) if self.course else frozenset()


def diff(
    existing: Sequence[StoredCourse],
    rows: Sequence[CourseRow],
    *,
    days: TaughtDays,
    taken: Mapping[Cell, Block],
    not_understood: Sequence[RowProblem] = (),
    displaced: Collection[int] = (),
) -> TimetableDiff:
    """Compare a file with what is stored; the order of the input is without effect.

    `rows` and `not_understood` are those of one file (no line twice), `existing` all courses of
    the semester, `days` says where the calendar holds them, `taken` the cells of all live task
    blocks, guests included, `displaced` the ids of the blocks that are to give way; one that has
    begun does not. Where two rows want one cell of the timetable, a stored and unchanged course
    goes before a changed one, that before a new one, and among those the earlier line. Odd and
    even weeks share no cell.
    """
    pairs = sorted(matching.match(existing, rows), key=lambda pair: pair[1].line)
    compared = [_change(pair) for pair in pairs]
    matched_ids = {course.id for course, _ in pairs}
    matched_lines = {row.line for _, row in pairs}
    unmatched = [course for course in existing if course.id not in matched_ids]
    doubtful = [course for course in unmatched if _in_doubt(course, not_understood)]
    added = sorted((row for row in rows if row.line not in matched_lines), key=_line)
    conflicts = seating.seat(
        seating.Claims(
            staying=doubtful,
            settled=[change.row for change in compared if not change.moves],
            moving=[(change.course, change.row) for change in compared if change.moves],
            added=added,
        )
    )
    stored_ids = {course.id for course in existing}
    wanted = [*pairs, *((None, row) for row in added)]
    seated = _seated(wanted, conflicts, _obstacles(taken, stored_ids), days)
    meetings = _meetings(seated, displaced)
    done = [
        _change((one.course, one.row), meetings[one.row.line])
        for one in seated
        if one.course is not None
    ]
    kept = doubtful + [course for course, row in pairs if row.line in conflicts]
    return TimetableDiff(
        added=tuple(
            Addition(row=one.row, skipped=meetings[one.row.line])
            for one in seated
            if one.course is None
        ),
        changed=tuple(change for change in done if change.fields),
        removed=_by_id(course for course in unmatched if course not in doubtful),
        unchanged=_by_id(change.course for change in done if not change.fields),
        kept=_by_id(kept),
        refused=tuple(sorted((row for row in rows if row.line in conflicts), key=_line)),
        conflicts=_all_conflicts(conflicts, seated),
        displaced=_displaced(seated, meetings, displaced),
        unhosted=_unhosted(stored_ids, taken, days, done, kept),
    )


def _obstacles(taken: Mapping[Cell, Block], stored_ids: Collection[int]) -> Mapping[Cell, Block]:
    """Guests of stored courses are in nobody's way: they go with their host, or stay in it."""
    return {cell: block for cell, block in taken.items() if block.host_id not in stored_ids}


def _seated(
    wanted: Iterable[tuple[StoredCourse | None, CourseRow]],
    conflicts: Collection[int],
    obstacles: Mapping[Cell, Block],
    days: TaughtDays,
) -> list[_Seated]:
    """The rows that are written, in order of line."""
    return [
        _Seated(
            course,
            row,
            seating.standing(row, course, obstacles, days),
            seating.not_held(row, course, days) if course else (),
        )
        for course, row in sorted(wanted, key=lambda pair: pair[1].line)
        if row.line not in conflicts
    ]


def _gives_way(block: Block, displaced: Collection[int]) -> bool:
    return block.id in displaced and not block.has_begun


def _meetings(seated: Sequence[_Seated], displaced: Collection[int]) -> dict[int, tuple[Away, ...]]:
    """By line, the meetings that are not held because a block of work stays."""
    found = {}
    for one in seated:
        stays = {s.away for s in one.standing if not _gives_way(s.block, displaced)}
        found[one.row.line] = tuple(sorted({*stays, *one.not_held}))
    return found


def _displaced(
    seated: Sequence[_Seated],
    skipped: Mapping[int, tuple[Away, ...]],
    displaced: Collection[int],
) -> tuple[Block, ...]:
    """The blocks that leave: only where a meeting really takes their place."""
    lost = {
        found.block.id: found.block
        for one in seated
        for found in one.standing
        if _gives_way(found.block, displaced) and found.away not in skipped[one.row.line]
    }
    return tuple(lost[block_id] for block_id in sorted(lost))


def _all_conflicts(
    conflicts: Mapping[int, tuple[Conflict, ...]], seated: Sequence[_Seated]
) -> tuple[Conflict, ...]:
    by_line = dict(conflicts)
    for one in seated:
        by_line[one.row.line] = tuple(
            seating.clash(one.row, found, was_skipped=found.away in one.was_skipped)
            for found in one.standing
        )
    return tuple(conflict for line in sorted(by_line) for conflict in by_line[line])


def _unhosted(
    stored_ids: set[int],
    taken: Mapping[Cell, Block],
    days: TaughtDays,
    done: Sequence[Change],
    kept: Sequence[StoredCourse],
) -> tuple[Block, ...]:
    """Find the guests of stored courses that do not lie wholly in their host any more."""
    hosts: dict[int | None, frozenset[Cell]] = {c.id: seating.held(c, days) for c in kept}
    hosts |= {one.course.id: seating.held(one.row, days, away=one.away) for one in done}
    lost = {
        block.id: block
        for cell, block in taken.items()
        if block.host_id in stored_ids and cell not in hosts.get(block.host_id, frozenset())
    }
    return tuple(lost[block_id] for block_id in sorted(lost))


def _in_doubt(course: StoredCourse, problems: Sequence[RowProblem]) -> bool:
    """Tell whether a row that was not understood may be the one that states this course."""
    return any(problem.name in (None, course.name) for problem in problems)


def _change(pair: Pair, skipped: tuple[Away, ...] | None = None) -> Change:
    """The two compared; `skipped` are meetings left out now, None where that is not known yet."""
    course, row = pair
    fields = [name for name, of in _FIELDS.items() if of(course) != of(row)]
    if skipped is not None and skipped != course.skipped and "weeks" not in fields:
        fields.append("weeks")
    return Change(course=course, row=row, fields=tuple(fields), skipped=skipped or ())


def _line(row: CourseRow) -> int:
    return row.line


def _by_id(courses: Iterable[StoredCourse]) -> tuple[StoredCourse, ...]:
    return tuple(sorted(courses, key=lambda course: course.id))
