"""From courses to their meetings: one block for each course and day on which it is held.

What is held where is said by the timetable and the overrides of the calendar together. A meeting
is known by its course, the week of the timetable that it belongs to and, where an override runs
that day, the day it stands on; it keeps its id as long as that is so, whatever else of its course
changes.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from libs.planning.calendar import Semester, TaughtDays
from libs.planning.grid import Place
from services.schedule.domain.block import NewBlock, ScheduledBlock, instants
from services.schedule.domain.timetable.matching import StoredCourse
from services.schedule.domain.timetable.rows import CourseRow

RunAbsences = frozenset[tuple[int, int, int]]
"""(course, week, day) of days that run another one and on which the person is not to be taught."""

_Key = tuple[int, int, tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class Stated:
    """A course as it is to be held. `away` are weeks of its own day in which it does not meet."""

    course_id: int
    row: CourseRow | StoredCourse
    away: frozenset[int] = frozenset()
    can_be_embedded: bool = False


@dataclass(frozen=True, slots=True)
class Meeting:
    """One meeting of one course, on the day (week, day) of the semester."""

    course_id: int
    row: CourseRow | StoredCourse
    week: int
    day: int
    can_be_embedded: bool = False


@dataclass(frozen=True, slots=True)
class MeetingWrites:
    """What is to be written so that courses stand where they are held.

    `removed` are blocks that leave, `unhosted` guests among them, that lose their host; `kept`
    existing blocks that change, by id, `moved` those of them that change their place, `new`
    meetings that have no block yet.
    """

    removed: tuple[int, ...]
    unhosted: tuple[ScheduledBlock, ...]
    kept: tuple[tuple[int, Meeting], ...]
    moved: tuple[int, ...]
    new: tuple[Meeting, ...]

    @property
    def changes_nothing(self) -> bool:
        """Whether all stands as it should."""
        return not (self.removed or self.kept or self.new)


def plan(
    stated: Iterable[Stated],
    placed: Sequence[ScheduledBlock],
    *,
    before: TaughtDays,
    after: TaughtDays,
    gone: Collection[int] = (),
    leaving: Collection[int] = (),
    absent: RunAbsences = frozenset(),
) -> MeetingWrites:
    """What to write so that the stated courses stand as they are held by `after`.

    `placed` are all live blocks of the semester, put there by `before`; `gone` are courses that
    are not held any more, `leaving` blocks that go for another reason. Courses that are neither
    stated nor gone stay untouched.
    """
    stated = tuple(stated)
    touched = {one.course_id for one in stated} | set(gone)
    standing = {
        _key_of(one.course_id, one.block.place, before): one
        for one in placed
        if one.course_id in touched and one.course_id is not None
    }
    wanted = _wanted(stated, after, absent)
    lost = {one.block.id for key, one in standing.items() if key not in wanted} | set(leaving)
    both = [(standing[key], meeting) for key, meeting in wanted.items() if key in standing]
    semester_id = after.semester.id
    differing = [(one, meeting) for one, meeting in both if not _is_so(one, meeting, semester_id)]
    moved = {
        one.block.id: place_of(meeting, semester_id)
        for one, meeting in differing
        if one.block.place != place_of(meeting, semester_id)
    }
    unhosted = _unhosted(placed, lost, moved)
    return MeetingWrites(
        removed=tuple(sorted(lost | {one.block.id for one in unhosted})),
        unhosted=unhosted,
        kept=tuple((one.block.id, meeting) for one, meeting in differing),
        moved=tuple(moved),
        new=tuple(meeting for key, meeting in wanted.items() if key not in standing),
    )


def collisions(
    writes: MeetingWrites, placed: Iterable[ScheduledBlock], semester_id: int
) -> tuple[ScheduledBlock, ...]:
    """The blocks that stay and have one of the cells that new or moved meetings need."""
    arriving = [place_of(one, semester_id) for one in writes.new]
    arriving += [
        place_of(meeting, semester_id) for id_, meeting in writes.kept if id_ in writes.moved
    ]
    wanted = {cell for place in arriving for cell in place.cells}
    leaving = {*writes.removed, *writes.moved}
    return tuple(
        one
        for one in placed
        if one.block.id not in leaving and not wanted.isdisjoint(one.block.place.cells)
    )


def blocks(meetings: Iterable[tuple[int, Meeting]], semester: Semester) -> tuple[NewBlock, ...]:
    """Meetings as the blocks with these ids. Raises OutOfSemester."""
    return tuple(_block(id_, meeting, semester) for id_, meeting in meetings)


def place_of(meeting: Meeting, semester_id: int) -> Place:
    """Where a meeting stands."""
    row = meeting.row
    return Place(semester_id, meeting.week, meeting.day, row.first, row.last)


def location(row: CourseRow | StoredCourse) -> str:
    """Campus and room in one line."""
    return " ".join(part for part in (row.campus, row.room) if part)


def _key_of(course_id: int, place: Place, days: TaughtDays) -> _Key:
    if not days.is_overridden(place.week, place.day):
        return course_id, place.week, None
    taught = days.taught_on(place.week, place.day)
    # A meeting on a day without classes answers to no week, so nothing keeps it.
    return course_id, taught[0] if taught else 0, (place.week, place.day)


def _wanted(stated: Iterable[Stated], days: TaughtDays, absent: RunAbsences) -> dict[_Key, Meeting]:
    found: dict[_Key, Meeting] = {}
    for one in stated:
        for taught_week in one.row.weeks:
            for week, day in days.held_on(taught_week, one.row.day_of_week):
                is_own = not days.is_overridden(week, day)
                away = taught_week in one.away if is_own else (one.course_id, week, day) in absent
                if not away:
                    key = (one.course_id, taught_week, None if is_own else (week, day))
                    found[key] = Meeting(one.course_id, one.row, week, day, one.can_be_embedded)
    return found


def _unhosted(
    placed: Iterable[ScheduledBlock], lost: Collection[int], moved: Mapping[int, Place]
) -> tuple[ScheduledBlock, ...]:
    """Guests whose host leaves, or does not hold them any more where it goes."""
    found = []
    for one in placed:
        host = one.block.host_id
        if host is None:
            continue
        if host in lost or (host in moved and not moved[host].contains(one.block.place)):
            found.append(one)
    return tuple(found)


def _block(id_: int, meeting: Meeting, semester: Semester) -> NewBlock:
    place = place_of(meeting, semester.id)
    starts_at, ends_at = instants(semester, place)
    return NewBlock(
        id=id_,
        place=place,
        starts_at=starts_at,
        ends_at=ends_at,
        name=meeting.row.name,
        course_id=meeting.course_id,
        location=location(meeting.row),
        teacher=meeting.row.teacher,
        can_be_embedded=meeting.can_be_embedded,
    )


def _is_so(one: ScheduledBlock, meeting: Meeting, semester_id: int) -> bool:
    row = meeting.row
    shown = (one.block.name, one.location, one.teacher)
    return shown == (row.name, location(row), row.teacher) and one.block.place == place_of(
        meeting, semester_id
    )
